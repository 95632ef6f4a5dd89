/** Reads the lists in which many objects are looked up. */
import { filledPath } from '../catalogue/operation'
import { defaultPageSize } from '../catalogue/paging'
import { ignoreProblem, Problem } from '../errors'
import { type Account, manyObjects } from './account'
import { type ListReading, type LookedUpNames, ObjectList } from './object-list'
import { type Id, type Item, placeOf, type Resource, type Target } from './resource'

/** Returns the account with a list for the look-ups of these targets; unchanged if they are few. */
export function withListFor(targets: readonly Target[], resource: Resource, account: Account): Account {
  const ids = targets.flatMap((target) => ('id' in target ? [target.id] : []))
  const labels = targets.flatMap((target) => ('label' in target ? [target.label] : []))
  return withList({ ids: new Set(ids), labels: new Set(labels) }, resource, account)
}

/** Returns the account with a list for these look-ups; unchanged if they are few, or if a view has more than the list. */
export function withList(names: LookedUpNames, resource: Resource, account: Account): Account {
  const isServed = names.ids.size + names.labels.size >= manyObjects && resource.list.returns === resource.view.returns
  return isServed ? withObjectList(names, resource, account) : account
}

/** Look-ups of objects that were just changed wait so long for others, in milliseconds, to share a list with them. */
const gatheringMs = 250

type ListedResource = Pick<Resource, 'list' | 'path' | 'idOf'>

/** A whole list that the caller has read. */
interface EarlierList {
  records: readonly Item[]
  hasUnlabeled: boolean
  /** Time at which the read began in milliseconds, by the monotonic clock. */
  readAt: number
}

/** Returns the account with a list for the look-ups of these names, however few; `earlier` serves them while it is new. */
export function withObjectList(
  names: LookedUpNames,
  resource: ListedResource,
  account: Account,
  earlier?: EarlierList,
): Account {
  const gather = () => account.clock.sleep(gatheringMs, account.signal)
  const source = {
    read: (looked: LookedUpNames, most: number) => readList(resource, { names: looked, most, account }),
    now: account.clock.monotonic,
    ...(names.ids.size + names.labels.size >= manyObjects && { gather }),
  }
  const list = new ObjectList(names, source, earlier && partOf(earlier, names, resource))
  const path = filledPath(resource.list.path, resource.path ?? {})
  return { ...account, lists: new Map([...(account.lists ?? []), [path, list]]) }
}

const partOf = ({ records, ...list }: EarlierList, names: LookedUpNames, resource: ListedResource) => ({
  ...list,
  records: new Map(records.flatMap((item) => entryOf(item, names, resource))),
  firstLabels: labelsOf(records.slice(0, defaultPageSize)),
  pages: Math.max(1, Math.ceil(records.length / defaultPageSize)),
})

const labelsOf = (items: readonly Item[]) => items.flatMap(({ label }) => (typeof label === 'string' ? [label] : []))

/** Returns the record with its id if it is looked up, or nothing. */
function entryOf(item: Item, { ids, labels }: LookedUpNames, { idOf }: ListedResource): [Id, Item][] {
  const id = idOf ? idOf(item) : item.id
  return ids.has(id) || (item.label !== undefined && labels.has(item.label)) ? [[id, item]] : []
}

interface Reading {
  names: LookedUpNames
  /** Maximum number of requests. */
  most: number
  account: Account
}

/** Reads a list, as far as it has these names; undefined if it is too long, or cannot be read. */
async function readList(resource: ListedResource, { names, most, account }: Reading): Promise<ListReading | undefined> {
  const client = await account.client()
  const { list } = resource
  const reading = { records: new Map<Id, Item>(), pages: 0, hasUnlabeled: false, firstLabels: labelsOf([]) }
  const onPage = async ({ pagesTotal }: { pagesTotal: number }) => {
    reading.pages += 1
    // Several pages of addresses, which have no time of creation, are read twice.
    const requests = list.distinct && pagesTotal > 1 ? 2 * pagesTotal : pagesTotal
    if (requests > most) throw new Problem('too_large', `the list takes ${requests} requests`)
  }
  try {
    let isFirst = true
    for await (const page of client.pages(list, { ...placeOf(resource), onPage })) {
      if (isFirst) reading.firstLabels = labelsOf(page)
      isFirst = false
      for (const item of page) {
        reading.hasUnlabeled ||= typeof item.label !== 'string'
        for (const [id, record] of entryOf(item, names, resource)) reading.records.set(id, record)
      }
    }
    return reading
  } catch (error) {
    // Each object is looked up by itself then, and has its own failure.
    return ignoreProblem(error)
  }
}
