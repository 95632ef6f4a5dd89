/** A change as data: its request, the policy of its action, and its result. */
import type { Answer, Operation } from '../catalogue/operation'
import type { Created, Problem } from '../errors'
import type { Effect } from '../firewall/effects'
import type { Action, ActionStep } from './action'
import type { RequestBody } from './change-context'
import type { About, EntryListener } from './history/history'
import type { JournalEntry } from './journal-lines'
import type { SharedUpdate } from './optimistic-update'
import type { FoundObject, Id, Item, Resource } from './resource'

/** A request that is not sent yet. */
export interface PlannedRequest {
  operation: Operation
  /** Values of the path parameters. */
  path?: Readonly<Record<string, Id>>
  body?: RequestBody
  /** Traffic that it blocks and allows. */
  effects?: readonly Effect[]
}

/** One request for a change, checked and ready to send. */
export interface Change extends PlannedRequest {
  /** Policy for the request; undefined for one that has none. */
  action?: Action | undefined
  /** Lookups for the functions of the action. */
  step?: ActionStep | undefined
  /** Kind of the named object, if there is no action. */
  resource?: Resource
  /** The named object. */
  object?: FoundObject | undefined
  /** The body without defaults: an existing object may differ from them (`ifAbsent`). */
  named?: RequestBody
  /** Result of a change that needs no request: then no question is asked. */
  noop?: Sent
  /** Texts about traffic that it newly blocks, or may block: it must be confirmed. */
  blocks?: readonly string[]
  /** State before the change for the history, if the caller has read it. */
  about?: About | undefined
  /** Receives its entry in the history, if the caller looks whether it was done (./optimistic-update). */
  onBegin?: EntryListener
  entry?: JournalEntry | undefined
  /** Update of something that others may change at the same time, if the action does not define it. */
  update?: SharedUpdate
  /** Sends it in another way than with one request. */
  send?(): Promise<Sent>
  /** Runs follow-up work before the listener is called. */
  afterSend?(answer: RequestBody): Promise<void>
  /** Returns the object to print in place of the answer. */
  result?(answer: RequestBody): Promise<RequestBody>
}

/** A change that did not fail: the answer, or what was found in its place. */
export interface Sent {
  answer: Answer<Operation>
  outcome: Outcome
  /** True if the created object was only found by its fields. */
  isAdopted?: true
}

/** Outcome of a change that did not fail. */
type Outcome =
  /** Made. `hasBackup`: rules have a backup, so that an undo can restore them. */
  | { kind: 'done'; hasBackup?: boolean }
  /** Nothing had to be made: the object has the requested state, or somebody else was faster. */
  | { kind: 'already' }
  /** An object with the label is there and matches the request (`ifAbsent`). */
  | { kind: 'exists' }
  /** There is no such object to remove (`ifPresent`). */
  | { kind: 'absent'; problem: Problem }
  /** A part of the object has the requested state: `the tags of volume 3001`. */
  | { kind: 'unchanged'; what: string }

/** Request of a change, for messages. */
export interface SentRequest {
  /** The answer's object, or the named one: `volume "data" (123)`. */
  name: string
  /** Id of the named object. */
  id?: Id | undefined
  body: RequestBody
  /** The named object before the change, if it was read. */
  before?: Item | undefined
}

export interface ChangeResult {
  outcome: Outcome
  answer: RequestBody
  sent: SentRequest
  created?: Created | undefined
}

/** Called with the result of a change, before a wait. */
export type ResultListener = (result: ChangeResult) => Promise<void>
