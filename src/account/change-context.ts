import type { Account } from './account'
import type { JournalEntry } from './journal-lines'

export type RequestBody = Record<string, unknown>

/** Options of a change besides the request body. */
export interface ChangeOptions {
  /** False to leave the validation to the service; true by default. */
  validate?: boolean
  /** Waits for the result. */
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
  /** Changes a protected object, too. */
  force?: boolean
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

/** Input of a change. */
export interface ChangeContext {
  account: Account
  options: ChangeOptions
  /** True in a dry run: nothing may be sent, so some checks are skipped. */
  dry: boolean
  /** Journal entry of the target, if there is a journal. */
  entry?: JournalEntry | undefined
}
