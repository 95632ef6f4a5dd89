/**
 * Replaces functions of the JMESPath library whose results are wrong, depend on the locale, or round integers beyond 2^53
 * without need. Such integers are bigints: queries pass them on and order them exactly, and calculate with doubles.
 */
import {
  registerFunction,
  TreeInterpreter,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_STRING,
  TYPE_EXPREF,
  TYPE_STRING,
} from '@jmespath-community/jmespath'
import { isRecord } from '../rules/records'
import { valueText } from './cells'

type Custom = Parameters<typeof registerFunction>[1]
type Types = Parameters<typeof registerFunction>[2][number]['types']
type Tree = Parameters<typeof TreeInterpreter.visit>[0]
type Value = Parameters<typeof TreeInterpreter.visit>[1]

/** Function on JSON values; throws if the operation is impossible. */
type Work = (...values: unknown[]) => unknown

/** Replaces the library's functions. */
export function registerFunctions(): void {
  for (const [name, types, work] of functions) {
    const custom = (values: unknown[]) => work(...values)
    const signature = types.map((type) => ({ types: type }))
    registerFunction(name, custom as Custom, signature, { override: true })
  }
}

/** Types of nodes that calculate or compare. */
const calculating = new Set<unknown>(['Arithmetic', 'Unary', 'Comparator', 'Function'])
/** Functions that only pass their arguments on. */
const passing = new Set<unknown>(['not_null', 'to_array', 'to_string'])

/** Rounds the operands of a tree's calculations and comparisons to doubles: the library does not support bigints. */
export function withDoubles(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withDoubles)
  if (!isRecord(node) || node.type === 'Literal') return node
  const rounds = calculating.has(node.type) && !passing.has(node.name)
  const operand = (child: unknown) => (rounds ? rounded(withDoubles(child)) : withDoubles(child))
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, Array.isArray(value) ? value.map(operand) : operand(value)]),
  )
}

function rounded(node: unknown): unknown {
  if (!isRecord(node) || node.type === 'Literal' || node.type === 'ExpressionReference') return node
  return { type: 'Function', name: '(double)', children: [node] }
}

const any: Types = [TYPE_ANY]
const numbers = [[TYPE_ARRAY_NUMBER]]
const comparable = [[TYPE_ARRAY_NUMBER, TYPE_ARRAY_STRING]]
const byKey = [[TYPE_ARRAY], [TYPE_EXPREF]]

/** Functions by name. A query cannot name the one in brackets. */
const functions: readonly (readonly [name: string, types: readonly Types[], work: Work])[] = [
  ['(double)', [any], double],
  ['sum', numbers, (values) => sum(listFrom(values))],
  ['avg', numbers, (values) => average(listFrom(values))],
  ['max', comparable, (values) => extreme(listFrom(values), itself, isGreater)],
  ['min', comparable, (values) => extreme(listFrom(values), itself, isLess)],
  ['sort', comparable, (values) => sortedBy(listFrom(values), itself)],
  ['max_by', byKey, (values, key) => extreme(listFrom(values), keyOf(key), isGreater)],
  ['min_by', byKey, (values, key) => extreme(listFrom(values), keyOf(key), isLess)],
  ['sort_by', byKey, (values, key) => sortedBy(listFrom(values), keyOf(key))],
  ['contains', [[TYPE_STRING, TYPE_ARRAY], any], contains],
  ['to_number', [any], number],
  ['to_string', [any], (value) => (value === null ? 'null' : valueText(value))],
]

/** A number as JSON writes it. The library takes what JavaScript takes: an empty text, or hexadecimal digits. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Converts the text of a JSON number; null if it is none. */
function number(value: unknown): unknown {
  if (typeof value !== 'string') return typeof double(value) === 'number' ? value : null
  const converted = jsonNumber.test(value) ? Number(value) : Number.NaN
  return Number.isFinite(converted) ? converted : null
}

function double(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

/** Returns the array that the signature of a function requires. */
const listFrom = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + Number(value), 0)
}

function average(values: readonly unknown[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

type Key = number | bigint | string
type KeyOf = (value: unknown) => unknown

const itself: KeyOf = (value) => value
const keyOf =
  (expression: unknown): KeyOf =>
  (value) =>
    TreeInterpreter.visit(expression as Tree, value as Value)

/** Reports whether an order of two values is as wanted. */
type Holds = (order: number) => boolean

const isGreater: Holds = (order) => order > 0
const isLess: Holds = (order) => order < 0

/** Pairs values with their sort keys, which must be all numbers or all texts. */
function keyed(values: readonly unknown[], key: KeyOf): { value: unknown; by: Key }[] {
  const all = values.map((value) => ({ value, by: key(value) }))
  if (all.every((one): one is { value: unknown; by: number | bigint } => typeof double(one.by) === 'number')) return all
  if (all.every((one): one is { value: unknown; by: string } => typeof one.by === 'string')) return all
  throw new Error('Invalid type: only numbers, or only texts, can be ordered')
}

/** Compares sort keys. Texts are compared by code points, as in UTF-8. */
function compare(one: Key, other: Key): number {
  if (typeof one !== 'string' && typeof other !== 'string') return one < other ? -1 : Number(one > other)
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
  return listFrom(where).some((item) => isEqual(double(item), what))
}

/** Compares deeply, as the operator `==`. */
function isEqual(one: unknown, other: unknown): unknown {
  const [left, right] = [one, other].map((value) => ({ type: 'Literal', value }))
  return TreeInterpreter.visit({ type: 'Comparator', name: 'EQ', left, right } as Tree, null)
}
