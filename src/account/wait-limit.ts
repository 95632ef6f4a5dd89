/** The time limit of waits (interface.md, Safety), and what else waits have in common. */
import type { Clock } from '../rules/times'

/** Limit by default, in milliseconds. */
export const usualWaitMs = 5 * 60_000

/** Pauses between two looks, in milliseconds: the first one, the longest, and that while lists may lack the object. */
export const waitPauses = { first: 500, longest: 5000, longestLate: 60_000 } as const

/** Does work that only waits, for a state if it has one: `active`. Another task may use the place of this one meanwhile. */
export type WhileWaiting = <T>(wait: () => Promise<T>, state?: string) => Promise<T>

/** For the only task of a run: it shares neither its place nor what it reads with others. */
export const keepingPlace: WhileWaiting = (wait) => wait()

/**
 * Time for all waits of a command together: for states of objects, and for objects that are busy. It begins with the
 * first wait, because questions come before.
 */
export class WaitLimit {
  #end: number | undefined

  constructor(
    readonly milliseconds: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Starts the time, unless it has started. */
  start(): void {
    this.#end ??= this.clock.monotonic() + this.milliseconds
  }

  /** Adds the time of a pause for the rate limit, during which nothing could be done. */
  extend(milliseconds: number): void {
    if (this.#end !== undefined) this.#end += milliseconds
  }

  /** Returns the remaining milliseconds, or all of them if the time has not started. */
  left(): number {
    return this.#end === undefined ? this.milliseconds : this.#end - this.clock.monotonic()
  }

  /** Returns a limit of the same length that has not begun. */
  again(): WaitLimit {
    return new WaitLimit(this.milliseconds, this.clock)
  }
}

/** The time, and the limit of all waits together. */
export interface AccountClock extends Clock {
  readonly waitLimit: WaitLimit
  /** Returns a number from 0 up to 1, as Math.random. */
  readonly random: () => number
  readonly whileWaiting: WhileWaiting
}

/** Returns the clock for an account whose waits may take so many milliseconds together. */
export const accountClock = (clock: Clock, random: () => number, waitMs = usualWaitMs): AccountClock => ({
  ...clock,
  random,
  waitLimit: new WaitLimit(waitMs, clock),
  whileWaiting: keepingPlace,
})
