/** Pages and filters of lists (gaps.md, Paging and Filtering). */
import { pageSizes } from '../catalogue/paging'
import type { FieldError } from '../errors'
import { isRecord, valueAt } from '../rules/records'
import { ApiRefusal, refusal } from './refusal'

export interface PageRequest {
  page: number
  size: number
  /** Filter; undefined selects all records. */
  filter: Filter | undefined
}

export interface Envelope<T> {
  data: T[]
  page: number
  pages: number
  results: number
}

export type Listing<T> = (request: PageRequest) => Envelope<T>

/** Creates a list. `show` converts the records of a page to answers; `toFilterable` converts a record for filters. */
export function listing<R extends object, T>(
  records: readonly R[],
  show: (record: R) => T,
  toFilterable: (record: R) => R = (record) => record,
): Listing<T> {
  return ({ page, size, filter }) => {
    const chosen = filter ? filter(records.map(toFilterable)) : records
    const data = chosen.slice((page - 1) * size, page * size).map(show)
    return { data, page, pages: Math.max(1, Math.ceil(chosen.length / size)), results: chosen.length }
  }
}

/** Reads `page`, `page_size` and `X-Filter`; fails with 400 and all problems. */
export function pageRequest(
  query: URLSearchParams,
  filterText: string | undefined,
  filterable: readonly string[] = [],
): PageRequest {
  const problems: FieldError[] = []
  const page = wholeNumber(query.get('page') ?? '1')
  if (!(page >= 1)) problems.push({ field: 'page', reason: 'Must be 1 or greater' })
  const { smallest, largest, unsaid } = pageSizes
  const size = wholeNumber(query.get('page_size') ?? String(unsaid))
  if (!(size >= smallest && size <= largest)) {
    problems.push({ field: 'page_size', reason: `Must be ${smallest}-${largest}` })
  }
  if (problems.length > 0) throw new ApiRefusal(400, problems)
  return { page, size, filter: filterText === undefined ? undefined : parseFilter(filterText, filterable) }
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

export type Filter = <R extends object>(records: readonly R[]) => R[]

type Test = (record: object) => boolean
type Fields = Record<string, unknown>

/** Parses the header. Fails with 400 if it is not a JSON object, or has an unknown operator or unfilterable key. */
function parseFilter(header: string, filterable: readonly string[]): Filter {
  const { '+order_by': orderBy, '+order': order = 'asc', ...conditions } = parseObject(header)
  const test = every(conditions, filterable)
  const compare = comparison(orderBy, order, filterable)
  return (records) => {
    const selected = records.filter(test)
    return compare ? selected.sort(compare) : selected
  }
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

function every(conditions: Fields, filterable: readonly string[]): Test {
  const tests = Object.entries(conditions).map(([key, value]) => condition(key, value, filterable))
  return (record) => tests.every((holds) => holds(record))
}

function condition(key: string, value: unknown, filterable: readonly string[]): Test {
  if (key === '+and' || key === '+or') {
    const tests = alternatives(key, value).map((one) => every(one, filterable))
    return (record) => (key === '+and' ? tests.every((holds) => holds(record)) : tests.some((holds) => holds(record)))
  }
  if (!filterable.includes(key)) throw refusal('X-Filter', `Cannot filter on ${key}`)
  const comparisons = Object.entries(isRecord(value) ? value : { '+eq': value })
  const tests = comparisons.map(([operator, operand]) => operation(operator, operand))
  return (record) => tests.every((holds) => holds(fieldOf(record, key)))
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
const fieldOf = (record: object, key: string): unknown =>
  key.includes('.') ? valueAt(record, key) : Reflect.get(record, key)

const sortable = (value: unknown) => (typeof value === 'number' ? value : String(value))
