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
  /** Aborts the reads in flight; the next page to read is `number`. */
  restart(number: number): void
}

/** Yields the pages in order. `twice` returns the number of duplicate items so far. */
export async function* pagesInOrder(sequence: Sequence, twice: () => number): AsyncGenerator<Page, void> {
  const ahead: Promise<Page>[] = []
  let number = 1
  let last = 1
  // True if each page was full: then an item's position determines its page.
  let regular = true
  const fill = (most: number) => {
    for (let next = number + ahead.length; ahead.length < most && next <= last; next += 1) {
      const reading = sequence.read(next, sequence.size)
      // The loop awaits it later; until then a failure must not count as an unhandled rejection.
      reading.catch(() => {})
      ahead.push(reading)
    }
  }
  for (let alone = true; ; alone = ahead.length === 0) {
    fill(1)
    const [reading] = ahead
    if (!reading) return
    const page = await unlessTooLarge(reading, () => !alone || sequence.size > pageSizes.smallest)
    ahead.shift()
    if (!page) {
      letGo(ahead.splice(0))
      // Parallel pages may have been too large only together.
      if (alone) number = shrink(sequence, regular ? number : 1)
      last = number
      sequence.restart(number)
      continue
    }
    number += 1
    regular &&= page.items.length === sequence.size
    const extend = () => {
      // The newest page has the best count: items come and go during the read.
      last = Math.min(page.pages, sequence.lastWanted(twice(), sequence.size))
      fill(sequence.window())
    }
    extend()
    yield page
    page.release?.()
    // The consumer may have found duplicates, so more pages may be needed.
    extend()
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
