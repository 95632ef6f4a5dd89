/** Synchronous JSON in which integers beyond 2^53 are bigints. */
import { holdsLongNumber } from '../data/json'
import { formatLossless, parseLossless } from '../data/lossless'

/** Parses JSON; throws SyntaxError if it is invalid. */
export function readJson(text: string): unknown {
  return holdsLongNumber(text) ? parseLossless(text) : JSON.parse(text)
}

/** Formats JSON on one line. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint.
    if (!(error instanceof TypeError)) throw error
    return formatLossless(value, 0)
  }
}
