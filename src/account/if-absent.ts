/**
 * Implements `--if-absent`: makes sure that exactly one object has a label. An existing object is the result if it
 * matches the request. Processes of one machine wait for each other; between machines, the object that was created
 * first is kept.
 */
import { isRefusal, Problem } from '../errors'
import { type Change, send } from './change'
import type { ChangeContext, RequestBody } from './change-context'
import { type Compare, type Difference, differenceText, lookUpLabel } from './label-lookup'
import { adoptLostResponse } from './lost-response'
import { readAfterChange } from './read-after-change'
import { ambiguousLabel, type Item, nameOf, pathOf, type Resource } from './resource'
import { lockName, oneAtATime } from './state-subfolders'
import { waitUntil } from './wait'
import { WaitLimit } from './wait-limit'

const mostToRelease = 60_000

interface Making extends ChangeContext {
  body: RequestBody & { label: string }
  resource: Resource
  compare: Compare
  /** Returns the differences between an existing object and what the request names. */
  differences(item: Item): Promise<readonly Difference[]>
}

/** Returns a change that creates an object, or finds the existing one. */
export function ifAbsent(change: Change, making: Making): Change {
  let existing: Item | undefined
  return {
    ...change,
    async send() {
      const { account, resource, body } = making
      const name = await lockName('create', [resource.noun, body.label], account)
      const result = await oneAtATime(name, account, () => makeOrTake(change, making))
      existing = result.existing
      return result.item
    },
    outcome: () => ({ kind: existing ? 'exists' : 'done' }),
  }
}

interface CreatedOrExisting {
  item: Item
  /** The item, if it existed before. */
  existing?: Item
}

async function makeOrTake(change: Change, making: Making): Promise<CreatedOrExisting> {
  const { account, body, resource } = making
  const before = await lookUpLabel(body.label, resource, account, { isDecisive: true })
  const [present, ...more] = beside(before.items, making)
  if (present) return take(present, more, making)
  let adopted = false
  const recover = adoptLostResponse({ ...making, before })
  let item: Item
  try {
    item = await send(
      {
        ...change,
        beforeRequest: { before },
        recover: (lost, again) => {
          adopted = true
          return recover(lost, again)
        },
      },
      account,
    )
  } catch (error) {
    return takeAfterRefusal(error, making)
  }
  const created = { kind: resource.noun, id: item.id, label: item.label }
  const done = { what: `${nameIn(item, making)} was created`, created }
  const { items } = await readAfterChange(done, () => lookUpLabel(body.label, resource, account))
  const first = beside(items, making).reduce((one, other) => (other.id < one.id ? other : one), item)
  if (first.id >= item.id) return { item }
  return giveWay(item, first, making, adopted)
}

/** Uses the existing object after a unique label was rejected, if it matches the request: somebody else was faster. */
async function takeAfterRefusal(error: unknown, making: Making): Promise<CreatedOrExisting> {
  const { account, body, resource } = making
  if (!isRefusal(error)) throw error
  const { items } = await lookUpLabel(body.label, resource, account)
  const [present, ...more] = beside(items, making)
  if (!present) throw error
  return take(present, more, making)
}

/** Excludes the object that the new one replaces, according to a plan. */
const beside = (items: readonly Item[], { options }: Making) =>
  items.filter(({ id }) => String(id) !== options.replaces)

/**
 * Returns the existing object; throws `exists` if it does not match the request, and `refused` if there are several.
 */
async function take(item: Item, more: readonly Item[], making: Making): Promise<CreatedOrExisting> {
  const { resource, body } = making
  if (more.length > 0) throw ambiguousLabel(body.label, resource, [item, ...more])
  const differences = await making.differences(item)
  if (differences.length === 0) return { item, existing: item }
  throw new Problem('exists', `${nameIn(item, making)} exists, but ${differenceText(differences)}`, {
    errors: differences.map(({ field, actual }) => ({ field, reason: `Is already ${JSON.stringify(actual)}` })),
  })
}

/** Deletes the new object, which nobody uses yet, if somebody else created one at the same time and before. */
async function giveWay(ours: Item, first: Item, making: Making, adopted: boolean): Promise<CreatedOrExisting> {
  const both = `${nameIn(first, making)} was created at the same time as ${nameIn(ours, making)}`
  // An object that was only found by its fields may be somebody else's.
  if (adopted || !(await isWithdrawn(ours, making))) {
    throw new Problem('refused', both, { hint: 'Delete one of them by its id' })
  }
  await making.account.reporter.warn(`${both}, which skyctl deletes again`)
  return take(first, [], making)
}

async function isWithdrawn(item: Item, { account, resource }: Making): Promise<boolean> {
  const { delete: operation, release } = resource
  if (!operation) return false
  const client = await account.client()
  const path = pathOf(resource, item.id)
  try {
    if (release?.isNeeded(item)) {
      await client.call(release.operation, { path })
      const released = { name: 'released', met: (now: Item | null) => now === null || !release.isNeeded(now) }
      await waitUntil(released, { id: item.id, resource, account, limit: new WaitLimit(mostToRelease, account.clock) })
    }
    await client.call(operation, { path })
    return true
  } catch {
    return false
  }
}

function nameIn(item: Item, { resource }: Making): string {
  return nameOf(resource, { id: item.id, record: item })
}
