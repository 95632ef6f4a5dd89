/**
 * Lock between processes: a file that exists while one process holds it.
 *
 * - **Acquire.** O_EXCL lets only one process create the file. It writes its identity (`Holder`) with a random mark,
 *   because process ids are reused.
 * - **Release.** The holder removes the file if it still holds its own mark.
 * - **Break.** A killed holder leaves its file, which a waiter removes. Within the same boot and process namespace, the
 *   kernel tells if the holder runs, by process id and start time. On another machine or container that shares the home
 *   or volume, only time decides.
 * - **Heartbeat.** A holder updates its file every ten seconds. A waiter that cannot check the process takes it for
 *   dead after a minute without an update. A holder on another machine that was stopped for longer may thus lose its
 *   lock. Before an action that must not run twice, it checks `isHeld`.
 * - **Claim.** If two waiters removed the file of the same dead holder, the slower one would remove the faster one's
 *   new lock. So a waiter first claims the dead holder's mark and then checks again. The claim is a lock too
 *   (`x.lock.MARK.tmp` beside `x.lock`), because a claimant may be killed.
 * - **Incomplete file.** A process killed between creating and writing leaves a file without a holder. It counts as
 *   dead after five seconds, with a mark of zeros. A process that was only stopped meanwhile reads the file after
 *   writing, and finds that it lost the lock.
 * - **Knock.** Waiters poll every few milliseconds, so a process that releases and reacquires at once always wins. Of
 *   16 such processes, 14 got nothing for ten seconds. A waiter therefore appends a line break. A holder that finds it
 *   on release pauses before it acquires the lock again. A lost knock only delays a waiter.
 *
 * `bench/config-torture.mjs` tests this with concurrent writers and killed processes.
 */
import { closeSync, constants, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { Problem } from '../errors'
import { heartbeatMs, inspect, type LockOwner, type LockState, openedLock, parse, read, readHolder } from './lock-owner'
import { errorCode, fileProblem } from './problem'
import { self } from './process-id'
import { randomMark, sweepTemporaries, temporaryFor } from './temporary'

export interface Lock {
  /** Releases the lock. Can be called repeatedly. */
  release(): void
  /** Reports whether this process still holds the lock. */
  isHeld(): boolean
}

interface WaitOptions {
  /** Maximum wait for one holder in milliseconds. It starts again whenever the holder changes. */
  waitMs?: number
  /** Cancels the wait; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** Heartbeat timers of the locks held by this process, by mark. */
const heartbeats = new Map<string, NodeJS.Timeout>()

/** Paths of locks that other processes waited for while this process held them. */
const contendedPaths = new Set<string>()

/** Line break: whitespace in JSON. */
const KNOCK = '\n'

/** Maximum pauses between checks: of a holder whose process can be checked, and of any other (`FAR_STEP_MS`). */
const MAX_STEP_MS = 25
const FAR_STEP_MS = 500

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

/** Acquires a lock until it is released; by default without waiting. Problem `local` names the holder on timeout. */
export async function holdLock(path: string, { waitMs = 0, signal }: WaitOptions = {}): Promise<Lock> {
  let end = Number.POSITIVE_INFINITY
  let holder: string | undefined
  if (contendedPaths.delete(path)) await pause(MAX_STEP_MS, signal)
  for (let step = 4; ; step *= 2) {
    signal?.throwIfAborted()
    const state = inspect(path, heartbeats)
    const lock = take(path, state)
    if (lock) return lock
    if (state && state.mark !== holder) {
      holder = state.mark
      end = performance.now() + waitMs
    }
    if (performance.now() >= end) throw locked(path)
    knock(path)
    step = Math.min(step, state?.remote ? FAR_STEP_MS : MAX_STEP_MS)
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
 * Acquires a lock that is free or whose holder is dead; undefined if another process holds it. Throws `local` if the
 * path is not a lock file of this user.
 */
export function tryLock(path: string): Lock | undefined {
  return take(path, inspect(path, heartbeats))
}

function take(path: string, state: LockState | undefined): Lock | undefined {
  if (state && !state.dead) return undefined
  if (state) breakLock(path, state.mark)
  const mark = randomMark()
  if (!create(path, { ...self(), mark })) return undefined
  heartbeats.set(mark, setInterval(() => beat(path, mark), heartbeatMs).unref())
  return { release: () => release(path, mark), isHeld: () => heartbeats.has(mark) && isOf(path, mark) }
}

const isOf = (path: string, mark: string) => readHolder(path)?.mark === mark

function create(path: string, holder: LockOwner): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      writeSync(file, JSON.stringify(holder))
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
  return isOf(path, holder.mark)
}

function release(path: string, mark: string): void {
  clearInterval(heartbeats.get(mark))
  heartbeats.delete(mark)
  const text = read(path) ?? ''
  if (parse(text)?.mark !== mark) return
  unlinkSync(path)
  if (text.endsWith(KNOCK)) contendedPaths.add(path)
}

/** Rewrites the first character of the lock, which updates its time by the clock of its file system. */
function beat(path: string, mark: string): void {
  try {
    if (isOf(path, mark)) put(path, '{', 0)
  } catch {
    // The next heartbeat may succeed.
  }
}

/** Tells the holder that a process is waiting. */
function knock(path: string): void {
  const text = read(path)
  if (!text || text.endsWith(KNOCK)) return
  try {
    put(path, KNOCK)
  } catch {
    // The lock is free by now, or another user's; then the wait only takes longer.
  }
}

/** Writes to an existing lock file, at a position or at its end. */
function put(path: string, text: string, position?: number): void {
  const opened = openedLock(path, constants.O_WRONLY | (position === undefined ? constants.O_APPEND : 0))
  if (!opened) return
  try {
    writeSync(opened.file, text, position)
  } finally {
    closeSync(opened.file)
  }
}

/** Removes a dead holder's lock under a claim on its mark. */
function breakLock(path: string, mark: string): void {
  const claim = tryLock(temporaryFor(path, mark))
  if (!claim) return
  try {
    const present = inspect(path, heartbeats)
    if (present?.dead && present.mark === mark) unlinkSync(path)
  } finally {
    claim.release()
  }
  sweepTemporaries(path, { onlyOld: true })
}

function locked(path: string): Problem {
  const holder = readHolder(path)
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
  return new Problem('local', `${path} is held by ${who}`, {
    hint: 'Wait for it to end. If it was killed, its lock expires within a minute',
    retryable: true,
  })
}
