/** Paging and filtering of collections (gaps.md, Paging and Filtering). */
import { pageSizes } from '../catalogue/paging'
import type { FieldError } from '../errors'
import { type Filter, parseFilter } from './filter'
import { Refusal } from './refusal'

export interface PageRequest {
  page: number
  size: number
  filter: Filter
}

export interface Envelope<T> {
  data: T[]
  page: number
  pages: number
  results: number
}

/** A whole collection, of which an answer shows one page. */
export type Listing<T> = (request: PageRequest) => Envelope<T>

/** `records` come in the order of their ids; `show` makes the public form of those on the page. */
export function listing<R extends object, T>(records: readonly R[], show: (record: R) => T): Listing<T> {
  return ({ page, size, filter }) => {
    const selected = filter(records)
    return {
      data: selected.slice((page - 1) * size, page * size).map(show),
      page,
      pages: Math.max(1, Math.ceil(selected.length / size)),
      results: selected.length,
    }
  }
}

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
  return { page, size, filter: parseFilter(filterText, filterable) }
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}
