/** Defines commands for one operation that creates an object, or changes the named ones. */

import { isMissing } from '../catalogue/normalize'
import type { Answer, Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { Column } from '../output/column'
import type { Session } from '../session'
import { flagsOf } from './body'
import type { Change } from './change'
import { type ChangeContext, changeContext, type PrintedChangeContext, type RequestBody } from './change-context'
import type { Command, Flag, Flags } from './command'
import type { Question } from './confirm'
import type { FlagNames } from './field-names'
import {
  bodyFlags,
  bodyLinesFlags,
  concurrencyFlag,
  dryRunFlag,
  ifPresentFlag,
  journalFlags,
  outputFlags,
  resendFlag,
  waitFlags,
} from './flags'
import type { Compare, LabelLookup } from './label-lookup'
import { fieldPaths, viewOf } from './printing'
import type { ResolvedTarget } from './resolved-target'
import type { Item, Resource } from './resource'
import { targetArguments } from './targets'
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

/** Returns a `settled` function that tests the record of the named object; throws if the answer lacks the field. */
export function recordShows(field: string, wanted: (record: Item, body: RequestBody) => boolean) {
  return async (body: RequestBody, { reread }: ChangeStep): Promise<Item | undefined> => {
    const record = await reread()
    if (record && isMissing(record, field))
      throw new Problem('defect', `the answer lacks the ${field} of ${record.label ?? record.id}, which decides`)
    return record && wanted(record, body) ? record : undefined
  }
}

export function changeCommand<O extends Operation>(command: ChangeCommand<O>): Command {
  const { operation, many = false, name, aliases, summary, details, form, examples } = command
  const target = namedBy(command)
  return {
    name,
    ...(aliases && { aliases }),
    ...(details && { details }),
    ...(form && { form }),
    ...(examples && { examples }),
    summary: summary ?? operation.summary,
    operations: [operation],
    records: recordsOf(command),
    ...(target && { arguments: targetArguments(target, many ? 'many' : 'one or stdin') }),
    flags: flagsFor(command),
    async run(input, session) {
      const { flags } = input
      const view = await viewFor(command, flags, session)
      const context = changeContext(view, flags, session)
      // Help and lists do not need this module.
      const { runChange } = await import('./run-change')
      await runChange(command, target, { input, context })
    },
    async perform(action, session) {
      const { performOne } = await import('./run-change')
      return performOne(command, target, { action, session })
    },
  }
}

/** Returns the kind of the named objects, if the operation's path has their id. */
function namedBy({ operation, resource }: ChangeCommand<Operation>): Resource | undefined {
  return resource && operation.path.includes(`{${resource.parameter}}`) ? resource : undefined
}

function flagsFor(command: ChangeCommand<Operation>): readonly Flag[] {
  const { operation, resource, wait } = command
  const body = typeof command.body === 'object' ? undefined : operation.body
  const made = body ? flagsOf(body) : []
  // A new object has no list to empty.
  const fitting = resource && !namedBy(command) ? made.filter(({ negative }) => negative !== 'only') : made
  return [
    ...(command.flags?.(fitting) ?? fitting),
    ...(operation.method === 'DELETE' ? [ifPresentFlag] : []),
    ...(body ? (command.batch ? bodyLinesFlags : bodyFlags) : []),
    ...(wait ? waitFlags(wait({}).name) : []),
    ...(command.many || command.batch ? [concurrencyFlag, ...journalFlags] : []),
    ...(command.batch && operation.idempotency === 'never' ? [resendFlag] : []),
    dryRunFlag,
    ...outputFlags,
  ]
}

/** Returns the operation that defines the columns: the object's view, if the answer is empty. */
function recordsOf({ operation, resource }: ChangeCommand<Operation>): Operation {
  return resource && fieldPaths(operation).length === 0 ? resource.view : operation
}

function viewFor(command: ChangeCommand<Operation>, flags: Flags, session: Session) {
  const { resource, columns = [] } = command
  const key = resource?.key
  return viewOf({ fields: fieldPaths(recordsOf(command)), columns, ...(key && { key }) }, flags, session)
}
