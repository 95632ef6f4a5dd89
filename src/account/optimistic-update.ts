/**
 * Makes optimistic updates: changes of something that others may change at the same time. The API has no conditional
 * writes. So skyctl reads the current state, writes the changed state at once, and reads again. If the change is
 * missing, somebody else has overwritten it with a change based on an older state. Then skyctl applies the change to
 * the current state again, or gives up.
 *
 * Processes of this machine wait for each other. Another machine that read before this write has written before the
 * second read, if it is not slower than this one. For that, skyctl waits after the write as long as read and write
 * took. A slower one overwrites the change unnoticed, and nothing in the API prevents that.
 *
 * A read that still has the state before an answered write may lag behind it: skyctl looks again for some seconds. And a
 * service may store values in another notation: `holds` also compares with the answer to the write.
 *
 * After a lost answer, a read that has the change ends it as done (exit code 0), and its history entry, too. Otherwise the
 * change is written once more, with an entry of its own, and the first stays unknown. A second loss in a row that shows no
 * change, and a failed read, end with `outcome_unknown` (11); a refusal (6) or a missing object (5) is the result. HTTP never
 * repeats such a write once it was sent (`check first`, ./perform). Of lists such as tags, only the added and removed items
 * count (./list-update).
 */
import { isDeepStrictEqual } from 'node:util'
import { decides, type ErrorCode, isBusy, isLost, Problem, unchecked } from '../errors'
import type { Account } from './account'
import { afterChangeProblem } from './after-change-problem'
import type { RequestBody } from './change-context'
import type { About, EntryListener, HistoryEntry } from './history/history'
import { lockName, oneAtATime } from './state-subfolders'

/** A write: the state before it, and the requested state. */
export interface Attempt<T> {
  before: T
  desired: T
  /** State in the answer to the write, if that has it. */
  answer?: T | undefined
  /** Set if the answer was lost, so it is unknown whether the write succeeded. */
  lost?: Problem
  entry?: HistoryEntry | undefined
}

export interface OptimisticUpdate<T> {
  /** Key that all changes of this resource share. */
  what: readonly unknown[]
  /** Name in messages: `the rules of firewall "edge" (9100)`. */
  name: string
  look(): Promise<T>
  /** Looks after a write, in a list that is read later than that; undefined if the list does not show the state. */
  lookInList?(): Promise<T | undefined>
  /**
   * Returns the state to write, based on the current one; undefined if nothing must be written. `last` is an attempt
   * that was overwritten or lost. Throws `refused` if the change cannot be applied any more.
   */
  make(current: T, last: Attempt<T> | undefined): Promise<T | undefined>
  /** Resolves to the state in the answer, if that has it. Passes the history's entry of the request to `onBegin`. */
  write(desired: T, current: T, onBegin: EntryListener): Promise<T | undefined>
  /** Reports whether the current state contains the change. */
  holds(now: T, written: Attempt<T>): boolean
  /** Maximum wait for another process of this machine that changes the same, in milliseconds: it may be stopped. */
  patienceMs?: number | undefined
}

/** An update that a change makes with its operation. */
export interface SharedUpdate extends Omit<OptimisticUpdate<RequestBody>, 'write'> {
  /** Returns the state before a write for the history. */
  about(desired: RequestBody, current: RequestBody): About
  /** Says that nothing had to be written: the text is what stays unchanged. */
  unchanged?: string
}

/** The current state, and whether it was written for this change. */
interface Settled<T> {
  current: T
  written: boolean
}

/** In each attempt one of the concurrent writers succeeds and is done. */
const mostAttempts = 16

/** Maximum wait after a write: the time of a write with many retries says nothing about others. */
const longestPauseMs = 2_000

export async function optimisticUpdate<T>(change: OptimisticUpdate<T>, account: Account): Promise<Settled<T>> {
  const name = await lockName('change', change.what, account)
  // While the object is busy, the state may change, and other processes may have their turn.
  const update = () => oneAtATime(name, account, () => changeAlone(change, account), change.patienceMs)
  return update().catch(async (error) => {
    if (!isBusy(error)) throw error
    return (await import('./retry-while-busy')).repeatWhileBusy(update, error, account)
  })
}

async function changeAlone<T>(change: OptimisticUpdate<T>, account: Account): Promise<Settled<T>> {
  const { clock, signal } = account
  let last: Attempt<T> | undefined
  const telling = (error: unknown) => Promise.reject(afterWrite(error, last, change))
  for (let attempts = 0; ; attempts += 1) {
    const began = clock.monotonic()
    const listed = last && !last.lost ? await change.lookInList?.().catch(telling) : undefined
    // A list that lacks the change may be old.
    if (last && listed && change.holds(listed, last)) return { current: listed, written: true }
    const current = await lookAfter(last, change, account).catch(telling)
    if (last && change.holds(current, last)) {
      if (last.lost) await last.entry?.done(last.desired)
      return { current, written: true }
    }
    if (attempts === mostAttempts) throw outdone(change.name)
    if (attempts > 1 && isOld(current, last, change)) throw stillOld(change.name)
    const desired = await change.make(current, last)
    if (desired === undefined) return { current, written: last !== undefined }
    last = await attempt(change, { before: current, desired }, { last, account })
    const pause = Math.min(clock.monotonic() - began, longestPauseMs)
    await clock.whileWaiting(() => clock.sleep(pause, signal)).catch(telling)
  }
}

/** Pauses before further looks after a write, in milliseconds. */
const lagPausesMs = [250, 500, 1_000, 2_000]

/** Reads the current state; after a write again, until it is no longer the one before. */
async function lookAfter<T>(last: Attempt<T> | undefined, change: OptimisticUpdate<T>, account: Account): Promise<T> {
  const { clock, signal } = account
  let current = await change.look()
  for (const pause of lagPausesMs) {
    if (!isOld(current, last, change)) break
    await clock.whileWaiting(() => clock.sleep(pause, signal))
    current = await change.look()
  }
  return current
}

/** Reports whether a read shows the state before a write whose answer has the change. */
const isOld = <T>(current: T, last: Attempt<T> | undefined, { holds }: OptimisticUpdate<T>): boolean =>
  last?.answer !== undefined && holds(last.answer, last) && isDeepStrictEqual(current, last.before)

/**
 * Writes the state. Throws a second lost answer, or an error that says nothing about the first, unless the change is
 * visible.
 */
async function attempt<T>(
  change: OptimisticUpdate<T>,
  now: Pick<Attempt<T>, 'before' | 'desired'>,
  { last, account }: { last: Attempt<T> | undefined; account: Account },
): Promise<Attempt<T>> {
  const lost = last?.lost
  let entry: HistoryEntry | undefined
  const onBegin: EntryListener = (begun) => {
    entry = begun
  }
  try {
    return { ...now, answer: await change.write(now.desired, now.before, onBegin) }
  } catch (error) {
    if (!lost && isLost(error) && !account.signal.aborted) return { ...now, lost: error, entry }
    if (!lost || decides(error)) throw error
    const current = await change.look().catch((cause: unknown) => Promise.reject(unchecked(lost, cause)))
    if (!change.holds(current, { ...now, lost })) throw lost
    // A second write that was not sent leaves only the first.
    await (isLost(error) ? entry : last.entry)?.done(now.desired)
    return now
  }
}

/** Codes of reads that may succeed later. */
const passing: readonly ErrorCode[] = ['outcome_unknown', 'unavailable', 'rate_limited', 'not_the_api']

/** Creates the problem of a write that cannot be verified. */
function afterWrite<T>(error: unknown, last: Attempt<T> | undefined, { name }: OptimisticUpdate<T>): unknown {
  if (!last || !(error instanceof Problem)) return error
  if (last.lost) return decides(error) ? error : unchecked(last.lost, error)
  if (!passing.includes(error.code)) return afterChangeProblem(error, { what: `${name} were changed` })
  const { message, details } = error
  const text = `${message}; the change was accepted, but skyctl could not verify it`
  return new Problem('outcome_unknown', text, { ...details, hint: 'Check the current state', cause: error })
}

function outdone(name: string): Problem {
  return new Problem('changed', `others changed ${name} during each of ${mostAttempts} attempts`, {
    hint: 'Check the current state, and run the command again',
  })
}

function stillOld(name: string): Problem {
  return new Problem('outcome_unknown', `the service accepted the change, but ${name} are as before`, {
    hint: 'Somebody has undone it, or the service shows an old state. Check it before you try again',
  })
}

/** Time at which an unexpected state was found: before the write, after it, or after its answer was lost. */
export type Unexpected = 'before' | 'after' | 'lost'

/** A change that was computed from one state, and is given up for any other. */
export interface ExpectedReplacement<T> {
  /** Undefined: any state is replaced. */
  before: T | undefined
  after: T
  same(one: T, other: T): boolean
  /** Creates the problem of an unexpected state. */
  refuse(current: T, when: Unexpected): Problem | Promise<Problem>
}

export function replacing<T>({
  before,
  after,
  same,
  refuse,
}: ExpectedReplacement<T>): Pick<OptimisticUpdate<T>, 'make' | 'holds'> {
  return {
    holds: (now) => same(now, after),
    async make(current, last) {
      if (last && !last.lost) throw await refuse(current, 'after')
      if (same(current, before ?? last?.before ?? current)) return after
      // Somebody else has made the same change.
      if (same(current, after)) return undefined
      throw await refuse(current, last ? 'lost' : 'before')
    },
  }
}
