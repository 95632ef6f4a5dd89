import { closeSync, constants, openSync, readFileSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../errors'
import { errorCode, fileProblem } from './problem'
import { isAlive, self } from './self'
import { randomMark, temporaryFor } from './temporary'

export interface Lock {
  /** Gives the lock back. May be called twice. */
  release(): void
}

export interface WaitOptions {
  /** How long to wait for another holder, in milliseconds. */
  waitMs?: number
  /** Ends the wait; its reason is thrown. */
  signal?: AbortSignal | undefined
}

interface Holder {
  pid: number
  host: string
  mark: string
}

/** A lock file without a holder was left by a process that died between creating and writing it. */
const TORN_AFTER_MS = 5_000

/** What this process holds: after a restart in a container an old lock may carry our own pid. */
const held = new Set<string>()

/** Locks that others knocked at while this process held them: it lets them in before it asks again. */
const wanted = new Set<string>()

/** What a waiter appends to a lock file; to JSON it is a blank. */
const KNOCK = '\n'

const MAX_STEP_MS = 25

/** Runs the action while no other process that asks for the same lock file runs one; waits ten seconds by default. */
export async function withLock<T>(path: string, action: () => T | Promise<T>, options?: WaitOptions): Promise<T> {
  const lock = await holdLock(path, { waitMs: 10_000, ...options })
  try {
    return await action()
  } finally {
    lock.release()
  }
}

/** Takes a lock file until it is released. By default it does not wait: Problem `local` names the holder. */
export async function holdLock(path: string, { waitMs = 0, signal }: WaitOptions = {}): Promise<Lock> {
  const end = performance.now() + waitMs
  if (wanted.delete(path)) await pause(MAX_STEP_MS, signal)
  for (let step = 4; ; step = Math.min(step * 2, MAX_STEP_MS)) {
    signal?.throwIfAborted()
    const lock = tryLock(path)
    if (lock) return lock
    if (performance.now() >= end) throw locked(path)
    knock(path)
    await pause(step, signal)
  }
}

/** Waits with jitter, so that many waiters do not come back at the same moment. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(milliseconds * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => signal?.throwIfAborted())
}

/** Takes a lock file that is free or whose holder is dead; undefined where another process holds it. */
export function tryLock(path: string): Lock | undefined {
  const present = inspect(path)
  if (present && !present.dead) return undefined
  if (present) breakLock(path, present.mark)
  const mark = randomMark()
  return create(path, { ...self, mark }) ? { release: () => release(path, mark) } : undefined
}

function create(path: string, holder: Holder): boolean {
  try {
    put(path, constants.O_CREAT | constants.O_EXCL, JSON.stringify(holder))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // A full disk takes the name and not what it should hold.
    if (errorCode(error) === 'ENOSPC') rmSync(path, { force: true })
    throw fileProblem('lock', path, error)
  }
  // Had we been stopped for seconds before the write, another would have taken the file for torn.
  if (readHolder(path)?.mark !== holder.mark) return false
  held.add(holder.mark)
  return true
}

function release(path: string, mark: string): void {
  if (!held.delete(mark)) return
  const text = read(path)
  if (parse(text)?.mark !== mark) return
  unlinkSync(path)
  if (text?.endsWith(KNOCK)) wanted.add(path)
}

/** Tells the holder that another waits: one that takes the lock again and again would keep it for itself. */
function knock(path: string): void {
  const text = read(path)
  if (!text || text.endsWith(KNOCK)) return
  try {
    put(path, constants.O_APPEND, KNOCK)
  } catch {
    // It is free by now, or another user's: then we only wait longer.
  }
}

function put(path: string, flags: number, text: string): void {
  const file = openSync(path, constants.O_WRONLY | flags, 0o600)
  try {
    writeSync(file, text)
  } finally {
    closeSync(file)
  }
}

/**
 * Removes the lock of a dead holder. Only who holds the claim on this very mark may, and looks again after getting
 * it: two waiters can never remove one another's fresh lock. A claim is a lock itself, for its claimant may die too.
 */
function breakLock(path: string, mark: string): void {
  const claim = tryLock(temporaryFor(path, mark))
  if (!claim) return
  try {
    const present = inspect(path)
    if (present?.dead && present.mark === mark) unlinkSync(path)
  } finally {
    claim.release()
  }
}

/** Who holds the lock, and whether it died; undefined where the lock is free. A torn file has the mark of zeros. */
function inspect(path: string): { mark: string; dead: boolean } | undefined {
  const holder = readHolder(path)
  if (holder) return { mark: holder.mark, dead: isDead(holder) }
  const age = ageOf(path)
  return age === undefined ? undefined : { mark: '0'.repeat(16), dead: age > TORN_AFTER_MS }
}

function isDead({ pid, host, mark }: Holder): boolean {
  if (host !== self.host) return false
  return pid === self.pid ? !held.has(mark) : !isAlive(pid)
}

function ageOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && Date.now() - found.mtimeMs
}

function readHolder(path: string): Holder | undefined {
  return parse(read(path))
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw fileProblem('read the lock', path, error)
  }
}

function parse(text: string | undefined): Holder | undefined {
  try {
    const { pid, host, mark } = JSON.parse(text ?? '') as Holder
    return Number.isInteger(pid) && /^[0-9a-f]{16}$/.test(mark) ? { pid, host, mark } : undefined
  } catch {
    return undefined
  }
}

function locked(path: string): Problem {
  const holder = readHolder(path)
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
  return new Problem('local', `${path} is held by ${who}`, {
    hint: 'Wait for it to end; if it no longer runs, delete that file',
    retryable: true,
  })
}
