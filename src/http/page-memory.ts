/** Limits the memory of pages that were read ahead and not yet yielded. */
import { setMaxListeners } from 'node:events'
import { failing, type RequestSummary } from './problems'

export class PageMemory {
  readonly #most: number
  #largest = 1
  #bytes = 0

  /** `most` is the limit of one page in bytes; all pages together may take twice as much. */
  constructor(most: number) {
    this.#most = most
  }

  /** Number of pages of the largest size so far that fit, at least one. */
  get fitting(): number {
    return Math.max(1, Math.floor(this.#most / this.#largest))
  }

  /**
   * Counts a page until the returned function is called. Throws `too_large` if all pages together take too much memory.
   */
  hold(memory: number, summary: RequestSummary): () => void {
    this.#largest = Math.max(this.#largest, memory)
    if (this.#bytes + memory > 2 * this.#most) {
      throw failing(summary)('it takes too much memory with the pages before it', 'too_large')
    }
    this.#bytes += memory
    return () => {
      this.#bytes -= memory
    }
  }

  /** Forgets the largest page; call it before reading pages of another size. */
  forgetSizes(): void {
    this.#largest = 1
  }
}

/** Creates an abort controller for any number of requests: Node warns of more than ten listeners. */
export function createAbortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
