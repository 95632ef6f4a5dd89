/** Changes to an account, as data and pure functions: those for all actions are in ./action-functions. */
import type { Operation } from '../catalogue/operation'
import type { Problem } from '../errors'
import type { ChangeContext, RequestBody } from './change-context'
import type { Compare, LabelLookup } from './label-lookup'
import type { SharedUpdate } from './optimistic-update'
import type { ResolvedTarget } from './resolved-target'
import type { Id, Item, Resource } from './resource'
import type { UndoOf } from './undo'
import type { Condition } from './wait'

/** Context for an action's functions; `C` is the caller's own part. */
export type ActionStep<C extends ChangeContext = ChangeContext> = C & {
  /** The object that was named. */
  subject: ResolvedTarget | undefined
  /** Reads the named object once; undefined in a dry run, or if none is named. */
  record(): Promise<Item | undefined>
  /** Reads the named object again; undefined in a dry run, or if none is named. */
  reread(): Promise<Item | undefined>
  /** Looks up existing objects with a label; undefined in a dry run, or if the token has no permission. */
  look(label: string): Promise<LabelLookup | undefined>
  /** Warnings about the changed object, for after the change. */
  notices: ((id: Id) => string)[]
  /** True after the request was sent. */
  isSent?: true
}

/** One request that changes something, with what makes it safe. */
export interface Action<O extends Operation = Operation> {
  operation: O
  /**
   * Kind of the named or created objects: a snapshot of a volume, if its creation names the volume. Undefined for something
   * that an account has once, such as the acting user.
   */
  resource?: Resource
  /** The body to send, if it is always the same, or a function that normalizes it. */
  body?: RequestBody | ((input: RequestBody) => RequestBody)
  /** Checks before the request is sent, and protection of objects and of the user. */
  safety?: Safety
  /** Returns how to update something that others may change at the same time; undefined: the body is sent as it is. */
  update?: (body: RequestBody, step: ActionStep) => SharedUpdate | undefined | Promise<SharedUpdate | undefined>
  /**
   * Returns a substitute for the answer if the object already has the requested state. Called before sending, after a
   * refusal, and after a lost answer, which may be followed by a second request.
   */
  findDone?: (body: RequestBody, step: ActionStep) => Promise<Record<string, unknown> | undefined>
  /** Adds to a problem what the action knows about it; `id` is the named object. */
  explain?: (problem: Problem, body: RequestBody, id: Id | undefined) => Problem
  /** Tells the created object from others; for actions that create one. */
  creation?: Creation
  /** Returns the condition to wait for; `before` is the named object before the change, if it was read. */
  wait?: (body: RequestBody, before?: Item) => Condition
  undo: UndoOf<O>
}

/** Protects from an action, unless options of the change allow it. */
interface Safety {
  /** Checks the body against the account; `validate: false` skips it. */
  check?: (body: RequestBody, step: ActionStep) => void | Promise<void>
  /** Refuses a label that another object of the kind has, unless options allow it. */
  uniqueLabel?: true
  /** Refuses an object that does not exist, unless options take it as done: for what removes something, as a DELETE does. */
  mayBeAbsent?: true
  /** Protects objects; only `force` skips it. */
  protection?: ProtectionRule
  /** Refuses a change that would harm its user, such as a lockout. */
  guard?: (body: RequestBody, step: ActionStep) => void | Promise<void>
  /** Refuses a lockout; returns texts about traffic that the change newly blocks, which must be confirmed. */
  traffic?: (body: RequestBody, step: ActionStep) => Promise<readonly string[]>
}

/** An action as the history knows it. */
export type RecordedAction = Pick<Action, 'operation' | 'resource' | 'undo'>

/** An action that creates an object of the kind that it names. */
export type CreatingAction = Action & { resource: Resource }

export interface ReadRecord {
  resource: Resource
  record: Item
}

/** Defines how an action harms an object: a protected one forbids it (./protection). */
export interface ProtectionRule {
  /** The harm as a clause: `it cannot be deleted`. */
  harm: string
  /** Reports whether a body has that effect; by default every one has. */
  applies?(body: RequestBody): boolean
  /** Reports whether an object can suffer it; by default every one can. */
  isHarmed?(record: Item): boolean
  /** Reads the harmed object, if it is not the named one. */
  read?(step: ActionStep): Promise<ReadRecord | undefined>
}

/** Tells an object that a request creates from others. */
export interface Creation {
  /**
   * Returns the differences between an object and the request: an object that differs is not used in place of a new
   * one.
   */
  compare?: (record: Item, body: RequestBody, step: ActionStep) => ReturnType<Compare>
  /** Returns the differences between an object and what the request names, without defaults, for `ifAbsent`. */
  compareNamed?: (record: Item, named: RequestBody, step: ActionStep) => ReturnType<Compare>
  /** Returns values that the answer must repeat although the body does not have them. */
  expected?: (step: ActionStep) => Promise<RequestBody | undefined>
  /**
   * For objects without a label: returns existing objects that may match the request; undefined if the API cannot list
   * them. After a lost answer the outcome stays unknown, but new objects are named.
   */
  candidates?: (body: RequestBody, step: ActionStep) => Promise<readonly RequestBody[]> | undefined
}

/** Completes and checks the body of an action. */
export interface ActionCaller<C extends ChangeContext = ChangeContext> {
  /** Completes the given body from files and flags, or with changed lists. */
  complete?: (body: RequestBody, step: ActionStep<C>) => RequestBody | Promise<RequestBody>
  /** Adds what the request leaves out: an existing object may differ from it (`ifAbsent`). */
  defaults?: (body: RequestBody, step: ActionStep<C>) => RequestBody | Promise<RequestBody>
  /** Throws `usage` for a body that is invalid according to the schema of the operation. */
  validate(body: RequestBody, context: C): void | Promise<void>
  /** Checks the body in ways that only this caller needs; `validate: false` skips it. */
  check?: (body: RequestBody, step: ActionStep<C>) => void | Promise<void>
  /** False to send in any case; otherwise nothing is sent if the action finds that it is done (`findDone`). */
  looks?: boolean
}
