/** A command that changes something, as data and pure functions. */
import type { Action, ActionStep } from '../account/action'
import type { ChangeOptions, RequestBody } from '../account/change-context'
import type { ResolvedTarget } from '../account/resolved-target'
import type { Item } from '../account/resource'
import type { Answer, Operation } from '../catalogue/operation'
import type { Problem } from '../errors'
import type { Column } from '../output/column'
import type { Question } from './ask-about'
import type { CommandContext, PrintedContext } from './change-command-context'
import type { ChangeMessages } from './change-message'
import type { Command, Flag, Flags } from './command'
import type { FlagNames } from './field-names'
import type { Session } from './session'

/** Context for the functions of a command. */
export type CommandStep = ActionStep<CommandContext>

export interface ChangeCommand<O extends Operation> extends Pick<Command, 'name' | 'aliases'>, ChangeMessages<O> {
  action: Action<O>
  /** Columns of the answer; an empty list shows all of its fields. */
  columns?: readonly Column[]
  input?: ChangeInput
  /** States the consequences and asks, without a question mark; undefined: no question. */
  question?(body: RequestBody, context: CommandContext): Question<ResolvedTarget>['text'] | undefined
  /**
   * Returns the problem with which the service would reject an object, as far as its record shows. Only used for
   * questions.
   */
  refusal?(record: Item): Problem | undefined
  /** Prints or stores a one-time secret; resolves to the rest of the answer to print, undefined if there is none. */
  deliver?(answer: Answer<O>, context: PrintedContext): Promise<RequestBody | undefined>
  /** Help texts; the summary is the operation's by default. */
  help?: Partial<Pick<Command, 'summary' | 'details' | 'moreDetails' | 'form' | 'examples'>>
}

/** Columns that a command needs: those of an answer with fields. */
export type ColumnsFor<O extends Operation> = O['returns'] extends { entries: Record<string, never> }
  ? unknown
  : { columns: readonly Column[] }

/** Arguments and flags of a command, and their conversion to a request body. */
export interface ChangeInput {
  /** `several`: targets. `lines`: a file with several bodies, each for an object of its own. */
  accepts?: 'several' | 'lines'
  /** Returns the command's flags, based on those of the body's fields. */
  flags?(fieldFlags: readonly Flag[]): readonly Flag[]
  /** Flags of fields that have no flag of their own name: `{ scopes: '--scope' }`. */
  names?: FlagNames
  /** Returns the options of the change that flags of this command set. */
  options?(flags: Flags, session: Session): ChangeOptions | Promise<ChangeOptions>
  /** Checks the body in ways that only a command line needs, such as a label that is in use. */
  check?: (body: RequestBody, step: CommandStep) => void | Promise<void>
  /** Completes the body from flags and file, or with changed lists. */
  complete?(body: RequestBody, step: CommandStep): RequestBody | Promise<RequestBody>
  /** Adds what flags and file leave out: with --if-absent, an existing object may differ from it. */
  defaults?(body: RequestBody, step: CommandStep): RequestBody | Promise<RequestBody>
}
