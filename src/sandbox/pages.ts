/** Paging of lists, filtered or whole (gaps.md, Paging). */
import { pageSizes } from '../catalogue/paging'
import type { FieldError } from '../errors'
import { type Filter, type Lookup, parseFilter } from './filter'
import { ApiRefusal } from './refusal'

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
export interface LazyCollection<R> extends Lookup {
  readonly size: number
  slice(begin: number, end: number): readonly R[]
  /** Returns the records that pass a test. */
  select(test: (record: R) => boolean): R[]
  /** Returns the records with these ids. */
  at(ids: readonly number[]): R[]
}

/** Records of one page, before they are shown, and the number of all. */
interface Chosen<R> {
  results: number
  slice(begin: number, end: number): readonly R[]
}

/** Creates a list. `show` converts the records of a page to answers; `toFilterable` converts a record for filters. */
export function listing<R extends object, T>(
  records: readonly R[] | LazyCollection<R>,
  show: (record: R) => T,
  toFilterable: (record: R) => R = (record) => record,
): Listing<T> {
  return ({ page, size, filter }) => {
    const chosen = filter ? choose(records, filter, toFilterable) : everyOne(records)
    const { results } = chosen
    const data = chosen.slice((page - 1) * size, page * size).map(show)
    return { data, page, pages: Math.max(1, Math.ceil(results / size)), results }
  }
}

function everyOne<R>(records: readonly R[] | LazyCollection<R>): Chosen<R> {
  const results = 'size' in records ? records.size : records.length
  return { results, slice: (begin, end) => records.slice(begin, end) }
}

/** Selects and orders records. If an index answers the whole filter, only those of the page are read. */
function choose<R extends object>(
  records: readonly R[] | LazyCollection<R>,
  { test, compare, narrow }: Filter,
  toFilterable: (record: R) => R,
): Chosen<R> {
  const passes = (record: R) => test(toFilterable(record))
  if (!('size' in records)) return ordered(records.filter(passes).map(toFilterable), compare)
  const candidates = narrow(records)
  if (!candidates) return ordered(records.select(passes).map(toFilterable), compare)
  const { ids, exact } = candidates
  if (exact && !compare) {
    return { results: ids.length, slice: (begin, end) => records.at(ids.slice(begin, end)).map(toFilterable) }
  }
  return ordered(records.at(ids).filter(passes).map(toFilterable), compare)
}

function ordered<R extends object>(records: R[], compare: Filter['compare']): Chosen<R> {
  return everyOne(compare ? records.sort(compare) : records)
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
