/** A command of one operation that changes something: makes an object, or acts on those that are named. */
import type { Answer, Operation } from '../catalogue/operation'
import type { Problem } from '../errors'
import type { Column } from '../output/column'
import type { Session } from '../session'
import { flagsOf } from './body'
import type { Change } from './change'
import type { Command, Flag, Flags } from './command'
import type { Question } from './confirm'
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
import type { Compare, Look } from './look'
import { fieldPaths, viewOf } from './printing'
import type { Item, Resource } from './resource'
import { type RequestBody, type Situation, situationOf } from './situation'
import type { Subject } from './subject'
import { targetArguments } from './targets'
import type { TypedNames } from './typed-names'
import type { Condition } from './wait'

/** What a function of a change may look at. */
export interface Step extends Situation {
  /** The object that was named. */
  subject: Subject | undefined
  /** The object that was named, as it was when it was first read; undefined in a dry run, or where none is named. */
  record(): Promise<Item | undefined>
  /** The same, as it is now. */
  reread(): Promise<Item | undefined>
  /** What has a label already; undefined in a dry run, and where the token may not look. */
  look(label: string): Promise<Look | undefined>
}

export interface Sent {
  /** The object that the answer shows, or that was named: `volume "data" (123)`. */
  name: string
  body: RequestBody
}

export interface ChangeCommand<O extends Operation>
  extends Pick<Command, 'name' | 'aliases' | 'details' | 'form' | 'examples'>,
    Partial<Pick<Command, 'summary'>> {
  operation: O
  /** What is named, or made. Without it the change is of what an account has one of, such as the acting user. */
  resource?: Resource
  columns?: readonly Column[]
  /** Whether it takes several targets. */
  many?: true
  /** Whether a file may hold several bodies, each of which makes an object of its own. */
  each?: true
  /** The command's own flags, from those that the fields of the body make. */
  flags?(made: readonly Flag[]): readonly Flag[]
  /** What is sent, from what flags and file gave: with defaults, or a list that is added to. Or what is always sent. */
  body?: RequestBody | ((given: RequestBody, step: Step) => RequestBody | Promise<RequestBody>)
  /** Sends it in another way than once, where others change the same at the same time; undefined: it is sent as it is. */
  contended?(change: Change, step: Step): Promise<Change | undefined>
  /** What is typed for fields that have no flag of their own name: `{ scopes: '--scope' }`. */
  typed?: TypedNames
  /** Refuses what can be known before sending; `--no-validate` skips it. */
  check?(body: RequestBody, step: Step): void | Promise<void>
  /** Says what is destroyed or cut off, then asks, without the mark; without an answer nothing is asked. */
  question?(body: RequestBody, situation: Situation): Question<Subject>['text'] | undefined
  /** Why the service would refuse an object, as far as its record tells. It is asked where a person is. */
  refusal?(record: Item): Problem | undefined
  /**
   * What is as good as the answer, where all is as this change makes it already. It is asked after a lost answer, and
   * with `already` also before anything is sent.
   */
  settled?(body: RequestBody, step: Step): Promise<Record<string, unknown> | undefined>
  /** What stands before, where no object is named: it is asked for the history. */
  standing?(session: Session): Promise<RequestBody>
  /** The sentence where nothing had to be sent. */
  already?(sent: Sent): string
  /** Says where an object is not what was asked for: it is neither taken for the new one nor instead of it. */
  compare?(record: Item, body: RequestBody, step: Step): ReturnType<Compare>
  /**
   * For what has no label: what the account has that may be what the body asks for. Without an answer the API lists none
   * such. A lost answer stays unknown, but what is new is named.
   */
  alike?(body: RequestBody, step: Step): Promise<readonly RequestBody[]> | undefined
  /** The sentence on success. */
  done(answer: Answer<O>, sent: Sent): string
  /** What `--wait` waits for. */
  wait?(body: RequestBody): Condition
  /** Hands over what is shown once; resolves to what of the answer is left to print, undefined where nothing is. */
  deliver?(answer: Answer<O>, situation: Situation): Promise<RequestBody | undefined>
}

/** For what is settled when the record of the object that was named is as wanted. */
export function recordShows(wanted: (record: Item, body: RequestBody) => boolean) {
  return async (body: RequestBody, { reread }: Step): Promise<Item | undefined> => {
    const record = await reread()
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
      const situation = situationOf(view, flags, session)
      // Help and lists need nothing of it.
      const { runChange } = await import('./run-change')
      await runChange(command, target, { input, situation })
    },
  }
}

/** The kind of the objects that are named, where they stand in the path of the operation. */
function namedBy({ operation, resource }: ChangeCommand<Operation>): Resource | undefined {
  return resource && operation.path.includes(`{${resource.parameter}}`) ? resource : undefined
}

function flagsFor(command: ChangeCommand<Operation>): readonly Flag[] {
  const { operation, resource, wait } = command
  const body = typeof command.body === 'object' ? undefined : operation.body
  const made = body ? flagsOf(body) : []
  // What is only being made has no list to empty.
  const fitting = resource && !namedBy(command) ? made.filter(({ negative }) => negative !== 'only') : made
  return [
    ...(command.flags?.(fitting) ?? fitting),
    ...(operation.method === 'DELETE' ? [ifPresentFlag] : []),
    ...(body ? (command.each ? bodyLinesFlags : bodyFlags) : []),
    ...(wait ? waitFlags(wait({}).name) : []),
    ...(command.many || command.each ? [concurrencyFlag, ...journalFlags] : []),
    ...(command.each && operation.repeat === 'never' ? [resendFlag] : []),
    dryRunFlag,
    ...outputFlags,
  ]
}

/** Where nothing comes back, the columns are those of the object. */
function recordsOf({ operation, resource }: ChangeCommand<Operation>): Operation {
  return resource && fieldPaths(operation).length === 0 ? resource.view : operation
}

function viewFor(command: ChangeCommand<Operation>, flags: Flags, session: Session) {
  const { resource, columns = [] } = command
  const key = resource?.key
  return viewOf({ fields: fieldPaths(recordsOf(command)), columns, ...(key && { key }) }, flags, session)
}
