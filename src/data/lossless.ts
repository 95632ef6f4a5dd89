/** JSON library that keeps integers beyond 2^53 as bigints. ./json loads it only if needed. */
import { parse, stringify } from 'lossless-json'

/** Parses a JSON text; throws SyntaxError if it is invalid. */
export function parseLossless(text: string): unknown {
  return parse(text, null, {
    // The last value counts, as with JSON.parse.
    onDuplicateKey: ({ newValue }) => newValue,
    parseNumber(digits) {
      const number = Number(digits)
      return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number
    },
  })
}

/** Formats a value as JSON, indented by `indent` spaces. */
export function formatLossless(value: unknown, indent: number): string {
  return stringify(value, null, indent) ?? 'null'
}
