import { formatTimestamp } from '../rules/times'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** The present, as far as records have to do with it. */
export interface Present {
  readonly clock: Clock
  /** As the service writes it. */
  timestamp(): string
  /** When a transition that begins now will have ended, in milliseconds since the epoch. */
  transitionEnd(): number
}

const day = 86_400_000

/** A time as the service writes it, so many days after the present; less than zero: before it. */
export function daysFromNow(days: number, { clock }: Present): string {
  return formatTimestamp(clock.now() + days * day)
}

export const systemClock: Clock = { now: () => Date.now() }

/** The time of a sandbox: that of another clock, until it is moved or stopped. */
export class MovableClock implements Clock {
  readonly #base: Clock
  #offset = 0
  #stoppedAt: number | undefined

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#stoppedAt ?? this.#base.now() + this.#offset
  }

  moveTo(milliseconds: number): void {
    this.#offset = milliseconds - this.#base.now()
    if (this.stopped) this.#stoppedAt = milliseconds
  }

  get stopped(): boolean {
    return this.#stoppedAt !== undefined
  }

  /** A clock that is stopped moves only when it is moved; one that goes on does so from where it stands. */
  set stopped(stopped: boolean) {
    const now = this.now()
    this.#stoppedAt = stopped ? now : undefined
    this.moveTo(now)
  }
}
