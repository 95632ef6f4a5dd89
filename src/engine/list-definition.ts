/** A command that lists something, as data and pure functions. */
import type { AnswerRecord, Operation } from '../catalogue/operation'
import type { Bounds, Call } from '../http/client'
import type { ReadProgress } from '../http/page-sequence'
import type { Columns, FieldPath } from '../output/column'
import type { Command, CommandInput, Flag, Input } from './command'
import type { RecordFilter } from './filter'
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

/** Pages to read. */
export interface PageSource {
  operation: Operation
  filter: RecordFilter | undefined
  bounds: Bounds
  onPage(progress: ReadProgress): Promise<void>
}

/** Records to keep of the pages. */
export interface ListChoice {
  /** Checks of the first records, or of an empty list. */
  looks: readonly ((records: readonly unknown[]) => Promise<void>)[]
  filter: RecordFilter | undefined
  most: number | undefined
  /** Called with the number of records of each page that are kept. */
  onKept(count: number): void
}
