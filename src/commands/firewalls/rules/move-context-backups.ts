/** Moves rule backups when a context is renamed. */
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../../../session'

/**
 * Moves the backups of a context to its new name. Backups of an earlier context with the new name may be of another
 * account, so they are set aside for the user. Failures are only warnings.
 */
export async function moveContextBackups(name: string, next: string, session: Session): Promise<void> {
  try {
    const folder = join(session.account.local.paths.state, 'rules')
    const [start, place] = [`${encodeURIComponent(name)}@`, `${encodeURIComponent(next)}@`]
    const accounts = foldersIn(folder)
    const move = (from: string, to: string) => renameSync(join(folder, from), join(folder, to))
    // Names of account folders have no blank.
    for (const left of accounts.filter((one) => one.startsWith(place))) move(left, `${session.clock.now()} ${left}`)
    for (const own of accounts.filter((one) => one.startsWith(start))) move(own, `${place}${own.slice(start.length)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await session.ui.warn(`firewalls rules undo does not find earlier changes under "${next}": ${reason}`)
  }
}

/** Lists the folders; none if there are no backups. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
