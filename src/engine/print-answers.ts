/** Printing what changes were answered with. */
import { Problem, problemRecord } from '../errors'
import { isForPeople, isStructured } from '../output/formats'
import { printList, printMany, printOne } from '../output/print'
import { isFailed, type Outcome, resultsOf } from './bulk'
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
  const empty = left.every((answer) => Object.keys(answer).length === 0)
  if (empty && isWordless(view)) return
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
  const answer = error instanceof Problem && waited.has(error.code) ? error.details.answer : undefined
  const { quiet, format } = situation.view
  const forScripts = quiet !== undefined || !isForPeople(format)
  if (answer && forScripts) await printAnswers([answer], situation, { several: false, rows: true })
  throw error
}

const waited = new Set<Problem['code']>(['wait_timed_out', 'unavailable', 'rate_limited'])

/**
 * Prints what became of several targets, as soon as it is known where the format has lines. Answers are whole objects,
 * of those that did not fail; of `bare` ones scripts get a record each, also of those that failed.
 */
export async function printOutcomes<T extends { identity?(): Promise<Identity> }>(
  outcomes: AsyncIterable<Outcome<T, Answered>>,
  { view, session }: Printing,
  { bare }: { bare: boolean },
): Promise<void> {
  if (bare && !isWordless(view)) {
    await printList(recordsOf(outcomes), view, session.stdout)
    return
  }
  if (!bare) {
    await printList(given(resultsOf(outcomes)), view, session.stdout)
    return
  }
  const answers: Answered[] = []
  for await (const page of resultsOf(outcomes)) answers.push(...page)
  await printAnswers(answers, { view, session }, { several: true, rows: true })
}

/** `{"id": 123, "label": "data", "ok": true}`; null is what is not known. */
async function* recordsOf<T extends { identity?(): Promise<Identity> }>(
  outcomes: AsyncIterable<Outcome<T, unknown>>,
): AsyncGenerator<unknown[]> {
  for await (const outcome of outcomes) {
    const { id = null, label = null } = (await outcome.target.identity?.()) ?? {}
    const error = isFailed(outcome) && outcome.error instanceof Problem && { error: problemRecord(outcome.error) }
    yield [{ id, label, ok: !isFailed(outcome), ...error }]
  }
}

async function* given(pages: AsyncIterable<Answered[]>): AsyncGenerator<unknown[]> {
  for await (const page of pages) yield page.filter((answer) => answer !== undefined)
}
