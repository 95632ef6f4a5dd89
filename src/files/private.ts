import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { errorCode, fileProblem } from './problem'
import { userId } from './self'

/** Tells the user what was found wrong and repaired, a sentence at a time. */
export type Warn = (message: string) => void

interface Owned {
  uid: number
  mode: number
}

/** Creates a folder that only its owner can enter, or checks the one that stands there as `checkPrivateFolder` does. */
export function openPrivateFolder(path: string, warn: Warn): void {
  try {
    // The last component may be created with less than 0700 under a strict umask.
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileProblem('create', path, error)
  }
  checkPrivateFolder(path, warn)
}

/**
 * Whether the folder exists. A wider mode than 0700 is repaired with a warning; a symbolic link, another owner and a
 * folder that others share by design (`/`, `/tmp`) are refused.
 */
export function checkPrivateFolder(path: string, warn: Warn): boolean {
  const found = lstat(path)
  if (!found) return false
  if (found.isSymbolicLink()) throw refused(path, 'it is a symbolic link')
  if (!found.isDirectory()) throw refused(path, 'it is no folder')
  refuseForeign(path, found)
  if (!isWide(found)) return true
  if (found.mode & 0o1000 || dirname(path) === path) throw refused(path, 'it is shared with others')
  repair(path, 0o700, warn, () => chmodSync(path, 0o700))
  return true
}

/**
 * The text of a file that only its owner can read; undefined where there is none. A wider mode than 0600 is repaired
 * with a warning; a symbolic link, another owner and anything but a regular file are refused.
 */
export function readPrivately(path: string, warn: Warn): string | undefined {
  const file = openToRead(path)
  if (file === undefined) return undefined
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw refused(path, 'it is no regular file')
    refuseForeign(path, found)
    if (isWide(found)) repair(path, 0o600, warn, () => fchmodSync(file, 0o600))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** A file that only its owner can read, to which lines are added. */
export interface Appended {
  /** Throws where the disk is full. */
  write(text: string): void
  close(): void
}

/**
 * Creates a file, or opens one that stands there as `readPrivately` does: a wider mode is repaired with a warning, and
 * what is no file of one's own is refused. Throws `local`.
 */
export function openToAppend(path: string, warn: Warn): Appended {
  const file = openedToAppend(path)
  try {
    const found = fstatSync(file)
    const unfit = found.isFile() ? foreignness(found) : 'it is no regular file'
    if (unfit) throw new Problem('local', `cannot write ${path}: ${unfit}`)
    if (isWide(found)) repair(path, 0o600, warn, () => fchmodSync(file, 0o600))
  } catch (error) {
    closeSync(file)
    throw error
  }
  return {
    write(text) {
      try {
        writeFileSync(file, text)
      } catch (error) {
        throw fileProblem('write', path, error)
      }
    },
    close: () => closeSync(file),
  }
}

function openedToAppend(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    throw fileProblem('write', path, error)
  }
}

function openToRead(path: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    // Without O_NONBLOCK a named pipe in the file's place would hang us before it can be refused.
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    if (errorCode(error) === 'ELOOP') throw refused(path, 'it is a symbolic link')
    throw fileProblem('read', path, error)
  }
}

function lstat(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw fileProblem('read', path, error)
  }
}

function refuseForeign(path: string, { uid }: Pick<Owned, 'uid'>): void {
  const unfit = foreignness({ uid })
  if (unfit) throw refused(path, unfit)
}

function foreignness({ uid }: Pick<Owned, 'uid'>): string | undefined {
  const user = userId()
  return user !== undefined && uid !== user ? `it belongs to another user (${uid})` : undefined
}

function isWide({ mode }: Owned): boolean {
  return userId() !== undefined && (mode & 0o077) !== 0
}

function repair(path: string, mode: number, warn: Warn, change: () => void): void {
  try {
    change()
  } catch (error) {
    throw fileProblem('make private', path, error)
  }
  warn(`${path} was open to other users: its mode is now 0${mode.toString(8)}`)
}

function refused(path: string, reason: string): Problem {
  return new Problem('local', `${path} is not private: ${reason}`, {
    hint: 'Put a folder of your own in its place, or name another one with SKYCTL_CONFIG_DIR or SKYCTL_STATE_DIR',
  })
}
