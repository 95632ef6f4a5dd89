/** Prints the answers of changes. */

import type { RequestBody } from '../account/change-context'
import type { TargetIdentity } from '../account/resolved-target'
import { Problem, problemRecord } from '../errors'
import { isStructured } from '../output/formats'
import { isDrawn } from '../output/output-kind'
import { printList, printMany, printOne } from '../output/print'
import { isFailed, type TargetOutcome } from './bulk'
import type { PrintedContext } from './command-context'

type Printing = Pick<PrintedContext, 'view' | 'session'>
type Answered = RequestBody | undefined

/**
 * Prints answers. An empty object `{}` is not printed for people, and undefined is never printed. `rows`: text output
 * is a list; otherwise a single answer has one field per line.
 */
export async function printAnswers(
  answers: readonly Answered[],
  { view, session }: Printing,
  { several, rows }: { several: boolean; rows: boolean },
): Promise<void> {
  const left = answers.filter((answer) => answer !== undefined)
  if (left.length === 0 && answers.length > 0) return
  if (!left.some(hasFields) && isWordless(view)) return
  if (several || (rows && isDrawn(view))) await printMany(left, view, session.ui.stdout)
  else await printOne(left[0], view, session.ui.stdout)
}

/** Prints a single answer, with one field per line for people. */
export function printAnswer(answer: RequestBody, context: Printing): Promise<void> {
  return printAnswers([answer], context, { several: false, rows: false })
}

/** Reports whether `{}` is not printed. */
const isWordless = ({ quiet, format, query }: Printing['view']) =>
  query === undefined && (quiet !== undefined || !isStructured(format))

/** Prints the answer for scripts although the wait failed; the exit code shows that. */
export async function printDone(error: unknown, context: Printing): Promise<never> {
  const answer = answerBefore(error)
  if (answer && isForScripts(context.view)) {
    // An error of the output must not hide why the wait failed, and what was created.
    await printAnswers([answer], context, { several: false, rows: true }).catch(() => {})
  }
  throw error
}

const isForScripts = (view: Printing['view']) => view.quiet !== undefined || !isDrawn(view)

/** Returns the answer to a change, if only the wait for it failed. */
function answerBefore(error: unknown): Answered {
  return error instanceof Problem && waited.has(error.code) ? error.details.answer : undefined
}

const waited = new Set<Problem['code']>(['wait_timed_out', 'unavailable', 'rate_limited'])

interface Named extends TargetIdentity {
  /** Returns id and label; may know more by now than the user typed. */
  identity?(): Promise<TargetIdentity>
}

/**
 * Prints the outcomes of several targets, line by line if the format allows it. Scripts get a record of each target
 * with its outcome (interface.md, Targets); people get the successful objects.
 */
export async function printOutcomes(
  outcomes: AsyncIterable<TargetOutcome<Named, Answered>>,
  { view, session }: Printing,
): Promise<void> {
  if (!isWordless(view)) {
    await printList(recordsOf(outcomes), view, session.ui.stdout)
    return
  }
  const objects = objectsOf(outcomes, { waitedFor: !isForScripts(view) })
  const first = await objects.next()
  // Print no header without rows.
  if (first.done) return
  await printList(startingWith(first.value, objects), view, session.ui.stdout)
}

/**
 * Yields answers with `"ok": true`. For empty answers and failures it yields the named target: `{"id": 123, "label":
 * "data", "ok": false, "error": {...}}`, with null for unknown values. If only the wait failed, the record of the
 * failure has the answer.
 */
async function* recordsOf(outcomes: AsyncIterable<TargetOutcome<Named, Answered>>): AsyncGenerator<unknown[]> {
  for await (const outcome of outcomes) {
    const failure = isFailed(outcome) ? outcome.error : undefined
    const answer = isFailed(outcome) ? answerBefore(failure) : outcome.result
    const error = failure instanceof Problem && { error: problemRecord(failure) }
    yield [{ ...(hasFields(answer) ? answer : await nameOf(outcome.target)), ok: !isFailed(outcome), ...error }]
  }
}

async function nameOf(target: Named): Promise<Required<{ [K in keyof TargetIdentity]: TargetIdentity[K] | null }>> {
  const { id = null, label = null } = (await target.identity?.()) ?? target
  return { id, label }
}

const hasFields = (answer: Answered): answer is RequestBody => answer !== undefined && Object.keys(answer).length > 0

/** Yields a page for each successful target. `waitedFor`: only if its wait succeeded, too. */
async function* objectsOf(
  outcomes: AsyncIterable<TargetOutcome<Named, Answered>>,
  { waitedFor }: { waitedFor: boolean },
): AsyncGenerator<RequestBody[], void> {
  for await (const outcome of outcomes) {
    const before = isFailed(outcome) && !waitedFor ? answerBefore(outcome.error) : undefined
    const answer = isFailed(outcome) ? before : outcome.result
    if (hasFields(answer)) yield [answer]
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}
