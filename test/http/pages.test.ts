/** Reading collections (performance.md, Pages; reliability.md: pages that repeat, shrink, lie, or move an item). */
import { describe, expect, onTestFinished, test } from 'vitest'
import { regions } from '../../src/catalogue/regions'
import type { Bounds, Call } from '../../src/http/client'
import type { Limits } from '../../src/http/limits'
import { volumes } from '../support/bare-volumes'
import { faultServer, type Heard, reply, reset, type Script } from '../support/fault-server'
import { observedClient } from '../support/service-client'

type Envelope = Record<string, unknown> & { data: { id: number }[] }

const numberOf = (heard: Heard) => Number(new URL(heard.path, 'http://host').searchParams.get('page'))
const sizeOf = (heard: Heard) => Number(new URL(heard.path, 'http://host').searchParams.get('page_size') ?? 100)
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index }))

/** A collection of `results` items, whose pages `change` may spoil. */
function collection(results: number, change: (page: Envelope, number: number) => unknown = (page) => page): Script {
  return (socket, heard) => {
    const [page, size] = [numberOf(heard), sizeOf(heard)]
    const data = range((page - 1) * size + 1, Math.min(results, page * size))
    const pages = Math.max(1, Math.ceil(results / size))
    reply(200, change({ data, page, pages, results }, page))(socket, heard)
  }
}

async function read(script: Script | Script[], bounds: Call & Bounds = {}, settings = {}) {
  const server = await faultServer(script)
  const { client } = observedClient(`http://${server.host}`, settings)
  const batches: number[][] = []
  let failure: unknown
  try {
    for await (const items of client.pages(volumes.list, bounds)) batches.push(items.map(({ id }) => id))
  } catch (error) {
    failure = error
  }
  const asked = server.heard.map((heard) => heard.path).sort()
  return { ids: batches.flat(), batches, failure, asked, client, server }
}

const ids = (first: number, last: number) => range(first, last).map(({ id }) => id)

describe('a collection', () => {
  test('is read whole, in order, on as many connections as pages are in flight', async () => {
    const { ids: found, server, client } = await read(collection(1000), { pageSize: 25 }, { concurrency: 4 })
    expect(found).toEqual(ids(1, 1000))
    expect(server.heard).toHaveLength(40)
    expect(server.connections()).toBeLessThanOrEqual(4)
    expect(client.progress).toEqual({ pagesRead: 40, pagesTotal: 40, itemsTotal: 1000 })
  })

  test('is read without a warning of Node, however many pages are in flight', async () => {
    const warnings: Error[] = []
    const heed = (warning: Error) => warnings.push(warning)
    process.on('warning', heed)
    onTestFinished(() => void process.off('warning', heed))
    const { server } = await read(collection(2000), { pageSize: 25 }, { concurrency: 32 })
    expect(server.connections()).toBeGreaterThan(11)
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  })

  test('comes in pages of 500 unless asked otherwise', async () => {
    expect((await read(collection(600))).asked).toEqual([
      '/volumes?page_size=500&page=1',
      '/volumes?page_size=500&page=2',
    ])
  })

  test.each([
    [{ limit: 10 }, 10, ['/volumes?page_size=25&page=1']],
    [{ limit: 100 }, 100, ['/volumes?page_size=100&page=1']],
    [{ limit: 501 }, 501, ['/volumes?page_size=500&page=1', '/volumes?page_size=500&page=2']],
    [{ limit: 60, pageSize: 30 }, 60, ['/volumes?page_size=30&page=1', '/volumes?page_size=30&page=2']],
    [{ page: 3 }, 100, ['/volumes?page=3']],
    [{ page: 2, pageSize: 50 }, 50, ['/volumes?page_size=50&page=2']],
    [{ page: 1, limit: 5 }, 5, ['/volumes?page=1']],
  ])('is read no further than asked: %j', async (bounds, count, expected) => {
    const { ids: found, asked } = await read(collection(2000), bounds)
    expect({ count: found.length, asked }).toEqual({ count, asked: expected })
  })

  test('that is wanted as one page holds all that it says', async () => {
    const short = collection(3, (page) => ({ ...page, data: range(1, 2) }))
    const { failure, asked } = await read(short, { page: 1, pageSize: 25 })
    expect(failure).toMatchObject({ code: 'defect', message: expect.stringContaining('it holds 2 items of 3') })
    expect(asked).toHaveLength(2)
    const once: Script[] = [short, collection(3)]
    expect(await read(once, { page: 1, pageSize: 25 })).toMatchObject({ ids: [1, 2, 3], failure: undefined })
  })

  test('without items may be null', async () => {
    expect(await read(collection(0, (page) => ({ ...page, data: null })))).toMatchObject({
      ids: [],
      failure: undefined,
    })
    expect(await read(collection(3, (page) => ({ ...page, data: null })))).toMatchObject({
      ids: [],
      failure: expect.anything(),
    })
  })

  test('is read on where items came twice, until as many are there as are wanted', async () => {
    const twice = collection(100, (page, number) => (number === 2 ? { ...page, data: range(16, 40) } : page))
    expect((await read(twice, { pageSize: 25, limit: 50 })).ids).toEqual([...ids(1, 40), ...ids(51, 60)])
  })

  test('that is empty gives nothing', async () => {
    expect(await read(collection(0))).toMatchObject({ batches: [], failure: undefined })
    expect(await read(collection(0, (page) => ({ ...page, pages: 0 })))).toMatchObject({
      batches: [],
      failure: undefined,
    })
  })

  test('may be a bare array', async () => {
    expect(await read(reply(200, range(1, 3)))).toMatchObject({ ids: [1, 2, 3], failure: undefined })
  })

  test('of an operation that returns an array may be an envelope', async () => {
    const available = { region: 'us-east', plan: 'a', available: true }
    const server = await faultServer([reply(200, { data: [available], page: 1, pages: 1, results: 1 }), reply(200, [])])
    const { client } = observedClient(`http://${server.host}`)
    const call = () => client.call(regions.regionAvailability, { path: { regionId: 'us-east' } })
    expect(await call()).toEqual([available])
    expect(await call()).toEqual([])
  })

  test('keeps the query and the filter on every page', async () => {
    const { server } = await read(collection(60), { pageSize: 25, query: { a: true }, filter: { label: 'x' } })
    expect(server.heard).toHaveLength(3)
    for (const { path, headers } of server.heard) {
      expect(path).toContain('a=true')
      expect(headers['x-filter']).toBe('{"label":"x"}')
    }
  })

  test('is given out in order, whatever page comes first', async () => {
    const held: (() => void)[] = []
    const script: Script = (socket, heard) => {
      const answer = () => collection(100)(socket, heard)
      if (numberOf(heard) === 1) return answer()
      held.unshift(answer)
      // All of them are asked for before the first of them is answered, the last one first.
      if (held.length === 3) for (const release of held) release()
    }
    expect((await read(script, { pageSize: 25 }, { concurrency: 3 })).batches.map(([first]) => first)).toEqual([
      1, 26, 51, 76,
    ])
  })

  test('is not asked for beyond the window while nobody takes what was read', async () => {
    const server = await faultServer(collection(1000))
    const { client } = observedClient(`http://${server.host}`, { concurrency: 3 })
    const reading = client.pages(volumes.list, { pageSize: 25 })
    await reading.next()
    await server.until(4)
    await reading.return()
    expect(server.heard.map(numberOf).sort()).toEqual([1, 2, 3, 4])
  })

  test('that is not wanted any more lets go of what is in flight', async () => {
    const dropped: Promise<unknown>[] = []
    const server = await faultServer((socket, heard) => {
      if (numberOf(heard) === 1) collection(100)(socket, heard)
      else dropped.push(new Promise((resolve) => socket.once('close', resolve)))
    })
    const { client, pauses } = observedClient(`http://${server.host}`)
    const reading = client.pages(volumes.list, { pageSize: 25 })
    await reading.next()
    await server.until(4)
    await reading.return()
    await Promise.all(dropped)
    expect(dropped).toHaveLength(3)
    // None of them is asked for again.
    expect(pauses).toEqual([])
  })

  test.for([
    [8, 4],
    [2, 1],
  ] as const)('is read with fewer pages in flight after a 429: %i, then %i', async ([concurrency, fewer]) => {
    let most = 0
    let open = 0
    let limited = false
    const answered = new Set<number>()
    const script: Script = (socket, heard) => {
      const page = numberOf(heard)
      if (page === 2 && !limited) {
        limited = true
        return reply(429, '')(socket, heard)
      }
      open += 1
      if (page > 12) most = Math.max(most, open)
      setImmediate(() => {
        open -= 1
        answered.add(page)
        collection(1000)(socket, heard)
      })
    }
    expect((await read(script, { pageSize: 25 }, { concurrency })).ids).toEqual(ids(1, 1000))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(fewer)
  })
})

describe('a page that fails', () => {
  test('fails the whole, with nothing after it', async () => {
    const script: Script = (socket, heard) => (numberOf(heard) === 2 ? reply(500, '') : collection(100))(socket, heard)
    expect(await read(script, { pageSize: 25 })).toMatchObject({ ids: ids(1, 25), failure: { code: 'unavailable' } })
  })

  test('is asked for again', async () => {
    let broken = 0
    const script: Script = (socket, heard) => {
      if (numberOf(heard) === 3 && broken++ === 0) return reset()(socket, heard)
      collection(100)(socket, heard)
    }
    expect(await read(script, { pageSize: 25 })).toMatchObject({ ids: ids(1, 100), failure: undefined })
  })
})

describe('pages that lie', () => {
  test.each<[string, (page: Envelope, number: number) => unknown, RegExp]>([
    ['repeat', (page, number) => (number === 3 ? { ...page, data: range(26, 50) } : page), /page 3 repeats/],
    ['say that there are fewer', (page) => ({ ...page, pages: 2 }), /50 items of 100/],
    ['say that they hold fewer', (page) => ({ ...page, results: 90 }), /100 items of 90/],
    ['have no items', ({ data: _, ...page }) => page, /not a page of a list/],
    ['hold what is no object', (page) => ({ ...page, data: [1, 2] }), /data\[0\] is a whole number, not an object/],
    ['hold an item without an id', (page) => ({ ...page, data: [{ label: 'a' }] }), /data\[0\]\.id is missing/],
  ])('are no answer that makes sense: they %s', async (_, change, said) => {
    const { failure } = await read(collection(100, change), { pageSize: 25 }, { concurrency: 1 })
    expect(failure).toMatchObject({ code: 'defect', message: expect.stringMatching(said) })
  })
})

describe('a collection that changes while it is read', () => {
  /** Answers page after page from what `world` holds at that moment. */
  const living = (world: number[], then: (asked: number) => void): Script => {
    let asked = 0
    return (socket, heard) => {
      const [page, size] = [numberOf(heard), sizeOf(heard)]
      const data = world.slice((page - 1) * size, page * size).map((id) => ({ id }))
      asked += 1
      reply(200, { data, page, pages: Math.max(1, Math.ceil(world.length / size)), results: world.length })(
        socket,
        heard,
      )
      then(asked)
    }
  }
  const oneByOne = { concurrency: 1 }

  test('gives what is added at its end', async () => {
    const world = ids(1, 50)
    const grows = (asked: number) => asked === 1 && world.push(...ids(51, 120))
    expect((await read(living(world, grows), { pageSize: 25 }, oneByOne)).ids).toEqual(ids(1, 120))
  })

  test('gives an item once that moved to the next page, and at last what moved it', async () => {
    const world = ids(1, 100)
    const grows = (asked: number) => asked === 2 && world.unshift(1000)
    expect((await read(living(world, grows), { pageSize: 25 }, oneByOne)).ids).toEqual([...ids(1, 100), 1000])
  })

  test('gives an item that moved to a page that was read already', async () => {
    const world = ids(1, 100)
    const shrinks = (asked: number) => asked === 2 && world.splice(0, 3)
    const { ids: found, failure } = await read(living(world, shrinks), { pageSize: 25 }, oneByOne)
    expect(failure).toBeUndefined()
    expect(new Set(found)).toEqual(new Set(ids(1, 100)))
    expect(found).toHaveLength(100)
  })

  test('may end earlier than it seemed', async () => {
    const world = ids(1, 100)
    const shrinks = (asked: number) => asked === 1 && world.splice(30)
    expect(await read(living(world, shrinks), { pageSize: 25 }, { concurrency: 8 })).toMatchObject({
      ids: ids(1, 30),
      failure: undefined,
    })
  })
})

/** Items of so many bytes each, given out in pages of the size that is asked for. */
function heavy(weights: readonly number[], own?: (asked: number) => number): Script {
  return (socket, heard) => {
    const size = own?.(sizeOf(heard)) ?? sizeOf(heard)
    const page = numberOf(heard)
    const data = weights.slice((page - 1) * size, page * size).map((weight, index) => ({
      id: (page - 1) * size + index + 1,
      text: 'x'.repeat(weight),
    }))
    const pages = Math.max(1, Math.ceil(weights.length / size))
    reply(200, { data, page, pages, results: weights.length })(socket, heard)
  }
}

/** 8 KiB a page of 25 take 200 KiB: under the bound of 1 MiB are pages of up to 125 of them. */
const weighing = (count: number, bytes: number) => Array.from({ length: count }, () => bytes)
const bound = { memory: 2 ** 20 }

async function readHeavy(script: Script, bounds: Call & Bounds = {}, settings = {}, limits: Partial<Limits> = bound) {
  const server = await faultServer(script)
  const { client } = observedClient(`http://${server.host}`, settings, limits)
  const found: number[] = []
  let failure: unknown
  try {
    for await (const items of client.pages(volumes.list, bounds)) found.push(...items.map(({ id }) => id))
  } catch (error) {
    failure = error
  }
  const asked = server.heard.map((heard) => `${numberOf(heard)} of ${sizeOf(heard)}`)
  return { found, failure, asked, client, server }
}

describe('pages that are too large', () => {
  test('are asked for in halves until they fit', async () => {
    const { found, failure, asked } = await readHeavy(heavy(weighing(300, 8000)), {}, { concurrency: 1 })
    expect({ found, failure }).toEqual({ found: ids(1, 300), failure: undefined })
    expect(asked).toEqual(['1 of 500', '1 of 250', '1 of 125', '2 of 125', '3 of 125'])
  })

  test('in the middle of a list are read smaller, no item lost and none twice', async () => {
    const weights = [...weighing(260, 10), ...weighing(40, 30_000), ...weighing(700, 10)]
    for (const concurrency of [1, 4]) {
      const { found, failure, asked } = await readHeavy(heavy(weights), { pageSize: 100 }, { concurrency })
      expect({ found, failure }).toEqual({ found: ids(1, 1000), failure: undefined })
      expect(new Set(asked.map((one) => one.split(' of ')[1]))).toEqual(new Set(['100', '50', '25']))
    }
  })

  test('of a size that half of it does not divide are read again where they overlap', async () => {
    const weights = [...weighing(62, 10), ...weighing(31, 40_000), ...weighing(30, 10)]
    const { found, failure } = await readHeavy(heavy(weights), { pageSize: 31 }, { concurrency: 1 })
    expect({ found, failure }).toEqual({ found: ids(1, 123), failure: undefined })
  })

  test('are read where only the wire bytes are too many', async () => {
    const script = heavy(weighing(100, 2500))
    const limits = { memory: 2 ** 30, bytes: 100_000 }
    const { found, failure, asked } = await readHeavy(script, { pageSize: 100 }, { concurrency: 1 }, limits)
    expect({ found, failure }).toEqual({ found: ids(1, 100), failure: undefined })
    expect(asked).toEqual(['1 of 100', '1 of 50', '1 of 25', '2 of 25', '3 of 25', '4 of 25'])
  })

  test('from a service that gives at most 100 items a page are read whole', async () => {
    const weights = [...weighing(400, 10), ...weighing(100, 20_000), ...weighing(200, 10)]
    const script = heavy(weights, (asked) => Math.min(asked, 100))
    const { found, failure } = await readHeavy(script, {}, { concurrency: 1 })
    expect({ found, failure }).toEqual({ found: ids(1, 700), failure: undefined })
  })

  test.for([1, 4])(
    'from a service that keeps to its own size end with too_large, %i in flight',
    async (concurrency) => {
      const weights = [...weighing(400, 10), ...weighing(100, 20_000), ...weighing(200, 10)]
      const { failure } = await readHeavy(
        heavy(weights, () => 100),
        {},
        { concurrency },
      )
      expect(failure).toMatchObject({ code: 'too_large', exitCode: 12 })
    },
  )

  test('as the smallest that there may be end with too_large', async () => {
    const { failure, asked } = await readHeavy(heavy(weighing(60, 50_000)), {}, { concurrency: 1 })
    expect(failure).toMatchObject({
      code: 'too_large',
      message: 'the response to GET /volumes?page_size=25&page=1 is too large: its contents take over 1 MiB of memory',
    })
    expect(asked).toEqual(['1 of 500', '1 of 250', '1 of 125', '1 of 62', '1 of 31', '1 of 25'])
  })

  test.for([1, 4])(
    'are not asked for in halves where an item is nested too deep, %i in flight',
    async (concurrency) => {
      const nested = JSON.parse('['.repeat(600) + ']'.repeat(600))
      const script = collection(300, (page, number) => (number === 2 ? { ...page, data: [{ id: 101, nested }] } : page))
      const { failure, asked } = await readHeavy(script, { pageSize: 100 }, { concurrency })
      expect(failure).toMatchObject({ code: 'too_large', message: expect.stringContaining('nested over 500 levels') })
      expect(asked.filter((one) => one !== '3 of 100').toSorted()).toEqual(['1 of 100', '2 of 100'])
    },
  )

  test('are not asked for again where one page is wanted', async () => {
    const { failure, asked } = await readHeavy(heavy(weighing(300, 8000)), { page: 1, pageSize: 500 })
    expect(failure).toMatchObject({ code: 'too_large' })
    expect(asked).toEqual(['1 of 500'])
  })

  test('together, and fit one by one, are read one by one', async () => {
    // A small first page, so that several are asked for at once.
    const weights = [...weighing(25, 1), ...weighing(300, 30_000)]
    let answerSecond = () => {}
    const pages = heavy(weights)
    const script: Script = (socket, heard) => {
      if (numberOf(heard) === 2 && server.heard.length < 5) answerSecond = () => pages(socket, heard)
      else pages(socket, heard)
    }
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, { concurrency: 4 }, bound)
    const found: number[] = []
    const reading = async () => {
      for await (const items of client.pages(volumes.list, { pageSize: 25 })) found.push(...items.map(({ id }) => id))
    }
    const done = reading()
    await server.until(5)
    // The others wait for the second.
    await expect.poll(() => client.progress.pagesRead, { interval: 1 }).toBe(3)
    answerSecond()
    await done
    expect(found).toEqual(ids(1, 325))
    expect(server.heard.every((heard) => sizeOf(heard) === 25)).toBe(true)
    // It was refused beside the others, and asked for once more.
    expect(server.heard.filter((heard) => numberOf(heard) === 2)).toHaveLength(2)
  })

  test('of a list that changes meanwhile lose nothing', async () => {
    const world = ids(1, 300)
    let deleted = false
    const script: Script = (socket, heard) => {
      const [page, size] = [numberOf(heard), sizeOf(heard)]
      const data = world
        .slice((page - 1) * size, page * size)
        .map((id) => ({ id, text: 'x'.repeat(id > 200 ? 15_000 : 1) }))
      reply(200, { data, page, pages: Math.ceil(world.length / size), results: world.length })(socket, heard)
      if (page === 3 && !deleted) world.splice(0, 3)
      deleted ||= page === 3
    }
    const { found, failure } = await readHeavy(script, { pageSize: 100 }, { concurrency: 1 })
    expect(failure).toBeUndefined()
    expect(new Set(found)).toEqual(new Set(ids(1, 300)))
    expect(found).toHaveLength(300)
  })
})
