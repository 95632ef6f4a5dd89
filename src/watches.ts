/** What processes in the background have to tell the next command. Most starts find that there is nothing. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from './session'

export async function tellOfWatches(session: Session): Promise<void> {
  if (hasRecords(session)) await (await import('./commands/firewalls/watch/told')).tellAll(session)
}

function hasRecords({ paths }: Session): boolean {
  try {
    return readdirSync(join(paths.state, 'watches')).length > 0
  } catch {
    // There never was a watch, or no state folder is known.
    return false
  }
}
