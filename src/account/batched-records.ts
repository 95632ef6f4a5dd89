/**
 * Reads the records of many objects with few requests: by a filter on the ids of those that come next. One request for
 * each of 1,000 deletions would double their number, and the rate limit counts it.
 */
import { ignoreProblem } from '../errors'
import type { Account } from './account'
import { type Id, type Item, type Resource, readItem, type Target } from './resource'

/** Reads the current record of an object. */
export type ReadItem = (id: Id) => Promise<Item>

/** Records are used so long; then their objects are read again, as after a pause for the rate limit. In milliseconds. */
const freshFor = 10_000

/** Records of a request. Larger ones would be older when used, and their header might be too long for a server. */
const batchSize = 100

/**
 * Creates a function that reads the targets' records in batches. A record that the filtered list lacks is read alone:
 * a service may reject or ignore the filter (gaps.md, Filtering), and only its own answer shows that an object is gone.
 */
export function batchedRecords(targets: readonly Target[], resource: Resource, account: Account): ReadItem {
  const ids = targets.flatMap((target) => ('id' in target ? target.id : []))
  const positions = new Map(ids.map((id, position) => [id, position]))
  const batches = new Map<number, { readAt: number; records: Promise<Map<Id, Item>> }>()
  const { clock } = account
  let isFiltered = true
  const load = async (start: number) => {
    const batch = ids.slice(start, start + batchSize)
    const records = isFiltered && batch.length > 0 ? await recordsOf(batch, resource, account) : new Map()
    isFiltered &&= batch.length === 0 || records.size > 0
    return records
  }
  const batchAt = (position: number) => {
    const start = position - (position % batchSize)
    const batch = batches.get(start) ?? { readAt: clock.monotonic(), records: load(start) }
    batches.set(start, batch)
    return batch
  }
  return async (id) => {
    const position = positions.get(id)
    if (position === undefined) return readItem(id, resource, account)
    const batch = batchAt(position)
    // The next batch is there before its first target is.
    batchAt(position + batchSize / 2)
    const records = await batch.records
    const record = records.get(id)
    records.delete(id)
    const isFresh = clock.monotonic() - batch.readAt < freshFor
    return record && isFresh ? record : readItem(id, resource, account)
  }
}

/** Returns the records that the service's answer to a filter has; none if it fails. */
async function recordsOf(ids: readonly Id[], { list, path }: Resource, account: Account): Promise<Map<Id, Item>> {
  const client = await account.client()
  const filter = { '+or': ids.map((id) => ({ id })) }
  const call = { page: 1, pageSize: batchSize, filter, ...(path && { path }) }
  const records = new Map<Id, Item>()
  try {
    const batchIds = new Set(ids)
    for await (const page of client.pages(list, call)) {
      for (const item of page) if (batchIds.has(item.id)) records.set(item.id, item)
    }
  } catch (error) {
    ignoreProblem(error)
  }
  return records
}
