/**
 * `--if-absent`: makes sure that there is one object of a label. Where there is one, it is the result if it is as it was
 * asked for. Runs on one machine wait for each other; of those on several, what was made first stays.
 */
import { isRefusal, Problem } from '../errors'
import { type Change, send } from './change'
import { replacedFlag } from './flags'
import { type Compare, differenceText, lookAt } from './look'
import { lookAfter } from './look-after'
import { adoption } from './lost'
import { ambiguous, type Item, nameOf, pathOf, type Resource } from './resource'
import type { RequestBody, Situation } from './situation'
import { lockName, oneAtATime } from './state-folder'
import { waitUntil } from './wait'

const mostToRelease = 60_000

interface Making extends Situation {
  body: RequestBody & { label: string }
  resource: Resource
  compare: Compare
}

/** The change that makes an object, or finds it made. */
export function ifAbsent(change: Change, making: Making): Change {
  let found: Item | undefined
  return {
    ...change,
    async send() {
      const { session, resource, body } = making
      const name = await lockName('create', [resource.noun, body.label], session)
      const made = await oneAtATime(name, session, () => makeOrTake(change, making))
      found = made.found
      return made.item
    },
    wasThere: () => found !== undefined,
    done: (answer) => (found ? `${nameIn(found, making)} exists already, as asked for` : change.done(answer)),
  }
}

interface Made {
  item: Item
  /** The same, where it was there before. */
  found?: Item
}

async function makeOrTake(change: Change, making: Making): Promise<Made> {
  const { session, body, resource } = making
  const before = await lookAt(body.label, resource, session)
  const present = beside(before.items, making)
  if (present.length > 0) return take(present, making)
  let adopted = false
  const recover = adoption({ ...making, before })
  let item: Item
  try {
    item = await send(
      {
        ...change,
        known: { before },
        recover: (lost, again) => {
          adopted = true
          return recover(lost, again)
        },
      },
      session,
    )
  } catch (error) {
    return takeAfterRefusal(error, making)
  }
  const created = { kind: resource.noun, id: item.id, label: item.label }
  const done = { what: `${nameIn(item, making)} was created`, created }
  const { items } = await lookAfter(done, () => lookAt(body.label, resource, session))
  const [first = item] = beside(items, making).sort((a, b) => (a.id < b.id ? -1 : 1))
  if (first.id >= item.id) return { item }
  return giveWay(item, first, making, adopted)
}

/** A label that must be unique is refused where somebody else was faster: theirs is taken, if it is as it was asked for. */
async function takeAfterRefusal(error: unknown, making: Making): Promise<Made> {
  const { session, body, resource } = making
  if (!isRefusal(error)) throw error
  const { items } = await lookAt(body.label, resource, session)
  const present = beside(items, making)
  if (present.length === 0) throw error
  return take(present, making)
}

/** Without the object that the new one is to replace, which a plan names. */
const beside = (items: readonly Item[], { flags }: Making) =>
  items.filter(({ id }) => String(id) !== flags[replacedFlag])

/** The one that is there; throws `refused` where that is not what was asked for, or where there are several. */
async function take(items: readonly Item[], making: Making): Promise<Made> {
  const { resource, body, compare } = making
  const [item] = items
  if (items.length > 1 || !item) throw ambiguous(body.label, resource, items)
  const differences = await compare(item, body)
  if (differences.length === 0) return { item, found: item }
  throw new Problem('exists', `${nameIn(item, making)} exists, but ${differenceText(differences)}`, {
    errors: differences.map(({ field, actual }) => ({ field, reason: `Is ${JSON.stringify(actual)} already` })),
  })
}

/** Somebody else made one at the same time, and before: ours, which nobody uses yet, goes. */
async function giveWay(ours: Item, first: Item, making: Making, adopted: boolean): Promise<Made> {
  const both = `${nameIn(first, making)} was made at the same time as ${nameIn(ours, making)}`
  // What was only found by its fields may be somebody else's.
  if (adopted || !(await isWithdrawn(ours, making))) {
    throw new Problem('refused', both, { hint: 'Delete one of them by its id' })
  }
  await making.session.warn(`${both}, which is deleted again`)
  return take([first], making)
}

async function isWithdrawn(item: Item, { session, resource }: Making): Promise<boolean> {
  const { delete: operation, release } = resource
  if (!operation) return false
  const client = await session.client()
  const path = pathOf(resource, item.id)
  try {
    if (release?.isNeeded(item)) {
      await client.call(release.operation, { path })
      const released = { name: 'released', met: (now: Item | null) => now === null || !release.isNeeded(now) }
      await waitUntil(released, { id: item.id, resource, session, timeoutMs: mostToRelease })
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
