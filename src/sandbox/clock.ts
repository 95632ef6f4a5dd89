import { formatTimestamp } from '../rules/times'

export interface ServiceClock {
  /** Returns milliseconds since the epoch. */
  now(): number
}

/** Current time for records. */
export interface Present {
  readonly clock: ServiceClock
  /** Returns the current time in the service's format. */
  timestamp(): string
  /** Returns the end of a transition that starts now, in milliseconds since the epoch. */
  transitionEnd(): number
}

const day = 86_400_000

/** Returns the time some days from now in the service's format; negative days are in the past. */
export function daysFromNow(days: number, { clock }: Present): string {
  return formatTimestamp(clock.now() + days * day)
}

export const systemClock: ServiceClock = { now: () => Date.now() }

/** Clock of a sandbox. It follows another clock until it is moved or stopped. */
export class MovableClock implements ServiceClock {
  #offset = 0
  #stoppedAt: number | undefined

  constructor(private readonly base: ServiceClock) {}

  now(): number {
    return this.#stoppedAt ?? this.base.now() + this.#offset
  }

  moveTo(milliseconds: number): void {
    this.#offset = milliseconds - this.base.now()
    if (this.stopped) this.#stoppedAt = milliseconds
  }

  get stopped(): boolean {
    return this.#stoppedAt !== undefined
  }

  /** Stops or resumes the clock. A stopped clock changes only through `moveTo`, and resumes from its current time. */
  set stopped(stopped: boolean) {
    const now = this.now()
    this.#stoppedAt = stopped ? now : undefined
    this.moveTo(now)
  }
}
