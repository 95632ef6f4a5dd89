/** The columns of an operation's answer. */
import type { Answer, Operation } from '../catalogue/operation'
import { type ColumnSpec, type Columns, columnsFor, type FieldPath } from '../output/column'

/** A record of an answer: an item of the list, or the answer itself. */
export type Row<O extends Operation> = Answer<O> extends readonly (infer Item)[] ? Item : Answer<O>

/**
 * What is shown of the operation's records. A path that they have not does not compile; for that the operation is
 * named, and only its type is looked at, so that nothing is worked out at start.
 */
export function columns<O extends Operation>(
  _operation: O,
  specs: readonly ColumnSpec<FieldPath<Row<O>>>[],
): Columns<Row<O>> {
  return columnsFor<Row<O>>(specs)
}
