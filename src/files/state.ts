/** State folder: private data that lasts between commands. */
import { openPrivateFolder } from './folder'
import type { Warn } from './ownership'

/** Names of all files in the state folder. */
const ours = /^(drafts|history|locks|rotations|rules|unread|users|watches|sandbox\.ndjson(\..*)?)$/

/** Creates or checks the folder. Throws `local` if other users have access. */
export function openState(path: string, warn: Warn): void {
  openPrivateFolder({ path, ours }, warn)
}
