export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
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
