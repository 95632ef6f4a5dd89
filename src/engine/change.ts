/**
 * The one road of everything that changes something: look and check, print what would be sent or ask, send once, see to
 * a lost answer, tell what was done, wait, and print what came back.
 */
import type { Answer, Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { About, Recorded } from '../http/recording'
import type { Session } from '../session'
import { forEachTarget, type Outcome, resultsOf } from './bulk'
import { askAbout, type Question } from './confirm'
import { afterChange, CreationLog } from './created'
import { type PlannedRequest, printRequests } from './dry-run'
import type { Journal } from './journal'
import type { Entry, Known } from './journal-lines'
import { isLost, type Recover } from './lost'
import { printAnswers, printDone, printOutcomes } from './print-answers'
import type { RequestBody, Situation } from './situation'
import type { Identity } from './subject'
import { takeTurns } from './turns'
import { isUndone } from './with-journal'

/** One request that changes something, checked and ready to be sent, with what is done around it. */
export interface Change<O extends Operation = Operation> extends PlannedRequest {
  operation: O
  /** Nothing is to be sent, since all is so already: then nothing is asked. */
  idle?: true
  /** Says more of a failure than the service does. */
  explain?(problem: Problem): Problem
  /** Whether nothing had to be made, since it was there: known once it was sent. */
  wasThere?(): boolean
  /** Sends it in another way than once: between two looks at what stands, for example. */
  send?(): Promise<Answer<O>>
  /** Where the journal keeps it, with what tells later whether it was done. */
  entry?: Entry | undefined
  known?: Known
  /** What the history keeps of the object; `looks`: it may be read for that alone. */
  about?(looks: boolean): Promise<About>
  /** What is made of a lost answer. Without it the outcome stays unknown. */
  recover?: Recover<Answer<O>>
  /** Sees to what follows from the answer, before anything is said of it. */
  follow?(answer: Answer<O>): Promise<void>
  /** The sentence on success. */
  done(answer: Answer<O>): string
  /** Waits until it is done, or hands over what is shown once. Resolves to what is printed; undefined: nothing is left to. */
  finish?(answer: Answer<O>): Promise<RequestBody | undefined>
}

/** Changes to make, one for each target. */
interface Work<T extends Typed> {
  /** The command: `delete`. */
  verb: string
  targets: readonly T[]
  /** Finds and checks; called once for each target, and not before its turn where nothing is asked. */
  prepare(target: T): Promise<Change>
  /** What is asked before anything is sent; without it nothing is. */
  question?: Question<T> | undefined
  /** A person sees the answers as rows of a list; otherwise one answer is a field a line. */
  rows: boolean
  /** Bound to these targets, in this order. */
  journal?: Journal | undefined
}

interface Typed {
  typed: string
  /** Targets of the same turn are done one after the other. */
  turn?: string | undefined
  /** What is known of it; asked of one of several when it is done, or has failed. */
  identity?(): Promise<Identity>
}

/** Carries out one change, which is prepared. `question` is what is destroyed or cut off, without its mark. */
export function carryOut(
  change: Change,
  situation: Situation,
  { question, rows = false }: { question?: string | undefined; rows?: boolean } = {},
): Promise<void> {
  const asked = question !== undefined && { question: { text: () => question, nameOf: async () => '', plural: '' } }
  return carryOutAll({ verb: '', targets: [{ typed: '' }], prepare: async () => change, ...asked, rows }, situation)
}

/** Carries out changes, some at once: a failure of one is told when the rest is done. */
export async function carryOutAll<T extends Typed>(work: Work<T>, situation: Situation): Promise<void> {
  const { targets, question, verb } = work
  const { session, dry } = situation
  const prepare = once(work.prepare)
  if (dry) return showAll(targets, prepare, situation)
  const unasked = question && !session.yes ? await askAbout(question, { verb, targets, prepare }, session) : undefined
  const asked = async (target: T) => {
    if (unasked?.has(target)) throw unasked.get(target)
    return prepare(target)
  }
  await work.journal?.begin(targets.length)
  await makeAll({ ...work, prepare: asked }, situation)
}

async function showAll<T extends Typed>(
  targets: readonly T[],
  prepare: (target: T) => Promise<Change>,
  situation: Situation,
): Promise<void> {
  const show = (changes: readonly Change[]) => {
    const toSend = changes.filter(({ idle }) => !idle)
    return printRequests(toSend, situation)
  }
  const several = async (outcomes: AsyncIterable<Outcome<T, Change>>) => {
    const changes: Change[] = []
    for await (const page of resultsOf(outcomes)) changes.push(...page)
    await show(changes)
  }
  const one = (change: Change) => show([change])
  await forEachTarget(targets, { verb: 'check', changes: false, act: prepare, one, several }, situation)
}

async function makeAll<T extends Typed>(
  { verb, targets, prepare, rows }: Omit<Work<T>, 'question'>,
  situation: Situation,
): Promise<void> {
  const { session } = situation
  const inItsTurn = takeTurns()
  const said = new Map<T, string[]>(targets.length === 1 ? [] : targets.map((target) => [target, []]))
  const log = new CreationLog()
  const sayOf = async (target: T) => {
    for (const text of said.get(target)?.splice(0) ?? []) await session.say(text)
  }
  async function* inTurn<R>(outcomes: AsyncIterable<Outcome<T, R>>) {
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
      // What is said of several waits for its turn.
      act: async (target) => {
        const own = said.get(target)
        const say = async (text: string) => (own ? void own.push(text) : session.say(text))
        const making = { session, say, log, identity: () => target.identity?.() }
        const made = inItsTurn(target.turn, async () => make(await prepare(target), making))
        return own ? made : made.catch((error: unknown) => printDone(error, situation))
      },
      one: (answer) => log.print(printAnswers([answer], situation, { several: false, rows })),
      several: (outcomes) => log.print(printOutcomes(inTurn(outcomes), situation)),
    },
    situation,
  )
  await work.catch(async (error: unknown) => {
    // What is printed ends where nobody takes it; what was done is said all the same.
    for (const target of targets) await sayOf(target)
    throw log.explain(error)
  })
}

interface Making {
  session: Session
  say(text: string): Promise<void>
  log: CreationLog
  identity(): Promise<Identity> | undefined
}

/** Sends the change, says what was done, and resolves to what is printed of it. */
async function make(change: Change, { session, say, log, identity }: Making): Promise<RequestBody | undefined> {
  const { entry } = change
  const doneBefore = entry?.past?.state === 'done'
  const answer = await (change.send ? change.send() : send(change, session))
  if (entry && !doneBefore) {
    const { id, label } = (await identity()) ?? {}
    await entry.done({ ...(id !== undefined && { id }), ...(label !== undefined && { label }), answer })
  }
  const created = change.idle || change.wasThere?.() ? undefined : log.note(change.operation, answer)
  await change.follow?.(answer)
  if (!doneBefore) await say(change.done(answer))
  try {
    return change.finish ? await change.finish(answer) : answer
  } catch (error) {
    throw error instanceof Problem ? afterChange(error, answer, created) : error
  }
}

/**
 * Sends a change and resolves to its answer. Where that was lost, what has been made is looked for, and what has been
 * changed is looked at, before anything is sent again (reliability.md).
 */
export async function send<O extends Operation>(change: Omit<Change<O>, 'done'>, session: Session): Promise<Answer<O>> {
  const { entry, known = {}, operation } = change
  if (!entry) return sendOnce(change, session)
  await entry.sending(known)
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

/** Writes down what is about to be sent. */
async function record(
  { operation: { method, path, creates }, path: holes, body, about }: Omit<Change, 'done'>,
  session: Session,
): Promise<Recorded | undefined> {
  const recording = await session.recording()
  if (!recording) return undefined
  // What cannot be read does not keep anything from being changed.
  const known = await about?.(recording.looks).catch(() => ({}))
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
