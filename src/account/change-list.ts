/** Adds to or removes from a list in an object, and keeps concurrent changes to the same list. */
import { type Change, send } from './change'
import type { ChangeContext, ListChange, RequestBody } from './change-context'
import { replaced } from './history/before-change'
import { compareFields } from './label-lookup'
import { type OptimisticUpdate, optimisticUpdate, type Settled } from './optimistic-update'
import type { ResolvedTarget } from './resolved-target'
import { nameOf } from './resource'

type Listed = Record<string, unknown>

/** The object with the list. */
export interface ListOwner {
  /** Key that all changes of this list share. */
  what: readonly unknown[]
  /** Name in messages: `volume 3001`. */
  name: string
  look(): Promise<Listed>
}

export async function listOwner({ find, reread, resource }: ResolvedTarget): Promise<ListOwner> {
  const { id, record } = await find()
  return { what: [resource.noun, id], name: nameOf(resource, { id, ...(record && { record }) }), look: reread }
}

/** Applies the change to a list; existing items keep their order. */
export function changedList(current: unknown, { add, remove }: ListChange): string[] {
  const items = new Set<string>([...(Array.isArray(current) ? current : []), ...add])
  for (const item of remove) items.delete(item)
  return [...items]
}

/** Returns the change, applied to the current list at the time of sending. */
export function changeList(
  change: Change,
  list: ListChange,
  holder: ListOwner,
  { account }: Pick<ChangeContext, 'account'>,
): Change {
  let settled: Settled<Listed> | undefined
  return {
    ...change,
    async send() {
      settled = await optimisticUpdate(contended(change, list, { holder, account }), account)
      return settled.current
    },
    outcome: () =>
      settled?.written === false
        ? { kind: 'unchanged', what: `the ${wordsOf(list)} of ${holder.name}` }
        : { kind: 'done' },
  }
}

const wordsOf = ({ field }: ListChange) => field.replaceAll('_', ' ')

function contended(
  { operation, path, body = {}, explain }: Change,
  list: ListChange,
  { holder, account }: { holder: ListOwner } & Pick<ChangeContext, 'account'>,
): OptimisticUpdate<Listed, RequestBody> {
  const { [list.field]: _, ...others } = body
  // A retry must be computed from the state at that time.
  const request = { operation: { ...operation, idempotency: 'check first' as const }, ...(path && { path }) }
  return {
    what: holder.what,
    name: `the ${wordsOf(list)} of ${holder.name}`,
    look: () => holder.look(),
    // Other fields are written only once: they may have been changed since.
    make: async (current, last) => bodyFor(current, last && !last.lost ? {} : others, list),
    write: (desired, current) => {
      const snapshot = async () => replaced(current, desired)
      return send({ ...request, body: desired, snapshot, ...(explain && { explain }) }, account)
    },
    holds: (now, { lost }) => isIn(now, list) && (!lost || compareFields(now, others).length === 0),
  }
}

/** Returns the body to send; undefined if there is nothing to change. */
function bodyFor(current: Listed, others: RequestBody, list: ListChange): RequestBody | undefined {
  const body = { ...others, [list.field]: changedList(current[list.field], list) }
  return Object.keys(body).length === 1 && isIn(current, list) ? undefined : body
}

function isIn(item: Listed, { field, add, remove }: ListChange): boolean {
  const value = item[field]
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return remove.every((one) => !items.includes(one)) && add.every((one) => remove.includes(one) || items.includes(one))
}
