/** Reads a collection page after page: several at once, given out in order, and each item once. */
import type { Problem } from '../errors'
import { isRecord } from '../rules/records'

export interface Page {
  number: number
  items: unknown[]
  /** How many pages there are, as this one says. */
  pages: number
  /** How many items there are, where this page says it. */
  results?: number
}

interface Reading {
  read(number: number): Promise<Page>
  /** How many pages may be in flight now. */
  window(): number
  /** No page after this one is wanted. */
  lastWanted: number
  fail(what: string): Problem
}

/** Whether a body can be a page: an envelope, or a bare array, which is all there is. */
export function isPage(body: unknown): boolean {
  return Array.isArray(isRecord(body) ? body.data : body)
}

/** Reads the body of a page; `item` reads, or refuses, each of its items. */
export function pageOf(body: unknown, number: number, item: (value: unknown) => unknown, fail: Reading['fail']): Page {
  const envelope = Array.isArray(body) ? { data: body, pages: number } : body
  if (!isRecord(envelope) || !Array.isArray(envelope.data)) throw fail('it is no page of a list')
  const { data, page = number, pages, results } = envelope
  if (page !== number) throw fail(`it is page ${String(page)} where page ${number} was asked for`)
  if (typeof pages !== 'number' || !Number.isInteger(pages) || pages < 0) throw fail('it has no number of pages')
  // An empty list has one page, and a page past the last is empty (gaps.md, Paging).
  if (data.length === 0 && number <= pages && pages > 1) throw fail(`page ${number} of ${pages} is empty`)
  return { number, items: data.map(item), pages, ...(typeof results === 'number' && { results }) }
}

/** Yields the items of each page in order, none of them twice. A page that fails fails the whole. */
export async function* readPages(reading: Reading): AsyncGenerator<unknown[], void> {
  const seen = new Set<unknown>()
  const shrank = yield* sweep(reading, seen)
  // Where items vanish while we read, later ones move to pages that were read already: look for them once more.
  if (shrank) yield* sweep(reading, seen)
}

/** Returns whether the collection became smaller while it was read. */
async function* sweep(reading: Reading, seen: Set<unknown>): AsyncGenerator<unknown[], boolean> {
  let before: Page | undefined
  let count = 0
  let shrank = false
  let changed = false
  for await (const page of inOrder(reading)) {
    if (before && isSame(before, page)) throw reading.fail(`page ${page.number} repeats the one before`)
    if (before && page.results !== before.results) changed = true
    if (before && (page.results ?? 0) < (before.results ?? 0)) shrank = true
    count += page.items.length
    const fresh = page.items.filter((item) => !seen.has(identity(item)))
    for (const item of fresh) seen.add(identity(item))
    if (fresh.length > 0) yield fresh
    before = page
  }
  const { pages = 0, results = count } = before ?? {}
  if (!changed && count < results && pages <= reading.lastWanted) {
    throw reading.fail(`its pages hold ${count} items of ${results}`)
  }
  return shrank
}

/** The pages in order, up to `window` of them in flight or waiting. */
async function* inOrder({ read, window, lastWanted }: Reading): AsyncGenerator<Page, void> {
  const ahead: Promise<Page>[] = []
  let next = 2
  for (let page: Page | undefined = await read(1); page; page = await ahead.shift()) {
    // The newest page knows best: pages come and go while we read.
    const last = Math.min(page.pages, lastWanted)
    while (ahead.length < window() && next <= last) {
      const coming = read(next)
      // It is looked at in its turn: until then a failure must not count as unhandled.
      coming.catch(() => {})
      ahead.push(coming)
      next += 1
    }
    yield page
  }
}

function isSame(one: Page, other: Page): boolean {
  if (one.items.length === 0 || one.items.length !== other.items.length) return false
  return one.items.every((item, index) => identity(item) === identity(other.items[index]))
}

/** What tells an item from others: its id, or everything where it has none. */
function identity(item: unknown): unknown {
  if (isRecord(item) && item.id !== undefined) return item.id
  return JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** A page that is wanted by itself. */
export async function* readPage(page: Promise<Page>): AsyncGenerator<unknown[], void> {
  yield (await page).items
}

export async function* upTo(limit: number, batches: AsyncIterable<unknown[]>): AsyncGenerator<unknown[], void> {
  let left = limit
  for await (const items of batches) {
    yield items.slice(0, left)
    left -= items.length
    if (left <= 0) return
  }
}
