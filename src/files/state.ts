/** State folder: private data that lasts between commands. */
import { Problem } from '../errors'
import { openPrivateFolder } from './folder'
import type { Warn } from './ownership'

/** Names of all files in the state folder. */
const ours = /^(drafts|history|locks|unread|users|watches|sandbox\.json(\..*)?)$/

/** Creates or checks the folder. Throws `local` if that fails, or if other users have access. */
export function openState(path: string, warn: Warn): void {
  try {
    openPrivateFolder({ path, ours }, warn)
  } catch (error) {
    throw error instanceof Problem ? withStateHint(error) : error
  }
}

/** Adds the next step to a problem with the state folder, if it has none. */
export function withStateHint(problem: Problem): Problem {
  const hint = problem.details.hint ?? 'Set SKYCTL_STATE_DIR to a writable folder'
  return new Problem(problem.code, problem.message, { ...problem.details, hint, cause: problem.cause })
}
