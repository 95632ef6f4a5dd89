/** Folders that hold what is ours: made private, and checked before anything in them is trusted. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { foreignness, isWide, statusOf, type Warn } from './own'
import { errorCode, fileProblem } from './problem'

/** A folder to keep something in. */
export interface PrivateFolder {
  path: string
  /**
   * What the names of all that we keep there look like. A folder that holds something, and nothing else, is ours alone:
   * its mode is ours to change. That of any other stays as it is, as in `SKYCTL_CONFIG_DIR=/srv/www`.
   */
  ours?: RegExp
}

/** Creates a folder that only its owner can enter, or checks the one that stands there as `checkPrivateFolder` does. */
export function openPrivateFolder(folder: PrivateFolder, warn: Warn): void {
  makeFolder(folder.path)
  checkPrivateFolder(folder, warn)
}

/** Makes a folder of mode 0700 where nothing is, and those above it. Throws `local`. */
export function makeFolder(path: string): void {
  try {
    make(path)
  } catch (error) {
    throw fileProblem('create', path, error)
  }
}

/** Not Node's `recursive`: that never comes back where a folder that is there takes none, and says ENOENT, as /proc. */
function make(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    const above = dirname(path)
    if (above === path || statSync(above, { throwIfNoEntry: false })) throw error
    make(above)
    makeOne(path)
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || statusOf(path)?.isDirectory()) return
    throw error
  }
  // Under a strict umask it has less.
  chmodSync(path, 0o700)
}

/**
 * Whether the folder exists. A symbolic link, another owner, and a folder that others share or can write to are refused;
 * a wider mode than 0700 is repaired with a warning where the folder is ours alone.
 */
export function checkPrivateFolder(folder: PrivateFolder, warn: Warn): boolean {
  const { path } = folder
  const stats = lookedAt(path)
  if (!stats) return false
  if (stats.isSymbolicLink()) throw refused(path, 'it is a symbolic link')
  if (!stats.isDirectory()) throw refused(path, 'it is no folder')
  const unfit = foreignness(stats)
  if (unfit !== undefined) throw refused(path, unfit)
  if (!isWide(stats)) return true
  if (stats.mode & 0o1000 || dirname(path) === path) throw refused(path, 'it is shared with others')
  if (isOursAlone(folder)) repair(path, warn)
  else if (stats.mode & 0o022) throw refused(path, 'others can write to it')
  return true
}

function isOursAlone({ path, ours }: PrivateFolder): boolean {
  if (!ours) return false
  try {
    const names = readdirSync(path)
    return names.length > 0 && names.every((name) => ours.test(name))
  } catch (error) {
    throw fileProblem('read', path, error)
  }
}

function repair(path: string, warn: Warn): void {
  try {
    chmodSync(path, 0o700)
  } catch (error) {
    throw fileProblem('make private', path, error)
  }
  warn(`${path} was open to other users: its mode is now 0700`)
}

function lookedAt(path: string) {
  try {
    return statusOf(path)
  } catch (error) {
    throw fileProblem('read', path, error)
  }
}

function refused(path: string, reason: string): Problem {
  return new Problem('local', `${path} is not private: ${reason}`, {
    hint: 'Put a folder of your own in its place, or name another one with SKYCTL_CONFIG_DIR or SKYCTL_STATE_DIR',
  })
}
