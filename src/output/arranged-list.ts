/** Sorts and queries lists, and finds the fields of all their records, before they are printed. */
import { cut } from './cells'
import { withOthers } from './column'
import { inPages } from './documents'
import { isStructured } from './formats'
import { expectRecordsFit, HeldRecords } from './held-records'
import type { Memory } from './memory'
import type { View } from './view'

interface Arranging {
  memory: Memory
  /** True if all pages are read. */
  isRead: boolean
  /** True if each page can be printed with its own fields. */
  isByPages: boolean
}

/** A list to print, or the single value that a query makes of it. */
type Arranged =
  | { pages: AsyncIterable<unknown[]>; view: View; isRead: boolean }
  | { pages?: undefined; value: unknown; view: View }

type Pages = AsyncIterable<unknown[]>

export async function arranged(pages: Pages, view: View, how: Arranging): Promise<Arranged> {
  const { sort, limit = Number.POSITIVE_INFINITY, ...rest } = view
  if (sort !== undefined) {
    const { sortedPages } = await import('./sort')
    const sorted = sortedPages(pages, { fields: sort, most: limit, memory: how.memory })
    return arranged(sorted, rest, { ...how, isRead: true })
  }
  const { query } = view
  if (view.others !== undefined && (how.isRead || query !== undefined || !how.isByPages)) {
    const { records, named } = await heldWithOthers(pages, view, how.memory)
    return arranged(records, { ...named, others: undefined }, { ...how, isRead: true })
  }
  return query === undefined ? { pages, view, isRead: how.isRead } : queried(pages, { ...view, query }, how)
}

/** Reads all pages, for the names of all fields. */
async function heldWithOthers(pages: Pages, view: View, memory: Memory) {
  const buffer = new HeldRecords(memory)
  let named = view
  let isFirst = true
  for await (const page of pages) {
    if (isFirst) await expectRecordsFit(page, memory)
    isFirst = false
    named = withOthers(named, page)
    await buffer.add(page)
  }
  return { records: buffer.drain(), named }
}

async function queried(
  pages: Pages,
  { query, chosen, warn, quiet: _, ...view }: View & { query: string },
  { memory, isRead }: Arranging,
): Promise<Arranged> {
  const { listQuery } = await import('./list-query')
  const { partOf, add, result } = await listQuery(query, memory, warn)
  const documents = (page: unknown[]) => page.map((record) => cut(record, chosen))
  const isData = isStructured(view.format)
  // A query may fail on a later page: nothing is printed then.
  if (isData && partOf)
    return { pages: mapped(pages, (page) => partOf(documents(page))), view: { ...view, atOnce: true }, isRead }
  for await (const page of pages) add(documents(page))
  const value = await result()
  if (isData && Array.isArray(value)) return { pages: inPages(value), view, isRead: true }
  return { value, view }
}

async function* mapped(pages: Pages, change: (page: unknown[]) => unknown[]): AsyncGenerator<unknown[], void> {
  for await (const page of pages) yield change(page)
}
