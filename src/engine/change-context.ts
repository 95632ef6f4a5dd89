import type { View } from '../output/print'
import type { Session } from '../session'
import type { Flags } from './command'
import type { JournalEntry } from './journal-lines'

/** Input of a change. */
export interface ChangeContext {
  flags: Flags
  session: Session
  /** True in a dry run: nothing may be sent, so some checks are skipped. */
  dry: boolean
  /** Journal entry of the target, if there is a journal. */
  entry?: JournalEntry | undefined
}

/** Input of a change whose answer is printed. */
export interface PrintedChangeContext extends ChangeContext {
  /** View of the answer, created first: an invalid column must be found before the change is made. */
  view: View
}

export type RequestBody = Record<string, unknown>

export function changeContext(view: View, flags: Flags, session: Session): PrintedChangeContext {
  return { flags, session, dry: flags['dry-run'] === true, view }
}
