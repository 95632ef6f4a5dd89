/**
 * JSON whose integers stay exact beyond 2^53: those come out as bigint and go back as digits. The library that writes
 * them is loaded only where there is one.
 */
import { type Measured, measure, NumberTooLarge, nestedTooDeep, type Room, roomFor, usualMemory } from './bounds'
import { isTooDeep } from './depth'

/** Whether a JSON text may hold an integer that JSON.parse would round. */
export const holdsLongNumber = (text: string) => /\d{16}/.test(text)

/** Up to this length nothing is measured before it is read: it can come to a few MiB only. */
const small = 256 * 1024
/** What records take of memory, in times of their text. */
const usualTimes = 4
/** Integers that a double may not hold, and numbers that it cannot. */
const unusual = /\d{16}|e\+?\d{3}/i

/**
 * Parses a JSON text; throws SyntaxError where it is none, TooLarge where it would take more than it may, and
 * NumberTooLarge.
 */
export async function parseJson(text: string, room?: Room): Promise<unknown> {
  return parsedWithin(text, room).value
}

/** The same, with what it takes in memory, in bytes. */
export function parsedWithin(text: string, room: Room = roomFor(usualMemory)): { value: unknown; memory: number } {
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

/** Digits go through JSON.parse as texts that no service can foresee, and come out as what they stand for. */
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

/** Writes a value as JSON, indented by `indent` spaces (0: on one line). */
export async function formatJson(value: unknown, indent = 2): Promise<string> {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint, and only then is the library worth its load time.
    if (!(error instanceof TypeError)) throw error
    const { formatLossless } = await import('./lossless')
    return formatLossless(value, indent)
  }
}
