/**
 * JSON with exact integers: those beyond 2^53 become bigints, and are written as digits. The library that writes them
 * is loaded only if needed.
 */

import {
  isTooDeep,
  type Measured,
  type MemoryBudget,
  measure,
  memoryBudget,
  NumberTooLarge,
  nestedTooDeep,
  usualMemory,
} from './memory-limits'

/** Reports whether a JSON text may contain an integer that JSON.parse would round. */
export const holdsLongNumber = (text: string) => /\d{16}/.test(text)

/** Maximum length of a text that is parsed without an estimate: it needs a few MiB at most. */
const small = 256 * 1024
/** Memory of typical records as a multiple of their text length. */
const usualTimes = 4
/** Matches integers that a double may round, and numbers that it cannot represent. */
const unusual = /\d{16}|e\+?\d{3}/i

/**
 * Parses a JSON text; throws SyntaxError if it is invalid, LimitExceeded if it needs too much memory, and NumberTooLarge.
 */
export async function parseJson(text: string, room?: MemoryBudget): Promise<unknown> {
  return parsedWithin(text, room).value
}

/** Parses a JSON text and returns its value with the memory estimate in bytes. */
export function parsedWithin(
  text: string,
  room: MemoryBudget = memoryBudget(usualMemory),
): { value: unknown; memory: number } {
  if (text.length <= small && !unusual.test(text))
    return { value: shallow(JSON.parse(text)), memory: text.length * usualTimes }
  const { memory, longIntegers, numberFault } = measure(text, room)
  if (numberFault !== undefined) {
    JSON.parse(text)
    throw new NumberTooLarge(numberFault)
  }
  return { value: longIntegers.length === 0 ? JSON.parse(text) : withLongIntegers(text, longIntegers), memory }
}

function shallow(value: unknown): unknown {
  if (isTooDeep(value)) throw nestedTooDeep()
  return value
}

/** Parses text with long integers: they pass JSON.parse as texts with a random prefix, and become bigints. */
function withLongIntegers(text: string, places: Measured['longIntegers']): unknown {
  const mark = `${Math.random()}:`
  const parts: string[] = []
  let done = 0
  for (const [begin, end] of places) {
    parts.push(text.slice(done, begin), `"${mark}${text.slice(begin, end)}"`)
    done = end
  }
  const marked = parts.join('') + text.slice(done)
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? integerOf(value.slice(mark.length)) : value,
  )
}

function integerOf(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
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
