/** Files that only their owner can read. */
import { constants as bounds } from 'node:buffer'
import { closeSync, constants, fstatSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { Problem } from '../errors'
import { withoutByteOrderMark } from './byte-order-mark'
import { setMode } from './descriptors'
import { attempt, ifExists } from './file-problem'
import { isWide, openOwn, type Warn } from './ownership'

/**
 * Reads a private file's text without its byte order mark; undefined if it does not exist. A mode wider than 0600 is
 * fixed with a warning. Rejects symbolic links, files of other owners, and anything but regular files. Throws `too_large`
 * for a file that no string can hold.
 */
export function readPrivately(path: string, warn: Warn): string | undefined {
  const opened = ifExists('read', path, () => openOwn(path, constants.O_RDONLY))
  if (opened === undefined) return undefined
  if ('unfit' in opened) {
    throw new Problem('local', `${path} is not private: ${opened.unfit}`, {
      hint: 'Replace it with a file of your own, or name another one',
    })
  }
  try {
    if (opened.stats.size > bounds.MAX_STRING_LENGTH)
      throw new Problem('too_large', `${path} is too large: over 512 MiB`)
    makePrivate(path, opened, warn)
    return withoutByteOrderMark(readFileSync(opened.file, 'utf8'))
  } finally {
    closeSync(opened.file)
  }
}

/** Private file to which lines are appended. */
export interface Appended {
  /** Writes a text; throws if the disk is full. */
  write(text: string): void
  status(): Stats
  close(): void
}

/**
 * Creates a file, or opens an existing one under the rules of `readPrivately`. A wider mode is fixed with a warning;
 * foreign files are rejected. Throws `local`.
 */
export function openToAppend(path: string, warn: Warn): Appended {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants
  const opened = attempt('write', path, () => openOwn(path, O_WRONLY | O_CREAT | O_APPEND))
  if ('unfit' in opened) throw new Problem('local', `cannot write ${path}: ${opened.unfit}`)
  const { file } = opened
  try {
    makePrivate(path, opened, warn)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return {
    write: (text) => attempt('write', path, () => writeFileSync(file, text)),
    status: () => fstatSync(file),
    close: () => closeSync(file),
  }
}

function makePrivate(path: string, { file, stats }: { file: number; stats: Stats }, warn: Warn): void {
  if (!isWide(stats)) return
  attempt('make private', path, () => setMode({ file, path }, 0o600))
  warn(`${path} was open to other users: its mode is now 0600`)
}
