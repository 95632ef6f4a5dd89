/** Names the command that undoes all changes of this run as one. */
import type { Session } from '../../session'
import { sameAccount } from '../account'

/** Without a history there is nothing to undo from. */
export async function sayUndo(session: Session): Promise<void> {
  const { apply } = (await session.recording()) ?? {}
  if (apply) await session.say(`Undo with: skyctl history undo --apply ${apply}${await sameAccount(session)}`)
}
