/**
 * Carries out the changes of a command: prints them (dry run) or asks, several at a time, and prints messages and
 * answers.
 */

import { type Account, sharingPlace } from '../account/account'
import type { Change } from '../account/change'
import type { RequestBody } from '../account/change-context'
import { afterChange, CreatedObjects } from '../account/created-objects'
import type { Journal } from '../account/journal'
import { perform } from '../account/perform'
import type { TargetIdentity } from '../account/resolved-target'
import { keepingPlace } from '../account/wait-limit'
import type { Answer, Operation } from '../catalogue/operation'
import { formatJson } from '../data/json'
import { Problem } from '../errors'
import { isJson } from '../output/formats'
import { escapeJson } from '../rules/escape'
import { once } from '../rules/once'
import { serializeByKey } from '../rules/serialize-by-key'
import type { Bulk, TargetLookup } from './bulk'
import type { PrintedContext } from './command-context'
import type { Question } from './confirm'
import { atOnceFlag, atOnceFor } from './flag-values'
import { OrderedMessages } from './ordered-messages'
import { printAnswers, printDone } from './print-answers'
import type { Pace } from './request-pace'
import { type ChangeWords, sentenceOf } from './sentences'
import type { OutcomeKind } from './target-outcomes'

/** Shows or stores a part of an answer, such as a one-time secret. Resolves to the rest to print; undefined: nothing. */
export type Deliver = (answer: Answer<Operation>) => Promise<RequestBody | undefined>

/** Changes to make, one for each target. */
interface ChangeBatch<T extends ChangeTarget> {
  /** Verb of the command: `delete`. */
  verb: string
  targets: readonly T[]
  /** Finds the target and validates the change; called once per target, and without a question not before its turn. */
  prepare(target: T): Promise<Change>
  /** Looks a target up, if that is possible without preparing its change. */
  find?: TargetLookup<T>
  /** Messages about each change. */
  words: ChangeWords
  /** Question to ask before anything is sent. */
  question?: Question<T> | undefined
  /** The request that each target takes. */
  request?: { operation: Operation; noun?: string | undefined } | undefined
  /** True if text output shows answers as rows of a list; otherwise a single answer has one field per line. */
  rows: boolean
  deliver?: Deliver | undefined
  /** Bound to these targets, in this order. */
  journal?: Journal | undefined
}

interface ChangeTarget {
  input: string
  /** Targets with the same value are processed one after the other. */
  turn?: string | undefined
  /** Returns the known id and label; called for one of several targets when it is done or has failed. */
  identity?(): Promise<TargetIdentity>
}

interface Single extends Pick<ChangeBatch<ChangeTarget>, 'words' | 'deliver'> {
  /** States the consequences and asks, without a question mark. */
  question?: string | undefined
  rows?: boolean
}

/** Carries out one prepared change. */
export function runOne(
  change: Change,
  context: PrintedContext,
  { question, rows = false, ...work }: Single,
): Promise<void> {
  const confirmation = question !== undefined && {
    question: { text: () => question, nameOf: async () => '', plural: '' },
  }
  return runAll(
    { verb: '', targets: [{ input: '' }], prepare: async () => change, ...confirmation, rows, ...work },
    context,
  )
}

/** Carries out changes in parallel; throws failures when all are done. */
export async function runAll<T extends ChangeTarget>(work: ChangeBatch<T>, context: PrintedContext): Promise<void> {
  const { targets, question, verb } = work
  const { session, dry } = context
  const prepare = oncePerInput(work.prepare)
  if (dry) return showAll(targets, prepare, context)
  const plan = once(() => paceFor(work, context))
  const unasked =
    question && !session.ui.yes
      ? await (await import('./confirm')).askAbout(question, { verb, targets, prepare, beforeQuestion: plan }, session)
      : undefined
  const prepareConfirmed = async (target: T) => {
    if (unasked?.has(target)) throw unasked.get(target)
    return prepare(target)
  }
  await work.journal?.begin(targets.length)
  // Whoever answered the question has seen which targets are missing.
  const { find, ...rest } = work
  const prepared = { ...rest, prepare: prepareConfirmed, ...(find && !unasked && { find }) }
  await makeAll(prepared, await plan(), context)
}

/** Returns what starts the work on each target: at once, unless the rate limit allows fewer requests. */
async function paceFor<T extends ChangeTarget>(
  { targets, request }: Pick<ChangeBatch<T>, 'targets' | 'request'>,
  { account }: PrintedContext,
): Promise<Pace> {
  if (!request || targets.length < 2) return (work) => work()
  return (await import('./request-pace')).paceOf({ ...request, count: targets.length }, account)
}

async function showAll<T extends ChangeTarget>(
  targets: readonly T[],
  prepare: (target: T) => Promise<Change>,
  context: PrintedContext,
): Promise<void> {
  const [{ printRequests }, { forEachTarget, together }] = await Promise.all([import('./dry-run'), import('./bulk')])
  const show = (changes: readonly Change[]) =>
    printRequests(
      changes.filter(({ noop }) => !noop),
      context,
    )
  await forEachTarget(targets, { verb: 'check', changes: false, act: prepare, ...together(show) }, context)
}

/** Acts on the targets: most commands have one, and need nothing of ./bulk. */
async function forEach<T extends ChangeTarget, R>(
  targets: readonly T[],
  bulk: Bulk<T, R>,
  context: PrintedContext,
): Promise<void> {
  // A wrong number is an error for one target, too.
  atOnceFlag(context.flags)
  const [first] = targets
  if (first && targets.length === 1) {
    await bulk.one(await bulk.act(first, keepingPlace, keepingPlace))
    return
  }
  const { forEachTarget } = await import('./bulk')
  await forEachTarget(targets, bulk, context)
}

async function makeAll<T extends ChangeTarget>(
  work: Omit<ChangeBatch<T>, 'question'>,
  pace: Pace,
  context: PrintedContext,
): Promise<void> {
  const { targets, request } = work
  const { ui } = context.session
  const messages = new OrderedMessages<T>(targets, (text) => ui.status(text))
  const log = new CreatedObjects()
  try {
    const bulk = changing(work, { messages, log, pace, context })
    await forEach(targets, { ...bulk, atOnce: request && atOnceFor(request.operation) }, context)
    await warnUnread(log, context)
  } catch (error) {
    // Printing stops if the output is closed; messages about changes are printed nevertheless.
    for (const target of targets) await messages.print(target)
    if (!(error instanceof Problem)) await warnUnread(log, context)
    throw log.explain(error)
  }
}

interface Making<T> {
  messages: OrderedMessages<T>
  log: CreatedObjects
  pace: Pace
  context: PrintedContext
}

/** Returns the work on each target: its change, and what is printed of it. */
function changing<T extends ChangeTarget>(
  { verb, targets, find, prepare, words, rows, deliver = async (answer) => answer }: Omit<ChangeBatch<T>, 'question'>,
  { messages, log, pace, context }: Making<T>,
): Bulk<T, RequestBody | undefined> {
  const { account, session } = context
  const { ui } = session
  const inItsTurn = serializeByKey()
  const kinds = new Map<T, OutcomeKind>()
  const changeOne = async (target: T, own: Account) => {
    const result = await perform(await prepare(target), own, {
      onResult: async (changeResult) => {
        kinds.set(target, changeResult.outcome.kind)
        await messages.add(target, await sentenceOf(changeResult, words, account))
      },
      log,
      identity: () => target.identity?.(),
    })
    return afterChange(result, () => deliver(result.answer))
  }
  return {
    verb,
    changes: true,
    find,
    kindOf: (target) => kinds.get(target),
    act: async (target, whileWaiting, whilePaused) => {
      const change = () => changeOne(target, sharingPlace(account, whileWaiting))
      const answer = inItsTurn(target.turn, () => pace(change, whilePaused))
      return targets.length > 1 ? answer : answer.catch((error: unknown) => printDone(error, context))
    },
    one: (answer) => log.print(printAnswers([answer], context, { several: false, rows }), ui.stdout),
    async several(outcomes) {
      const { printOutcomes } = await import('./print-outcomes')
      await log.print(printOutcomes(messages.before(outcomes), context), ui.stdout)
    },
  }
}

/** Names created objects whose output nobody reads, unless messages have named them. */
async function warnUnread(log: CreatedObjects, { session: { ui } }: PrintedContext): Promise<void> {
  const unread = log.unprinted()
  if (!unread || !(ui.quiet || isJson(ui.format))) return
  const message = `nobody reads the output; ${unread.text}`
  if (!isJson(ui.format)) return ui.warn(message)
  const { created } = unread
  await ui.stderr.write(`${escapeJson(await formatJson({ warning: { message, created } }, 0))}\n`)
}

function oncePerInput<T, R extends object>(work: (input: T) => R): (input: T) => R {
  const results = new Map<T, R>()
  return (input) => {
    const result = results.get(input) ?? work(input)
    results.set(input, result)
    return result
  }
}
