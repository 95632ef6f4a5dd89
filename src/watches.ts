/** What processes in the background have to tell the next command. Most starts find that there is nothing. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from './session'

export async function tellOfWatches(session: Session): Promise<void> {
  let records: string[] = []
  try {
    records = readdirSync(join(session.paths.state, 'watches'))
  } catch {
    // There never was a watch, or no state folder is known.
  }
  if (records.length > 0) await (await import('./commands/firewalls/watch/told')).tellAll(session)
}
