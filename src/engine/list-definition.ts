/** A command that lists something, as data and pure functions. */
import type { AnswerRecord, Operation } from '../catalogue/operation'
import type { Call } from '../http/client'
import type { Columns, FieldPath } from '../output/column'
import type { Command, CommandInput, Flag, Input } from './command'
import type { Session } from './session'

/** Output of a list of records of type R. */
export interface List<R> {
  columns: Columns<R>
  /** Plural for messages, such as `No volumes`. */
  plural: string
  /** Field that `--quiet` prints; `id` by default. */
  key?: FieldPath<R> | undefined
}

export interface ListCommand<O extends Operation>
  extends List<AnswerRecord<O>>,
    Pick<Command, 'arguments' | 'details' | 'moreDetails' | 'examples'> {
  /** Name of the command; by default `list`. */
  name?: string
  /** Example in the help of --filter: a test that records of this kind can pass. */
  test: string
  /** Flags of this list only. */
  ownFlags?: readonly Flag[]
  /** Returns what arguments and flags change: path parameters, the query, or flags with more filters. */
  reading?(input: Input, session: Session): Promise<Partial<ListInput>>
}

export interface ListInput extends CommandInput {
  /** Path parameters and query of the operation. */
  call?: Pick<Call, 'path' | 'query'>
  /** Source of the records, if not the operation's pages. */
  pages?: AsyncIterable<unknown[]>
}
