/** Paging and filtering of lists (gaps.md, Paging and Filtering). */
import { pageSizes } from '../catalogue/paging'
import type { FieldError } from '../errors'
import { isRecord } from '../rules/records'
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

/** Function that returns one page of a list. */
export type Listing<T> = (request: PageRequest) => Envelope<T>

/** List whose records are parsed on access, such as a Table, by ascending id. */
export interface LazyCollection<R> {
  readonly size: number
  slice(begin: number, end: number): readonly R[]
  /** Returns the records that pass a test. */
  select(test: (record: R) => boolean): readonly R[]
  /** Returns all records in which `key` has this text, and possibly others. */
  holding(key: string, text: string): readonly R[]
}

/** Creates a list. `show` converts the records of a page to answers; `told` converts a record for filters. */
export function listing<R extends object, T>(
  records: readonly R[] | LazyCollection<R>,
  show: (record: R) => T,
  told: (record: R) => R = (record) => record,
): Listing<T> {
  const source = 'holding' in records ? records : unread(records)
  return ({ page, size, filter }) => {
    const [begin, end] = [(page - 1) * size, page * size]
    const chosen = filter && sorted(candidates(source, filter).select(passing(filter, told)).map(told), filter)
    const results = chosen?.length ?? source.size
    const data = (chosen ?? source).slice(begin, end).map(show)
    return { data, page, pages: Math.max(1, Math.ceil(results / size)), results }
  }
}

/** Returns candidates for a filter. With a label, records with other labels are not parsed. */
function candidates<R>(source: LazyCollection<R>, { label }: Filter): LazyCollection<R> {
  return label === undefined ? source : unread(source.holding('label', label))
}

function passing<R extends object>({ test }: Filter, told: (record: R) => R): (record: R) => boolean {
  return (record) => test(told(record))
}

function sorted<R extends object>(records: R[], { compare }: Filter): readonly R[] {
  return compare ? records.sort(compare) : records
}

const unread = <R>(records: readonly R[]): LazyCollection<R> => ({
  size: records.length,
  slice: (begin, end) => records.slice(begin, end),
  select: (test) => records.filter(test),
  holding: () => records,
})

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

/** Selects and orders records. */
export interface Filter {
  test: Test
  /** Order; undefined keeps that of the list. */
  compare: ((a: object, b: object) => number) | undefined
  /** Label that all selected records have; undefined if the filter does not require one. */
  label: string | undefined
}

type Test = (record: object) => boolean
type Fields = Record<string, unknown>

/** Parses the header. Fails with 400 if it is not a JSON object, or has an unknown operator or unfilterable key. */
function parseFilter(header: string, filterable: readonly string[]): Filter {
  const { '+order_by': orderBy, '+order': order = 'asc', ...conditions } = parseObject(header)
  return {
    test: every(conditions, filterable),
    compare: comparison(orderBy, order, filterable),
    label: equalTo(conditions.label),
  }
}

function equalTo(wanted: unknown): string | undefined {
  const text = isRecord(wanted) ? wanted['+eq'] : wanted
  return typeof text === 'string' ? text : undefined
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
  return all(Object.entries(conditions).map(([key, value]) => test(key, value, filterable)))
}

/** Combines tests. A single test, as in a look-up by label, needs no loop per record. */
function all<T>(tests: readonly ((value: T) => boolean)[]): (value: T) => boolean {
  const [first = () => true, ...others] = tests
  return others.length === 0 ? first : (value) => tests.every((holds) => holds(value))
}

function test(key: string, value: unknown, filterable: readonly string[]): Test {
  if (key === '+and' || key === '+or') {
    const tests = alternatives(key, value).map((conditions) => every(conditions, filterable))
    return key === '+and' ? all(tests) : (record) => tests.some((holds) => holds(record))
  }
  if (!filterable.includes(key)) throw refusal('X-Filter', `Cannot filter on ${key}`)
  const wanted = isRecord(value) ? value : { '+eq': value }
  const holds = all(Object.entries(wanted).map(([operator, operand]) => operation(operator, operand)))
  return (record) => holds(fieldOf(record, key))
}

function alternatives(key: string, value: unknown): Fields[] {
  if (Array.isArray(value) && value.every(isRecord)) return value
  throw refusal('X-Filter', `${key} must be an array of objects`)
}

type Operator = (held: unknown, operand: unknown) => boolean

const equal: Operator = (held, operand) => (Array.isArray(held) ? held.includes(operand) : held === operand)

const operators = new Map<string, Operator>([
  ['+eq', equal],
  ['+neq', (held, operand) => !equal(held, operand)],
  ['+gt', (held, operand) => order(held, operand) > 0],
  ['+gte', (held, operand) => order(held, operand) >= 0],
  ['+lt', (held, operand) => order(held, operand) < 0],
  ['+lte', (held, operand) => order(held, operand) <= 0],
  ['+contains', contains],
])

function operation(name: string, operand: unknown): (held: unknown) => boolean {
  const operator = operators.get(name)
  if (operator === undefined) throw refusal('X-Filter', `${name} is not a known operator`)
  return (held) => operator(held, operand)
}

function contains(held: unknown, operand: unknown): boolean {
  if (Array.isArray(held)) return held.some((member) => contains(member, operand))
  return typeof held === 'string' && typeof operand === 'string' && held.includes(operand)
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
  const ascending = (a: object, b: object) => order(sortable(fieldOf(a, field)), sortable(fieldOf(b, field)))
  return direction === 'asc' ? ascending : (a: object, b: object) => ascending(b, a)
}

const fieldOf = (record: object, key: string): unknown => Reflect.get(record, key)
const sortable = (value: unknown) => (typeof value === 'number' ? value : String(value))
