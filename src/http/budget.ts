// setTimeout takes a longer time for none at all, and Node 24 warns of a negative one.
const longestTimer = 2 ** 31 - 1

/**
 * The time that a command may spend waiting for the service. What it spends elsewhere does not count: at a prompt,
 * in a pager that reads slowly, between two looks of `--wait`.
 */
export class Budget {
  readonly #controller = new AbortController()
  readonly #now: () => number
  readonly #onWait: () => () => void
  #left: number
  #waiting = 0
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #waited = () => {}

  /** `onWait` is called when something is waited for; what it returns, when nothing is any more. */
  constructor(milliseconds: number, now: () => number, onWait: () => () => void = () => () => {}) {
    this.#left = milliseconds
    this.#now = now
    this.#onWait = onWait
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** In milliseconds; it counts down while something is waited for. */
  left(): number {
    return this.#waiting === 0 ? this.#left : this.#left - (this.#now() - this.#since)
  }

  async spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting === 0) this.#start()
    this.#waiting += 1
    try {
      return await work()
    } finally {
      if (this.#waiting === 1) this.#stop()
      this.#waiting -= 1
    }
  }

  #start(): void {
    this.#waited = this.#onWait()
    this.#since = this.#now()
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, Math.min(this.#left, longestTimer))).unref()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#left = this.left()
    this.#waited()
  }
}
