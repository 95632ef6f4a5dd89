/** State folder: private data that lasts between commands. */
import { Problem } from '../errors'
import { openPrivateFolder } from './folder'
import type { Warn } from './ownership'

/** Names of all files in the state folder. */
const ours = /^(drafts|history|locks|rotations|rules|unread|users|watches|sandbox\.ndjson(\..*)?)$/

/** Creates or checks the folder. Throws `local` if that fails, or if other users have access. */
export function openState(path: string, warn: Warn): void {
  try {
    openPrivateFolder({ path, ours }, warn)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const hint = error.details.hint ?? 'Set SKYCTL_STATE_DIR to a writable folder'
    throw new Problem(error.code, error.message, { ...error.details, hint, cause: error })
  }
}
