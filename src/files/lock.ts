/**
 * A lock between processes: a file that exists while one of them holds it. Each step is there for a failure.
 *
 * - **Take.** O_EXCL lets only one process create the file. It writes who it is (`Holder`): process and host, and a
 *   random mark, since processes come and go under the same number.
 * - **Release.** The holder removes the file, if that is still its own.
 * - **Break.** A killed holder leaves its file. A waiter removes it once no such process runs on this host; of another
 *   host nothing is known, and its lock stands until a person deletes it.
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

interface WaitOptions {
  /** How long to wait for one holder, in milliseconds: a lock that goes from hand to hand is waited for as long as it does. */
  waitMs?: number
  /** Ends the wait; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** What a lock file holds, as JSON. */
interface Holder {
  pid: number
  host: string
  /** 16 hexadecimal digits. */
  mark: string
}

const TORN_AFTER_MS = 5_000
const TORN_MARK = '0'.repeat(16)

/** The marks of what this process holds: after a restart in a container an old lock may carry our own pid. */
const held = new Set<string>()

/** The paths of locks that others knocked at while this process held them. */
const wanted = new Set<string>()

/** To JSON it is a blank. */
const KNOCK = '\n'

/** How long a waiter sleeps at most between two looks. */
const MAX_STEP_MS = 25

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
  let end = performance.now() + waitMs
  let holder: string | undefined
  if (wanted.delete(path)) await pause(MAX_STEP_MS, signal)
  for (let step = 4; ; step = Math.min(step * 2, MAX_STEP_MS)) {
    signal?.throwIfAborted()
    const lock = tryLock(path)
    if (lock) return lock
    const mark = readHolder(path)?.mark
    if (mark !== undefined && mark !== holder) end = performance.now() + waitMs
    holder = mark ?? holder
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
  // Another may have taken the file for torn.
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

/** Tells the holder that another waits. */
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

/** Removes the lock of a dead holder, under a claim on its mark. */
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

/** Who holds the lock, and whether it died; undefined where the lock is free. */
function inspect(path: string): { mark: string; dead: boolean } | undefined {
  const holder = readHolder(path)
  if (holder) return { mark: holder.mark, dead: isDead(holder) }
  const age = ageOf(path)
  return age === undefined ? undefined : { mark: TORN_MARK, dead: age > TORN_AFTER_MS }
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
