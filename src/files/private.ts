/** Files that only their owner can read. */
import { closeSync, constants, fchmodSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { Problem } from '../errors'
import { isWide, type Opened, openOwn, type Warn } from './own'
import { errorCode, fileProblem } from './problem'
import { withoutMark } from './text'

/**
 * The text of a file that only its owner can read, without a byte order mark; undefined where there is none. A wider mode than 0600 is repaired
 * with a warning; a symbolic link, another owner and anything but a regular file are refused.
 */
export function readPrivately(path: string, warn: Warn): string | undefined {
  const opened = openedToRead(path)
  if (opened === undefined) return undefined
  if ('unfit' in opened) {
    throw new Problem('local', `${path} is not private: ${opened.unfit}`, {
      hint: 'Put a file of your own in its place, or name another one',
    })
  }
  try {
    makePrivate(path, opened, warn)
    return withoutMark(readFileSync(opened.file, 'utf8'))
  } finally {
    closeSync(opened.file)
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
  const opened = openedToAppend(path)
  if ('unfit' in opened) throw new Problem('local', `cannot write ${path}: ${opened.unfit}`)
  const { file } = opened
  try {
    makePrivate(path, opened, warn)
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

function openedToRead(path: string): Opened | undefined {
  try {
    return openOwn(path, constants.O_RDONLY)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw fileProblem('read', path, error)
  }
}

function openedToAppend(path: string): Opened {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants
  try {
    return openOwn(path, O_WRONLY | O_CREAT | O_APPEND)
  } catch (error) {
    throw fileProblem('write', path, error)
  }
}

function makePrivate(path: string, { file, stats }: { file: number; stats: Stats }, warn: Warn): void {
  if (!isWide(stats)) return
  try {
    fchmodSync(file, 0o600)
  } catch (error) {
    throw fileProblem('make private', path, error)
  }
  warn(`${path} was open to other users: its mode is now 0600`)
}
