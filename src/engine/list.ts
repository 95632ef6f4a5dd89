/** Implements `list`: reads the pages of a collection and prints them. */

import { type AnswerRecord, fieldPaths, type Operation } from '../catalogue/operation'
import { pageSizes } from '../catalogue/paging'
import type { Bounds } from '../http/client'
import type { ReadProgress } from '../http/page-sequence'
import { isForPeople } from '../output/formats'
import { isStreamed, printList } from '../output/print'
import type { Command, Flags } from './command'
import type { RecordFilter } from './filter'
import { countFlag, listFlag, sizeFlag } from './flag-values'
import { listFlags } from './flags'
import { holdWithin } from './held-answers'
import type { List, ListChoice, ListCommand, ListInput, PageSource } from './list-definition'
import { viewOf } from './printing'
import type { Session } from './session'

const unbounded = Number.MAX_SAFE_INTEGER

export function listCommand<O extends Operation>(
  operation: O,
  { columns, plural, key, test, ownFlags = [], reading, ...texts }: ListCommand<O>,
): Command {
  return {
    name: 'list',
    aliases: ['ls'],
    summary: operation.summary,
    paged: true,
    operations: [operation],
    records: operation,
    flags: [...ownFlags, ...listFlags(test)],
    ...texts,
    async run(input, session) {
      await printPages(
        operation,
        { columns, plural, key },
        { flags: input.flags, session, ...(await reading?.(input, session)) },
      )
    },
  }
}

/** Prints a collection according to the flags, and returns the number of records. */
export async function printPages<O extends Operation, R extends AnswerRecord<O> = AnswerRecord<O>>(
  operation: O,
  { columns, plural, key }: List<R>,
  reading: ListInput,
): Promise<number> {
  const { flags, session } = reading
  const fields = fieldPaths(operation)
  const { inspect, ...view } = await viewOf({ fields, more: true, columns, key }, flags, session)
  const filter = await filterOf(operation, flags, session)
  const limit = countFlag(flags, 'limit', 0, unbounded)
  const inspectFilter = filter?.doubts && (await import('./unknown-fields')).lookFor(filter.doubts, fields, session)
  const looks = [inspect, inspectFilter].filter((look) => look !== undefined)
  const sort = view.sort && (await (await import('./filter/kinds')).withSortKeys(view.sort, operation))
  const shown = { ...view, atOnce: view.quiet !== undefined, sort, limit }
  // With a filter, a sort or an unknown field, more records may have to be read than are printed.
  const readsMore = looks.length > 0 || filter !== undefined || sort !== undefined
  const bounds = await boundsOf(flags, readsMore ? undefined : limit, session)
  const most = await sizeFlag(flags, 'max-memory')
  let heldCount = 0
  const isWhole = !filter && bounds.page === undefined && bounds.limit === undefined
  const hold = isStreamed(shown) ? undefined : holdWithin(most, isWhole ? undefined : () => heldCount)
  const progress = await session.ui.progress(`Reading ${plural}`)
  const onPage = async (read: ReadProgress) => {
    progress.update(`Reading ${plural}: page ${read.pagesRead} of ${read.pagesTotal}`)
    await hold?.(read)
  }
  const pages = limit === 0 ? nothing() : (reading.pages ?? openPages({ operation, bounds, filter, onPage }, reading))
  const onKept = (kept: number) => {
    heldCount += kept
  }
  const chosen = keep(pages, { looks, filter, most: sort ? undefined : limit, onKept })
  const count = await printList(chosen, shown, session.ui.stdout).finally(() => progress.done())
  if (count === 0) await filter?.warnIfEmpty(session)
  if (count === 0 && isForPeople(session.ui.format)) await session.ui.status(`No ${plural}`)
  return count
}

/** Returns the filter; undefined without one. */
async function filterOf(operation: Operation, flags: Flags, session: Session): Promise<RecordFilter | undefined> {
  const texts = listFlag(flags, 'filter') ?? []
  if (texts.length === 0) return undefined
  return (await import('./filter')).filterFor(texts, operation, session)
}

async function boundsOf(flags: Flags, limit: number | undefined, session: Session): Promise<Bounds> {
  const page = countFlag(flags, 'page', 1, unbounded)
  const pageSize = countFlag(flags, 'page-size', 1, unbounded)
  const { smallest, largest } = pageSizes
  if (pageSize !== undefined && (pageSize < smallest || pageSize > largest))
    await session.ui.warn(`--page-size ${pageSize} is outside the documented ${smallest} to ${largest}`)
  return {
    ...(page !== undefined && { page }),
    ...(pageSize !== undefined && { pageSize }),
    ...(limit !== undefined && { limit }),
  }
}

async function* openPages(
  { operation, filter, bounds, onPage }: PageSource,
  { flags, session, call }: ListInput,
): AsyncGenerator<unknown[]> {
  const concurrency = countFlag(flags, 'concurrency', 1, 64)
  const { isPublic = false } = operation
  const client = await session.account.client({ isPublic, ...(concurrency && { concurrency }) })
  const reading = { ...call, ...bounds, onPage }
  const serviceFilter = filter?.serviceFilter
  if (!serviceFilter) return yield* client.pages(operation, reading)
  const { filteredPages } = await import('../account/filter-refusal')
  yield* filteredPages(client, operation, { ...reading, filter: serviceFilter })
}

/** Yields the records of each page that pass the filter, up to a number of them. */
async function* keep(
  pages: AsyncIterable<unknown[]>,
  { looks, filter, most = unbounded, onKept }: ListChoice,
): AsyncGenerator<unknown[]> {
  let open = looks
  let left = most
  for await (const items of pages) {
    if (items.length > 0) {
      for (const look of open) await look(items)
      open = []
    }
    filter?.meet(items)
    const passing = filter ? items.filter((item) => filter.passes(item)) : items
    const page = passing.length > left ? passing.slice(0, left) : passing
    left -= page.length
    onKept(page.length)
    yield page
    if (left === 0) return
  }
  for (const look of open) await look([])
}

async function* nothing(): AsyncGenerator<unknown[]> {}
