/** JSON with the library that keeps integers beyond 2^53: those are bigint. ./json loads it only where it is needed. */
import { parse, stringify } from 'lossless-json'

/** Parses a JSON text; throws SyntaxError where it is none. */
export function parseLossless(text: string): unknown {
  return parse(text, null, {
    // As JSON.parse: the last one counts.
    onDuplicateKey: ({ newValue }) => newValue,
    parseNumber(digits) {
      const number = Number(digits)
      return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number
    },
  })
}

/** A key of an object that has it already with another value, and where; JSON.parse takes the last one without a word. */
export function keyTwice(text: string): { key: string; line: number } | undefined {
  let found: { key: string; line: number } | undefined
  parse(text, null, {
    onDuplicateKey({ key, position, newValue }) {
      found ??= { key, line: text.slice(0, position).split('\n').length }
      return newValue
    },
  })
  return found
}

/** Writes a value as JSON, indented by `indent` spaces. */
export function formatLossless(value: unknown, indent: number): string {
  return stringify(value, null, indent) as string
}
