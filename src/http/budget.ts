// setTimeout takes a longer time for none at all, and Node 24 warns of a negative one.
const longestTimer = 2 ** 31 - 1

/**
 * The time that a request may take, with the pauses and the attempts that follow its first. Requests share none of it:
 * a command of many may take as long as they are many.
 */
export class Budget {
  readonly #controller = new AbortController()
  readonly #now: () => number
  readonly #end: number
  readonly #timer: NodeJS.Timeout

  /** It begins at once. */
  constructor(milliseconds: number, now: () => number) {
    this.#now = now
    this.#end = now() + milliseconds
    this.#timer = setTimeout(() => this.#controller.abort(), Math.min(milliseconds, longestTimer)).unref()
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** In milliseconds. */
  left(): number {
    return this.#end - this.#now()
  }

  /** For when the request is over. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}
