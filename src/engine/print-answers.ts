/** Prints the answers of changes. */

import type { RequestBody } from '../account/change-context'
import { Problem } from '../errors'
import { isStructured } from '../output/formats'
import { isDrawn, printMany, printOne } from '../output/print'
import type { PrintedContext } from './change-command-context'

export type AnswerPrinting = Pick<PrintedContext, 'view' | 'session'>
export type Answered = RequestBody | undefined

/**
 * Prints answers. An empty object `{}` is not printed for people, and undefined is never printed. `rows`: text output
 * is a list; otherwise a single answer has one field per line.
 */
export async function printAnswers(
  answers: readonly Answered[],
  { view, session }: AnswerPrinting,
  { several, rows }: { several: boolean; rows: boolean },
): Promise<void> {
  const left = answers.filter((answer) => answer !== undefined)
  if (left.length === 0 && answers.length > 0) return
  if (!left.some(hasFields) && isWordless(view)) return
  // A note about columns that do not fit belongs below lists: after each change, it would be noise.
  if (several || (rows && isDrawn(view)))
    await printMany(left, { ...view, isOfChange: left.length === 1 }, session.ui.stdout)
  else await printOne(left[0], view, session.ui.stdout)
}

/** Prints a single answer, with one field per line for people. */
export function printAnswer(answer: RequestBody, context: AnswerPrinting): Promise<void> {
  return printAnswers([answer], context, { several: false, rows: false })
}

/** Reports whether `{}` is not printed. */
export const isWordless = ({ quiet, format, query }: AnswerPrinting['view']) =>
  query === undefined && (quiet !== undefined || !isStructured(format))

/** Prints the answer for scripts although the wait failed; the exit code shows that. */
export async function printDone(error: unknown, context: AnswerPrinting): Promise<never> {
  const answer = answerBefore(error)
  if (answer && isForScripts(context.view)) {
    // An error of the output must not hide why the wait failed, and what was created.
    await printAnswers([answer], context, { several: false, rows: true }).catch(() => {})
  }
  throw error
}

export const isForScripts = (view: AnswerPrinting['view']) => view.quiet !== undefined || !isDrawn(view)

/** Returns the answer to a change, if only what follows it failed or was interrupted: a wait, or another look. */
export function answerBefore(error: unknown): Answered {
  return error instanceof Problem && waited.has(error.code) ? error.details.answer : undefined
}

const waited = new Set<Problem['code']>(['wait_timed_out', 'unavailable', 'rate_limited', 'interrupted', 'terminated'])

export const hasFields = (answer: Answered): answer is RequestBody =>
  answer !== undefined && Object.keys(answer).length > 0
