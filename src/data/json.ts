/**
 * JSON with exact integers: those beyond 2^53 become bigints, and are written as digits. The library for them is loaded
 * only if needed.
 */
import { expectBounded, isTooDeep, mayExceed, nestedTooDeep, usualMemory } from './memory-limits'

/** Matches integers that JSON.parse may round, and numbers that it cannot represent, where JSON has a value. */
const unusualNumber = /(?:^|[[,:\s])-?(?:\d{16}|\d[\d.]*e\+?\d{3})/i

/** Reports whether a JSON text may contain a number that JSON.parse would round. */
export const holdsLongNumber = (text: string) => unusualNumber.test(text)

/**
 * Parses a JSON text; throws SyntaxError if it is invalid, LimitExceeded if it needs over `most` bytes of memory, and
 * NumberTooLarge.
 */
export async function parseJson(text: string, most = usualMemory): Promise<unknown> {
  const isExact = holdsLongNumber(text)
  if (isExact || mayExceed(text, most)) expectBounded(text, most)
  if (isExact) return (await import('./lossless')).parseLossless(text)
  const value: unknown = JSON.parse(text)
  if (isTooDeep(value)) throw nestedTooDeep()
  return value
}

/** Formats a value as JSON, indented by `indent` spaces (0: on one line). */
export async function formatJson(value: unknown, indent = 2): Promise<string> {
  try {
    // With further arguments, V8 of Node 26 is slower and limits the depth.
    return indent === 0 ? JSON.stringify(value) : JSON.stringify(value, null, indent)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint; only then is the library loaded.
    if (!(error instanceof TypeError)) throw error
    const { formatLossless } = await import('./lossless')
    return formatLossless(value, indent)
  }
}
