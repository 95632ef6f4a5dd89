/**
 * Implements `--if-absent`: makes sure that exactly one object has a label. An existing object is the result if it
 * matches the request. Processes of one machine wait for each other; between machines, the object that was created
 * first is kept.
 */
import { isRefusal, Problem } from '../errors'
import type { ActionStep, CreatingAction } from './action'
import { readAfterChange } from './after-change-problem'
import type { Change, Sent } from './change'
import { ambiguousLabel } from './find-target'
import { compareFields, differenceText, lookUpCreated, lookUpLabel } from './label-lookup'
import { type Item, nameOf, pathOf } from './resource'
import { send, sendRequest } from './send'
import { lockName, oneAtATime } from './state-subfolders'
import { waitUntil } from './wait'
import { WaitLimit } from './wait-limit'

const mostToRelease = 60_000

interface Creation {
  change: Change
  action: CreatingAction
  step: ActionStep
  label: string
}

/** Creates an object, or finds the existing one. */
export async function createIfAbsent(creation: Creation): Promise<Sent> {
  const { action, label, step } = creation
  const name = await lockName('create', [action.resource.noun, label], step.account)
  return oneAtATime(name, step.account, () => createOrTake(creation))
}

async function createOrTake(creation: Creation): Promise<Sent> {
  const { change, action, label, step } = creation
  const { account } = step
  const before = await lookUpLabel(label, action.resource, account, { isDecisive: true, usesList: true })
  const [present, ...more] = await lookUpPresent(before.items, creation)
  if (present) return take(present, more, creation)
  let sent: Sent
  try {
    sent = await send(change, account, { before })
  } catch (error) {
    return takeAfterRefusal(error, creation)
  }
  const item: Item = sent.answer
  const created = { kind: action.resource.noun, id: item.id, label: item.label }
  const done = { what: `${nameIn(item, creation)} was created`, created, answer: item }
  const items = await readAfterChange(done, () => lookUpCreated(item, label, action.resource, account))
  const first = beside(items, creation).reduce((one, other) => (other.id < one.id ? other : one), item)
  return first.id >= item.id ? sent : deleteDuplicate(sent, first, creation)
}

/** Returns the objects with the label, also those that lists do not show yet. */
async function lookUpPresent(listed: readonly Item[], creation: Creation): Promise<readonly Item[]> {
  const { change, action, label, step } = creation
  const { account, options } = step
  const { unknownCreation, withRecentChanges } = await import('./recent-changes')
  const present = beside(await withRecentChanges(listed, label, action.resource, account), creation)
  if (present.length > 0 || options.resendUnknown) return present
  const earlier = await unknownCreation(label, change.operation, account)
  if (!earlier) return []
  const { lookUntilCertain } = await import('./look-until-certain')
  const look = async () => {
    const { items } = await lookUpLabel(label, action.resource, account, { isDecisive: true })
    return beside(items, creation)
  }
  return lookUntilCertain({ earlier, label, resource: action.resource, look }, account)
}

/** Uses the existing object after a unique label was rejected, if it matches the request: somebody else was faster. */
async function takeAfterRefusal(error: unknown, creation: Creation): Promise<Sent> {
  const { action, label, step } = creation
  if (!isRefusal(error)) throw error
  const { items } = await lookUpLabel(label, action.resource, step.account)
  const [present, ...more] = beside(items, creation)
  if (!present) throw error
  return take(present, more, creation)
}

/** Excludes the object that the new one replaces, according to a plan. */
const beside = (items: readonly Item[], { step: { options } }: Creation) =>
  items.filter(({ id }) => String(id) !== options.replaces)

/**
 * Returns the existing object; throws `exists` if it does not match the request, and `refused` if there are several.
 */
async function take(item: Item, more: readonly Item[], creation: Creation): Promise<Sent> {
  const { change, action, label, step } = creation
  if (more.length > 0) throw ambiguousLabel(label, action.resource, [item, ...more])
  const compare = action.creation?.compareNamed ?? compareFields
  const differences = await compare(item, change.named ?? {}, step)
  if (differences.length === 0) return { answer: item, outcome: { kind: 'exists' } }
  throw new Problem('exists', `${nameIn(item, creation)} exists, but ${differenceText(differences)}`, {
    errors: differences.map(({ field, actual }) => ({ field, reason: `Is already ${JSON.stringify(actual)}` })),
  })
}

/** Deletes the new object, which nobody uses yet, if somebody else created one at the same time and before. */
async function deleteDuplicate({ answer, isAdopted }: Sent, first: Item, creation: Creation): Promise<Sent> {
  const ours: Item = answer
  const both = `${nameIn(first, creation)} was created at the same time as ${nameIn(ours, creation)}`
  // An object that was only found by its fields may be somebody else's.
  if (isAdopted || !(await isWithdrawn(ours, creation))) {
    throw new Problem('refused', both, { hint: 'Delete one of them by its id' })
  }
  await creation.step.account.reporter.warn(`${both}, which skyctl deletes again`)
  return take(first, [], creation)
}

async function isWithdrawn(item: Item, { action: { resource }, step: { account } }: Creation): Promise<boolean> {
  const { delete: operation, release } = resource
  if (!operation) return false
  const path = pathOf(resource, item.id)
  try {
    if (release?.isNeeded(item)) {
      await sendRequest({ operation: release.operation, path }, account)
      const released = { name: 'released', met: (now: Item | null) => now === null || !release.isNeeded(now) }
      await waitUntil(released, { id: item.id, resource, account, limit: new WaitLimit(mostToRelease, account.clock) })
    }
    await sendRequest({ operation, path }, account)
    return true
  } catch {
    return false
  }
}

const nameIn = (item: Item, { action }: Creation) => nameOf(action.resource, { id: item.id, record: item })
