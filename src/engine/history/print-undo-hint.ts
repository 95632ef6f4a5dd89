/** Prints the command that undoes all changes of this run. */
import type { Session } from '../../session'
import { sameAccount } from '../account'

/** Prints nothing without a history. */
export async function printUndoHint(session: Session): Promise<void> {
  const { apply } = (await session.changeLog()) ?? {}
  if (apply) await session.status(`Undo with: skyctl history undo --apply ${apply}${await sameAccount(session)}`)
}
