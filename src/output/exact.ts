/**
 * Exact JSON numbers: integers beyond 2^53 are bigints, all others numbers. Comparisons and arithmetic are exact, or
 * throw if only a rounded result is possible.
 */
import { isRecord } from '../rules/records'

export type JsonNumber = number | bigint

export const isJsonNumber = (value: unknown): value is JsonNumber =>
  typeof value === 'number' || typeof value === 'bigint'

/** Compares deeply, and numbers by value: JavaScript compares a number and a bigint exactly. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (isJsonNumber(one) && isJsonNumber(other)) return compareNumbers(one, other) === 0
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
  }
  if (!isRecord(one) || !isRecord(other)) return one === other
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
}

/** Compares two numbers: negative, zero or positive. */
export function compareNumbers(one: JsonNumber, other: JsonNumber): number {
  return one < other ? -1 : Number(one > other)
}

export type ArithmeticOperator = keyof typeof operations

/** Operations on integers (`whole`) and on other numbers (`plain`). */
const operations = {
  Plus: { whole: (a: bigint, b: bigint) => a + b, plain: (a: number, b: number) => a + b },
  Minus: { whole: (a: bigint, b: bigint) => a - b, plain: (a: number, b: number) => a - b },
  Star: { whole: (a: bigint, b: bigint) => a * b, plain: (a: number, b: number) => a * b },
  Divide: {
    whole: (a: bigint, b: bigint) => (a % b === 0n ? a / b : undefined),
    plain: (a: number, b: number) => a / b,
  },
  Div: {
    whole: (a: bigint, b: bigint) => a / b - BigInt(a % b !== 0n && a < 0n !== b < 0n),
    plain: (a: number, b: number) => Math.floor(a / b),
  },
  Modulo: { whole: (a: bigint, b: bigint) => a % b, plain: (a: number, b: number) => a % b },
} as const

/** Calculates; throws if an operand is not a number, for division by zero, and if the result would be rounded. */
export function calculate(operator: ArithmeticOperator, one: unknown, other: unknown): JsonNumber {
  if (!isJsonNumber(one) || !isJsonNumber(other)) throw new Error('not a number')
  // biome-ignore lint/suspicious/noDoubleEquals: zero is zero in both types
  if ((operator === 'Divide' || operator === 'Div' || operator === 'Modulo') && other == 0)
    throw new Error('divided by zero')
  const { whole, plain } = operations[operator]
  const beyond = typeof one === 'bigint' || typeof other === 'bigint'
  if (!beyond) {
    const result = plain(one, other)
    if (!isExact(one) || !isExact(other) || Math.abs(result) <= Number.MAX_SAFE_INTEGER) return result
  }
  const result = isExact(one) && isExact(other) ? whole(BigInt(one), BigInt(other)) : undefined
  if (result === undefined) throw new Error('the result could only be given rounded, since an integer is beyond 2^53')
  return narrowed(result)
}

const isExact = (value: JsonNumber) => typeof value === 'bigint' || Number.isSafeInteger(value)

/** Converts a bigint to a number if that is exact. */
export function narrowed(value: bigint): JsonNumber {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
