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
  /** Length of its answer. */
  bytes?: number
  /** Time of its answer in milliseconds since the epoch, by the service's clock. */
  answeredAt?: number | undefined
}

export interface ReadProgress {
  pagesRead: number
  pagesTotal: number
  /** Number of items that were read so far, the bytes of the answers with them, and the number of all items. */
  itemsRead: number
  bytesRead: number
  itemsTotal: number | undefined
}

export interface Sequence {
  /** Requested number of items per page; smaller from the first page on that was too large. */
  size: number
  read(number: number, size: number): Promise<Page>
  /** Returns the current maximum of pages in flight. */
  window(): number
  /** Maximum bytes of these pages, if they are as large as the largest one so far. */
  mostAhead: number
  /** Returns the last page to request, for pages of this size and this number of duplicates. */
  lastWanted(twice: number, size: number): number
  /** Called for each page in order, before others are requested. It may throw, and so end the read. */
  onPage?: ((progress: ReadProgress) => Promise<void>) | undefined
  /** Aborts the reads in flight. */
  restart(): void
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
    const progress = ahead.progressAt(page)
    await sequence.onPage?.(progress)
    ahead.extend(page, twice())
    yield page
    // The consumer may have found duplicates, so more pages may be needed.
    ahead.extend(page, twice())
  }
}

class PagesAhead {
  /** Next page to yield. */
  number = 1
  #last = 1
  #itemsRead = 0
  #bytesRead = 0
  #largest = 1
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
    const { size, mostAhead } = this.sequence
    this.#last = Math.min(pages, this.sequence.lastWanted(twice, size))
    this.fill(Math.max(1, Math.min(this.sequence.window(), Math.floor(mostAhead / this.#largest))))
  }

  progressAt({ number, pages, items, results, bytes = 0 }: Page): ReadProgress {
    this.#itemsRead += items.length
    this.#bytesRead += bytes
    this.#largest = Math.max(this.#largest, bytes)
    const read = { itemsRead: this.#itemsRead, bytesRead: this.#bytesRead }
    return { ...read, pagesRead: number, pagesTotal: pages, itemsTotal: results }
  }

  /** Begins again at a page. */
  restart(number: number): void {
    this.#reading.length = 0
    this.number = number
    this.#last = number
    this.#largest = 1
    this.sequence.restart()
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

/** Divides the page size by four. Returns the page that then has the first item of page `number`. */
function shrink(sequence: Sequence, number: number): number {
  const first = (number - 1) * sequence.size
  sequence.size = Math.max(pageSizes.smallest, Math.floor(sequence.size / 4))
  // Items before it come twice and are dropped as duplicates; none is missing.
  return Math.floor(first / sequence.size) + 1
}
