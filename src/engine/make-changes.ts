/** Makes several changes of a command at a time, and prints their messages and answers in order. */
import { sharingPlace } from '../account/account'
import type { ResultListener } from '../account/change'
import type { RequestBody } from '../account/change-context'
import { CreatedObjects } from '../account/created-objects'
import { Problem } from '../errors'
import { serializeByKey } from '../rules/serialize-by-key'
import { type Bulk, forEachTarget } from './bulk'
import type { PrintedContext } from './change-command-context'
import { changeMessage } from './change-message'
import { atOnceFor } from './flag-values'
import { type ChangeTarget, type ConfirmedBatch, makeChange, warnUnread } from './make-change'
import { printOutcomes } from './print-outcomes'
import type { Pace } from './request-pace'
import type { OutcomeKind, TargetOutcome } from './target-outcomes'

export async function makeAll<T extends ChangeTarget>(
  work: ConfirmedBatch<T>,
  pace: Pace,
  context: PrintedContext,
): Promise<void> {
  const { targets, request } = work
  const { ui } = context.session
  const messages = new OrderedMessages<T>(targets, (text) => ui.status(text))
  const log = new CreatedObjects()
  try {
    const bulk = changing(work, { messages, log, pace, context })
    await forEachTarget(targets, { ...bulk, atOnce: request && atOnceFor(request.operation) }, context)
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
  work: ConfirmedBatch<T>,
  { messages, log, pace, context }: Making<T>,
): Bulk<T, RequestBody | undefined> {
  const { account, session } = context
  const inItsTurn = serializeByKey()
  const kinds = new Map<T, OutcomeKind>()
  const onResultOf =
    (target: T): ResultListener =>
    async (result) => {
      kinds.set(target, result.outcome.kind)
      messages.add(target, await changeMessage(result, work.words, account))
    }
  return {
    verb: work.verb,
    changes: true,
    find: work.find,
    kindOf: (target) => kinds.get(target),
    act: async (target, whileWaiting, whilePaused) => {
      const own = { ...context, account: sharingPlace(account, whileWaiting) }
      const making = { context: own, onResult: onResultOf(target), log }
      return inItsTurn(target.turn, () => pace(() => makeChange(target, work, making), whilePaused))
    },
    // One change alone is made by makeOne.
    one: async () => {},
    several: (outcomes) => log.print(printOutcomes(messages.before(outcomes), context), session.ui.stdout),
  }
}

/** Messages about several changes, printed in the order of their targets. */
class OrderedMessages<T> {
  readonly #pending: Map<T, string[]>

  constructor(
    targets: readonly T[],
    private readonly status: (text: string) => Promise<void>,
  ) {
    this.#pending = new Map(targets.map((target) => [target, []]))
  }

  add(target: T, text: string): void {
    this.#pending.get(target)?.push(text)
  }

  async print(target: T): Promise<void> {
    for (const text of this.#pending.get(target)?.splice(0) ?? []) await this.status(text)
  }

  /** Prints the messages of each target before its outcome. */
  async *before<R>(outcomes: AsyncIterable<TargetOutcome<T, R>>) {
    for await (const outcome of outcomes) {
      await this.print(outcome.target)
      yield outcome
    }
  }
}
