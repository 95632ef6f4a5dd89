/** skyctl's private folders: created for their owner only, and checked before any content is trusted. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { attempt } from './file-problem'
import { foreignness, isWide, statusOf, type Warn } from './ownership'

export interface PrivateFolder {
  path: string
  /**
   * Pattern of all file names that skyctl creates in the folder. If the folder has files and all match, it is skyctl's
   * own, and its mode may be changed. Other folders, such as `SKYCTL_CONFIG_DIR=/srv/www`, keep theirs.
   */
  ours?: RegExp
}

/** Creates a folder that only its owner can enter, or checks an existing one with `checkPrivateFolder`. */
export function openPrivateFolder(folder: PrivateFolder, warn: Warn): void {
  makeFolder(folder.path)
  checkPrivateFolder(folder, warn)
}

/** Creates a folder of mode 0700 and missing parent folders. Throws `local`. */
export const makeFolder = (path: string): void => attempt('create', path, () => make(path))

/** Creates missing parents itself: Node's `recursive` never returns if a parent rejects it with ENOENT, as in /proc. */
function make(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    const above = dirname(path)
    if (above === path) throw error
    make(above)
    makeOne(path)
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (statusOf(path)) return
    throw error
  }
  // A strict umask removes some of these bits.
  chmodSync(path, 0o700)
}

/**
 * Reports whether the folder exists. Rejects symbolic links, folders of other owners, and shared or writable folders.
 * If the folder belongs to skyctl alone, a mode wider than 0700 is fixed with a warning.
 */
export function checkPrivateFolder(folder: PrivateFolder, warn: Warn): boolean {
  const { path } = folder
  const stats = attempt('read', path, () => statusOf(path))
  if (!stats) return false
  if (stats.isSymbolicLink()) throw refused(path, 'it is a symbolic link')
  if (!stats.isDirectory()) throw refused(path, 'it is not a folder')
  const unfit = foreignness(stats)
  if (unfit !== undefined) throw refused(path, unfit)
  if (!isWide(stats)) return true
  if (stats.mode & 0o1000 || dirname(path) === path) throw refused(path, 'it is shared with others')
  if (isOursAlone(folder)) {
    attempt('make private', path, () => chmodSync(path, 0o700))
    warn(`${path} was open to other users: its mode is now 0700`)
  } else if (stats.mode & 0o022) throw refused(path, 'others can write to it')
  return true
}

function isOursAlone({ path, ours }: PrivateFolder): boolean {
  if (!ours) return false
  const names = attempt('read', path, () => readdirSync(path))
  return names.length > 0 && names.every((name) => ours.test(name))
}

function refused(path: string, reason: string): Problem {
  return new Problem('local', `${path} is not private: ${reason}`, {
    hint: 'Replace it with a folder of your own, or set SKYCTL_CONFIG_DIR or SKYCTL_STATE_DIR to another one',
  })
}

/** Names of all files in the state folder, which has private data that lasts between commands. */
const stateFiles = /^(drafts|history|locks|unread|users|watches|sandbox\.json(\..*)?)$/

/** Creates or checks the state folder. Throws `local` if that fails, or if other users have access. */
export function openState(path: string, warn: Warn): void {
  try {
    openPrivateFolder({ path, ours: stateFiles }, warn)
  } catch (error) {
    throw error instanceof Problem ? withStateHint(error) : error
  }
}

/** Adds the next step to a problem with the state folder, if it has none. */
export function withStateHint(problem: Problem): Problem {
  const hint = problem.details.hint ?? 'Set SKYCTL_STATE_DIR to a writable folder'
  return problem.with({ hint, cause: problem.cause })
}
