/**
 * Makes a change: the only way for commands, plans, undo and programs. A change is data (./change); this is what is done
 * with it, in this order. It prints nothing.
 */
import { fieldPaths } from '../catalogue/operation'
import { isBusy } from '../errors'
import type { Account } from './account'
import type { ActionStep } from './action'
import { createsOwnKind, kindBelow } from './action-functions'
import type { Change, ChangeResult, ResultListener, Sent } from './change'
import type { RequestBody } from './change-context'
import { afterChange, type CreatedObjects, createdBy } from './created-objects'
import type { EntryListener } from './history/history'
import type { JournalEntry } from './journal-lines'
import type { SharedUpdate } from './optimistic-update'
import type { TargetIdentity } from './resolved-target'
import { type Item, listOf, nameOf } from './resource'
import { send } from './send'

interface ChangeListeners {
  onResult?: ResultListener | undefined
  log?: CreatedObjects
  /** Returns the known names of the object, for the journal. */
  identity?(): Promise<TargetIdentity> | undefined
}

/** Makes a prepared change, and waits if that was requested. */
export async function perform(
  change: Change,
  account: Account,
  { onResult, log, identity }: ChangeListeners = {},
): Promise<ChangeResult> {
  const { entry, noop } = change
  const isDoneBefore = entry?.past?.state === 'done'
  const sent = noop ?? (await noting(change, account, () => sendWhenFree(change, account)))
  if (entry && !isDoneBefore) {
    const { id, label } = (await identity?.()) ?? {}
    await entry.done({ id, label, answer: sent.answer })
    if (noop && entry.past) await noteEarlier(entry, sent, account)
  }
  const result = resultOf(change, sent)
  if (result.created) log?.add(result.created)
  await change.afterSend?.(sent.answer)
  // The earlier run has told of it.
  if (!isDoneBefore) {
    if (sent.outcome.kind === 'done') await warnAfter(change, sent, account)
    await forgetLabels(change)
    await onResult?.(result)
  }
  return { ...result, answer: await afterChange(result, () => finished(change, sent, account)) }
}

/** Prints the warnings of a change that name its object. */
async function warnAfter({ step, object }: Change, { answer }: Sent, { reporter }: Account): Promise<void> {
  const id = typeof answer.id === 'number' ? answer.id : object?.id
  if (!step || id === undefined) return
  for (const notice of step.notices) await reporter.warn(notice(id))
}

/** Completes the request of an earlier run in the history: its effect was found, and nothing was sent. */
async function noteEarlier(entry: JournalEntry, { answer }: Sent, account: Account): Promise<void> {
  const { earlierRequest } = await import('./earlier-request')
  await (await earlierRequest(entry, account))?.history.done(answer)
}

/** Makes a change; the list that serves look-ups no longer describes what is changed, whatever becomes of it. */
async function noting<T>({ action, step, object, body, ...change }: Change, account: Account, work: () => Promise<T>) {
  const resource = step?.subject?.resource ?? action?.resource ?? change.resource
  const list = resource && listOf(resource, account)
  list?.change({ id: object?.id })
  return work().finally(() => list?.change({ label: body?.label }))
}

/** Sends the requests of a change, again while its object is busy. */
async function sendWhenFree(change: Change, account: Account): Promise<Sent> {
  const work = () => sendWhole(change, account)
  return work().catch(async (error) => {
    if (!isBusy(error)) throw error
    return (await import('./retry-while-busy')).repeatWhileBusy(work, error, account)
  })
}

/** Sends the requests of a change: mostly one. */
async function sendWhole(change: Change, account: Account): Promise<Sent> {
  const { action, step, body = {}, entry } = change
  if (change.send) return change.send()
  const update =
    change.update ?? (step && ((await action?.update?.(body, step)) ?? (await listUpdateOf(body, step, account))))
  if (update) return sendUpdate(update, change, account)
  if (!action || !step || !createsOwnKind(action)) return send(change, account)
  if (entry?.past?.state === 'sending') {
    const { resumeCreation } = await import('./resume-creation')
    const adopted = await resumeCreation(change, action, step)
    if (adopted) return adopted
  }
  if (!step.options.ifAbsent || typeof body.label !== 'string') return send(change, account)
  const { createIfAbsent } = await import('./if-absent')
  return createIfAbsent({ change, action, step, label: body.label })
}

async function listUpdateOf(
  body: RequestBody,
  { subject, options }: ActionStep,
  account: Account,
): Promise<SharedUpdate | undefined> {
  const { list } = options
  if (!list || !subject) return undefined
  const { listOwner, listUpdate } = await import('./list-update')
  return listUpdate(list, body, await listOwner(subject, account))
}

/** Updates something that others may change at the same time. */
async function sendUpdate(update: SharedUpdate, change: Change, account: Account): Promise<Sent> {
  const { optimisticUpdate } = await import('./optimistic-update')
  // A repeated request must be computed from the state at that time.
  const operation = { ...change.operation, idempotency: 'check first' as const }
  const { path = {}, object, step } = change
  const write = async (body: RequestBody, current: RequestBody, onBegin: EntryListener) => {
    const sent = await send(
      { operation, path, body, object, step, about: update.about(body, current), onBegin },
      account,
    )
    return sent.answer
  }
  const { current, written } = await optimisticUpdate({ ...update, write }, account)
  const { unchanged } = update
  const isUnchanged = !written && unchanged !== undefined
  return { answer: current, outcome: isUnchanged ? { kind: 'unchanged', what: unchanged } : { kind: 'done' } }
}

function resultOf(change: Change, { answer, outcome }: Sent): ChangeResult {
  const { operation, path = {}, body = {}, object, noop } = change
  const id = Object.values(path).at(-1)
  const created = noop || outcome.kind !== 'done' ? undefined : createdBy(operation, answer)
  return { outcome, answer, sent: { name: nameIn(answer, change), id, body, before: object?.record }, created }
}

/** Returns the object's name. A clone answers with another object than the named one; a detach with none. */
function nameIn(answer: RequestBody, { action, object, resource = action?.resource }: Change): string {
  if (!resource) return ''
  const isNamed = object !== undefined && !(action && createsOwnKind(action))
  const id = isNamed ? object.id : (answer.id ?? object?.id)
  if (typeof id !== 'number' && typeof id !== 'string') return ''
  // A firewall answers with its new device, for example: a label in it is not that of the firewall.
  const isOther = isNamed && (answer.id ?? id) !== id
  const label = typeof answer.label === 'string' && !isOther ? answer.label : object?.record?.label
  return nameOf(resource, { id, ...(label !== undefined && { record: { id: Number(id), label } }) })
}

/** Forgets completion labels after one was created, changed or deleted. Any change to a firewall may change its rules. */
async function forgetLabels({ action, step, body = {} }: Change): Promise<void> {
  const kind = action?.resource?.values
  if (!step || !kind) return
  const isRenamed = action.operation.method === 'DELETE' || body.label !== undefined
  if (!isRenamed && kind !== 'firewalls') return
  const { dropCachedKind, expireCachedKind } = await import('./name-cache')
  if (kind === 'firewalls') await expireCachedKind('rules', step.account)
  if (isRenamed) await dropCachedKind(kind, step.account)
}

/** Returns the object to print, waited for if that was requested. */
async function finished(change: Change, { answer: answered, outcome }: Sent, account: Account): Promise<RequestBody> {
  const { action, step, object, body = {} } = change
  if (change.result) return change.result(answered)
  if (!action || !step || outcome.kind === 'absent') return answered
  // Fields that a service adds to an empty answer do not describe the named object.
  const answer = step.subject && fieldPaths(action.operation).length === 0 ? {} : answered
  const id = answer.id ?? object?.id
  const hasId = typeof id === 'number' || typeof id === 'string'
  if (!action.wait || !step.options.wait || !action.resource || !hasId) return answer
  const { waitUntil } = await import('./wait')
  const before = object?.record
  const resource = await kindBelow(action.resource, step)
  const waited = { id, resource, account, before, ...(isItem(answer) && { answer }) }
  return (await waitUntil(action.wait(body, before), waited)) ?? {}
}

const isItem = (answer: RequestBody): answer is Item => typeof answer.id === 'number'
