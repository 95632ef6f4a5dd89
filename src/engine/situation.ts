import type { View } from '../output/print'
import type { Session } from '../session'
import type { Flags } from './command'
import type { Entry } from './journal-lines'

/** What a change may look at. */
export interface Situation {
  flags: Flags
  session: Session
  /** Nothing may be sent, so only what is at hand can be checked. */
  dry: boolean
  /** How the answer is printed: settled first, since a mistyped column must not be found out after the change was made. */
  view: View
  /** The target in the journal of the command, where it has one. */
  entry?: Entry | undefined
}

export type RequestBody = Record<string, unknown>

export function situationOf(view: View, flags: Flags, session: Session): Situation {
  return { flags, session, dry: flags['dry-run'] === true, view }
}
