/**
 * A lock between processes: a file that exists while one of them holds it. Each step is there for a failure.
 *
 * - **Take.** O_EXCL lets only one process create the file. It writes who it is (`Holder`), and a random mark, since
 *   processes come and go under the same number.
 * - **Release.** The holder removes the file, if that is still its own.
 * - **Break.** A killed holder leaves its file, and a waiter removes it. Whether the holder lives is asked of the kernel
 *   where it can tell: of the same boot and the same process namespace, by the number and the time of its start. Of
 *   another machine or container, whose home or volume is shared, only time tells.
 * - **Beat.** A holder writes its file again every ten seconds, and a waiter that cannot ask takes one for dead that was
 *   not written for a minute. So one that is on another machine and was stopped for longer may lose its lock: who does
 *   what must not be done twice asks `isHeld` before.
 * - **Claim.** Two waiters that see the same dead holder would both remove the file, and the slower one the fresh lock
 *   of the faster. So only who holds the claim on the mark of the dead may remove it, and looks again before. The claim
 *   is a lock of the same kind, `x.lock.MARK.tmp` beside `x.lock`: a claimant may be killed too.
 * - **Torn.** A process that was killed between creating and writing leaves a file without a holder. Whether it lives
 *   cannot be asked, so after five seconds it counts as dead, with a mark of zeros to claim. One that was only stopped
 *   for so long reads the file after writing and finds that it is no longer its own.
 * - **Knock.** Waiters look every few milliseconds. A process that releases the lock and takes it again at once is
 *   always faster than they are: of 16 processes that do so, 14 got nothing for ten seconds. So a waiter appends a line
 *   break, and a holder who finds it on release pauses before it asks for the same lock again. A knock that is lost
 *   makes somebody wait longer, and nothing else.
 *
 * `bench/config-torture.mjs` tries this with processes that write at the same time, and with killed ones.
 */
import { closeSync, constants, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { Problem } from '../errors'
import { beatMs, type Holder, inspect, openedLock, parse, read, readHolder, type Seen } from './holder'
import { errorCode, fileProblem } from './problem'
import { self } from './self'
import { randomMark, sweepTemporaries, temporaryFor } from './temporary'

export interface Lock {
  /** Gives the lock back. May be called twice. */
  release(): void
  /** Whether it is still ours. */
  isHeld(): boolean
}

interface WaitOptions {
  /** How long to wait for one holder, in milliseconds: a lock that goes from hand to hand is waited for as long as it does. */
  waitMs?: number
  /** Ends the wait; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** The marks of what this process holds, and what ends their beats. */
const held = new Map<string, NodeJS.Timeout>()

/** The paths of locks that others knocked at while this process held them. */
const wanted = new Set<string>()

/** To JSON it is a blank. */
const KNOCK = '\n'

/** How long a waiter sleeps at most between two looks: at a holder that can be asked, and at one that only time tells of. */
const MAX_STEP_MS = 25
const FAR_STEP_MS = 500

/**
 * Runs the action while no other process that asks for the same lock file runs one; waits ten seconds by default for one
 * that holds it: of 40 that were there at the same time, some had waited that long for all the others.
 */
export async function withLock<T>(path: string, action: () => T | Promise<T>, options?: WaitOptions): Promise<T> {
  const lock = await holdLock(path, { waitMs: 10_000, ...options })
  try {
    return await action()
  } finally {
    lock.release()
  }
}

/** Takes a lock file until it is released. By default it does not wait: Problem `local` names who has held it too long. */
export async function holdLock(path: string, { waitMs = 0, signal }: WaitOptions = {}): Promise<Lock> {
  let end = Number.POSITIVE_INFINITY
  let holder: string | undefined
  if (wanted.delete(path)) await pause(MAX_STEP_MS, signal)
  for (let step = 4; ; step *= 2) {
    signal?.throwIfAborted()
    const seen = inspect(path, held)
    const lock = take(path, seen)
    if (lock) return lock
    if (seen && seen.mark !== holder) end = performance.now() + waitMs
    holder = seen?.mark ?? holder
    if (performance.now() >= end) throw locked(path)
    knock(path)
    step = Math.min(step, seen?.far ? FAR_STEP_MS : MAX_STEP_MS)
    await pause(step, signal)
  }
}

/** Waits with jitter, so that many waiters do not come back at the same moment. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout: delay } = await import('node:timers/promises')
  // That it was interrupted is thrown before the next look.
  await delay(milliseconds * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
}

/**
 * Takes a lock file that is free or whose holder is dead; undefined where another process holds it. Throws `local` where
 * what stands there is no lock of one's own.
 */
export function tryLock(path: string): Lock | undefined {
  return take(path, inspect(path, held))
}

function take(path: string, seen: Seen | undefined): Lock | undefined {
  if (seen && !seen.dead) return undefined
  if (seen) breakLock(path, seen.mark)
  const mark = randomMark()
  if (!create(path, { ...self(), mark })) return undefined
  held.set(mark, setInterval(() => beat(path, mark), beatMs).unref())
  return { release: () => release(path, mark), isHeld: () => held.has(mark) && isOf(path, mark) }
}

const isOf = (path: string, mark: string) => readHolder(path)?.mark === mark

function create(path: string, holder: Holder): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      writeSync(file, JSON.stringify(holder))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // A full disk takes the name and not what it should hold.
    if (errorCode(error) === 'ENOSPC') rmSync(path, { force: true })
    throw fileProblem('lock', path, error)
  }
  // Another may have taken the file for torn.
  return isOf(path, holder.mark)
}

function release(path: string, mark: string): void {
  clearInterval(held.get(mark))
  held.delete(mark)
  const text = read(path) ?? ''
  if (parse(text)?.mark !== mark) return
  unlinkSync(path)
  if (text.endsWith(KNOCK)) wanted.add(path)
}

/** Writes once more what every lock begins with, which makes the file new by the clock of its file system. */
function beat(path: string, mark: string): void {
  try {
    if (isOf(path, mark)) put(path, '{', 0)
  } catch {
    // The next one may go through.
  }
}

/** Tells the holder that another waits. */
function knock(path: string): void {
  const text = read(path)
  if (!text || text.endsWith(KNOCK)) return
  try {
    put(path, KNOCK)
  } catch {
    // It is free by now, or another user's: then we only wait longer.
  }
}

/** Writes at a position, or at the end, of a lock file that is there. */
function put(path: string, text: string, position?: number): void {
  const opened = openedLock(path, constants.O_WRONLY | (position === undefined ? constants.O_APPEND : 0))
  if (!opened) return
  try {
    writeSync(opened.file, text, position)
  } finally {
    closeSync(opened.file)
  }
}

/** Removes the lock of a dead holder, under a claim on its mark. */
function breakLock(path: string, mark: string): void {
  const claim = tryLock(temporaryFor(path, mark))
  if (!claim) return
  try {
    const present = inspect(path, held)
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
    hint: 'Wait for it to end; where it has been killed, its lock is taken over within a minute',
    retryable: true,
  })
}
