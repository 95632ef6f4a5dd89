/**
 * Carries out every change: checks it, prints it (dry run) or asks, sends it once, and recovers from a lost answer.
 * Then it prints a message, waits, and prints the answer.
 */
import type { Answer, Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { About, Recorded } from '../http/recording'
import type { Session } from '../session'
import { forEachTarget, resultsOf, type TargetOutcome } from './bulk'
import type { ChangeContext, RequestBody } from './change-context'
import { askAbout, type Question } from './confirm'
import { afterChange, CreationLog } from './creation-log'
import { type PlannedRequest, printRequests } from './dry-run'
import type { Journal } from './journal'
import type { BeforeRequest, JournalEntry } from './journal-lines'
import { isLost, type Recover } from './lost-response'
import { printAnswers, printDone, printOutcomes } from './print-answers'
import type { TargetIdentity } from './resolved-target'
import { serializeByKey } from './serialize-by-key'
import { isUndone } from './with-journal'

/** One request for a change, validated and ready to send, with the steps around it. */
export interface Change<O extends Operation = Operation> extends PlannedRequest {
  operation: O
  /** True if nothing must be sent as the requested state exists: then no question is asked. */
  noop?: true
  /** Adds details to a problem of the service. */
  explain?(problem: Problem): Problem
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
  /** Waits, or delivers a one-time secret. Resolves to the rest to print; undefined if there is none. */
  result?(answer: Answer<O>): Promise<RequestBody | undefined>
}

/** Changes to make, one for each target. */
interface Work<T extends Typed> {
  /** Verb of the command: `delete`. */
  verb: string
  targets: readonly T[]
  /** Finds the target and validates the change; called once per target, and without a question not before its turn. */
  prepare(target: T): Promise<Change>
  /** Question to ask before anything is sent. */
  question?: Question<T> | undefined
  /** True if text output shows answers as rows of a list; otherwise a single answer has one field per line. */
  rows: boolean
  /** Bound to these targets, in this order. */
  journal?: Journal | undefined
}

interface Typed {
  typed: string
  /** Targets with the same value are processed one after the other. */
  turn?: string | undefined
  /** Returns the known id and label; called for one of several targets when it is done or has failed. */
  identity?(): Promise<TargetIdentity>
}

/** Carries out one prepared change. `question` states the consequences and asks, without a question mark. */
export function runOne(
  change: Change,
  context: ChangeContext,
  { question, rows = false }: { question?: string | undefined; rows?: boolean } = {},
): Promise<void> {
  const asked = question !== undefined && { question: { text: () => question, nameOf: async () => '', plural: '' } }
  return runAll({ verb: '', targets: [{ typed: '' }], prepare: async () => change, ...asked, rows }, context)
}

/** Carries out changes in parallel; throws failures when all are done. */
export async function runAll<T extends Typed>(work: Work<T>, context: ChangeContext): Promise<void> {
  const { targets, question, verb } = work
  const { session, dry } = context
  const prepare = once(work.prepare)
  if (dry) return showAll(targets, prepare, context)
  const unasked = question && !session.yes ? await askAbout(question, { verb, targets, prepare }, session) : undefined
  const asked = async (target: T) => {
    if (unasked?.has(target)) throw unasked.get(target)
    return prepare(target)
  }
  await work.journal?.begin(targets.length)
  await makeAll({ ...work, prepare: asked }, context)
}

async function showAll<T extends Typed>(
  targets: readonly T[],
  prepare: (target: T) => Promise<Change>,
  context: ChangeContext,
): Promise<void> {
  const show = (changes: readonly Change[]) => {
    const toSend = changes.filter(({ noop }) => !noop)
    return printRequests(toSend, context)
  }
  const several = async (outcomes: AsyncIterable<TargetOutcome<T, Change>>) => {
    const changes: Change[] = []
    for await (const page of resultsOf(outcomes)) changes.push(...page)
    await show(changes)
  }
  const one = (change: Change) => show([change])
  await forEachTarget(targets, { verb: 'check', changes: false, act: prepare, one, several }, context)
}

async function makeAll<T extends Typed>(
  { verb, targets, prepare, rows }: Omit<Work<T>, 'question'>,
  context: ChangeContext,
): Promise<void> {
  const { session } = context
  const inItsTurn = serializeByKey()
  const said = new Map<T, string[]>(targets.length === 1 ? [] : targets.map((target) => [target, []]))
  const log = new CreationLog()
  const sayOf = async (target: T) => {
    for (const text of said.get(target)?.splice(0) ?? []) await session.status(text)
  }
  async function* inTurn<R>(outcomes: AsyncIterable<TargetOutcome<T, R>>) {
    for await (const outcome of outcomes) {
      await sayOf(outcome.target)
      yield outcome
    }
  }
  const work = forEachTarget(
    targets,
    {
      verb,
      changes: true,
      // Messages of several targets are printed in the targets' order.
      act: async (target) => {
        const own = said.get(target)
        const say = async (text: string) => (own ? void own.push(text) : session.status(text))
        const making = { session, say, log, identity: () => target.identity?.() }
        const made = inItsTurn(target.turn, async () => make(await prepare(target), making))
        return own ? made : made.catch((error: unknown) => printDone(error, context))
      },
      one: (answer) => log.print(printAnswers([answer], context, { several: false, rows })),
      several: (outcomes) => log.print(printOutcomes(inTurn(outcomes), context)),
    },
    context,
  )
  await work.catch(async (error: unknown) => {
    // Printing stops if the output is closed; messages about changes are printed nevertheless.
    for (const target of targets) await sayOf(target)
    throw log.explain(error)
  })
}

interface Making {
  session: Session
  say(text: string): Promise<void>
  log: CreationLog
  identity(): Promise<TargetIdentity> | undefined
}

/** Sends the change, prints a message, and resolves to the answer to print. */
async function make(change: Change, { session, say, log, identity }: Making): Promise<RequestBody | undefined> {
  const { entry } = change
  const doneBefore = entry?.past?.state === 'done'
  const answer = await (change.send ? change.send() : send(change, session))
  if (entry && !doneBefore) {
    const { id, label } = (await identity()) ?? {}
    await entry.done({ ...(id !== undefined && { id }), ...(label !== undefined && { label }), answer })
  }
  const created = change.noop || change.wasNoop?.() ? undefined : log.note(change.operation, answer)
  await change.afterSend?.(answer)
  if (!doneBefore) await say(change.done(answer))
  try {
    return change.result ? await change.result(answer) : answer
  } catch (error) {
    throw error instanceof Problem ? afterChange(error, answer, created) : error
  }
}

/**
 * Sends a change and resolves to its answer. After a lost answer it looks for the created or changed object before it
 * sends anything again (reliability.md).
 */
export async function send<O extends Operation>(change: Omit<Change<O>, 'done'>, session: Session): Promise<Answer<O>> {
  const { entry, beforeRequest = {}, operation } = change
  if (!entry) return sendOnce(change, session)
  await entry.sending(beforeRequest)
  try {
    return await sendOnce(change, session)
  } catch (error) {
    if (isUndone(error, operation, entry)) await entry.undone()
    throw error
  }
}

async function sendOnce<O extends Operation>(change: Omit<Change<O>, 'done'>, session: Session): Promise<Answer<O>> {
  const { operation, path, body, explain, recover } = change
  const client = await session.client()
  const recorded = await record(change, session)
  const request = async () => {
    try {
      return await client.call(operation, { ...(path && { path }), ...(body && { body }), recorded })
    } catch (error) {
      throw explain && error instanceof Problem ? explain(error) : error
    }
  }
  try {
    return await request()
  } catch (error) {
    if (!recover || !isLost(error) || session.signal.aborted) throw error
    const answer = await recover(error, request)
    await recorded?.ended({ outcome: 'ok', answer })
    return answer
  }
}

/** Records a change in the history before it is sent. */
async function record(
  { operation: { method, path, creates }, path: holes, body, snapshot }: Omit<Change, 'done'>,
  session: Session,
): Promise<Recorded | undefined> {
  const recording = await session.changeLog()
  if (!recording) return undefined
  // A previous state that cannot be read must not prevent the change.
  const known = await snapshot?.(recording.looks).catch(() => ({}))
  const label = creates && typeof body?.label === 'string' ? { label: body.label } : {}
  return recording.begin({ method, path, holes, about: { ...known, ...label } })
}

function once<T, R>(work: (input: T) => R): (input: T) => R {
  const results = new Map<T, R>()
  return (input) => {
    const result = results.has(input) ? (results.get(input) as R) : work(input)
    results.set(input, result)
    return result
  }
}
