/** A change as data, and its way to the service: recorded, sent once, and recovered from a lost answer. */
import type { Answer, Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { About, Recorded } from '../http/recording'
import type { Account } from './account'
import type { RequestBody } from './change-context'
import { afterChange, CreationLog } from './creation-log'
import { type BeforeRequest, isUndone, type JournalEntry } from './journal-lines'
import { isLost, type Recover } from './lost-response'
import type { TargetIdentity } from './resolved-target'
import type { Id } from './resource'

/** A request that is not sent yet. */
export interface PlannedRequest {
  operation: Operation
  /** Values of the path parameters. */
  path?: Readonly<Record<string, Id>>
  body?: RequestBody
}

/** One request for a change, validated and ready to send, with the steps around it. */
export interface Change<O extends Operation = Operation> extends PlannedRequest {
  operation: O
  /** True if nothing must be sent as the requested state exists: then no question is asked. */
  noop?: true
  /** Returns values that the answer must repeat although the body does not have them. */
  expected?(): Promise<RequestBody | undefined>
  /** Adds details to a problem of the service; returns any other error unchanged. */
  explain?(error: unknown): unknown
  /** Reports, after sending, whether the object already existed. */
  wasNoop?(): boolean
  /** Sends it in another way than with one request, such as an optimistic update. */
  send?(): Promise<Answer<O>>
  /** Journal entry of the target, and data that shows later whether the change was made. */
  entry?: JournalEntry | undefined
  beforeRequest?: BeforeRequest
  /** Returns the object's data for the history; `looks`: a request for that alone is allowed. */
  snapshot?(looks: boolean): Promise<About>
  /** Recovers from a lost answer. Without it the outcome stays unknown. */
  recover?: Recover<Answer<O>>
  /** Runs follow-up work before any message is printed. */
  afterSend?(answer: Answer<O>): Promise<void>
  /** Returns the message on success. */
  done(answer: Answer<O>): string
  /** Waits, if that was requested. Resolves to the object as it is then. */
  result?(answer: Answer<O>): Promise<RequestBody>
}

/** Options for sending a change. `R` is the part of its answer that is kept. */
interface Making<R> {
  account: Account
  say(text: string): Promise<void>
  log: CreationLog
  deliver(answer: RequestBody): Promise<R>
  identity(): Promise<TargetIdentity> | undefined
}

/** Carries out a prepared change and resolves to its answer, which is not printed. */
export function performChange(change: Change, account: Account): Promise<RequestBody> {
  const say = (text: string) => account.status(text)
  const deliver = async (answer: RequestBody) => answer
  return make(change, { account, say, log: new CreationLog(), deliver, identity: () => undefined })
}

/** Sends the change, prints a message, waits, and resolves to what is left of its answer. */
export async function make<R>(change: Change, { account, say, log, deliver, identity }: Making<R>): Promise<R> {
  const { entry } = change
  const doneBefore = entry?.past?.state === 'done'
  const answer = await (change.send ? change.send() : send(change, account))
  if (entry && !doneBefore) {
    const { id, label } = (await identity()) ?? {}
    await entry.done({ id, label, answer })
  }
  const created = change.noop || change.wasNoop?.() ? undefined : log.note(change.operation, answer)
  await change.afterSend?.(answer)
  if (!doneBefore) await say(change.done(answer))
  try {
    return await deliver(change.result ? await change.result(answer) : answer)
  } catch (error) {
    throw error instanceof Problem ? afterChange(error, answer, created) : error
  }
}

/**
 * Sends a change and resolves to its answer. After a lost answer it looks for the created or changed object before it
 * sends anything again (reliability.md).
 */
export async function send<O extends Operation>(change: Omit<Change<O>, 'done'>, account: Account): Promise<Answer<O>> {
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

async function sendOnce<O extends Operation>(change: Omit<Change<O>, 'done'>, account: Account): Promise<Answer<O>> {
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
  { operation: { method, path, creates }, path: holes, body, snapshot }: Omit<Change, 'done'>,
  account: Account,
): Promise<Recorded | undefined> {
  const recording = await account.changeLog()
  if (!recording) return undefined
  // A previous state that cannot be read must not prevent the change.
  const known = await snapshot?.(recording.looks).catch(() => ({}))
  const named = creates ? labelIn(body) : {}
  return recording.begin({ method, path, holes, about: { ...known, ...named } })
}

const labelIn = ({ label }: RequestBody = {}) => (typeof label === 'string' ? { label } : {})
