/**
 * The functions and operators of JMESPath that compare or calculate. Integers beyond 2^53 are bigints, all other numbers
 * are numbers: they are compared exactly, and never calculated with, since the result could be rounded.
 */
import {
  registerFunction,
  TreeInterpreter,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_STRING,
  TYPE_EXPREF,
  TYPE_NUMBER,
  TYPE_STRING,
} from '@jmespath-community/jmespath'
import { isRecord } from '../rules/records'
import { valueText } from './cells'

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

const operations = {
  Plus: (a: number, b: number) => a + b,
  Minus: (a: number, b: number) => a - b,
  Star: (a: number, b: number) => a * b,
  Divide: (a: number, b: number) => a / b,
  Div: (a: number, b: number) => Math.floor(a / b),
  Modulo: (a: number, b: number) => a % b,
} as const

/** Calculates; throws if an operand is not a number, for division by zero, and for integers beyond 2^53. */
export function calculate(operator: ArithmeticOperator, one: unknown, other: unknown): number {
  if (!isJsonNumber(one) || !isJsonNumber(other)) throw new Error('not a number')
  if (typeof one === 'bigint' || typeof other === 'bigint') throw tooLong()
  if ((operator === 'Divide' || operator === 'Div' || operator === 'Modulo') && other === 0)
    throw new Error('divided by zero')
  const result = operations[operator](one, other)
  const isRounded =
    Number.isSafeInteger(one) && Number.isSafeInteger(other) && Math.abs(result) > Number.MAX_SAFE_INTEGER
  if (isRounded) throw tooLong()
  return result
}

const tooLong = () => new Error('skyctl does not calculate with integers beyond 2^53')

/** Converts a bigint to a number if that is exact. */
export function narrowed(value: bigint): JsonNumber {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

type Custom = Parameters<typeof registerFunction>[1]
type Types = Parameters<typeof registerFunction>[2][number]['types']
type Tree = Parameters<typeof TreeInterpreter.visit>[0]
type Value = Parameters<typeof TreeInterpreter.visit>[1]

/** Function on JSON values, with integers beyond 2^53 as bigint; throws if the operation is impossible. */
type Work = (...values: unknown[]) => unknown

/** Replaces the library's functions. */
export function registerFunctions(): void {
  for (const [name, types, work] of functions) {
    const custom = (values: unknown[]) => work(...values)
    const signature = types.map((type) => ({ types: type }))
    registerFunction(name, custom as Custom, signature, { override: true })
  }
}

/** Reports whether a function accepts integers of any length, if it accepts numbers at all. */
export const isExact = (name: unknown) =>
  name === 'not_null' || functions.some(([functionName]) => functionName === name)

const ordered =
  (holds: Holds): Work =>
  (one, other) =>
    isJsonNumber(one) && isJsonNumber(other) ? holds(compareNumbers(one, other)) : null

/** Reports whether an order of two values is as wanted. */
type Holds = (order: number) => boolean

const isGreater: Holds = (order) => order > 0
const isLess: Holds = (order) => order < 0
const less = ordered(isLess)

const any: Types = [TYPE_ANY]
const two = [any, any]
const number = [[TYPE_NUMBER]]
const numbers = [[TYPE_ARRAY_NUMBER]]
const comparable = [[TYPE_ARRAY_NUMBER, TYPE_ARRAY_STRING]]
const byKey = [[TYPE_ARRAY], [TYPE_EXPREF]]

/** Functions by name; names in brackets replace operators. */
const functions: readonly (readonly [name: string, types: readonly Types[], work: Work])[] = [
  ['(EQ)', two, isEqual],
  ['(NE)', two, (one, other) => !isEqual(one, other)],
  ['(GT)', two, ordered(isGreater)],
  ['(GTE)', two, ordered((order) => order >= 0)],
  ['(LT)', two, less],
  ['(LTE)', two, ordered((order) => order <= 0)],
  ['(Plus)', two, (one, other) => calculate('Plus', one, other)],
  ['(Minus)', two, (one, other) => calculate('Minus', one, other)],
  ['(Star)', two, (one, other) => calculate('Star', one, other)],
  ['(Multiply)', two, (one, other) => calculate('Star', one, other)],
  ['(Divide)', two, (one, other) => calculate('Divide', one, other)],
  ['(Div)', two, (one, other) => calculate('Div', one, other)],
  ['(Modulo)', two, (one, other) => calculate('Modulo', one, other)],
  ['(argument)', two, refuseLong],
  ['abs', number, (value) => (less(value, 0) ? calculate('Minus', 0, value) : value)],
  ['ceil', number, (value) => (typeof value === 'bigint' ? value : Math.ceil(Number(value)))],
  ['floor', number, (value) => (typeof value === 'bigint' ? value : Math.floor(Number(value)))],
  ['sum', numbers, sum],
  [
    'avg',
    numbers,
    (values) => (list(values).length === 0 ? null : calculate('Divide', sum(values), list(values).length)),
  ],
  ['max', comparable, (values) => extreme(list(values), itself, isGreater)],
  ['min', comparable, (values) => extreme(list(values), itself, isLess)],
  ['sort', comparable, (values) => sortedBy(list(values), itself)],
  ['max_by', byKey, (values, key) => extreme(list(values), keyOf(key), isGreater)],
  ['min_by', byKey, (values, key) => extreme(list(values), keyOf(key), isLess)],
  ['sort_by', byKey, (values, key) => sortedBy(list(values), keyOf(key))],
  ['contains', [[TYPE_STRING, TYPE_ARRAY], any], contains],
  ['to_array', [any], (value) => (Array.isArray(value) ? value : [value])],
  ['to_number', [any], toNumber],
  ['to_string', [any], (value) => (value === null ? 'null' : valueText(value))],
  ['type', [any], typeOf],
]

type Key = JsonNumber | string
type KeyOf = (value: unknown) => unknown

const itself: KeyOf = (value) => value
const keyOf =
  (expression: unknown): KeyOf =>
  (value) =>
    TreeInterpreter.visit(expression as Tree, value as Value)

/** Requires an array. The library accepts a bigint for any type, because it has no type for it. */
function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new Error('an integer is not an array')
}

function refuseLong(value: unknown, name: unknown): unknown {
  if (typeof value !== 'bigint') return value
  throw new Error(`Invalid type: ${String(name)}() takes no integer`)
}

function sum(values: unknown): number {
  return list(values).reduce<number>((total, value) => calculate('Plus', total, value), 0)
}

/** Pairs values with their sort keys, which must be all numbers or all texts. */
function keyed(values: readonly unknown[], key: KeyOf): { value: unknown; by: Key }[] {
  const all = values.map((value) => ({ value, by: key(value) }))
  if (all.every((one): one is { value: unknown; by: JsonNumber } => isJsonNumber(one.by))) return all
  if (all.every((one): one is { value: unknown; by: string } => typeof one.by === 'string')) return all
  throw new Error('Invalid type: only numbers, or only texts, can be ordered')
}

/** Compares sort keys. Texts are compared by code points, as in UTF-8. */
function compare(one: Key, other: Key): number {
  if (isJsonNumber(one) && isJsonNumber(other)) return compareNumbers(one, other)
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

function sortedBy(values: readonly unknown[], key: KeyOf): unknown[] {
  return keyed(values, key)
    .sort((one, other) => compare(one.by, other.by))
    .map(({ value }) => value)
}

/** Returns the value that beats all others; null if there are no values. */
function extreme(values: readonly unknown[], key: KeyOf, beats: Holds): unknown {
  const [first, ...rest] = keyed(values, key)
  if (!first) return null
  return rest.reduce((best, one) => (beats(compare(one.by, best.by)) ? one : best), first).value
}

function contains(where: unknown, what: unknown): boolean | null {
  if (typeof where === 'string') return typeof what === 'string' ? where.includes(what) : null
  return list(where).some((item) => isEqual(item, what))
}

function toNumber(value: unknown): JsonNumber | null {
  if (isJsonNumber(value)) return value
  if (typeof value !== 'string') return null
  if (/^-?\d+$/.test(value)) return narrowed(BigInt(value))
  const number = Number(value)
  return Number.isNaN(number) ? null : number
}

function typeOf(value: unknown): string {
  if (isJsonNumber(value)) return 'number'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
