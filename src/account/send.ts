/** Sends the request of a change, and finds out what became of it. It prints nothing. */
import type { Answer, Operation } from '../catalogue/operation'
import { decides, isBusy, Problem } from '../errors'
import type { RequestOutcome } from '../http/client'
import type { Account } from './account'
import { createsOwnKind } from './action-functions'
import type { Change, Sent } from './change'
import type { CreationEvidence } from './find-effect'
import { type About, type HistoryEntry, sending } from './history/history'
import { notFoundAs } from './resource'

/**
 * Sends a request once; a second time only if a look at the account shows that the first had no effect. If the answer is
 * lost, or refuses what is already done, what the look finds takes its place (./find-effect). `read` is the state before,
 * if the caller has read it.
 */
export async function send(change: Change, account: Account, read?: CreationEvidence): Promise<Sent> {
  const { operation, path, body, action, step, entry } = change
  const client = await account.client()
  const expected = step && (await action?.creation?.expected?.(step))
  const evidence = read ?? (await evidenceBefore(change))
  const earlier = entry?.past && (await (await import('./earlier-request')).repeatedRequest(change, account))
  const id = await entry?.sending({ id: change.object?.id, before: evidence.before }, earlier?.id)
  const history = earlier?.history ?? (await noteSending(change, account, id))
  change.onBegin?.(history)
  const call = { ...(path && { path }), ...(body && { body }), expected }
  const once = async () => explained(await client.once(operation, call), change)
  try {
    return await settled({ change, evidence, history, once }, account)
  } catch (error) {
    await entry?.failed(error, operation)
    throw error
  }
}

interface Attempts {
  change: Change
  evidence: CreationEvidence
  history: HistoryEntry
  once(): Promise<RequestOutcome<Answer<Operation>>>
}

/** Sends the request until its outcome is certain, or nothing can decide it. */
async function settled({ change, evidence, history, once }: Attempts, account: Account): Promise<Sent> {
  for (let lost: Problem | undefined; ; ) {
    const got = await once()
    if (got.is === 'ok') {
      await history.done(got.answer, got)
      return { answer: got.answer, outcome: { kind: 'done' } }
    }
    // A retry that shows nothing leaves open what became of the first attempt.
    const failed = lost && !decides(got.problem) ? ({ ...got, is: 'lost', problem: lost } as const) : got
    await history.failed(failed)
    const isInterrupted = got.is === 'lost' && account.signal.aborted
    const { findEffect } = await import('./find-effect')
    const sent = isInterrupted ? undefined : await findEffect({ change, evidence, account }, got, lost)
    if (sent) {
      // What others have done is no change of this machine; an earlier run of the same lines may have done it.
      if (sent.outcome.kind === 'done' || change.entry?.past) await history.done(sent.answer)
      return sent
    }
    const mayRepeat = got.is === 'lost' && !lost && !isInterrupted && change.action?.findDone !== undefined
    if (!mayRepeat) throw failed.problem
    lost = got.problem
  }
}

/** Adds the names of the object and of its busy instance, or what the action knows about a refusal. */
async function explained<A>(got: RequestOutcome<A>, change: Change): Promise<RequestOutcome<A>> {
  if (got.is === 'ok') return got
  const { action, step, object, body = {} } = change
  const problem = action?.explain?.(got.problem, body, object?.id) ?? got.problem
  const resource = step?.subject?.resource
  const named = object && resource ? notFoundAs(object.id, resource, problem) : problem
  const outcome = { ...got, problem: named instanceof Problem ? named : problem }
  if (!isBusy(outcome.problem)) return outcome
  const { nameInstance } = await import('./retry-while-busy')
  return { ...outcome, problem: nameInstance(outcome.problem, body, object?.record) }
}

/** Reads what a look after a lost answer needs: the objects that a creation may be confused with. */
async function evidenceBefore(change: Change): Promise<CreationEvidence> {
  const { action, step, body = {} } = change
  if (!step || !action || !createsOwnKind(action)) return {}
  if (action.creation?.candidates) {
    const { ifAllowed } = await import('./label-lookup')
    const listed = action.creation.candidates(body, step)
    return { isListed: listed !== undefined, others: await (listed && ifAllowed(listed)) }
  }
  return typeof body.label === 'string' ? { before: await step.look(body.label) } : {}
}

async function noteSending(change: Change, account: Account, id: string | undefined): Promise<HistoryEntry> {
  const { operation, path, body } = change
  const { label } = operation.creates && body ? body : {}
  const about = async (looks: boolean): Promise<About> => ({
    ...(await stateBefore(change, account, looks).catch(() => ({}))),
    ...(typeof label === 'string' && { label }),
  })
  return sending({ id, method: operation.method, path: operation.path, pathParameters: path, about }, account)
}

async function stateBefore(
  { about, action, step, object, operation, body = {} }: Change,
  account: Account,
  looks: boolean,
): Promise<About> {
  if (about || !action || !step) return about ?? {}
  if (operation.method !== 'PUT' && !operation.keeps) return { label: object?.record?.label }
  const { readBefore } = await import('./history/before-change')
  return readBefore(action, { subject: step.subject, body, account, looks })
}

/** Sends a request without a policy, and resolves to its answer. */
export async function sendRequest<O extends Operation>(
  request: { operation: O } & Pick<Change, 'path' | 'body' | 'about'>,
  account: Account,
): Promise<Answer<O>> {
  return (await send(request, account)).answer
}
