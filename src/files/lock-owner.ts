/** Owners of lock files: reads them, and checks if their process is running. */
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync, type Stats } from 'node:fs'
import { Problem } from '../errors'
import { type Opened, openOwn, openRegular, statusOf } from './ownership'
import { errorCode, fileProblem } from './problem'
import { isRunning, type ProcessName } from './process-id'
import { temporaryFor } from './temporary'

/** Content of a lock file as JSON. */
export interface LockOwner extends ProcessName {
  /** Random id: 16 hexadecimal digits. */
  mark: string
}

/** Id of an incomplete lock without an owner. */
const incompleteMark = '0'.repeat(16)

/** Interval at which an owner updates its lock. Waiters that cannot check its process wait six times as long. */
export const heartbeatMs = 10_000
const staleAfterMs = 60_000
const tornAfterMs = 5_000

export interface LockState {
  mark: string
  dead: boolean
  /** True if the owner's process cannot be checked, so only time decides. */
  remote: boolean
}

/**
 * Returns the owner of a lock and whether it is dead; undefined if the lock is free. `ownMarks` are the ids of this
 * process. Throws `local` if the path is not a lock file, or belongs to another user.
 */
export function inspect(path: string, ownMarks: { has(mark: string): boolean }): LockState | undefined {
  const text = read(path, openOwn)
  if (text === undefined) return undefined
  const holder = parse(text)
  if (!holder) return { mark: incompleteMark, dead: isOlder(path, tornAfterMs), remote: true }
  const { mark } = holder
  const running = ownMarks.has(mark) || isRunning(holder)
  return { mark, dead: !(running ?? !isOlder(path, staleAfterMs)), remote: running === undefined }
}

/** Reads a lock file of any user; undefined if it is free or names no owner. */
export function readHolder(path: string): LockOwner | undefined {
  return parse(read(path))
}

/** Reads a lock file's text; undefined if it does not exist. */
export function read(path: string, open: typeof openRegular = openRegular): string | undefined {
  const opened = openedLock(path, constants.O_RDONLY, open)
  if (opened === undefined) return undefined
  try {
    return readFileSync(opened.file, 'utf8')
  } finally {
    closeSync(opened.file)
  }
}

/** Opens a lock file; undefined if it does not exist. */
export function openedLock(
  path: string,
  flags: number,
  open: typeof openRegular = openRegular,
): { file: number; stats: Stats } | undefined {
  let opened: Opened
  try {
    opened = open(path, flags)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw fileProblem('read the lock', path, error)
  }
  if (!('unfit' in opened)) return opened
  throw new Problem('local', `${path} is not your lock file: ${opened.unfit}`, {
    hint: 'skyctl needs this path for a lock file; move it away',
  })
}

export function parse(text: string | undefined): LockOwner | undefined {
  try {
    const holder = JSON.parse(text ?? '') as LockOwner
    return Number.isInteger(holder.pid) && /^[0-9a-f]{16}$/.test(holder.mark) ? holder : undefined
  } catch {
    return undefined
  }
}

/**
 * Reports whether a file is older than this, by the clock of its file system, because the clocks of two machines may
 * differ by hours. A new file next to it shows that clock's time.
 */
function isOlder(path: string, milliseconds: number): boolean {
  const written = statusOf(path)
  // Most files seem new by the local clock. Checking them again later needs no probe file.
  if (!written || Math.abs(Date.now() - written.mtimeMs) < 1000) return false
  const probe = temporaryFor(path)
  try {
    const file = openSync(probe, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      return fstatSync(file).mtimeMs - written.mtimeMs > milliseconds
    } finally {
      closeSync(file)
      // A concurrent sweep may have removed the file.
      rmSync(probe, { force: true })
    }
  } catch (error) {
    throw fileProblem('lock', path, error)
  }
}
