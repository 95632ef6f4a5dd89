/** The copies of an account whose context gets another name. */
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../../../session'

/**
 * Moves the copies of rules along with their context. Those that an earlier context of the new name has left may be of
 * another account: they are set aside, for a person to look at. What cannot be moved is said.
 */
export async function renameCopies(name: string, next: string, session: Session): Promise<void> {
  try {
    const folder = join(session.paths.state, 'rules')
    const [start, place] = [`${encodeURIComponent(name)}@`, `${encodeURIComponent(next)}@`]
    const accounts = foldersIn(folder)
    const move = (from: string, to: string) => renameSync(join(folder, from), join(folder, to))
    // No account's folder has a blank in its name.
    for (const left of accounts.filter((one) => one.startsWith(place))) move(left, `${session.clock.now()} ${left}`)
    for (const own of accounts.filter((one) => one.startsWith(start))) move(own, `${place}${own.slice(start.length)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await session.warn(`firewalls rules undo does not find what was changed before under "${next}": ${reason}`)
  }
}

/** None where nothing was ever kept, or can be. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
