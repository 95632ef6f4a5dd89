/** Paging and filtering of collections (gaps.md, Paging and Filtering). */
import { pageSizes } from '../catalogue/paging'
import type { FieldError } from '../errors'
import { type Filter, parseFilter } from './filter'
import { Refusal } from './refusal'

export interface PageRequest {
  page: number
  size: number
  /** Undefined: all of them. */
  filter: Filter | undefined
}

export interface Envelope<T> {
  data: T[]
  page: number
  pages: number
  results: number
}

/** A whole collection, of which an answer shows one page. */
export type Listing<T> = (request: PageRequest) => Envelope<T>

/** A collection whose records are read when they are asked for, such as a Table. By id ascending. */
export interface Unread<R> {
  readonly size: number
  slice(begin: number, end: number): R[]
  all(): R[]
  /** Those that may have this text for a value, and no other that has it is left out. */
  holding(key: string, text: string): R[]
}

/** `show` makes the public form of the records on the page; `told` is a record as filters take it. */
export function listing<R extends object, T>(
  records: readonly R[] | Unread<R>,
  show: (record: R) => T,
  told: (record: R) => R = (record) => record,
): Listing<T> {
  const source = Array.isArray(records) ? unread<R>(records) : (records as Unread<R>)
  return ({ page, size, filter }) => {
    const [begin, end] = [(page - 1) * size, page * size]
    const chosen = filter?.(chosenOf(source, filter).map(told))
    const results = chosen?.length ?? source.size
    const data = (chosen ?? source).slice(begin, end).map(show)
    return { data, page, pages: Math.max(1, Math.ceil(results / size)), results }
  }
}

/** Labels are what things are looked up by: of many, those that have another are not read. */
function chosenOf<R>(source: Unread<R>, { label }: Filter): R[] {
  return label === undefined ? source.all() : source.holding('label', label)
}

const unread = <R>(records: R[]): Unread<R> => ({
  size: records.length,
  slice: (begin, end) => records.slice(begin, end),
  all: () => records,
  holding: () => records,
})

/** Reads `page`, `page_size` and `X-Filter`; 400 with everything that is wrong with them. */
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
  if (problems.length > 0) throw new Refusal(400, problems)
  return { page, size, filter: filterText === undefined ? undefined : parseFilter(filterText, filterable) }
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}
