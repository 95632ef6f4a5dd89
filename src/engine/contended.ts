/**
 * Changes of what others may change at the same time. The API has no condition on a write. So a change is made of what
 * stands and written at once, and then looked for: where it does not stand, somebody else has written what they had made
 * of an older state, and it is made again of what stands now, or given up.
 *
 * Processes of this machine wait for each other. One of another machine that had looked before we wrote has written
 * before we look again, if it is not slower than we were: between the write and that look lies as much time as between
 * the look before and the end of the write. A slower one goes over ours unseen; nothing in the API keeps it from that.
 */
import { Problem } from '../errors'
import type { Session } from '../session'
import { toldAfter } from './look-after'
import { decides, isLost } from './lost'
import { lockName, oneAtATime } from './state-folder'

/** What is wanted of a state, as it was written. */
export interface Attempt<T, W> {
  standing: T
  wanted: W
  /** The answer was lost, so whether it was written is not known. */
  lost?: Problem
}

export interface Contended<T, W> {
  /** What is changed: the same for all that change it. */
  what: readonly unknown[]
  /** As sentences name it: `the rules of firewall "edge" (9100)`. */
  name: string
  look(): Promise<T>
  /**
   * What to write, made of what stands; undefined: nothing is to be written. `last` did not come to stand. Throws
   * `refused` where it can be made of that no more.
   */
  make(standing: T, last: Attempt<T, W> | undefined): Promise<W | undefined>
  write(wanted: W, standing: T): Promise<unknown>
  /** Whether the change is in what stands. */
  holds(now: T, written: Attempt<T, W>): boolean
  /** After so long, a process of this machine that is changing the same is not waited for any more: it may be stopped. */
  patienceMs?: number | undefined
}

/** What stands, and whether it was written for that. */
export interface Settled<T> {
  standing: T
  written: boolean
}

/** Each time one of those who write at the same time has its will, and is gone. */
const mostAttempts = 16

/** A write that was tried again for long tells nothing of how fast others are. */
const longestPauseMs = 2_000

export async function changeContended<T, W>(change: Contended<T, W>, session: Session): Promise<Settled<T>> {
  const name = await lockName('change', change.what, session)
  return oneAtATime(name, session, () => changeAlone(change, session), change.patienceMs)
}

async function changeAlone<T, W>(change: Contended<T, W>, session: Session): Promise<Settled<T>> {
  const { clock, signal } = session
  let last: Attempt<T, W> | undefined
  const telling = (error: unknown) => Promise.reject(afterWrite(error, last, change))
  for (let attempts = 0; ; attempts += 1) {
    const began = clock.now()
    const standing = await change.look().catch(telling)
    if (last && change.holds(standing, last)) return { standing, written: true }
    if (attempts === mostAttempts) throw outdone(change.name)
    const wanted = await change.make(standing, last)
    if (wanted === undefined) return { standing, written: last !== undefined }
    last = await attempt(change, { standing, wanted }, { last, session })
    await clock.sleep(Math.min(clock.now() - began, longestPauseMs), signal).catch(telling)
  }
}

/** Writes; a second lost answer, or whatever does not tell of the first, is thrown unless it has come to stand. */
async function attempt<T, W>(
  change: Contended<T, W>,
  now: Pick<Attempt<T, W>, 'standing' | 'wanted'>,
  { last, session }: { last: Attempt<T, W> | undefined; session: Session },
): Promise<Attempt<T, W>> {
  const lost = last?.lost
  try {
    await change.write(now.wanted, now.standing)
    return now
  } catch (error) {
    if (session.signal.aborted) throw error
    if (!lost && isLost(error)) return { ...now, lost: error }
    if (!lost || decides(error)) throw error
    const standing = await change.look().catch(() => undefined)
    if (standing === undefined || !change.holds(standing, { ...now, lost })) throw lost
    return now
  }
}

/** What was written and cannot be looked at is not known to stand. */
function afterWrite<T, W>(error: unknown, last: Attempt<T, W> | undefined, { name }: Contended<T, W>): unknown {
  if (!last || !(error instanceof Problem)) return error
  if (last.lost && !decides(error)) return last.lost
  if (decides(error)) return last.lost ? error : toldAfter(error, { what: `${name} were changed` })
  const { message, details } = error
  const text = `${message}; the change was accepted, but it could not be seen whether it stands`
  return new Problem('outcome_unknown', text, { ...details, hint: 'Look at what stands now', cause: error })
}

function outdone(name: string): Problem {
  return new Problem('changed', `others changed ${name} each of the ${mostAttempts} times that this was tried`, {
    hint: 'Look at what stands now, and run the command again',
  })
}

/** Something else stands before the write, after it, or after its answer was lost. */
export type Unexpected = 'before' | 'after' | 'lost'

/** A change that was made of one state: where another one stands, or comes to stand, it is given up. */
export interface Replacement<T> {
  /** Undefined: whatever stands is replaced. */
  before: T | undefined
  after: T
  same(one: T, other: T): boolean
  /** What is thrown where `standing` is not what was expected. */
  refuse(standing: T, when: Unexpected): Problem | Promise<Problem>
}

export function replacing<T>({ before, after, same, refuse }: Replacement<T>): Pick<Contended<T, T>, 'make' | 'holds'> {
  return {
    holds: (now) => same(now, after),
    async make(standing, last) {
      if (last && !last.lost) throw await refuse(standing, 'after')
      if (same(standing, before ?? last?.standing ?? standing)) return after
      // Somebody else has done the same meanwhile.
      if (!last && same(standing, after)) return undefined
      throw await refuse(standing, last ? 'lost' : 'before')
    },
  }
}
