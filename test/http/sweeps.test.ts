/** Pages as they are put together, without a connection. */
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import type { Page } from '../../src/http/page-sequence'
import { identityBy, isPage, pageOf, readPages } from '../../src/http/pages'

const fail = (what: string) => new Problem('defect', what)
const whole = (items: unknown[]) => items

/** Reads these pages; `last` is the last one that is wanted. */
async function read(pages: readonly (Partial<Page> & { items: unknown[] })[], last = Number.POSITIVE_INFINITY) {
  const batches: unknown[][] = []
  const reading = readPages({
    read: async (number) => {
      const page = pages[number - 1]
      if (!page) throw fail(`page ${number} was asked for`)
      return { number, pages: pages.length, ...page }
    },
    size: 500,
    restart() {},
    window: () => 2,
    lastWanted: () => last,
    identity: (item) => item,
    fail,
  })
  for await (const items of reading) batches.push(items)
  return batches
}

describe('pages', () => {
  test('that hold fewer items than were asked for are enough where no more of them are wanted', async () => {
    const pages = [
      { items: [1, 2], results: 6 },
      { items: [3, 4], results: 6 },
      { items: [5, 6], results: 6 },
    ]
    expect(await read(pages, 2)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('that say nothing of results hold what they hold', async () => {
    expect(await read([{ items: [1, 2] }, { items: [3] }])).toEqual([[1, 2], [3]])
  })

  test('that are all wanted hold as many as they say', async () => {
    await expect(
      read([
        { items: [1, 2], results: 4 },
        { items: [3], results: 4 },
      ]),
    ).rejects.toThrow('its pages hold 3 items of 4')
  })

  test('never hold the items of the one before', async () => {
    for (const items of [[1, 2], [1]])
      await expect(read([{ items }, { items }])).rejects.toThrow('page 2 repeats the one before')
    expect(await read([{ items: [1, 2] }, { items: [2, 1] }, { items: [3] }])).toEqual([[1, 2], [3]])
    expect(await read([{ items: [1] }, { items: [1, 2] }])).toEqual([[1], [2]])
  })
})

describe('a body', () => {
  test.for([
    [
      { data: [1], page: 1, pages: 1, results: 1 },
      { number: 1, items: [1], pages: 1, results: 1 },
    ],
    [
      { data: [1], pages: 1 },
      { number: 1, items: [1], pages: 1 },
    ],
    [
      { data: [1], page: null, pages: 3, results: null },
      { number: 1, items: [1], pages: 3 },
    ],
    [
      { data: null, pages: 1, results: 0 },
      { number: 1, items: [], pages: 1, results: 0 },
    ],
    [
      { data: [], pages: 0, results: 0 },
      { number: 1, items: [], pages: 0, results: 0 },
    ],
    [[7], { number: 1, items: [7], pages: 1 }],
  ] as const)('%j is a page', ([body, page]) => {
    expect(pageOf(body, 1, whole, fail)).toEqual(page)
    expect(isPage(body)).toBe(true)
  })

  test.for([
    [7, 'it is not a page of a list'],
    [{ data: 7, pages: 1 }, 'it is not a page of a list'],
    [{ pages: 1 }, 'it is not a page of a list'],
    [{ data: [1], page: 2, pages: 2 }, 'it is page 2 instead of page 1'],
    [{ data: [1], page: 'x', pages: 2 }, 'it is a page without a number instead of page 1'],
    [{ data: [1], page: -1, pages: 2 }, 'it is a page without a number instead of page 1'],
    [{ data: [1] }, 'it lacks the number of pages'],
    [{ data: [1], pages: 1.5 }, 'it lacks the number of pages'],
    [{ data: [1], pages: -1 }, 'it lacks the number of pages'],
    [{ data: [1], pages: 1, results: '1' }, 'it lacks the number of results'],
    [{ data: [], pages: 2 }, 'page 1 of 2 is empty'],
  ] as const)('%j is none', ([body, why]) => {
    expect(() => pageOf(body, 1, whole, fail)).toThrow(why)
  })
})

describe('an item', () => {
  test('is told from others by its own fields, whatever else has changed', () => {
    const byId = identityBy(['id'])
    expect(byId({ id: 7, label: 'a' })).toBe(byId({ id: 7, label: 'b' }))
    expect(byId({ id: 7 })).not.toBe(byId({ id: '7' }))
    const byBoth = identityBy(['id', 'type'])
    expect(byBoth({ id: 7, type: 'a', label: 'x' })).toBe(byBoth({ id: 7, type: 'a' }))
    expect(byBoth({ id: 7, type: 'a' })).not.toBe(byBoth({ id: 7, type: 'b' }))
  })

  test('that has not all of them is told by all that it holds', () => {
    const identity = identityBy(['id', 'type'])
    expect(identity({ id: 7, label: 'a' })).not.toBe(identity({ id: 7, label: 'b' }))
    expect(identity({ id: 7, type: null, label: 'a' })).not.toBe(identity({ id: 7, type: null, label: 'b' }))
    expect(identity({ id: 7, label: 'a' })).toBe(identity({ id: 7, label: 'a' }))
    expect(identityBy([])({ label: 'a' })).toBe(identityBy([])({ label: 'b' }))
    expect(identity(7)).toBe(identity(7))
  })
})
