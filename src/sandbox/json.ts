/** JSON at the sandbox's door, at once: integers beyond 2^53 come in as bigint and go out as digits. */
import { holdsLongNumber } from '../data/json'
import { formatLossless, parseLossless } from '../data/lossless'

/** Throws SyntaxError for what is no JSON. */
export function readJson(text: string): unknown {
  return holdsLongNumber(text) ? parseLossless(text) : JSON.parse(text)
}

/** On one line. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint.
    if (!(error instanceof TypeError)) throw error
    return formatLossless(value, 0)
  }
}
