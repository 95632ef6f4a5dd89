/** The limit for lists that are held before they are printed. */
import { describe, expect, test } from 'vitest'
import { holdWithin } from '../../src/engine/held-answers'

const MiB = 2 ** 20

/** The progress after so many pages of 100 records, with a number of bytes each. */
const progressAfter = (pages: number, bytes: number, itemsTotal?: number) => ({
  ...{ pagesRead: pages, pagesTotal: 10, itemsRead: 100 * pages, bytesRead: bytes * pages, itemsTotal },
})

describe('A list that is held', () => {
  test('is refused after its first page if the service counts too many records', async () => {
    await expect(holdWithin(9_999)(progressAfter(1, 1000, 1000))).rejects.toMatchObject({
      code: 'too_large',
      message:
        'the list is too large to hold before printing: 1000 records take about 9.8 KiB, more than the 9.8 KiB of --max-memory',
      details: { hint: expect.stringMatching(/-o ndjson .*--filter and --limit .*--max-memory 19.5KiB/) },
    })
    await holdWithin(10_000)(progressAfter(1, 1000, 1000))
  })

  test('is refused when its records are too many, if the service does not count them', async () => {
    await holdWithin(3000)(progressAfter(3, 1000))
    await expect(holdWithin(3000)(progressAfter(4, 1000))).rejects.toMatchObject({ code: 'too_large' })
  })

  test('counts only the records that a filter or a limit keeps', async () => {
    await holdWithin(3000, () => 300)(progressAfter(9, 1000, 1000))
    await expect(holdWithin(3000, () => 301)(progressAfter(9, 1000, 1000))).rejects.toMatchObject({
      message: expect.stringContaining('301 records take about 2.9 KiB'),
    })
  })

  test('may take 512 MiB by default, or an eighth of the heap', async () => {
    await holdWithin(undefined)(progressAfter(1, MiB, 1600))
    await expect(holdWithin(undefined)(progressAfter(1, 50 * MiB, 1100))).rejects.toMatchObject({
      message: expect.stringMatching(/1100 records take about 550 MiB, more than the \d+(\.\d)? MiB of --max-memory$/),
    })
  })

  test('that is empty takes nothing', async () => {
    await holdWithin(0)({ pagesRead: 1, pagesTotal: 1, itemsRead: 0, bytesRead: 49, itemsTotal: 0 })
  })
})
