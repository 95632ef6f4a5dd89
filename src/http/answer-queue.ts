/**
 * Hands over answers that arrive together one by one, each in a turn of the event loop of its own. undici writes the next
 * request of a connection when a turn has ended. Without the queue, it would write nothing until the program has handled all
 * of the answers, and the connections would be idle meanwhile.
 */
export class AnswerQueue {
  readonly #waiting: (() => void)[] = []

  add(handOver: () => void): void {
    this.#waiting.push(handOver)
    if (this.#waiting.length === 1) setImmediate(this.#next)
  }

  readonly #next = () => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }
}
