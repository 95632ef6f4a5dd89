/** Limits the answers that a list holds before it is printed. */
import { Problem } from '../errors'
import type { ReadProgress } from '../http/page-sequence'

/** Answers of this size are never too large by default. */
const small = 16 * 2 ** 20

/**
 * Returns a function that throws `too_large` if the answers with the records that are held take, or will take, over `most`
 * bytes. `kept` returns the number of these records so far, if they are not all of the list.
 */
export function holdWithin(most: number | undefined, kept?: () => number): (progress: ReadProgress) => Promise<void> {
  return async ({ itemsRead, bytesRead, itemsTotal = 0 }) => {
    const records = kept?.() ?? Math.max(itemsRead, itemsTotal)
    const bytes = records * (bytesRead / Math.max(1, itemsRead))
    const limit = most ?? (bytes > small ? await usualMost() : small)
    if (bytes > limit) throw await tooLarge({ records, bytes }, limit)
  }
}

async function tooLarge({ records, bytes }: { records: number; bytes: number }, most: number): Promise<Problem> {
  const { bytesText } = await import('../rules/byte-sizes')
  const reason = `${records} records take about ${bytesText(bytes)}, more than the ${bytesText(most)} of --max-memory`
  const more = `--max-memory ${bytesText(2 * most).replace(' ', '')}`
  return new Problem('too_large', `the list is too large to hold before printing: ${reason}`, {
    hint: `Without --sort and --query, -o ndjson prints a list of any length as it is read. --filter and --limit make the list shorter, and ${more} allows more`,
  })
}

/** Returns the default limit: 512 MiB, or less if Node's heap has less than eight times as much. */
async function usualMost(): Promise<number> {
  const { heap_size_limit } = (await import('node:v8')).getHeapStatistics()
  return Math.min(512 * 2 ** 20, heap_size_limit / 8)
}
