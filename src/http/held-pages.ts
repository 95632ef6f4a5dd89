/** Pages of one collection that were read and not yet handed out, and what they take of memory. */
import { setMaxListeners } from 'node:events'
import { type Asked, failing } from './problems'

export class HeldPages {
  readonly #most: number
  #largest = 1
  #bytes = 0

  /** `most` bytes are what one page may take; all together may take twice as much. */
  constructor(most: number) {
    this.#most = most
  }

  /** How many pages as large as the largest one may be held, at least one. */
  get fitting(): number {
    return Math.max(1, Math.floor(this.#most / this.#largest))
  }

  /** Counts a page until the returned function is called. Throws `too_large` where all together take too much. */
  hold(memory: number, asked: Asked): () => void {
    this.#largest = Math.max(this.#largest, memory)
    const most = 2 * this.#most
    if (this.#bytes + memory > most) {
      throw failing(asked)(`the pages before it and it take over ${most / 2 ** 20} MiB of memory`, 'too_large')
    }
    this.#bytes += memory
    return () => {
      this.#bytes -= memory
    }
  }

  /** Pages of another size follow. */
  forgetSizes(): void {
    this.#largest = 1
  }
}

/** A controller for any number of requests: Node warns of more than ten listeners. */
export function stopper(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
