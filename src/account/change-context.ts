import type { Account } from './account'
import type { JournalEntry } from './journal-lines'

export type RequestBody = Record<string, unknown>

/** How a change is made: what a caller may ask for besides the request body. */
export interface ChangeOptions {
  /** False to leave the validation to the service; true by default. */
  validate?: boolean
  /** Waits so many milliseconds for the result; undefined: it does not wait. */
  waitMs?: number
  /** Takes an existing object with the label in place of a new one. */
  ifAbsent?: boolean
  /** Takes an object that does not exist as removed. */
  ifPresent?: boolean
  /** Sends a creation again whose outcome an earlier run could not know. */
  resendUnknown?: boolean
  /** Id of the object that the new one replaces: it does not count as existing. */
  replaces?: string
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
