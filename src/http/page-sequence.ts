/** Asks for the pages of a collection: several ahead of the one that is wanted, and smaller ones where one is too large. */
import { pageSizes } from '../catalogue/paging'
import { Problem } from '../errors'

export interface Page {
  number: number
  items: unknown[]
  /** How many pages there are, as this one says. */
  pages: number
  /** How many items there are, where this page says it. */
  results?: number | undefined
  /** Called when it was handed out, and the next one is wanted. */
  release?(): void
}

export interface Sequence {
  /** How many items a page is asked to hold; smaller from the first page on that was too large. */
  size: number
  read(number: number, size: number): Promise<Page>
  /** How many pages may be in flight now. */
  window(): number
  /** The last page of this size that is wanted, where so many items came twice. */
  lastWanted(twice: number, size: number): number
  /** Stops the reads in flight: the page of this number is read next. */
  restart(number: number): void
}

/** Yields the pages in order. `twice` counts items that earlier pages held. */
export async function* pagesInOrder(sequence: Sequence, twice: () => number): AsyncGenerator<Page, void> {
  const ahead: Promise<Page>[] = []
  let number = 1
  let last = 1
  // Whether each page held as many items as it was asked to: then the place of an item tells its page.
  let regular = true
  const fill = (most: number) => {
    for (let next = number + ahead.length; ahead.length < most && next <= last; next += 1) {
      const reading = sequence.read(next, sequence.size)
      // It is looked at in its turn: until then a failure must not count as unhandled.
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
      // Beside others it may have been too large only together with them.
      if (alone) number = shrink(sequence, regular ? number : 1)
      last = number
      sequence.restart(number)
      continue
    }
    number += 1
    regular &&= page.items.length === sequence.size
    const extend = () => {
      // The newest page knows best: pages come and go while we read.
      last = Math.min(page.pages, sequence.lastWanted(twice(), sequence.size))
      fill(sequence.window())
    }
    extend()
    yield page
    page.release?.()
    // Of its items some may have been known, so that more are wanted.
    extend()
  }
}

/** Undefined for a page that is too large, where it may be read otherwise. */
async function unlessTooLarge(reading: Promise<Page>, mayRetry: () => boolean): Promise<Page | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_large' && mayRetry()) return undefined
    throw error
  }
}

/** Halves the size, and returns the page that then holds the first item of page `number`. */
function shrink(sequence: Sequence, number: number): number {
  const first = (number - 1) * sequence.size
  sequence.size = Math.max(pageSizes.smallest, Math.floor(sequence.size / 2))
  // Items before it come twice, which is no harm; none is left out.
  return Math.floor(first / sequence.size) + 1
}

/** Pages that were read in vain hold no memory. */
function letGo(pages: readonly Promise<Page>[]): void {
  for (const page of pages) {
    page.then(
      ({ release }) => release?.(),
      () => {},
    )
  }
}
