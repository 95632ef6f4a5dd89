/**
 * Gives the records that a plan has read to the look-ups of its steps, so that applying the plan does not read them again.
 * A step that may harm an object still reads it right before, and any step does so after a pause, such as a long question.
 */
import type { Account } from '../account/account'
import type { Item } from '../account/resource'
import { withObjectList } from '../account/with-object-list'
import { isRecord } from '../rules/records'
import type { AccountState, Kind } from './kind'
import { kinds } from './kinds'
import type { JobPart } from './order-steps'
import type { Plan, PlannedObject } from './plan'
import { mayHarm } from './protection'

/** State of the account that a plan was made for. */
export interface PlannedState {
  world: AccountState
  /** Time at which the read began in milliseconds, by the monotonic clock. */
  readAt: number
}

/** Returns the account with lists for the steps of a plan. */
export function withPlannedLists(
  { objects, unreadable = [] }: Plan,
  { world, readAt }: PlannedState,
  account: Account,
): Account {
  let withLists = account
  for (const kind of kinds) {
    const { key, list } = kind
    const own = objects.filter((object) => object.kind === key)
    const records = itemsOf(kind, world)
    if (!list || own.length === 0 || !records) continue
    const hasUnlabeled = unreadable.some((record) => record.kind === key)
    const source = { list, ...(list.distinct && { idOf: (record: Item) => kind.idOf(record) ?? record.id }) }
    withLists = withObjectList(namesIn(own), source, withLists, { records, hasUnlabeled, readAt })
  }
  return withLists
}

/** Returns the records of a list; undefined if it was not read, or has neither ids nor addresses. */
function itemsOf(kind: Kind, world: AccountState): Item[] | undefined {
  const records = world.get(kind.key)?.map((record) => kind.listed?.(record) ?? record)
  return records?.every(isItem) ? records : undefined
}

const isItem = (record: unknown): record is Item => isRecord(record) && (record.id ?? record.address) !== undefined

/** Returns the names by which steps look objects up, without the ids of those that a step may harm. */
function namesIn(objects: readonly PlannedObject[]) {
  const labels = objects.flatMap(({ name, steps }) => [name, ...steps.map(({ body }) => body?.label)])
  return {
    ids: new Set(objects.flatMap(({ id, steps }) => (id === undefined || mayHarm(steps) ? [] : [id]))),
    labels: new Set(labels.filter((label) => typeof label === 'string')),
  }
}

/** Checks right before a step whether it is still allowed, and resolves to its object, if it was read: it is not read again. */
export async function guardStep({ object, step }: JobPart, account: Account): Promise<object | undefined> {
  const present = await step.guard?.(await account.client())
  const { list } = kinds.find(({ key }) => key === object.kind) ?? {}
  if (list && isItem(present)) account.lists?.get(list.path)?.read(present)
  return present
}
