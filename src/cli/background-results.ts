/** Prints results of background processes before the next command. Most runs find none. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../engine/session'

export async function printBackgroundResults(session: Session): Promise<void> {
  let records: string[] = []
  try {
    records = readdirSync(join(session.account.local.paths.state, 'watches'))
  } catch {
    // There never was a background process, or the state folder is unknown.
  }
  if (records.length > 0) await (await import('../commands/firewalls/watch/report-results')).reportWatchResults(session)
}
