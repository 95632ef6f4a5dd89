/** Filters of lists: the header `X-Filter` (gaps.md, Filtering). */
import { isRecord } from '../rules/records'
import { type Candidates, merged } from './indexes'
import { refusal } from './refusal'

/** Selects and orders records. */
export interface Filter {
  test: Test
  /** Order; undefined keeps that of the list. */
  compare: ((a: object, b: object) => number) | undefined
  /** Looks candidates up, so that other records are not read; undefined if no index helps. */
  narrow: Narrow
}

/** Indexes of a list; undefined for a key without one. */
export interface Lookup {
  /** Returns candidates for records in which `key` has this value or member. */
  equal(key: string, value: unknown): Candidates | undefined
  /** Returns candidates for records in which `key`, or a member of it, contains a text. */
  containing(key: string, part: string): Candidates | undefined
}

type Test = (record: object) => boolean
type Narrow = (lookup: Lookup) => Candidates | undefined

/** A condition, and the look-up of its candidates. */
interface Condition {
  test: Test
  narrow: Narrow
}

type Fields = Record<string, unknown>

/** Parses the header. Fails with 400 if it is not a JSON object, or has an unknown operator or unfilterable key. */
export function parseFilter(header: string, filterable: readonly string[]): Filter {
  const { '+order_by': orderBy, '+order': order = 'asc', ...conditions } = parseObject(header)
  return { ...every(conditions, filterable), compare: comparison(orderBy, order, filterable) }
}

function parseObject(header: string): Fields {
  try {
    const value: unknown = JSON.parse(header)
    if (isRecord(value)) return value
  } catch {
    // The error below uses the service's words.
  }
  throw refusal('X-Filter', 'Filter not valid JSON')
}

function every(conditions: Fields, filterable: readonly string[]): Condition {
  // The first look-up of a label parses only the records with it (Table).
  const keys = Object.keys(conditions).sort((a, b) => Number(b === 'label') - Number(a === 'label'))
  return allOf(keys.map((key) => condition(key, conditions[key], filterable)))
}

function allOf(conditions: readonly Condition[]): Condition {
  return { test: all(conditions.map(({ test }) => test)), narrow: (lookup) => fewest(conditions, lookup) }
}

/** So few candidates are tested sooner than another index is made. */
const few = 100

/** Returns the candidates of the condition with the fewest, or with few. If there are others, each must be tested. */
function fewest(conditions: readonly Condition[], lookup: Lookup): Candidates | undefined {
  let best: Candidates | undefined
  for (const { narrow } of conditions) {
    const candidates = narrow(lookup)
    if (candidates && candidates.ids.length < (best?.ids.length ?? Number.POSITIVE_INFINITY)) best = candidates
    if (best && best.ids.length <= few) break
  }
  return best && { ids: best.ids, exact: best.exact && conditions.length === 1 }
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    test: (record) => conditions.some(({ test }) => test(record)),
    narrow(lookup) {
      const candidates = conditions.flatMap(({ narrow }) => narrow(lookup) ?? [])
      if (candidates.length < conditions.length) return undefined
      return { ids: merged(candidates.map(({ ids }) => ids)), exact: candidates.every(({ exact }) => exact) }
    },
  }
}

/** Combines tests. A single test, as in a look-up by label, needs no loop per record. */
function all<T>(tests: readonly ((value: T) => boolean)[]): (value: T) => boolean {
  const [first = () => true, ...others] = tests
  return others.length === 0 ? first : (value) => tests.every((holds) => holds(value))
}

function condition(key: string, value: unknown, filterable: readonly string[]): Condition {
  if (key === '+and' || key === '+or') {
    const conditions = alternatives(key, value).map((one) => every(one, filterable))
    return key === '+and' ? allOf(conditions) : anyOf(conditions)
  }
  if (!filterable.includes(key)) throw refusal('X-Filter', `Cannot filter on ${key}`)
  const comparisons = isRecord(value) ? value : { '+eq': value }
  return allOf(Object.entries(comparisons).map(([operator, operand]) => comparing(key, operator, operand)))
}

/** Returns the condition that a field meets an operator. */
function comparing(key: string, operator: string, operand: unknown): Condition {
  const holds = operation(operator, operand)
  return {
    test: (record) => holds(fieldOf(record, key)),
    narrow(lookup) {
      if (operator === '+eq') return lookup.equal(key, operand)
      return operator === '+contains' && typeof operand === 'string' ? lookup.containing(key, operand) : undefined
    },
  }
}

function alternatives(key: string, value: unknown): Fields[] {
  if (Array.isArray(value) && value.every(isRecord)) return value
  throw refusal('X-Filter', `${key} must be an array of objects`)
}

type Operator = (actual: unknown, operand: unknown) => boolean

const equal: Operator = (actual, operand) => (Array.isArray(actual) ? actual.includes(operand) : actual === operand)

const operators = new Map<string, Operator>([
  ['+eq', equal],
  ['+neq', (actual, operand) => !equal(actual, operand)],
  ['+gt', (actual, operand) => order(actual, operand) > 0],
  ['+gte', (actual, operand) => order(actual, operand) >= 0],
  ['+lt', (actual, operand) => order(actual, operand) < 0],
  ['+lte', (actual, operand) => order(actual, operand) <= 0],
  ['+contains', contains],
])

function operation(name: string, operand: unknown): (actual: unknown) => boolean {
  const operator = operators.get(name)
  if (operator === undefined) throw refusal('X-Filter', `${name} is not a known operator`)
  return (actual) => operator(actual, operand)
}

function contains(actual: unknown, operand: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((member) => contains(member, operand))
  return typeof actual === 'string' && typeof operand === 'string' && actual.includes(operand)
}

/** Compares two values: negative, zero or positive. NaN, which fails every comparison, if they are not comparable. */
function order(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return Number(a > b) - Number(a < b)
  return Number.NaN
}

function comparison(key: unknown, direction: unknown, filterable: readonly string[]) {
  if (direction !== 'asc' && direction !== 'desc') throw refusal('X-Filter', '+order must be one of: asc, desc')
  if (key === undefined) return undefined
  const field = filterable.find((one) => one === key)
  if (field === undefined) {
    throw refusal('X-Filter', `Cannot order by ${typeof key === 'string' ? key : JSON.stringify(key)}`)
  }
  // Records of one second were created in the order of their ids.
  const second = (a: object, b: object) => (field === 'created' ? order(fieldOf(a, 'id'), fieldOf(b, 'id')) : 0)
  const ascending = (a: object, b: object) =>
    order(sortable(fieldOf(a, field)), sortable(fieldOf(b, field))) || second(a, b)
  return direction === 'asc' ? ascending : (a: object, b: object) => ascending(b, a)
}

/** Returns a field, or one below it: `entity.id`. */
function fieldOf(record: object, key: string): unknown {
  if (!key.includes('.')) return Reflect.get(record, key)
  return key.split('.').reduce<unknown>((value, one) => (isRecord(value) ? value[one] : undefined), record)
}

const sortable = (value: unknown) => (typeof value === 'number' ? value : String(value))
