/**
 * Finds out whether a request had an effect although its answer does not show it. All cases are here:
 *
 * | Answer | Change | Done if | Otherwise |
 * |---|---|---|---|
 * | refused | DELETE, with `ifPresent` too | the object is gone | failed |
 * | refused | the action has `findDone` | the object has the requested state | failed |
 * | lost | creation of an object with a label | one new object matches (./find-created) | unknown |
 * | lost | creation of another object | never, but new objects are named | unknown |
 * | lost | the action has `findDone` | the object has the requested state | sent once more |
 * | lost | PUT of whole values, such as `--tag` | the object has all sent values | unknown |
 * | lost | DELETE | the object is gone | unknown |
 * | lost | shared values, such as `--add-tag` and rules (./optimistic-update) | the object has the change | made anew once: a second loss that shows no change, and a failed look, are unknown, and a refusal is the result |
 *
 * A change that a look finds is reported as if it were answered, with exit code 0; only an adopted creation warns.
 * "Unknown" is the problem `outcome_unknown` (exit code 11), and "failed" the refusal; the history gets the same outcome
 * (./send), but "failed" for what somebody else has done. A PUT or DELETE was repeated before, if its operation is `idempotent` (http/retry). One of shared values
 * never was: it is sent as `check first` (./perform), as its next attempt must be computed from the values of then.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Operation, partsOf } from '../catalogue/operation'
import { isGone, isRefusal, type Problem, unchecked } from '../errors'
import { isRecord } from '../rules/records'
import type { Account } from './account'
import type { ActionStep, CreatingAction } from './action'
import { attemptOf, createsOwnKind } from './action-functions'
import type { Change, Sent } from './change'
import type { RequestBody } from './change-context'
import type { Failed } from './history/history'
import { isAbsent } from './if-present'
import type { LabelLookup } from './label-lookup'
import { nameOf } from './resource'

/** The account before a creation. */
export interface CreationEvidence {
  /** Objects that had the label. */
  before?: LabelLookup | undefined
  /** Objects without a label that may be confused with the new one; undefined if they could not be read. */
  others?: readonly RequestBody[] | undefined
  /** False if the API cannot list such objects. */
  isListed?: boolean
}

interface Sending {
  change: Change
  evidence: CreationEvidence
  account: Account
}

/**
 * Resolves to what takes the place of the answer; to undefined if the request had no effect, or none that shows. Throws
 * the problem of a lost answer if that cannot be decided. `lost` is the lost answer to an earlier attempt: then a failed
 * look decides nothing.
 */
export async function findEffect(sending: Sending, got: Failed, lost: Problem | undefined): Promise<Sent | undefined> {
  const looking = got.is === 'refused' ? afterRefusal(sending.change, got, lost) : afterLoss(sending, got.problem)
  return lost ? looking.catch(() => undefined) : looking
}

async function afterRefusal(
  { operation, action, step, body = {} }: Change,
  got: Extract<Failed, { is: 'refused' }>,
  lost: Problem | undefined,
): Promise<Sent | undefined> {
  const { problem } = got
  const isOurs = got.lostBefore || lost !== undefined
  if (operation.method === 'DELETE' && isOurs && isGone(problem)) return done({})
  if (step && (await isAbsent(problem, operation, step))) return { answer: {}, outcome: { kind: 'absent', problem } }
  if (!step || !action?.findDone || !(isOurs || isRefusal(problem))) return undefined
  const current = await action.findDone(body, { ...step, isSent: true })
  return current && { answer: current, outcome: { kind: isOurs ? 'done' : 'already' } }
}

async function afterLoss({ change, evidence, account }: Sending, lost: Problem): Promise<Sent | undefined> {
  const { action, step } = change
  if (step && action && createsOwnKind(action) && !action.findDone)
    return lostCreation({ change, action, step, evidence, account }, lost)
  try {
    const current =
      action?.findDone && step
        ? await action.findDone(change.body ?? {}, { ...step, isSent: true })
        : await shown(change, lost, account)
    return current && done(current)
  } catch (error) {
    throw unchecked(lost, error)
  }
}

const done = (answer: RequestBody): Sent => ({ answer, outcome: { kind: 'done' } })

interface LostCreation extends Sending {
  action: CreatingAction
  step: ActionStep
}

/** Adopts the created object; throws if nothing proves which one that is. */
async function lostCreation({ change, action, step, evidence }: LostCreation, lost: Problem): Promise<Sent> {
  const { body = {} } = change
  const { candidates } = action.creation ?? {}
  const { findCreated, unlabeledProblem, unlistedProblem } = await import('./find-created')
  const attempt = await attemptOf(action, body, step)
  if (evidence.isListed === false) throw unlistedProblem(lost, attempt.resource)
  if (candidates)
    throw await unlabeledProblem(lost, { ...attempt, before: evidence.others, read: () => candidates(body, step) })
  const answer = await findCreated(lost, { ...attempt, before: evidence.before })
  const name = nameOf(attempt.resource, { id: answer.id, record: answer })
  await step.account.reporter.warn(`the answer was lost, but ${name} was created`)
  return { ...done(answer), isAdopted: true }
}

/** Reads the object of a PUT or DELETE; undefined if it does not show the change. */
async function shown(
  { operation, path = {}, body }: Change,
  lost: Problem,
  account: Account,
): Promise<RequestBody | undefined> {
  const { method, idempotency } = operation
  if (method !== 'PUT' && method !== 'DELETE') return undefined
  // The caller of a "check first" operation looks itself, unless the API reported success.
  if (idempotency === 'check first' && !(Number(lost.details.status) < 300)) return undefined
  const client = await account.client()
  try {
    const record = await client.call({ ...operation, method: 'GET', idempotency: 'safe' }, { path })
    return method === 'PUT' && isShown(record, body, operation) ? record : undefined
  } catch (error) {
    if (method === 'DELETE' && isGone(error)) return {}
    throw error
  }
}

/** Reports whether a record has all sent values; a record without a schema must equal the body. */
function isShown(record: unknown, body: unknown, { returns }: Operation): record is RequestBody {
  if (!isRecord(record) || !isRecord(body)) return false
  if (Object.keys(partsOf(returns).entries ?? {}).length === 0) return isDeepStrictEqual(record, body)
  return Object.entries(body).every(([field, value]) => isDeepStrictEqual(inAnyOrder(record[field]), inAnyOrder(value)))
}

/** Sorts lists of strings, such as tags, which have no order. */
function inAnyOrder(value: unknown): unknown {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...value].sort() : value
}
