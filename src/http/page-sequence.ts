/** Requests the pages of a collection: several ahead, and smaller ones after a page that was too large. */
import { pageSizes } from '../catalogue/paging'
import { TooDeep } from '../data/memory-limits'
import { Problem } from '../errors'

export interface Page {
  number: number
  items: unknown[]
  /** Number of pages of the collection, according to this page. */
  pages: number
  /** Number of items in the collection, if this page has it. */
  results?: number | undefined
  /** Estimated memory of the items in bytes. */
  memory?: number
  /** Called when the consumer has finished with this page and wants the next one. */
  release?(): void
}

export interface Sequence {
  /** Requested number of items per page; smaller from the first page on that was too large. */
  size: number
  read(number: number, size: number): Promise<Page>
  /** Returns the current maximum of pages in flight. */
  window(): number
  /** Returns the last page to request, for pages of this size and this number of duplicates. */
  lastWanted(twice: number, size: number): number
  /** Reports whether the consumer takes a page before others are requested, as it may reject the list. */
  isDecisive?(page: Page): boolean
  /** Aborts the reads in flight; the next page to read is `number`. */
  restart(number: number): void
}

/** Yields the pages in order. `twice` returns the number of duplicate items so far. */
export async function* pagesInOrder(sequence: Sequence, twice: () => number): AsyncGenerator<Page, void> {
  const ahead = new PagesAhead(sequence)
  // True if each page was full: then an item's position determines its page.
  let regular = true
  for (let alone = true; ; alone = ahead.isEmpty) {
    ahead.fill(1)
    const page = await ahead.next(() => !alone || sequence.size > pageSizes.smallest)
    if (page === 'none') return
    if (!page) {
      // Parallel pages may have been too large only together.
      ahead.restart(alone ? shrink(sequence, regular ? ahead.number : 1) : ahead.number)
      continue
    }
    regular &&= page.items.length === sequence.size
    if (!sequence.isDecisive?.(page)) ahead.extend(page, twice())
    yield page
    page.release?.()
    // The consumer may have found duplicates, so more pages may be needed.
    ahead.extend(page, twice())
  }
}

/** Pages that are read ahead. */
class PagesAhead {
  /** Next page to yield. */
  number = 1
  #last = 1
  readonly #reading: Promise<Page>[] = []

  constructor(private readonly sequence: Sequence) {}

  get isEmpty(): boolean {
    return this.#reading.length === 0
  }

  fill(most: number): void {
    const { size } = this.sequence
    for (let next = this.number + this.#reading.length; this.#reading.length < most && next <= this.#last; next += 1) {
      const reading = this.sequence.read(next, size)
      // The loop awaits it later; until then a failure must not count as an unhandled rejection.
      reading.catch(() => {})
      this.#reading.push(reading)
    }
  }

  /** Resolves to the next page, undefined if it is too large and a smaller one may be read, and `none` after the last. */
  async next(mayRetry: () => boolean): Promise<Page | undefined | 'none'> {
    const [reading] = this.#reading
    if (!reading) return 'none'
    const page = await unlessTooLarge(reading, mayRetry)
    this.#reading.shift()
    if (page) this.number += 1
    return page
  }

  /** Reads on, as far as the newest page says: it has the best count, since items come and go during the read. */
  extend({ pages }: Page, twice: number): void {
    this.#last = Math.min(pages, this.sequence.lastWanted(twice, this.sequence.size))
    this.fill(this.sequence.window())
  }

  /** Begins again at a page. */
  restart(number: number): void {
    letGo(this.#reading.splice(0))
    this.number = number
    this.#last = number
    this.sequence.restart(number)
  }
}

/**
 * Resolves to undefined for a page that is too large, if a smaller one may be read. Nesting that is too deep remains.
 */
async function unlessTooLarge(reading: Promise<Page>, mayRetry: () => boolean): Promise<Page | undefined> {
  try {
    return await reading
  } catch (error) {
    const isTooLarge = error instanceof Problem && error.code === 'too_large' && !(error.cause instanceof TooDeep)
    if (isTooLarge && mayRetry()) return undefined
    throw error
  }
}

/** Halves the page size. Returns the page that then has the first item of page `number`. */
function shrink(sequence: Sequence, number: number): number {
  const first = (number - 1) * sequence.size
  sequence.size = Math.max(pageSizes.smallest, Math.floor(sequence.size / 2))
  // Items before it come twice and are dropped as duplicates; none is missing.
  return Math.floor(first / sequence.size) + 1
}

/** Releases the memory of pages that are no longer needed. */
function letGo(pages: readonly Promise<Page>[]): void {
  for (const page of pages) {
    page.then(
      ({ release }) => release?.(),
      () => {},
    )
  }
}
