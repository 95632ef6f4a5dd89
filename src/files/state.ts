/** The state folder: what lasts from command to command, all of it private. */
import { openPrivateFolder } from './folder'
import type { Warn } from './own'

/** All that we keep there. */
const ours = /^(drafts|history|locks|rotations|rules|unread|users|watches|sandbox\.ndjson(\..*)?)$/

/** Creates the folder, or checks the one that is there. Throws `local` where it is not the user's alone. */
export function openState(path: string, warn: Warn): void {
  openPrivateFolder({ path, ours }, warn)
}
