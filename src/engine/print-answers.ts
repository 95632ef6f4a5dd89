/** Printing what changes were answered with. */
import { Problem, problemRecord } from '../errors'
import { isForPeople, isStructured } from '../output/formats'
import { printList, printMany, printOne } from '../output/print'
import { isFailed, type Outcome } from './bulk'
import type { RequestBody, Situation } from './situation'
import type { Identity } from './subject'

type Printing = Pick<Situation, 'view' | 'session'>
type Answered = RequestBody | undefined

/**
 * Prints answers; an operation that answers `{}` has nothing for a person, and undefined is what needs no printing.
 * `rows`: a person sees them as a list; otherwise one answer is a field a line.
 */
export async function printAnswers(
  answers: readonly Answered[],
  { view, session }: Printing,
  { several, rows }: { several: boolean; rows: boolean },
): Promise<void> {
  const left = answers.filter((answer) => answer !== undefined)
  if (left.length === 0 && answers.length > 0) return
  if (!left.some(hasFields) && isWordless(view)) return
  if (several || (rows && isForPeople(view.format))) await printMany(left, view, session.stdout)
  else await printOne(left[0], view, session.stdout)
}

/** The same for one, a field a line for a person. */
export function printAnswer(answer: RequestBody, situation: Printing): Promise<void> {
  return printAnswers([answer], situation, { several: false, rows: false })
}

/** Where `{}` says nothing. */
const isWordless = ({ quiet, format }: Printing['view']) => quiet !== undefined || !isStructured(format)

/** Scripts get what was done although the wait for it failed: the exit code tells of the wait. */
export async function printDone(error: unknown, situation: Printing): Promise<never> {
  const answer = answerBefore(error)
  if (answer && isForScripts(situation.view)) {
    // That nobody takes it must not hide why the wait failed, and what was created.
    await printAnswers([answer], situation, { several: false, rows: true }).catch(() => {})
  }
  throw error
}

const isForScripts = ({ quiet, format }: Printing['view']) => quiet !== undefined || !isForPeople(format)

/** What the change was answered with, where only the wait for it failed. */
function answerBefore(error: unknown): Answered {
  return error instanceof Problem && waited.has(error.code) ? error.details.answer : undefined
}

const waited = new Set<Problem['code']>(['wait_timed_out', 'unavailable', 'rate_limited'])

interface Named extends Identity {
  /** Where more may be known by now than was typed. */
  identity?(): Promise<Identity>
}

/**
 * Prints what became of several targets, as soon as it is known where the format has lines. Scripts get a record of each
 * that tells whether it was done (interface.md, Targets); people the objects of those that were.
 */
export async function printOutcomes(
  outcomes: AsyncIterable<Outcome<Named, Answered>>,
  { view, session }: Printing,
): Promise<void> {
  if (!isWordless(view)) {
    await printList(recordsOf(outcomes), view, session.stdout)
    return
  }
  const objects = objectsOf(outcomes, { waitedFor: !isForScripts(view) })
  const first = await objects.next()
  // Headings above nothing say nothing.
  if (first.done) return
  await printList(startingWith(first.value, objects), view, session.stdout)
}

/**
 * What the service answered and `"ok": true`; of an answer that holds nothing, and of a failure, what was named:
 * `{"id": 123, "label": "data", "ok": false, "error": {...}}`, with null for what is not known. Where it was answered and
 * only the wait failed, the answer stands in the record of the failure.
 */
async function* recordsOf(outcomes: AsyncIterable<Outcome<Named, Answered>>): AsyncGenerator<unknown[]> {
  for await (const outcome of outcomes) {
    const ok = !isFailed(outcome)
    const answer = ok ? outcome.result : answerBefore(outcome.error)
    const error = !ok && outcome.error instanceof Problem && { error: problemRecord(outcome.error) }
    yield [{ ...(hasFields(answer) ? answer : await nameOf(outcome.target)), ok, ...error }]
  }
}

async function nameOf(target: Named): Promise<Required<{ [K in keyof Identity]: Identity[K] | null }>> {
  const { id = null, label = null } = (await target.identity?.()) ?? target
  return { id, label }
}

const hasFields = (answer: Answered): answer is RequestBody => answer !== undefined && Object.keys(answer).length > 0

/** A page for each that was done. `waitedFor`: and whose wait did not fail either. */
async function* objectsOf(
  outcomes: AsyncIterable<Outcome<Named, Answered>>,
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
