/** Printing what a change was answered with. */
import { isForPeople, isStructured } from '../output/formats'
import { printMany, printOne } from '../output/print'
import type { RequestBody, Situation } from './situation'

/**
 * Prints answers; an operation that answers `{}` has nothing for a person, and undefined is what needs no printing.
 * `rows`: a person sees them as a list; otherwise one answer is a field a line.
 */
export async function printAnswers(
  answers: readonly (RequestBody | undefined)[],
  { view, context }: Pick<Situation, 'view' | 'context'>,
  { several, rows }: { several: boolean; rows: boolean },
): Promise<void> {
  const left = answers.filter((answer) => answer !== undefined)
  if (left.length === 0 && answers.length > 0) return
  const empty = left.every((answer) => Object.keys(answer).length === 0)
  const wordless = view.quiet !== undefined || !isStructured(view.format)
  if (empty && wordless) return
  if (several || (rows && isForPeople(view.format))) await printMany(left, view, context.stdout)
  else await printOne(left[0], view, context.stdout)
}

/** The same for one, a field a line for a person. */
export function printAnswer(answer: RequestBody, situation: Pick<Situation, 'view' | 'context'>): Promise<void> {
  return printAnswers([answer], situation, { several: false, rows: false })
}
