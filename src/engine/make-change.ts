/** Makes one change of a command, and prints its message and its answer. */
import type { Change, ResultListener } from '../account/change'
import type { RequestBody } from '../account/change-context'
import { afterChange, CreatedObjects } from '../account/created-objects'
import type { Journal } from '../account/journal'
import { perform } from '../account/perform'
import type { TargetIdentity } from '../account/resolved-target'
import type { Answer, Operation } from '../catalogue/operation'
import { formatJson } from '../data/json'
import { Problem } from '../errors'
import { isJson } from '../output/formats'
import { escapeJson } from '../rules/escape'
import type { Question } from './ask-about'
import type { TargetLookup } from './bulk'
import type { PrintedContext } from './change-command-context'
import { type ChangeMessages, changeMessage } from './change-message'
import { printAnswers, printDone } from './print-answers'

/** Shows or stores a part of an answer, such as a one-time secret. Resolves to the rest to print; undefined: nothing. */
export type Deliver = (answer: Answer<Operation>, context: PrintedContext) => Promise<RequestBody | undefined>

/** Changes to make, one for each target. */
export interface ChangeBatch<T extends ChangeTarget> {
  /** Verb of the command: `delete`. */
  verb: string
  targets: readonly T[]
  /** Finds the target and validates the change; called once per target, and without a question not before its turn. */
  prepare(target: T): Promise<Change>
  /** Looks a target up, if that is possible without preparing its change. */
  find?: TargetLookup<T>
  /** Messages about each change. */
  words: ChangeMessages
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

export interface ChangeTarget {
  input: string
  /** Targets with the same value are processed one after the other. */
  turn?: string | undefined
  /** Returns the known id and label; called for one of several targets when it is done or has failed. */
  identity?(): Promise<TargetIdentity>
}

/** Changes without the question about them. */
export type ConfirmedBatch<T extends ChangeTarget> = Omit<ChangeBatch<T>, 'question'>

/** Makes the change of the only target. */
export async function makeOne<T extends ChangeTarget>(
  target: T,
  work: ConfirmedBatch<T>,
  context: PrintedContext,
): Promise<void> {
  const { account, session } = context
  const { ui } = session
  const log = new CreatedObjects()
  const onResult: ResultListener = async (result) => ui.status(await changeMessage(result, work.words, account))
  try {
    const answer = await makeChange(target, work, { context, onResult, log }).catch((error) =>
      printDone(error, context),
    )
    await log.print(printAnswers([answer], context, { several: false, rows: work.rows }), ui.stdout)
    await warnUnread(log, context)
  } catch (error) {
    if (!(error instanceof Problem)) await warnUnread(log, context)
    throw log.explain(error)
  }
}

interface Making {
  context: PrintedContext
  onResult: ResultListener
  log: CreatedObjects
}

/** Makes the change of a target; resolves to what is printed of its answer. */
export async function makeChange<T extends ChangeTarget>(
  target: T,
  { prepare, deliver = async (answer) => answer }: Pick<ConfirmedBatch<T>, 'prepare' | 'deliver'>,
  { context, ...listeners }: Making,
): Promise<RequestBody | undefined> {
  const identity = () => target.identity?.()
  const result = await perform(await prepare(target), context.account, { ...listeners, identity })
  return afterChange(result, () => deliver(result.answer, context))
}

/** Names created objects whose output nobody reads, unless messages have named them. */
export async function warnUnread(log: CreatedObjects, { session: { ui } }: PrintedContext): Promise<void> {
  const unread = log.unprinted()
  if (!unread || !(ui.quiet || isJson(ui.format))) return
  const message = `nobody reads the output; ${unread.text}`
  if (!isJson(ui.format)) return ui.warn(message)
  const { created } = unread
  await ui.stderr.write(`${escapeJson(await formatJson({ warning: { message, created } }, 0))}\n`)
}
