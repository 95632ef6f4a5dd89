/** A change as data, and its way to the service: recorded, sent once, and recovered from a lost answer. It prints nothing. */
import type { Answer, Operation } from '../catalogue/operation'
import type { Created, Problem } from '../errors'
import type { EffectRecord } from '../firewall/effects'
import type { About, Recorded } from '../http/recording'
import type { Account } from './account'
import { whenFree } from './busy'
import type { RequestBody } from './change-context'
import { afterChange, type CreatedObjects, createdBy } from './created-objects'
import { type BeforeRequest, isUndone, type JournalEntry } from './journal-lines'
import { isLost, type Recover } from './lost-response'
import type { TargetIdentity } from './resolved-target'
import type { Id, Item } from './resource'

/** A request that is not sent yet. */
export interface PlannedRequest {
  operation: Operation
  /** Values of the path parameters. */
  path?: Readonly<Record<string, Id>>
  body?: RequestBody
  /** Traffic that it blocks and allows. */
  effects?: readonly EffectRecord[]
}

/** Outcome of a change that did not fail. */
type Outcome =
  /** Made. `hasBackup`: rules have a backup, so that an undo can restore them. */
  | { kind: 'done'; hasBackup?: boolean }
  /** Nothing had to be made: the object has the requested state, or somebody else was faster. */
  | { kind: 'already' }
  /** An object with the label is there and matches the request (`ifAbsent`). */
  | { kind: 'exists' }
  /** There is no such object to remove (`ifPresent`). */
  | { kind: 'absent'; problem: Problem }
  /** A part of the object has the requested state: `the tags of volume 3001`. */
  | { kind: 'unchanged'; what: string }

/** Request of a change, for messages. */
export interface SentRequest {
  /** The answer's object, or the named one: `volume "data" (123)`. */
  name: string
  /** Id of the named object. */
  id?: Id | undefined
  body: RequestBody
  /** The named object before the change, if it was read. */
  before?: Item | undefined
}

/** Result of a change, as data. */
export interface ChangeResult {
  outcome: Outcome
  answer: RequestBody
  sent: SentRequest
  created?: Created | undefined
}

/** One request for a change, validated and ready to send, with the steps around it. */
export interface Change<O extends Operation = Operation> extends PlannedRequest {
  operation: O
  /** True if nothing must be sent as the requested state exists: then no question is asked. */
  noop?: true
  /** Texts about traffic that it newly blocks, or may block: it must be confirmed. */
  blocks?: readonly string[]
  /** Returns values that the answer must repeat although the body does not have them. */
  expected?(): Promise<RequestBody | undefined>
  /** Adds details to a problem of the service; returns any other error unchanged. */
  explain?(error: unknown): unknown
  /** Sends it in another way than with one request, such as an optimistic update. */
  send?(): Promise<Answer<O>>
  /** Journal entry of the target, and data that shows later whether the change was made. */
  entry?: JournalEntry | undefined
  beforeRequest?: BeforeRequest
  /** Returns the object's data for the history; `looks`: a request for that alone is allowed. */
  snapshot?(looks: boolean): Promise<About>
  /** Recovers from a lost answer. Without it the outcome stays unknown. */
  recover?: Recover<Answer<O>>
  /** Runs follow-up work before the listener is called. */
  afterSend?(answer: Answer<O>): Promise<void>
  /** Returns the outcome, after sending; `done` by default. */
  outcome?(): Outcome
  /** Returns the name of the object for messages. */
  nameOf?(answer: Answer<O>): string
  /** Returns the named object as it was before, if it was read. */
  recordBefore?(): Item | undefined
  /** Waits, if that was requested. Resolves to the object as it is then. */
  result?(answer: Answer<O>): Promise<RequestBody>
}

/** Called with the result of a change, before a wait. */
export type ResultListener = (result: ChangeResult) => Promise<void>

/** Listeners for a change. */
interface ChangeListeners {
  onResult?: ResultListener | undefined
  log?: CreatedObjects
  /** Returns the known names of the object, for the journal. */
  identity?(): Promise<TargetIdentity> | undefined
}

/** Carries out a prepared change, and waits if that was requested. */
export async function performChange(
  change: Change,
  account: Account,
  { onResult, log, identity }: ChangeListeners = {},
): Promise<ChangeResult> {
  const { entry, operation, path = {}, body = {} } = change
  const isDoneBefore = entry?.past?.state === 'done'
  const answer = await whenFree(async () => (change.send ? change.send() : send(change, account)), account)
  if (entry && !isDoneBefore) {
    const { id, label } = (await identity?.()) ?? {}
    await entry.done({ id, label, answer })
  }
  const outcome: Outcome = change.outcome?.() ?? { kind: 'done' }
  const created = change.noop || outcome.kind !== 'done' ? undefined : createdBy(operation, answer)
  if (created) log?.add(created)
  await change.afterSend?.(answer)
  const id = Object.values(path).at(-1)
  const sent = { name: change.nameOf?.(answer) ?? '', id, body, before: change.recordBefore?.() }
  const result = { outcome, answer, sent, created }
  // The earlier run has told of it.
  if (!isDoneBefore) await onResult?.(result)
  return { ...result, answer: await afterChange(result, async () => change.result?.(answer) ?? answer) }
}

/**
 * Sends a change and resolves to its answer. After a lost answer it looks for the created or changed object before it
 * sends anything again (reliability.md).
 */
export async function send<O extends Operation>(change: Change<O>, account: Account): Promise<Answer<O>> {
  const { entry, beforeRequest = {}, operation } = change
  if (!entry) return sendOnce(change, account)
  await entry.sending(beforeRequest)
  try {
    return await sendOnce(change, account)
  } catch (error) {
    if (isUndone(error, operation, entry)) await entry.undone()
    throw error
  }
}

async function sendOnce<O extends Operation>(change: Change<O>, account: Account): Promise<Answer<O>> {
  const { operation, path, body, explain, recover } = change
  const client = await account.client()
  const expected = await change.expected?.()
  const recorded = await record(change, account)
  const call = { ...(path && { path }), ...(body && { body }), expected, recorded }
  const explained = (error: unknown) => Promise.reject(explain ? explain(error) : error)
  const request = () => client.call(operation, call).catch(explained)
  try {
    return await request()
  } catch (error) {
    if (!recover || !isLost(error) || account.signal.aborted) throw error
    const answer = await recover(error, request)
    await recorded?.ended({ outcome: 'ok', answer })
    return answer
  }
}

/** Records a change in the history before it is sent. */
async function record(
  {
    operation: { method, path, creates },
    path: holes,
    body,
    snapshot,
  }: Pick<Change, 'operation' | 'path' | 'body' | 'snapshot'>,
  account: Account,
): Promise<Recorded | undefined> {
  const recording = await account.changeLog()
  if (!recording) return undefined
  // A previous state that cannot be read must not prevent the change.
  const previous = await snapshot?.(recording.looks).catch(() => ({}))
  const named = creates ? labelIn(body) : {}
  return recording.begin({ method, path, holes, about: { ...previous, ...named } })
}

const labelIn = ({ label }: RequestBody = {}) => (typeof label === 'string' ? { label } : {})
