/**
 * Lock between processes: a file that exists while one process holds it.
 *
 * - **Acquire.** O_EXCL lets only one process create the file. It writes its identity (`LockOwner`) with a random mark,
 *   because process ids are reused.
 * - **Break.** A killed owner leaves its file, which a waiter removes: the kernel tells if the owner runs, by process id
 *   and start time. Where that cannot be asked, as from another container, and for a file without an owner, age decides.
 * - **Claim.** If two waiters removed the file of the same dead owner, the slower one would remove the faster one's new
 *   lock. So a waiter first claims the dead owner's mark and then checks again. The claim is a lock too
 *   (`x.lock.MARK.tmp` beside `x.lock`), because a claimant may be killed.
 * - **Release.** The owner removes the file if it still has its own mark.
 *
 * `bench/config-torture.mjs` tests this with concurrent writers and killed processes.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { Problem } from '../errors'
import { errorCode, fileProblem, ifExists } from './file-problem'
import { openOwn, openRegular, statusOf } from './ownership'
import { isRunning, type ProcessName, self } from './process-id'
import { randomMark, sweepTemporaries, temporaryFor } from './temporary'

export interface Lock {
  /** Releases the lock. Can be called repeatedly. */
  release(): void
  /** Reports whether this process still holds the lock. */
  isHeld(): boolean
}

interface WaitOptions {
  /** Maximum wait for one owner in milliseconds. It starts again whenever the owner changes. */
  waitMs?: number
  /** Cancels the wait; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** Content of a lock file as JSON. */
interface LockOwner extends ProcessName {
  /** Random id: 16 hexadecimal digits. */
  mark: string
}

/** Ages in milliseconds from which a lock is dead: of an owner that cannot be asked, and of a file without one. */
const staleAfterMs = 600_000
const incompleteAfterMs = 5_000
const incompleteMark = '0'.repeat(16)

/** Maximum pause between checks. */
const mostPauseMs = 25

/** Marks of the locks that this process holds. */
const ownMarks = new Set<string>()

/** Times of the next pause by path: a process that releases and acquires at once always wins against others, which poll. */
const nextPauses = new Map<string, number>()
const betweenPausesMs = 250

/**
 * Runs the action while holding a lock. It waits ten seconds by default: with 40 concurrent processes, some had to wait
 * that long for all others.
 */
export async function withLock<T>(path: string, action: () => T | Promise<T>, options?: WaitOptions): Promise<T> {
  const lock = await holdLock(path, { waitMs: 10_000, ...options })
  try {
    return await action()
  } finally {
    lock.release()
  }
}

/** Acquires a lock until it is released; by default without waiting. Problem `local` names the owner on timeout. */
export async function holdLock(path: string, { waitMs = 0, signal }: WaitOptions = {}): Promise<Lock> {
  let end = Number.POSITIVE_INFINITY
  let owner: string | undefined
  const start = performance.now()
  if (start >= (nextPauses.get(path) ?? start)) {
    if (nextPauses.has(path)) await pause(mostPauseMs, signal)
    nextPauses.set(path, start + betweenPausesMs)
  }
  for (let step = 4; ; step = Math.min(2 * step, mostPauseMs)) {
    signal?.throwIfAborted()
    const present = inspect(path)
    const lock = take(path, present)
    if (lock) return lock
    if (present && present.mark !== owner) {
      owner = present.mark
      end = performance.now() + waitMs
    }
    if (performance.now() >= end) throw locked(path)
    await pause(step, signal)
  }
}

/** Waits with jitter, so that waiters do not all check at the same moment. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout: delay } = await import('node:timers/promises')
  // An interruption is thrown before the next check.
  await delay(milliseconds * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
}

/**
 * Acquires a lock that is free or whose owner is dead; undefined if another process holds it. Throws `local` if the path
 * is not a lock file of this user.
 */
export const tryLock = (path: string): Lock | undefined => take(path, inspect(path))

/** Returns the mark of a lock and whether its owner is dead; undefined if the lock is free. */
function inspect(path: string): { mark: string; isDead: boolean } | undefined {
  const text = read(path, openOwn)
  if (text === undefined) return undefined
  const owner = parse(text)
  if (!owner) return { mark: incompleteMark, isDead: isOlder(path, incompleteAfterMs) }
  const isAlive = ownMarks.has(owner.mark) || (isRunning(owner) ?? !isOlder(path, staleAfterMs))
  return { mark: owner.mark, isDead: !isAlive }
}

function isOlder(path: string, milliseconds: number): boolean {
  const stats = statusOf(path)
  return stats !== undefined && Date.now() - stats.mtimeMs > milliseconds
}

function take(path: string, present: ReturnType<typeof inspect>): Lock | undefined {
  if (present && !present.isDead) return undefined
  if (present) breakLock(path, present.mark)
  const mark = randomMark()
  if (!create(path, { ...self(), mark })) return undefined
  ownMarks.add(mark)
  return { release: () => release(path, mark), isHeld: () => ownMarks.has(mark) && parse(read(path))?.mark === mark }
}

function create(path: string, owner: LockOwner): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      writeSync(file, JSON.stringify(owner))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // A full disk creates the file but cannot write its content.
    if (errorCode(error) === 'ENOSPC') rmSync(path, { force: true })
    throw fileProblem('lock', path, error)
  }
  // Another process may have taken the file for incomplete.
  return parse(read(path))?.mark === owner.mark
}

function release(path: string, mark: string): void {
  ownMarks.delete(mark)
  if (parse(read(path))?.mark === mark) unlinkSync(path)
}

/** Removes a dead owner's lock under a claim on its mark. */
function breakLock(path: string, mark: string): void {
  const claim = tryLock(temporaryFor(path, mark))
  if (!claim) return
  try {
    const present = inspect(path)
    if (present?.isDead && present.mark === mark) unlinkSync(path)
  } finally {
    claim.release()
  }
  sweepTemporaries(path, { onlyOld: true })
}

/** Reads a lock file's text; undefined if it does not exist. Throws `local` for another kind of file. */
function read(path: string, open = openRegular): string | undefined {
  const opened = ifExists('read the lock', path, () => open(path, constants.O_RDONLY))
  if (!opened) return undefined
  if ('unfit' in opened)
    throw new Problem('local', `${path} is not your lock file: ${opened.unfit}`, {
      hint: 'skyctl needs this path for a lock file; move it away',
    })
  try {
    return readFileSync(opened.file, 'utf8')
  } finally {
    closeSync(opened.file)
  }
}

function parse(text: string | undefined): LockOwner | undefined {
  try {
    const owner = JSON.parse(text ?? '') as LockOwner
    return Number.isInteger(owner.pid) && /^[0-9a-f]{16}$/.test(owner.mark) ? owner : undefined
  } catch {
    return undefined
  }
}

function locked(path: string): Problem {
  const owner = parse(read(path))
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process'
  return new Problem('local', `${path} is held by ${who}`, {
    hint: 'Wait for it to end. If it was killed on another machine or in another container, its lock expires in ten minutes',
    retryable: true,
  })
}
