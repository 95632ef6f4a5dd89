// setTimeout fires at once for a longer time, and Node 24 warns of a negative one.
const longestTimer = 2 ** 31 - 1

/**
 * The time limit of a request, including its retries and the pauses between them. Each request has its own, so a
 * command of many requests may take longer.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #now: () => number
  readonly #end: number
  readonly #timer: NodeJS.Timeout

  /** Starts the time at once. */
  constructor(milliseconds: number, now: () => number) {
    this.#now = now
    this.#end = now() + milliseconds
    this.#timer = setTimeout(() => this.#controller.abort(), Math.min(milliseconds, longestTimer)).unref()
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Returns the remaining milliseconds. */
  left(): number {
    return this.#end - this.#now()
  }

  /** Clears the timer; call it when the request is over. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}
