/**
 * Adds to or removes from a list in an object, and keeps concurrent changes to the same list. Only the added and removed
 * items count: those of others stay, an item that somebody else added counts as done, and one that somebody else removed
 * after the write is added again.
 */
import type { Account } from './account'
import type { ListChange, RequestBody } from './change-context'
import { replaced } from './history/before-change'
import { compareFields } from './label-lookup'
import type { Attempt, SharedUpdate } from './optimistic-update'
import type { ResolvedTarget } from './resolved-target'
import { listOf, nameOf } from './resource'

export interface ListOwner {
  /** Key that all changes of this list share. */
  what: readonly unknown[]
  /** Name in messages: `volume 3001`. */
  name: string
  look(): Promise<RequestBody>
  /** Looks in the list of many objects, which is read after this call. */
  lookInList?(): Promise<RequestBody | undefined>
}

export async function listOwner({ find, reread, resource }: ResolvedTarget, account: Account): Promise<ListOwner> {
  const { id, record } = await find()
  const list = listOf(resource, account)
  return {
    what: [resource.noun, id],
    name: nameOf(resource, { id, ...(record && { record }) }),
    look: reread,
    ...(list && {
      lookInList: async () => (await account.clock.whileWaiting(() => list.findAnew({ id })))?.[0],
    }),
  }
}

/** Applies the change to a list; existing items keep their order. */
export function changedList(current: unknown, { add, remove }: ListChange): string[] {
  const items = new Set<string>([...(Array.isArray(current) ? current : []), ...add])
  for (const item of remove) items.delete(item)
  return [...items]
}

/** Returns the update of a list, with the other fields of a body. */
export function listUpdate(
  list: ListChange,
  body: RequestBody,
  { what, name, look, lookInList }: ListOwner,
): SharedUpdate {
  const { [list.field]: _, ...others } = body
  const listName = `the ${list.field.replaceAll('_', ' ')} of ${name}`
  return {
    what,
    name: listName,
    look,
    ...(lookInList && { lookInList }),
    // Other fields are written only once: they may have been changed since.
    make: async (current, last) => bodyFor(current, last && !last.lost ? {} : others, list),
    holds: (now, last) =>
      (isIn(now, list) && (!last.lost || compareFields(now, others).length === 0)) || isStored(now, list.field, last),
    about: (desired, current) => replaced(current, desired),
    unchanged: listName,
  }
}

/** Returns the body to send; undefined if there is nothing to change. */
function bodyFor(current: RequestBody, others: RequestBody, list: ListChange): RequestBody | undefined {
  const body = { ...others, [list.field]: changedList(current[list.field], list) }
  return Object.keys(body).length === 1 && isIn(current, list) ? undefined : body
}

/** Reports whether an object has the items that the answer to a write added in another notation, such as in lower case. */
function isStored(now: RequestBody, field: string, { before, answer }: Attempt<RequestBody>): boolean {
  if (!answer) return false
  const [old, stored] = [itemsOf(before, field), itemsOf(answer, field)]
  const change = { field, add: without(stored, old), remove: without(old, stored) }
  return change.add.length + change.remove.length > 0 && isIn(now, change)
}

const without = (items: readonly string[], others: readonly string[]) => items.filter((one) => !others.includes(one))

const itemsOf = (item: RequestBody, field: string): string[] => {
  const value = item[field]
  return Array.isArray(value) ? value.map(String) : []
}

function isIn(item: RequestBody, { field, add, remove }: ListChange): boolean {
  const items = itemsOf(item, field)
  return remove.every((one) => !items.includes(one)) && add.every((one) => remove.includes(one) || items.includes(one))
}
