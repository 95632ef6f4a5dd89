/** Prints what became of several targets of a change. */
import type { RequestBody } from '../account/change-context'
import type { TargetIdentity } from '../account/resolved-target'
import { Problem } from '../errors'
import { problemRecord } from '../errors/failures'
import { printList } from '../output/print'
import { type Answered, type AnswerPrinting, answerBefore, hasFields, isForScripts, isWordless } from './print-answers'
import { isFailed, type TargetOutcome } from './target-outcomes'

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
  { view, session }: AnswerPrinting,
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
