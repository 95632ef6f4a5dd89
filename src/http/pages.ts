/** Reads a collection: several pages in parallel, yielded in order and without duplicates. */
import type { Operation } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import { type Page, pagesInOrder, type ReadProgress, type Sequence } from './page-sequence'
import type { Fail, RequestSummary } from './problems'
import type { PlannedPages } from './rate-plan'
import type { Call, Request } from './requests'

/**
 * Limits of a read. By default it reads everything; `page` reads that page only, and `limit` is the maximum number of
 * items.
 */
export interface Bounds {
  page?: number
  pageSize?: number
  limit?: number
  /** Called for each page in order, before others are requested. It may throw, and so end the read. */
  onPage?: ((progress: ReadProgress) => Promise<void>) | undefined
}

/** A collection: requests for its pages, and the parser of a page. */
export interface Collection {
  summary: RequestSummary
  operation?: Operation
  request(query: Readonly<Record<string, number>>): Promise<Request>
  identity(item: unknown): unknown
  page(body: unknown, number: number, fail: Fail): Page
}

interface Reading extends Sequence {
  identity(item: unknown): unknown
  fail: Fail
}

/** Reports whether a body can be a page: an envelope, or a bare array, which is the whole list. */
export function isPage(body: unknown): boolean {
  return isList(isRecord(body) ? body.data : body)
}

/** Some services send null for an empty list. */
const isList = (value: unknown): value is unknown[] | null => Array.isArray(value) || value === null

/** Parses the body of a page; `read` validates its items, and may throw. */
export function parsePage(
  body: unknown,
  number: number,
  read: (items: unknown[]) => unknown[],
  fail: Reading['fail'],
): Page {
  if (body === undefined) throw fail('it is empty', 'not_the_api')
  const envelope = Array.isArray(body) ? { data: body, pages: number } : body
  if (!isRecord(envelope) || !isList(envelope.data))
    throw fail(
      `it is not a page of a list${isRecord(envelope) && envelope.data === undefined ? ': data is missing' : ''}`,
    )
  const { pages } = envelope
  const items = read(envelope.data ?? [])
  const page = items.length === 0 && isEmptyList(envelope) ? number : (envelope.page ?? number)
  if (page !== number) throw fail(`it is ${pageText(page)} instead of page ${number}`)
  if (!isCount(pages)) throw fail('it lacks the number of pages')
  const results = envelope.results ?? undefined
  if (results !== undefined && !isCount(results)) throw fail('it lacks the number of results')
  // An empty list has one page, and a page after the last is empty (gaps.md, Paging).
  if (items.length === 0 && number <= pages && pages > 1) throw fail(`page ${number} of ${pages} is empty`)
  return { number, items, pages, results }
}

/** Some services number the page of an empty list 0, as there is none (gaps.md, Empty pages). */
const isEmptyList = ({ page, pages, results }: Readonly<Record<string, unknown>>) =>
  page === 0 && (pages === 0 || pages === 1) && (results ?? 0) === 0

const pageText = (page: unknown) => (isCount(page) ? `page ${page}` : 'a page without a number')

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/**
 * Yields the items of each page in order and without duplicates. If a page fails, the whole read fails. It also fails
 * if the number of items does not match the promised one, unless a second read shows that the collection has changed.
 *
 * If items vanish during the read, later ones move to pages that were already read. Their number shows that, unless
 * others are created at the same time: so a second read follows if there is an item that new, or that may be.
 */
export async function* readPages(reading: Reading): AsyncGenerator<unknown[], void> {
  const all = new Set()
  const first = yield* sweep(reading, { all, own: all })
  if (!first.shrank && !first.hasNew && first.count === first.results) return
  const second = yield* sweep(reading, { all, own: new Set() })
  if (second.count === second.results || (second.changed && all.size >= second.results)) return
  throw reading.fail(`its pages hold ${second.count} items of ${second.results}`)
}

interface Sweep {
  /** Number of distinct items, and the number that the last page promises. */
  count: number
  results: number
  /** True if the collection changed, or shrank, during the read. */
  changed: boolean
  shrank: boolean
  /** True if an item after the first page may have been created since that page was read. */
  hasNew: boolean
}

/** Reads all pages once, and yields the new items. `all` has the items of all sweeps, `own` those of this one. */
async function* sweep(
  reading: Reading,
  { all, own }: Record<'all' | 'own', Set<unknown>>,
): AsyncGenerator<unknown[], Sweep> {
  let before: Page | undefined
  let identitiesBefore: unknown[] = []
  let twice = 0
  let shrank = false
  let changed = false
  let hasNew = false
  let isNew = (_item: unknown) => false
  for await (const page of pagesInOrder(reading, () => twice)) {
    const { items, number, results = 0 } = page
    const identities = items.map(reading.identity)
    if (before) {
      if (isSame(identitiesBefore, identities)) throw reading.fail(`page ${number} repeats the one before`)
      changed ||= page.results !== before.results
      shrank ||= results < (before.results ?? 0)
      hasNew ||= items.some(isNew)
    } else isNew = createdSince(page.answeredAt)
    const fresh = items.filter((_, index) => addNew(identities[index], all))
    if (own !== all) for (const identity of identities) own.add(identity)
    twice += items.length - fresh.length
    if (fresh.length > 0) yield fresh
    before = page
    identitiesBefore = identities
  }
  const { pages = 0, results = own.size } = before ?? {}
  const whole = pages <= reading.lastWanted(twice, reading.size)
  return { count: own.size, results: whole ? results : own.size, changed, shrank, hasNew }
}

/** Adds a value to a set; returns false if it was there. */
function addNew(value: unknown, set: Set<unknown>): boolean {
  const before = set.size
  return set.add(value).size > before
}

/**
 * Returns a function that tells whether an item may have been created since about a time, by whole seconds of the
 * service's clock. Addresses and ranges have no time, so each of them may.
 */
function createdSince(time: number | undefined): (item: unknown) => boolean {
  // The page may be older than its answer.
  const begun = time === undefined ? undefined : new Date(time - 1000).toISOString().slice(0, 19)
  return (item) => {
    if (!isRecord(item)) return false
    const { created, address, range } = item
    if (typeof created === 'string') return begun !== undefined && created >= begun
    return address !== undefined || range !== undefined
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((item, index) => item === other[index])
}

/** Removes the items of pages that cannot be read, and reports each with its reason. */
export async function* readableItems(
  pages: AsyncIterable<unknown[]>,
  unreadable: ReadonlyMap<unknown, string> = new Map(),
  report: Call['onUnreadable'] = () => {},
): AsyncGenerator<unknown[], void> {
  for await (const page of pages) {
    for (const item of page) if (unreadable.has(item) && isRecord(item)) report(item, unreadable.get(item) ?? '')
    yield unreadable.size === 0 ? page : page.filter((item) => !unreadable.has(item))
  }
}

/** Returns a function that identifies items by these fields; by the whole item if one of them is missing. */
export function itemKeyBy(fields: readonly string[]): (item: unknown) => unknown {
  return (item) => {
    const values = isRecord(item) ? fields.map((field) => item[field]) : [item]
    if (!values.every(isPlain)) return wholeText(item)
    return values.length === 1 ? values[0] : wholeText(values)
  }
}

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'

function wholeText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
}

/** Yields the items of one page. If it is the only page, it must be complete; a second read is allowed for that. */
export async function* readPage(
  number: number,
  { read, size, identity, fail }: Pick<Reading, 'read' | 'size' | 'identity' | 'fail'>,
): AsyncGenerator<unknown[], void> {
  for (let look = 1; ; look += 1) {
    const { items, pages, results } = await read(number, size)
    const identities = new Set()
    const fresh = items.filter((item) => addNew(identity(item), identities))
    const expected = number === 1 && pages <= 1 ? (results ?? identities.size) : identities.size
    if (identities.size === expected) return yield fresh
    if (look === 2) throw fail(`it holds ${identities.size} items of ${expected}`)
  }
}

export async function* limitItems(limit: number, batches: AsyncIterable<unknown[]>): AsyncGenerator<unknown[], void> {
  let left = limit
  for await (const items of batches) {
    yield items.length > left ? items.slice(0, left) : items
    left -= items.length
    if (left <= 0) return
  }
}

/** So many pages are worth a plan: fewer are hardly ever more than a rate limit allows. */
const manyPages = 20

type ReadPage = (number: number, size: number) => Promise<Page>

interface PageLimits {
  /** Maximum number of items. */
  limit: number
  /** Announces pages that follow the first one. */
  plan(count: number): Promise<PlannedPages>
  /** Returns the signal that ends the pauses before pages. */
  signal(): AbortSignal
}

/** Spreads the requests for many pages over the rate limit. */
export function pacedPages(read: ReadPage, { limit, plan, signal }: PageLimits) {
  let planned: Promise<PlannedPages> | undefined
  return {
    async read(number: number, size: number): Promise<Page> {
      if (planned) return (await planned).run(() => read(number, size), signal())
      const page = await read(number, size)
      const more = Math.min(page.pages, Math.ceil(limit / size)) - number
      if (more >= manyPages) planned ??= plan(more)
      return page
    },
    /** Gives up the pages that were not read. */
    end: async () => (await planned)?.end(),
  }
}
