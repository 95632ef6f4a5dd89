/** Carries out the changes of a command: prints them (dry run), or asks and makes them. */

import type { Change } from '../account/change'
import { once } from '../rules/once'
import type { PrintedContext } from './change-command-context'
import { atOnceFlag } from './flag-values'
import { type ChangeBatch, type ChangeTarget, makeOne } from './make-change'
import type { Pace } from './request-pace'

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

/** Carries out changes, several in parallel; throws failures when all are done. */
export async function runAll<T extends ChangeTarget>(work: ChangeBatch<T>, context: PrintedContext): Promise<void> {
  const { targets, question, verb } = work
  const { session, dry } = context
  const prepare = oncePerInput(work.prepare)
  if (dry) return (await import('./dry-run')).showAll(targets, prepare, context)
  const plan = once(() => paceFor(work, context))
  const unasked =
    question && !session.ui.yes
      ? await (await import('./ask-about')).askAbout(
          question,
          { verb, targets, prepare, beforeQuestion: plan },
          session,
        )
      : undefined
  const prepareConfirmed = async (target: T) => {
    if (unasked?.has(target)) throw unasked.get(target)
    return prepare(target)
  }
  await work.journal?.begin(targets.length)
  // Whoever answered the question has seen which targets are missing.
  const { find, ...rest } = work
  const prepared = { ...rest, prepare: prepareConfirmed, ...(find && !unasked && { find }) }
  // A wrong number is an error for one target, too.
  atOnceFlag(context.flags)
  const [first] = targets
  if (first && targets.length === 1) return makeOne(first, prepared, context)
  const { makeAll } = await import('./make-changes')
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

function oncePerInput<T, R extends object>(work: (input: T) => R): (input: T) => R {
  const results = new Map<T, R>()
  return (input) => {
    const result = results.get(input) ?? work(input)
    results.set(input, result)
    return result
  }
}
