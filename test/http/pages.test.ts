/** Reads of a collection from any source of pages (reliability.md: pages that repeat, shrink, are wrong, or move an item). */
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import type { Page } from '../../src/http/page-sequence'
import { itemKeyBy, limitItems, parsePage, readPage, readPages } from '../../src/http/pages'

const fail = (reason: string) => new Problem('defect', reason)

/** The answers for each page, in the order of its requests. The last one is repeated. */
type PageAnswer = Omit<Page, 'number'>
type Script = Record<number, PageAnswer | readonly PageAnswer[]>

function reading(script: Script, { window = 1, lastWanted = (_twice: number) => Number.POSITIVE_INFINITY } = {}) {
  const requests: number[] = []
  const read = async (number: number): Promise<Page> => {
    const answers = [script[number] ?? []].flat()
    const before = requests.filter((each) => each === number).length
    requests.push(number)
    const page = answers[Math.min(before, answers.length - 1)]
    if (!page) throw new Error(`page ${number} is not there`)
    return { number, ...page }
  }
  return {
    requests,
    size: 500,
    read,
    restart() {},
    window: () => window,
    mostAhead: 1000,
    lastWanted,
    identity: (item: unknown) => item,
    fail,
  }
}

/** Pages with these items, which count their pages and results. */
function pagesOf(...all: readonly (readonly unknown[])[]): Script {
  const results = all.flat().length
  return Object.fromEntries(all.map((items, index) => [index + 1, { items: [...items], pages: all.length, results }]))
}

async function all(batches: AsyncIterable<unknown[]>): Promise<unknown[][]> {
  const read: unknown[][] = []
  for await (const items of batches) read.push(items)
  return read
}

describe('A body is a page', () => {
  const page = (body: unknown, number = 1) => parsePage(body, number, (items) => items, fail)

  test('with its items, and its numbers of pages and results', () => {
    expect(page({ data: [1, 2], page: 3, pages: 4, results: 8 }, 3)).toEqual({
      number: 3,
      items: [1, 2],
      pages: 4,
      results: 8,
    })
  })

  test.for([
    ['its page and results are missing', { data: [1], pages: 1 }, 1, undefined],
    ['its page and results are null', { data: [1], page: null, pages: 1, results: null }, 1, undefined],
    ['it counts no pages', { data: [], page: 1, pages: 0, results: 0 }, 0, 0],
    ['it is page 0 of an empty list', { data: [], page: 0, pages: 0, results: 0 }, 0, 0],
    ['it is page 0 of the only page', { data: null, page: 0, pages: 1, results: 0 }, 1, 0],
    ['it is null and the only page', { data: null, page: 1, pages: 1, results: 0 }, 1, 0],
    ['it is a bare array', [1], 1, undefined],
  ] as const)('also if %s', ([, body, pages, results]) => {
    expect(page(body)).toMatchObject({ number: 1, pages, results })
  })

  test('without items after the last page', () => {
    expect(page({ data: [], page: 5, pages: 4, results: 8 }, 5)).toMatchObject({ items: [] })
    expect(page({ data: [], page: 0, pages: 0, results: 0 }, 5)).toMatchObject({ number: 5, items: [], results: 0 })
  })

  test.for([
    ['is empty before the last', { data: [], page: 2, pages: 4 }, 2, 'page 2 of 4 is empty'],
    ['is empty and the last of several', { data: [], page: 4, pages: 4 }, 4, 'page 4 of 4 is empty'],
    ['has items on page 0', { data: [1], page: 0, pages: 0 }, 1, 'it is page 0 instead of page 1'],
    [
      'has results on an empty page 0',
      { data: [], page: 0, pages: 0, results: 1 },
      1,
      'it is page 0 instead of page 1',
    ],
    ['is another page', { data: [1], page: 2, pages: 4 }, 1, 'it is page 2 instead of page 1'],
    [
      'has a fraction as page',
      { data: [1], page: 1.5, pages: 4 },
      1,
      'it is a page without a number instead of page 1',
    ],
    ['has a negative number of pages', { data: [1], page: 1, pages: -1 }, 1, 'it lacks the number of pages'],
    ['has a text as number of pages', { data: [1], page: 1, pages: '1' }, 1, 'it lacks the number of pages'],
    ['has a fraction as number of pages', { data: [1], page: 1, pages: 1.5 }, 1, 'it lacks the number of pages'],
    [
      'has a text as number of results',
      { data: [1], page: 1, pages: 1, results: '1' },
      1,
      'it lacks the number of results',
    ],
    ['has a negative page', { data: [1], page: -1, pages: 2 }, 1, 'it is a page without a number instead of page 1'],
    [
      'has a fraction as number of results',
      { data: [1], page: 1, pages: 1, results: 0.5 },
      1,
      'it lacks the number of results',
    ],
    ['has a text instead of a list', { data: 'none', page: 1, pages: 1 }, 1, 'it is not a page of a list'],
    ['is null', null, 1, 'it is not a page of a list'],
  ] as const)('unless it %s', ([, body, number, message]) => {
    expect(() => page(body, number)).toThrow(message)
  })
})

describe('Items are identified', () => {
  const isSame = (fields: readonly string[], one: unknown, other: unknown) => {
    const identity = itemKeyBy(fields)
    return new Set([identity(one), identity(other)]).size === 1
  }

  test.for([
    ['by one field', ['id'], { id: 1, a: 1 }, { id: 1, a: 2 }, true],
    ['by the type of a field', ['id'], { id: 1 }, { id: '1' }, false],
    ['by a large integer, exactly', ['id'], { id: 9007199254740993n }, { id: 9007199254740995n }, false],
    ['by a large integer alone', ['id'], { id: 2n ** 60n, a: 1 }, { id: 2n ** 60n, a: 2 }, true],
    ['by several fields', ['region', 'plan'], { region: 'a', plan: 'b' }, { region: 'a', plan: 'b', x: 1 }, true],
    ['by each of several fields', ['region', 'plan'], { region: 'a', plan: 'b' }, { region: 'a', plan: 'c' }, false],
    [
      'by several fields in their order',
      ['region', 'plan'],
      { region: 'a', plan: 'b' },
      { region: 'b', plan: 'a' },
      false,
    ],
    ['by the whole item if the field is missing', ['id'], { a: 1 }, { a: 1 }, true],
    ['by every other field if the field is missing', ['id'], { a: 1 }, { a: 2 }, false],
    ['by the whole item if the field is an object', ['id'], { id: { x: 1 } }, { id: { x: 1 } }, true],
    ['by the whole item if one of the fields is missing', ['id', 'a'], { id: 1, b: 1 }, { id: 1, b: 2 }, false],
    [
      'by the whole item if one of the fields is null',
      ['id', 'a'],
      { id: 1, a: null, b: 1 },
      { id: 1, a: null, b: 2 },
      false,
    ],
    ['as one without identifying fields', [], { a: 1 }, { a: 2 }, true],
    ['by large integers inside the whole item', ['id'], { a: [2n ** 60n] }, { a: [2n ** 60n + 1n] }, false],
    ['by their value if they are not objects', ['id'], 'a', 'b', false],
    ['by their value if they are lists', ['id'], [1, 2], [1, 2], true],
  ] as const)('%s', ([, fields, one, other, same]) => {
    expect(isSame(fields, one, other)).toBe(same)
  })
})

describe('All pages', () => {
  test('are read once, in order', async () => {
    const pages = reading(pagesOf(['a', 'b'], ['c', 'd'], ['e']))
    expect(await all(readPages(pages))).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(pages.requests).toEqual([1, 2, 3])
  })

  test('are read once if none counts the results', async () => {
    const pages = reading({ 1: { items: ['a', 'a'], pages: 2 }, 2: { items: ['b'], pages: 2 } })
    expect(await all(readPages(pages))).toEqual([['a'], ['b']])
    expect(pages.requests).toEqual([1, 2])
  })

  test('are read ahead up to the window', async () => {
    const pages = reading(pagesOf(['a'], ['b'], ['c'], ['d'], ['e'], ['f']), { window: 2 })
    const batches = readPages(pages)
    await batches.next()
    expect(pages.requests).toEqual([1, 2, 3])
    await batches.next()
    expect(pages.requests).toEqual([1, 2, 3, 4])
    await batches.return()
  })

  test('are read ahead only as far as they fit at the size of the largest one', async () => {
    const script = Object.fromEntries(
      [100, 400, 100, 100, 100, 100].map((bytes, index) => [
        index + 1,
        { items: [index], pages: 6, results: 6, bytes },
      ]),
    )
    const pages = reading(script, { window: 4 })
    const batches = readPages(pages)
    await batches.next()
    expect(pages.requests).toEqual([1, 2, 3, 4, 5])
    await batches.next()
    await batches.next()
    expect(pages.requests).toEqual([1, 2, 3, 4, 5])
    await batches.next()
    expect(pages.requests).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('include pages that are added during the read', async () => {
    const pages = reading({
      1: { items: ['a'], pages: 1, results: 1 },
    })
    expect(await all(readPages(pages))).toEqual([['a']])
    const growing = reading({
      1: { items: ['a'], pages: 2, results: 2 },
      2: { items: ['b'], pages: 3, results: 3 },
      3: { items: ['c'], pages: 3, results: 3 },
    })
    expect(await all(readPages(growing))).toEqual([['a'], ['b'], ['c']])
    expect(growing.requests).toEqual([1, 2, 3])
  })

  test('can be empty after the last one', async () => {
    const script = {
      1: { items: ['a'], pages: 3, results: 3 },
      2: { items: [], pages: 1, results: 1 },
      3: { items: [], pages: 1, results: 1 },
    }
    expect(await all(readPages(reading(script, { window: 2 })))).toEqual([['a']])
  })

  test.for([
    [
      'the same items',
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      'page 2 repeats the one before',
    ],
    [
      'some of the same items',
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
      'its pages hold 3 items of 4',
    ],
    ['only the first of the same items', [['a', 'b'], ['a']], 'its pages hold 2 items of 3'],
    ['the same items and more', [['a'], ['a', 'b']], 'its pages hold 2 items of 3'],
  ] as const)('are rejected if the next one has %s', async ([, items, message]) => {
    await expect(all(readPages(reading(pagesOf(...items))))).rejects.toThrow(message)
  })

  test('without a count of results are rejected only if the next one is the same', async () => {
    const read = (...items: unknown[][]) =>
      all(readPages(reading(Object.fromEntries(items.map((each, index) => [index + 1, { items: each, pages: 2 }])))))
    await expect(read(['a', 'b'], ['a', 'b'])).rejects.toThrow('page 2 repeats the one before')
    await expect(read(['a'], ['a'])).rejects.toThrow('page 2 repeats the one before')
    expect(await read(['a', 'b', 'c'], ['b', 'a', 'd'])).toEqual([['a', 'b', 'c'], ['d']])
    expect(await read(['a'], ['a', 'b'])).toEqual([['a'], ['b']])
  })

  test('are rejected if a second read also finds fewer items than they count', async () => {
    const pages = reading({ 1: { items: ['a'], pages: 1, results: 2 } })
    await expect(all(readPages(pages))).rejects.toThrow('its pages hold 1 items of 2')
    expect(pages.requests).toEqual([1, 1])
  })

  test('are complete if a second read finds the missing items', async () => {
    const pages = reading({
      1: [
        { items: ['a'], pages: 1, results: 2 },
        { items: ['a', 'b'], pages: 1, results: 2 },
      ],
    })
    expect(await all(readPages(pages))).toEqual([['a'], ['b']])
  })

  test('are read again if the count decreases, since later items move forward', async () => {
    const pages = reading({
      1: [
        { items: ['a', 'b'], pages: 2, results: 4 },
        { items: ['b', 'c'], pages: 2, results: 3 },
      ],
      2: { items: ['d'], pages: 2, results: 3 },
    })
    expect(await all(readPages(pages))).toEqual([['a', 'b'], ['d'], ['c']])
    expect(pages.requests).toEqual([1, 2, 1, 2])
  })

  test('are not read again if the count increases', async () => {
    const pages = reading({
      1: { items: ['a'], pages: 2, results: 1 },
      2: { items: ['b'], pages: 2, results: 2 },
    })
    expect(await all(readPages(pages))).toEqual([['a'], ['b']])
    expect(pages.requests).toEqual([1, 2])
  })

  test.for([
    ['read again if an item is so new that its creation may hide a deletion', '2026-01-15T12:00:00', 2],
    [
      'read again if an item is from the second before, as the page may be older than its answer',
      '2026-01-15T11:59:59',
      2,
    ],
    ['read once if every item is older', '2026-01-15T11:59:58', 1],
  ] as const)('are %s', async ([, created, reads]) => {
    const [old, moved, last, added] = [1, 2, 3, 4].map((id) => ({
      id,
      created: id === 4 ? created : '2025-01-01T00:00:00',
    }))
    const answeredAt = Date.parse('2026-01-15T12:00:00.900Z')
    const pages = reading({
      1: [
        { items: [old, last], pages: 2, results: 3, answeredAt },
        { items: [last, moved], pages: 2, results: 3, answeredAt },
      ],
      2: { items: [added], pages: 2, results: 3, answeredAt: answeredAt + 5000 },
    })
    expect((await all(readPages(pages))).flat()).toEqual([old, last, added, ...(reads === 2 ? [moved] : [])])
    expect(pages.requests).toEqual(reads === 2 ? [1, 2, 1, 2] : [1, 2])
  })

  describe('that change also during the second read', () => {
    const first = { 1: { items: ['a'], pages: 2, results: 3 }, 2: { items: ['b'], pages: 2, results: 3 } }
    /** The second read has the items `last` on its last page, and these counts on its two pages. */
    const changing = (last: readonly string[], counts: readonly [number, number]) =>
      reading({
        1: [first[1], { items: ['a'], pages: 2, results: counts[0] }],
        2: [first[2], { items: [...last], pages: 2, results: counts[1] }],
      })

    test('are complete if both reads together find as many items as they count', async () => {
      expect(await all(readPages(changing(['c'], [4, 3])))).toEqual([['a'], ['b'], ['c']])
    })

    test('are rejected if both reads find fewer items', async () => {
      await expect(all(readPages(changing(['c'], [5, 4])))).rejects.toThrow('its pages hold 2 items of 4')
    })

    test('are rejected if the counts show no change', async () => {
      await expect(all(readPages(changing(['c'], [3, 3])))).rejects.toThrow('its pages hold 2 items of 3')
    })
  })

  describe('up to a last one', () => {
    test('are read no further', async () => {
      const pages = reading(pagesOf(['a'], ['b'], ['c']), { lastWanted: () => 2, window: 3 })
      expect(await all(readPages(pages))).toEqual([['a'], ['b']])
      expect(pages.requests).toEqual([1, 2])
    })

    test('are rejected if they are all pages and incomplete', async () => {
      const script = { 1: { items: ['a'], pages: 2, results: 3 }, 2: { items: ['b'], pages: 2, results: 3 } }
      const pages = reading(script, { lastWanted: () => 2 })
      await expect(all(readPages(pages))).rejects.toThrow('its pages hold 2 items of 3')
    })

    test('include one more for each duplicate item', async () => {
      const pages = reading(pagesOf(['a', 'b'], ['b', 'c'], ['d', 'e'], ['f', 'g']), {
        lastWanted: (twice) => 2 + twice,
      })
      expect(await all(readPages(pages))).toEqual([['a', 'b'], ['c'], ['d', 'e']])
      expect(pages.requests).toEqual([1, 2, 3])
    })
  })

  test('fail with the error of the first one that fails', async () => {
    const { read, ...rest } = reading(pagesOf(['a'], ['b'], ['c']), { window: 2 })
    const readFirst = (number: number) =>
      number === 1 ? read(1) : Promise.reject(new Error(`page ${number} is not for us`))
    await expect(all(readPages({ ...rest, read: readFirst }))).rejects.toThrow('page 2 is not for us')
  })
})

describe('One page', () => {
  const one = (answers: PageAnswer | readonly PageAnswer[], number = 1) => {
    const pages = reading({ [number]: answers })
    return { requests: pages.requests, items: () => all(readPage(number, pages)) }
  }

  test.for<[string, number, PageAnswer]>([
    ['is complete and the only one', 1, { items: ['a', 'b'], pages: 1, results: 2 }],
    ['does not count the results', 1, { items: ['a', 'b'], pages: 1 }],
    ['is one of several', 1, { items: ['a', 'b'], pages: 2, results: 3 }],
    ['is not the first', 2, { items: ['a', 'b'], pages: 1, results: 3 }],
  ])('is read once if it %s', async ([, number, answer]) => {
    const { requests, items } = one(answer, number)
    expect(await items()).toEqual([['a', 'b']])
    expect(requests).toEqual([number])
  })

  test('yields each item once', async () => {
    expect(await one({ items: ['a', 'b', 'a'], pages: 2, results: 9 }).items()).toEqual([['a', 'b']])
  })

  test('is read again if it is incomplete, and then rejected', async () => {
    const short = { items: ['a'], pages: 1, results: 2 }
    const again = one([short, { items: ['a', 'b'], pages: 1, results: 2 }])
    expect(await again.items()).toEqual([['a', 'b']])
    const refused = one(short)
    await expect(refused.items()).rejects.toThrow('it holds 1 items of 2')
    expect(refused.requests).toEqual([1, 1])
    await expect(one({ items: ['a'], pages: 0, results: 2 }).items()).rejects.toThrow('it holds 1 items of 2')
  })
})

describe('A limit of items', () => {
  const readUpTo = async (limit: number) => {
    let taken = 0
    async function* batches() {
      for (const items of [['a', 'b'], ['c', 'd'], ['e']]) {
        taken += 1
        yield items
      }
    }
    return { items: await all(limitItems(limit, batches())), taken }
  }

  test.for<[number, string[][], number]>([
    [1, [['a']], 1],
    [2, [['a', 'b']], 1],
    [3, [['a', 'b'], ['c']], 2],
    [
      4,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      2,
    ],
    [9, [['a', 'b'], ['c', 'd'], ['e']], 3],
  ])('ends the read after enough items: %i', async ([limit, items, taken]) => {
    expect(await readUpTo(limit)).toEqual({ items, taken })
  })
})
