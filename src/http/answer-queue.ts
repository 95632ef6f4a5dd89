/**
 * Continues with answers that arrived together one by one, each in a turn of the event loop of its own. undici writes the
 * next request of a connection when a turn has ended. Without the queue, it would write nothing until the program has
 * handled all of the answers, and the connections would be idle meanwhile.
 */
export class AnswerQueue {
  readonly #waiting: (() => void)[] = []

  /** Resolves in a turn of its own, in the order of the calls. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#next)
    })
  }

  readonly #next = () => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }
}
