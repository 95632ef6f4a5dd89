/** JSON library that keeps integers beyond 2^53 as bigints. ./json loads it only if needed. */
import { parse, stringify } from 'lossless-json'
import { NumberTooLarge } from './memory-limits'

/** Parses a JSON text; throws SyntaxError if it is invalid, and NumberTooLarge. */
export function parseLossless(text: string): unknown {
  // The last of equal keys counts, as with JSON.parse.
  return parse(text, null, { onDuplicateKey: ({ newValue }) => newValue, parseNumber: exactNumber })
}

const longestNumber = 400

function exactNumber(digits: string): number | bigint {
  if (digits.length > longestNumber) throw new NumberTooLarge(`it holds a number of over ${longestNumber} digits`)
  const number = Number(digits)
  if (/^-?\d+$/.test(digits) && !Number.isSafeInteger(number)) return BigInt(digits)
  if (!Number.isFinite(number)) throw new NumberTooLarge('it holds a number that is too large')
  return number
}

/** Formats a value as JSON, indented by `indent` spaces. */
export function formatLossless(value: unknown, indent: number): string {
  return stringify(value, null, indent) ?? 'null'
}
