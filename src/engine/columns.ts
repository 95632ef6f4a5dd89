/** Defines the columns of an operation's records. */
import type { Answer, Operation } from '../catalogue/operation'
import { type ColumnSpec, type Columns, columnsFor, type FieldPath } from '../output/column'

/** A record of an answer: an item of the list, or the answer itself. */
export type AnswerRecord<O extends Operation> = Answer<O> extends readonly (infer Item)[] ? Item : Answer<O>

/**
 * Defines columns; unknown field paths do not compile. The operation is passed for its type only, so nothing is
 * computed at startup.
 */
export function columns<O extends Operation>(
  _operation: O,
  specs: readonly ColumnSpec<FieldPath<AnswerRecord<O>>>[],
): Columns<AnswerRecord<O>> {
  return columnsFor<AnswerRecord<O>>(specs)
}
