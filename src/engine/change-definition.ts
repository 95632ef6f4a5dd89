/** A command that changes something, as data and pure functions. */
import type { Answer, Operation } from '../catalogue/operation'
import type { Problem } from '../errors'
import type { Column } from '../output/column'
import type { Session } from '../session'
import type { Change } from './change'
import type { ChangeContext, PrintedChangeContext, RequestBody } from './change-context'
import type { Command, Flag } from './command'
import type { Question } from './confirm'
import type { FlagNames } from './field-names'
import type { Compare, LabelLookup } from './label-lookup'
import type { ResolvedTarget } from './resolved-target'
import type { Item, Resource } from './resource'
import type { Condition } from './wait'

/** Input of a change's functions. */
export interface ChangeStep extends ChangeContext {
  /** The object that was named. */
  subject: ResolvedTarget | undefined
  /** Reads the named object once; undefined in a dry run, or if none is named. */
  record(): Promise<Item | undefined>
  /** Reads the named object again; undefined in a dry run, or if none is named. */
  reread(): Promise<Item | undefined>
  /** Looks up existing objects with a label; undefined in a dry run, or if the token has no permission. */
  look(label: string): Promise<LabelLookup | undefined>
}

export interface Sent {
  /** The answer's object, or the named one: `volume "data" (123)`. */
  name: string
  body: RequestBody
}

export interface ChangeCommand<O extends Operation>
  extends Pick<Command, 'name' | 'aliases' | 'details' | 'form' | 'examples'>,
    Partial<Pick<Command, 'summary'>> {
  operation: O
  /**
   * Kind of the named or created objects. Undefined for something that an account has once, such as the acting user.
   */
  resource?: Resource
  columns?: readonly Column[]
  /** True if the command accepts several targets. */
  many?: true
  /** True if a file may have several bodies, each for an object of its own. */
  batch?: true
  /** Returns the command's flags, based on those of the body's fields. */
  flags?(made: readonly Flag[]): readonly Flag[]
  /** The body to send: fixed, or derived from flags and file, with defaults or changed lists. */
  body?: RequestBody | ((given: RequestBody, step: ChangeStep) => RequestBody | Promise<RequestBody>)
  /**
   * Sends the change as an optimistic update, if others may change the same resource; undefined: it is sent unchanged.
   */
  update?(change: Change, step: ChangeStep): Promise<Change | undefined>
  /** Flags of fields that have no flag of their own name: `{ scopes: '--scope' }`. */
  flagNames?: FlagNames
  /** Validates the body before sending; `--no-validate` skips it. */
  check?(body: RequestBody, step: ChangeStep): void | Promise<void>
  /** States the consequences and asks, without a question mark; undefined: no question. */
  question?(body: RequestBody, context: ChangeContext): Question<ResolvedTarget>['text'] | undefined
  /**
   * Returns the problem with which the service would reject an object, as far as its record shows. Only used for
   * questions.
   */
  refusal?(record: Item): Problem | undefined
  /**
   * Returns a substitute for the answer if the object already has the requested state. Called after a lost answer, and
   * before sending if there is an `already`.
   */
  findDone?(body: RequestBody, step: ChangeStep): Promise<Record<string, unknown> | undefined>
  /** Reads the previous state for the history, if no object is named. */
  readCurrent?(session: Session): Promise<RequestBody>
  /** Returns the message if nothing had to be sent. */
  noopMessage?(sent: Sent): string
  /**
   * Returns the differences between an object and the request: an object that differs is not used in place of a new
   * one.
   */
  compare?(record: Item, body: RequestBody, step: ChangeStep): ReturnType<Compare>
  /**
   * For objects without a label: returns existing objects that may match the request; undefined if the API cannot list
   * them. After a lost answer the outcome stays unknown, but new objects are named.
   */
  candidates?(body: RequestBody, step: ChangeStep): Promise<readonly RequestBody[]> | undefined
  /** Returns the message on success. */
  done(answer: Answer<O>, sent: Sent): string
  /** Returns the condition of `--wait`; `before` is the named object before the change, if it was read. */
  wait?(body: RequestBody, before?: Item): Condition
  /** Prints or stores a one-time secret; resolves to the rest of the answer to print, undefined if there is none. */
  deliver?(answer: Answer<O>, context: PrintedChangeContext): Promise<RequestBody | undefined>
}
