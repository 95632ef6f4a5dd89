import type { Account } from './account'
import type { JournalEntry } from './journal-lines'

export type RequestBody = Record<string, unknown>

/** Options of a change besides the request body. */
export interface ChangeOptions {
  /** False to leave the validation to the service; true by default. */
  validate?: boolean
  wait?: boolean
  /** Takes an existing object with the label in place of a new one. */
  ifAbsent?: boolean
  /** Takes an object that does not exist as removed. */
  ifPresent?: boolean
  /** Sends a creation again whose outcome an earlier run could not know. */
  resendUnknown?: boolean
  /** Id of the object that the new one replaces: it does not count as existing. */
  replaces?: string
  /** Hash that rules must have, unless they are the requested ones already. */
  ifMatch?: string
  /** Changes a protected object, too, and revokes the token in use. */
  force?: boolean
  /** Gives an object a label that another one has; `warn`: with a warning. Undefined if the caller offers no choice. */
  allowDuplicate?: boolean | 'warn'
  /** Traffic that a change of a firewall must not block, such as `tcp/22@198.51.100.7`; by default that of the context. */
  keepOpen?: readonly string[]
  /** Allows changes that block this traffic, or the SSH connection through which skyctl is run. */
  allowLockout?: boolean
  /**
   * True for a step of a plan, which has shown the effects on traffic and was assessed for lockouts as a whole: a step
   * may block what the next one allows.
   */
  hasPlan?: true
  /** Adds to and removes from a list of the object, and keeps concurrent changes to it. */
  list?: ListChange | undefined
}

/** Items to add to a list of an object, and to remove from it. */
export interface ListChange {
  /** Field of the list: `tags`. */
  field: string
  add: readonly string[]
  remove: readonly string[]
}

/** Reader of the effects of a change, before it is made. */
interface EffectsListener {
  /** True if long lists are not cut. */
  isVerbose: boolean
  show(lines: readonly string[]): Promise<void>
}

export interface ChangeContext {
  account: Account
  options: ChangeOptions
  /** True in a dry run: nothing may be sent, so some checks are skipped. */
  dry: boolean
  /** Journal entry of the target, if there is a journal. */
  entry?: JournalEntry | undefined
  /** Listener for traffic that a change of a firewall blocks and allows; without one, only lockouts are looked for. */
  effectsListener?: EffectsListener | undefined
}
