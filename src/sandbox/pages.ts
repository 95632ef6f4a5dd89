/** Paging and filtering of lists (gaps.md, Paging and Filtering). */
import { pageSizes } from '../catalogue/paging'
import type { FieldError } from '../errors'
import { type Filter, parseFilter } from './filter'
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
export interface LazyCollection<R> {
  readonly size: number
  slice(begin: number, end: number): readonly R[]
  all(): readonly R[]
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
    const chosen = filter?.(chosenOf(source, filter).map(told))
    const results = chosen?.length ?? source.size
    const data = (chosen ?? source).slice(begin, end).map(show)
    return { data, page, pages: Math.max(1, Math.ceil(results / size)), results }
  }
}

/** Returns candidates for a filter. With a label, records with other labels are not parsed. */
function chosenOf<R>(source: LazyCollection<R>, { label }: Filter): readonly R[] {
  return label === undefined ? source.all() : source.holding('label', label)
}

const unread = <R>(records: readonly R[]): LazyCollection<R> => ({
  size: records.length,
  slice: (begin, end) => records.slice(begin, end),
  all: () => records,
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
