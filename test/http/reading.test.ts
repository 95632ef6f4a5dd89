/** Reading a collection, whatever gives its pages (reliability.md: pages that repeat, shrink, lie, or move an item). */
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { PageBuffer } from '../../src/http/page-buffer'
import type { Page } from '../../src/http/page-sequence'
import { identityBy, pageOf, readPage, readPages, upTo } from '../../src/http/pages'

const fail = (what: string) => new Problem('defect', what)

/** What each page says at each time that it is asked for; the last one says it again and again. */
type Told = Omit<Page, 'number'>
type Script = Record<number, Told | readonly Told[]>

function reading(script: Script, { window = 1, lastWanted = (_twice: number) => Number.POSITIVE_INFINITY } = {}) {
  const asked: number[] = []
  const read = async (number: number): Promise<Page> => {
    const told = [script[number] ?? []].flat()
    const before = asked.filter((each) => each === number).length
    asked.push(number)
    const page = told[Math.min(before, told.length - 1)]
    if (!page) throw new Error(`page ${number} is not there`)
    return { number, ...page }
  }
  return {
    asked,
    size: 500,
    read,
    restart() {},
    window: () => window,
    lastWanted,
    identity: (item: unknown) => item,
    fail,
  }
}

/** Pages of these items each, which say how many there are. */
function pagesOf(...all: readonly (readonly unknown[])[]): Script {
  const results = all.flat().length
  return Object.fromEntries(all.map((items, index) => [index + 1, { items: [...items], pages: all.length, results }]))
}

async function all(batches: AsyncIterable<unknown[]>): Promise<unknown[][]> {
  const read: unknown[][] = []
  for await (const items of batches) read.push(items)
  return read
}

describe('a body is a page', () => {
  const page = (body: unknown, number = 1) => pageOf(body, number, (items) => items, fail)

  test('of as many items, pages and results as it says', () => {
    expect(page({ data: [1, 2], page: 3, pages: 4, results: 8 }, 3)).toEqual({
      number: 3,
      items: [1, 2],
      pages: 4,
      results: 8,
    })
  })

  test.for([
    ['its number and its results are not said', { data: [1], pages: 1 }, 1, undefined],
    ['they are null', { data: [1], page: null, pages: 1, results: null }, 1, undefined],
    ['there are none of them', { data: [], page: 1, pages: 0, results: 0 }, 0, 0],
    ['it is the only one, and empty', { data: null, page: 1, pages: 1, results: 0 }, 1, 0],
    ['it is all there is', [1], 1, undefined],
  ] as const)('also where %s', ([, body, pages, results]) => {
    expect(page(body)).toMatchObject({ number: 1, pages, results })
  })

  test('that is empty where it comes after the last', () => {
    expect(page({ data: [], page: 5, pages: 4, results: 8 }, 5)).toMatchObject({ items: [] })
  })

  test.for([
    ['is empty before the last', { data: [], page: 2, pages: 4 }, 2, 'page 2 of 4 is empty'],
    ['is empty and the last of several', { data: [], page: 4, pages: 4 }, 4, 'page 4 of 4 is empty'],
    ['is another', { data: [1], page: 2, pages: 4 }, 1, 'it is page 2 instead of page 1'],
    ['has half a number', { data: [1], page: 1.5, pages: 4 }, 1, 'it is a page without a number instead of page 1'],
    ['has less than none', { data: [1], page: 1, pages: -1 }, 1, 'it lacks the number of pages'],
    ['has no number', { data: [1], page: 1, pages: '1' }, 1, 'it lacks the number of pages'],
    ['has more pages than a whole number', { data: [1], page: 1, pages: 1.5 }, 1, 'it lacks the number of pages'],
    ['has a result in words', { data: [1], page: 1, pages: 1, results: '1' }, 1, 'it lacks the number of results'],
    ['has a number below 1', { data: [1], page: -1, pages: 2 }, 1, 'it is a page without a number instead of page 1'],
    ['has half a result', { data: [1], page: 1, pages: 1, results: 0.5 }, 1, 'it lacks the number of results'],
    ['has no list', { data: 'none', page: 1, pages: 1 }, 1, 'it is not a page of a list'],
    ['has nothing', null, 1, 'it is not a page of a list'],
  ] as const)('but where it %s', ([, body, number, message]) => {
    expect(() => page(body, number)).toThrow(message)
  })
})

describe('items are told apart', () => {
  const isSame = (fields: readonly string[], one: unknown, other: unknown) => {
    const identity = identityBy(fields)
    return new Set([identity(one), identity(other)]).size === 1
  }

  test.for([
    ['by one field', ['id'], { id: 1, a: 1 }, { id: 1, a: 2 }, true],
    ['by what it is', ['id'], { id: 1 }, { id: '1' }, false],
    ['by its exact integer', ['id'], { id: 9007199254740993n }, { id: 9007199254740995n }, false],
    ['by that integer alone', ['id'], { id: 2n ** 60n, a: 1 }, { id: 2n ** 60n, a: 2 }, true],
    ['by several', ['region', 'plan'], { region: 'a', plan: 'b' }, { region: 'a', plan: 'b', x: 1 }, true],
    ['by each of several', ['region', 'plan'], { region: 'a', plan: 'b' }, { region: 'a', plan: 'c' }, false],
    ['in their order', ['region', 'plan'], { region: 'a', plan: 'b' }, { region: 'b', plan: 'a' }, false],
    ['by everything without it', ['id'], { a: 1 }, { a: 1 }, true],
    ['by anything without it', ['id'], { a: 1 }, { a: 2 }, false],
    ['by everything where it is no plain value', ['id'], { id: { x: 1 } }, { id: { x: 1 } }, true],
    ['by everything where one is missing', ['id', 'a'], { id: 1, b: 1 }, { id: 1, b: 2 }, false],
    ['by everything where one is null', ['id', 'a'], { id: 1, a: null, b: 1 }, { id: 1, a: null, b: 2 }, false],
    ['by nothing where no field names them', [], { a: 1 }, { a: 2 }, true],
    ['by large integers inside', ['id'], { a: [2n ** 60n] }, { a: [2n ** 60n + 1n] }, false],
    ['by themselves, where they are no objects', ['id'], 'a', 'b', false],
    ['as themselves, where they are no objects', ['id'], [1, 2], [1, 2], true],
  ] as const)('%s', ([, fields, one, other, same]) => {
    expect(isSame(fields, one, other)).toBe(same)
  })
})

describe('all pages', () => {
  test('are read once, in order', async () => {
    const pages = reading(pagesOf(['a', 'b'], ['c', 'd'], ['e']))
    expect(await all(readPages(pages))).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(pages.asked).toEqual([1, 2, 3])
  })

  test('are read once where none says how many items there are', async () => {
    const pages = reading({ 1: { items: ['a', 'a'], pages: 2 }, 2: { items: ['b'], pages: 2 } })
    expect(await all(readPages(pages))).toEqual([['a'], ['b']])
    expect(pages.asked).toEqual([1, 2])
  })

  test('are ahead by as many as the window has, and no more', async () => {
    const pages = reading(pagesOf(['a'], ['b'], ['c'], ['d'], ['e'], ['f']), { window: 2 })
    const batches = readPages(pages)
    await batches.next()
    expect(pages.asked).toEqual([1, 2, 3])
    await batches.next()
    expect(pages.asked).toEqual([1, 2, 3, 4])
    await batches.return()
  })

  test('are released when the next one is wanted', async () => {
    const released: number[] = []
    const script = Object.fromEntries(
      [1, 2].map((number) => [number, { items: [number], pages: 2, release: () => void released.push(number) }]),
    )
    const batches = readPages(reading(script))
    await batches.next()
    expect(released).toEqual([])
    await batches.next()
    expect(released).toEqual([1])
    await batches.next()
    expect(released).toEqual([1, 2])
  })

  test('go on where one of them says that there are more', async () => {
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
    expect(growing.asked).toEqual([1, 2, 3])
  })

  test('that are empty past the last do not repeat each other', async () => {
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
      'a part of them',
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
      'its pages hold 3 items of 4',
    ],
    ['the beginning of them', [['a', 'b'], ['a']], 'its pages hold 2 items of 3'],
    ['them and more', [['a'], ['a', 'b']], 'its pages hold 2 items of 3'],
  ] as const)('are refused where the next has %s', async ([, items, message]) => {
    await expect(all(readPages(reading(pagesOf(...items))))).rejects.toThrow(message)
  })

  test('that say nothing of results are refused where the next is the same, and not where it is another', async () => {
    const read = (...items: unknown[][]) =>
      all(readPages(reading(Object.fromEntries(items.map((each, index) => [index + 1, { items: each, pages: 2 }])))))
    await expect(read(['a', 'b'], ['a', 'b'])).rejects.toThrow('page 2 repeats the one before')
    await expect(read(['a'], ['a'])).rejects.toThrow('page 2 repeats the one before')
    expect(await read(['a', 'b', 'c'], ['b', 'a', 'd'])).toEqual([['a', 'b', 'c'], ['d']])
    expect(await read(['a'], ['a', 'b'])).toEqual([['a'], ['b']])
  })

  test('are refused where also a second look finds fewer than they say', async () => {
    const pages = reading({ 1: { items: ['a'], pages: 1, results: 2 } })
    await expect(all(readPages(pages))).rejects.toThrow('its pages hold 1 items of 2')
    expect(pages.asked).toEqual([1, 1])
  })

  test('are whole where a second look finds what the first did not', async () => {
    const pages = reading({
      1: [
        { items: ['a'], pages: 1, results: 2 },
        { items: ['a', 'b'], pages: 1, results: 2 },
      ],
    })
    expect(await all(readPages(pages))).toEqual([['a'], ['b']])
  })

  test('are read again where one says that there are fewer than before, since what is left moves forward', async () => {
    const pages = reading({
      1: [
        { items: ['a', 'b'], pages: 2, results: 4 },
        { items: ['b', 'c'], pages: 2, results: 3 },
      ],
      2: { items: ['d'], pages: 2, results: 3 },
    })
    expect(await all(readPages(pages))).toEqual([['a', 'b'], ['d'], ['c']])
    expect(pages.asked).toEqual([1, 2, 1, 2])
  })

  test('are not read again where there were more than before', async () => {
    const pages = reading({
      1: { items: ['a'], pages: 2, results: 1 },
      2: { items: ['b'], pages: 2, results: 2 },
    })
    expect(await all(readPages(pages))).toEqual([['a'], ['b']])
    expect(pages.asked).toEqual([1, 2])
  })

  describe('that change also while they are read again', () => {
    const first = { 1: { items: ['a'], pages: 2, results: 3 }, 2: { items: ['b'], pages: 2, results: 3 } }
    /** The second look has `own` on its last page, and other counts on its two pages. */
    const changing = (own: readonly string[], counts: readonly [number, number]) =>
      reading({
        1: [first[1], { items: ['a'], pages: 2, results: counts[0] }],
        2: [first[2], { items: [...own], pages: 2, results: counts[1] }],
      })

    test('are whole where both looks together found as many as there are', async () => {
      expect(await all(readPages(changing(['c'], [4, 3])))).toEqual([['a'], ['b'], ['c']])
    })

    test('are refused where they did not', async () => {
      await expect(all(readPages(changing(['c'], [5, 4])))).rejects.toThrow('its pages hold 2 items of 4')
    })

    test('are refused where nothing told of a change', async () => {
      await expect(all(readPages(changing(['c'], [3, 3])))).rejects.toThrow('its pages hold 2 items of 3')
    })
  })

  describe('up to one that is the last wanted', () => {
    test('need not be all that there are', async () => {
      const pages = reading(pagesOf(['a'], ['b'], ['c']), { lastWanted: () => 2, window: 3 })
      expect(await all(readPages(pages))).toEqual([['a'], ['b']])
      expect(pages.asked).toEqual([1, 2])
    })

    test('hold what they say where they are all', async () => {
      const script = { 1: { items: ['a'], pages: 2, results: 3 }, 2: { items: ['b'], pages: 2, results: 3 } }
      const pages = reading(script, { lastWanted: () => 2 })
      await expect(all(readPages(pages))).rejects.toThrow('its pages hold 2 items of 3')
    })

    test('are one more for each that brought nothing new', async () => {
      const pages = reading(pagesOf(['a', 'b'], ['b', 'c'], ['d', 'e'], ['f', 'g']), {
        lastWanted: (twice) => 2 + twice,
      })
      expect(await all(readPages(pages))).toEqual([['a', 'b'], ['c'], ['d', 'e']])
      expect(pages.asked).toEqual([1, 2, 3])
    })
  })

  test('fail with the first that fails, and no later one is heard of', async () => {
    const { read, ...rest } = reading(pagesOf(['a'], ['b'], ['c']), { window: 2 })
    const refused = (number: number) =>
      number === 1 ? read(1) : Promise.reject(new Error(`page ${number} is not for us`))
    await expect(all(readPages({ ...rest, read: refused }))).rejects.toThrow('page 2 is not for us')
  })
})

describe('pages that are kept', () => {
  const asked = { method: 'GET', path: '/x', idempotency: 'safe' } as const

  test('may together take twice as much memory as one, and not a byte more', () => {
    const held = new PageBuffer(100)
    const release = held.hold(150, asked)
    held.hold(50, asked)
    expect(() => held.hold(1, asked)).toThrow(expect.objectContaining({ code: 'too_large' }))
    release()
    held.hold(150, asked)
    expect(() => held.hold(1, asked)).toThrow('it takes too much memory with the pages before it')
  })

  test('are as many as fit of the largest so far, and at least one', () => {
    const held = new PageBuffer(100)
    expect(held.fitting).toBe(100)
    held.hold(33, asked)
    held.hold(20, asked)
    expect(held.fitting).toBe(3)
    held.hold(101, asked)
    expect(held.fitting).toBe(1)
    held.forgetSizes()
    expect(held.fitting).toBe(100)
  })
})

describe('one page', () => {
  const one = (told: Told | readonly Told[], number = 1) => {
    const pages = reading({ [number]: told })
    return { asked: pages.asked, items: () => all(readPage(number, pages)) }
  }

  test.for<[string, number, Told]>([
    ['is all there is, and holds it', 1, { items: ['a', 'b'], pages: 1, results: 2 }],
    ['does not say how many there are', 1, { items: ['a', 'b'], pages: 1 }],
    ['is one of several', 1, { items: ['a', 'b'], pages: 2, results: 3 }],
    ['is not the first', 2, { items: ['a', 'b'], pages: 1, results: 3 }],
  ])('is read once where it %s', async ([, number, told]) => {
    const { asked, items } = one(told, number)
    expect(await items()).toEqual([['a', 'b']])
    expect(asked).toEqual([number])
  })

  test('gives an item once', async () => {
    expect(await one({ items: ['a', 'b', 'a'], pages: 2, results: 9 }).items()).toEqual([['a', 'b']])
  })

  test('is read again where it should hold more, and then refused', async () => {
    const short = { items: ['a'], pages: 1, results: 2 }
    const again = one([short, { items: ['a', 'b'], pages: 1, results: 2 }])
    expect(await again.items()).toEqual([['a', 'b']])
    const refused = one(short)
    await expect(refused.items()).rejects.toThrow('it holds 1 items of 2')
    expect(refused.asked).toEqual([1, 1])
    await expect(one({ items: ['a'], pages: 0, results: 2 }).items()).rejects.toThrow('it holds 1 items of 2')
  })
})

describe('as many items as are wanted', () => {
  const wanted = async (limit: number) => {
    let taken = 0
    async function* batches() {
      for (const items of [['a', 'b'], ['c', 'd'], ['e']]) {
        taken += 1
        yield items
      }
    }
    return { items: await all(upTo(limit, batches())), taken }
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
  ])('%i are given, and no batch beyond is asked for', async ([limit, items, taken]) => {
    expect(await wanted(limit)).toEqual({ items, taken })
  })
})
