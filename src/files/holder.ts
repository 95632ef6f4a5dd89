/** Who holds a lock file: what stands in it, and whether its holder lives. */
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync, type Stats } from 'node:fs'
import { Problem } from '../errors'
import { type Opened, openOwn, openRegular, statusOf } from './own'
import { errorCode, fileProblem } from './problem'
import { isRunning, type ProcessName } from './self'
import { temporaryFor } from './temporary'

/** What a lock file holds, as JSON. */
export interface Holder extends ProcessName {
  /** 16 hexadecimal digits. */
  mark: string
}

/** Of a lock without a holder. */
export const tornMark = '0'.repeat(16)

/** How often a holder shows that it lives, for those who cannot ask: they wait for six times as long. */
export const beatMs = 10_000
const staleAfterMs = 60_000
const tornAfterMs = 5_000

export interface Seen {
  mark: string
  dead: boolean
  /** Only time tells whether it is. */
  far: boolean
}

/**
 * Who holds a lock, and whether it died; undefined where the lock is free. `ownMarks` are those of this process. Throws
 * `local` at once where something else stands in its place, or another user's lock.
 */
export function inspect(path: string, ownMarks: { has(mark: string): boolean }): Seen | undefined {
  const text = read(path, openOwn)
  if (text === undefined) return undefined
  const holder = parse(text)
  if (!holder) return { mark: tornMark, dead: isOlder(path, tornAfterMs), far: true }
  const { mark } = holder
  const running = ownMarks.has(mark) || isRunning(holder)
  return { mark, dead: !(running ?? !isOlder(path, staleAfterMs)), far: running === undefined }
}

/** What stands in a lock file, whosever it is; undefined where it is free, or nobody's name is in it. */
export function readHolder(path: string): Holder | undefined {
  return parse(read(path))
}

/** The text of a lock file; undefined where there is none. */
export function read(path: string, open: typeof openRegular = openRegular): string | undefined {
  const opened = openedLock(path, constants.O_RDONLY, open)
  if (opened === undefined) return undefined
  try {
    return readFileSync(opened.file, 'utf8')
  } finally {
    closeSync(opened.file)
  }
}

/** Undefined where there is none. */
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
  throw new Problem('local', `${path} is no lock of yours: ${opened.unfit}`, {
    hint: 'It stands where skyctl makes a file to lock by; move it away if it is not needed',
  })
}

export function parse(text: string | undefined): Holder | undefined {
  try {
    const holder = JSON.parse(text ?? '') as Holder
    return Number.isInteger(holder.pid) && /^[0-9a-f]{16}$/.test(holder.mark) ? holder : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a file was last written so long ago, by the clock of the file system that it is on: the clocks of two machines
 * may be hours apart. What that clock shows a new file beside it tells.
 */
function isOlder(path: string, milliseconds: number): boolean {
  if (isNew(path)) return false
  const probe = temporaryFor(path)
  try {
    const file = openSync(probe, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      const written = statusOf(path)
      return written !== undefined && fstatSync(file).mtimeMs - written.mtimeMs > milliseconds
    } finally {
      closeSync(file)
      // Who sweeps may have been faster.
      rmSync(probe, { force: true })
    }
  } catch (error) {
    throw fileProblem('lock', path, error)
  }
}

/** What seems to have been written just now will be asked for once more; it is so most often, and needs no new file. */
function isNew(path: string): boolean {
  const written = statusOf(path)
  return written === undefined || Math.abs(Date.now() - written.mtimeMs) < 1000
}
