/** Reads of collections (performance.md, Pages; reliability.md: pages that repeat, shrink, are wrong, or move an item). */
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultPageSize } from '../../src/catalogue/paging'
import { regions } from '../../src/catalogue/regions'
import { Problem } from '../../src/errors'
import type { Bounds, Call } from '../../src/http/client'
import type { Limits } from '../../src/http/deadline'
import type { ReadProgress } from '../../src/http/page-sequence'
import { faultServer, head, type RawRequest, reply, reset, type Script } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { observedClient } from '../support/service-client'

type Envelope = Record<string, unknown> & { data: { id: number }[] }

const numberOf = (request: RawRequest) => Number(new URL(request.path, 'http://host').searchParams.get('page'))
const sizeOf = (request: RawRequest) =>
  Number(new URL(request.path, 'http://host').searchParams.get('page_size') ?? 100)
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index }))

/** A collection of `results` items; `change` can break its pages. */
function collection(results: number, change: (page: Envelope, number: number) => unknown = (page) => page): Script {
  return (socket, request) => {
    const [page, size] = [numberOf(request), sizeOf(request)]
    const data = range((page - 1) * size + 1, Math.min(results, page * size))
    const pages = Math.max(1, Math.ceil(results / size))
    reply(200, change({ data, page, pages, results }, page))(socket, request)
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
  const paths = server.received.map((request) => request.path).sort()
  return { ids: batches.flat(), batches, failure, paths, client, server }
}

const ids = (first: number, last: number) => range(first, last).map(({ id }) => id)

describe('A collection', () => {
  test('is read completely and in order, with at most one connection for each parallel request', async () => {
    let progress: ReadProgress | undefined
    const onPage = async (read: ReadProgress) => {
      progress = read
    }
    const { ids: all, server } = await read(collection(1000), { pageSize: 25, onPage }, { concurrency: 4 })
    expect(all).toEqual(ids(1, 1000))
    expect(server.received).toHaveLength(40)
    expect(server.connections()).toBeLessThanOrEqual(4)
    expect(progress).toMatchObject({ pagesRead: 40, pagesTotal: 40, itemsRead: 1000, itemsTotal: 1000 })
    expect(progress?.bytesRead).toBeGreaterThan(1000 * '{"id":1}'.length)
  })

  test('is not read on if its first page is refused', async () => {
    const server = await faultServer(collection(1000))
    const { client } = observedClient(`http://${server.host}`)
    const onPage = () => Promise.reject(new Problem('too_large', 'no'))
    const reading = client.pages(volumes.list, { pageSize: 500, onPage })
    await expect(reading.next()).rejects.toMatchObject({ code: 'too_large', message: 'no' })
    expect(server.received).toHaveLength(1)
  })

  test('is read without a warning of Node for any number of parallel requests', async () => {
    const warnings: Error[] = []
    const listener = (warning: Error) => warnings.push(warning)
    process.on('warning', listener)
    onTestFinished(() => void process.off('warning', listener))
    const { server } = await read(collection(2000), { pageSize: 25 }, { concurrency: 32 })
    expect(server.connections()).toBeGreaterThan(11)
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  })

  test('is read in pages of 500 by default', async () => {
    expect((await read(collection(600))).paths).toEqual([
      '/volumes?page_size=500&page=1',
      '/volumes?page_size=500&page=2',
    ])
  })

  const more = defaultPageSize + 1

  test.each([
    [{ limit: 10 }, 10, ['/volumes?page_size=25&page=1']],
    [{ limit: 100 }, 100, ['/volumes?page_size=100&page=1']],
    [{ limit: more }, more, [1, 2].map((page) => `/volumes?page_size=${defaultPageSize}&page=${page}`)],
    [{ limit: 60, pageSize: 30 }, 60, ['/volumes?page_size=30&page=1', '/volumes?page_size=30&page=2']],
    [{ page: 3 }, 100, ['/volumes?page=3']],
    [{ page: 2, pageSize: 50 }, 50, ['/volumes?page_size=50&page=2']],
    [{ page: 1, limit: 5 }, 5, ['/volumes?page=1']],
  ])('is read only as far as requested: %j', async (bounds, count, expected) => {
    const { ids: all, paths } = await read(collection(2000), bounds)
    expect({ count: all.length, paths }).toEqual({ count, paths: expected })
  })

  test('without items can be null', async () => {
    expect(await read(collection(0, (page) => ({ ...page, data: null })))).toMatchObject({
      ids: [],
      failure: undefined,
    })
    expect(await read(collection(3, (page) => ({ ...page, data: null })))).toMatchObject({
      ids: [],
      failure: expect.anything(),
    })
  })

  test('without items yields nothing', async () => {
    expect(await read(collection(0))).toMatchObject({ batches: [], failure: undefined })
    expect(await read(collection(0, (page) => ({ ...page, pages: 0 })))).toMatchObject({
      batches: [],
      failure: undefined,
    })
  })

  test('can be a bare array', async () => {
    expect(await read(reply(200, range(1, 3)))).toMatchObject({ ids: [1, 2, 3], failure: undefined })
  })

  test('of an operation that returns an array can be an envelope', async () => {
    const available = { region: 'us-east', plan: 'a', available: true }
    const server = await faultServer([reply(200, { data: [available], page: 1, pages: 1, results: 1 }), reply(200, [])])
    const { client } = observedClient(`http://${server.host}`)
    const call = () => client.call(regions.regionAvailability, { path: { regionId: 'us-east' } })
    expect(await call()).toEqual([available])
    expect(await call()).toEqual([])
  })

  test('keeps the query and the filter on every page', async () => {
    const { server } = await read(collection(60), { pageSize: 25, query: { a: true }, filter: { label: 'x' } })
    expect(server.received).toHaveLength(3)
    for (const { path, headers } of server.received) {
      expect(path).toContain('a=true')
      expect(headers['x-filter']).toBe('{"label":"x"}')
    }
  })

  test('is yielded in order if a later page arrives first', async () => {
    const answers: (() => void)[] = []
    const script: Script = (socket, request) => {
      const answer = () => collection(100)(socket, request)
      if (numberOf(request) === 1) return answer()
      answers.unshift(answer)
      // Answers the last request first, after all of them have arrived.
      if (answers.length === 3) for (const send of answers) send()
    }
    expect((await read(script, { pageSize: 25 }, { concurrency: 3 })).batches.map(([first]) => first)).toEqual([
      1, 26, 51, 76,
    ])
  })

  test('is not requested beyond the window while its reader pauses', async () => {
    const server = await faultServer(collection(1000))
    const { client } = observedClient(`http://${server.host}`, { concurrency: 3 })
    const reading = client.pages(volumes.list, { pageSize: 25 })
    await reading.next()
    await server.until(4)
    await reading.return()
    expect(server.received.map(numberOf).sort()).toEqual([1, 2, 3, 4])
  })

  test('cancels the requests in flight if its reader stops', async () => {
    const closed: Promise<unknown>[] = []
    const server = await faultServer((socket, request) => {
      if (numberOf(request) === 1) collection(100)(socket, request)
      else closed.push(new Promise((resolve) => socket.once('close', resolve)))
    })
    const { client, pauses } = observedClient(`http://${server.host}`)
    const reading = client.pages(volumes.list, { pageSize: 25 })
    await reading.next()
    await server.until(4)
    await reading.return()
    await Promise.all(closed)
    expect(closed).toHaveLength(3)
    // None of them is repeated.
    expect(pauses).toEqual([])
  })

  test.for([
    [8, 4],
    [2, 1],
  ] as const)('is read with fewer parallel requests after a 429: %i, then %i', async ([concurrency, fewer]) => {
    let most = 0
    let open = 0
    let limited = false
    const answered = new Set<number>()
    const script: Script = (socket, request) => {
      const page = numberOf(request)
      if (page === 2 && !limited) {
        limited = true
        return reply(429, '')(socket, request)
      }
      open += 1
      if (page > 12) most = Math.max(most, open)
      setImmediate(() => {
        open -= 1
        answered.add(page)
        collection(1000)(socket, request)
      })
    }
    expect((await read(script, { pageSize: 25 }, { concurrency })).ids).toEqual(ids(1, 1000))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(fewer)
  })
})

describe('A page that fails', () => {
  test('fails the read after the pages before it', async () => {
    const script: Script = (socket, request) =>
      (numberOf(request) === 2 ? reply(500, '') : collection(100))(socket, request)
    expect(await read(script, { pageSize: 25 })).toMatchObject({ ids: ids(1, 25), failure: { code: 'unavailable' } })
  })

  test('is requested again', async () => {
    let broken = 0
    const script: Script = (socket, request) => {
      if (numberOf(request) === 3 && broken++ === 0) return reset()(socket, request)
      collection(100)(socket, request)
    }
    expect(await read(script, { pageSize: 25 })).toMatchObject({ ids: ids(1, 100), failure: undefined })
  })
})

describe('Wrong pages', () => {
  test.each<[string, (page: Envelope, number: number) => unknown, RegExp]>([
    ['repeat', (page, number) => (number === 3 ? { ...page, data: range(26, 50) } : page), /page 3 repeats/],
    ['count fewer pages', (page) => ({ ...page, pages: 2 }), /50 items of 100/],
    ['count fewer results', (page) => ({ ...page, results: 90 }), /100 items of 90/],
    ['have no items', ({ data: _, ...page }) => page, /not a page of a list/],
    [
      'have items that are not objects',
      (page) => ({ ...page, data: [1, 2] }),
      /data\[0\] is a whole number, not an object/,
    ],
    ['have an item without an id', (page) => ({ ...page, data: [{ label: 'a' }] }), /data\[0\]\.id is missing/],
  ])('are an invalid response if they %s', async (_, change, message) => {
    const { failure } = await read(collection(100, change), { pageSize: 25 }, { concurrency: 1 })
    expect(failure).toMatchObject({ code: 'defect', message: expect.stringMatching(message) })
  })
})

describe('A collection that changes during the read', () => {
  /** Answers each request with the current content of `world`. */
  const living = (world: number[], then: (requests: number) => void): Script => {
    let requests = 0
    return (socket, request) => {
      const [page, size] = [numberOf(request), sizeOf(request)]
      const data = world.slice((page - 1) * size, page * size).map((id) => ({ id }))
      requests += 1
      reply(200, { data, page, pages: Math.max(1, Math.ceil(world.length / size)), results: world.length })(
        socket,
        request,
      )
      then(requests)
    }
  }
  const oneByOne = { concurrency: 1 }

  test('yields an item once that moves to the next page, and at the end the item that moved it', async () => {
    const world = ids(1, 100)
    const grows = (requests: number) => requests === 2 && world.unshift(1000)
    expect((await read(living(world, grows), { pageSize: 25 }, oneByOne)).ids).toEqual([...ids(1, 100), 1000])
  })

  test('yields an item that moves to a page that was already read', async () => {
    const world = ids(1, 100)
    const shrinks = (requests: number) => requests === 2 && world.splice(0, 3)
    const { ids: all, failure } = await read(living(world, shrinks), { pageSize: 25 }, oneByOne)
    expect(failure).toBeUndefined()
    expect(new Set(all)).toEqual(new Set(ids(1, 100)))
    expect(all).toHaveLength(100)
  })
})

/** A collection of items with these sizes in bytes; `sizeFor` replaces the requested page size. */
function heavy(weights: readonly number[], sizeFor?: (requested: number) => number): Script {
  return (socket, request) => {
    const size = sizeFor?.(sizeOf(request)) ?? sizeOf(request)
    const page = numberOf(request)
    const data = weights.slice((page - 1) * size, page * size).map((weight, index) => ({
      id: (page - 1) * size + index + 1,
      text: 'x'.repeat(weight),
    }))
    const pages = Math.max(1, Math.ceil(weights.length / size))
    reply(200, { data, page, pages, results: weights.length })(socket, request)
  }
}

/** 25 items of 8 KiB take 200 KiB: up to 125 of them fit into the limit of 1 MiB. */
const repeatSize = (count: number, bytes: number) => Array.from({ length: count }, () => bytes)
const oneMebibyte = { memory: 2 ** 20 }

async function readHeavy(
  script: Script,
  bounds: Call & Bounds = {},
  settings = {},
  limits: Partial<Limits> = oneMebibyte,
) {
  const server = await faultServer(script)
  const { client } = observedClient(`http://${server.host}`, settings, limits)
  const items: number[] = []
  let failure: unknown
  try {
    for await (const batch of client.pages(volumes.list, bounds)) items.push(...batch.map(({ id }) => id))
  } catch (error) {
    failure = error
  }
  const requests = server.received.map((request) => `${numberOf(request)} of ${sizeOf(request)}`)
  return { items, failure, requests, client, server }
}

describe('Pages that are too large', () => {
  const size500 = { pageSize: 500 }

  test('are requested again with a quarter of the items until they fit', async () => {
    const { items, failure, requests } = await readHeavy(heavy(repeatSize(300, 8000)), size500, { concurrency: 1 })
    expect({ items, failure }).toEqual({ items: ids(1, 300), failure: undefined })
    expect(requests).toEqual(['1 of 500', '1 of 125', '2 of 125', '3 of 125'])
  })

  test('in the middle of a list are read in smaller pages, without losses or duplicates', async () => {
    const weights = [...repeatSize(260, 10), ...repeatSize(40, 30_000), ...repeatSize(700, 10)]
    for (const concurrency of [1, 4]) {
      const { items, failure, requests } = await readHeavy(heavy(weights), { pageSize: 100 }, { concurrency })
      expect({ items, failure }).toEqual({ items: ids(1, 1000), failure: undefined })
      expect(new Set(requests.map((one) => one.split(' of ')[1]))).toEqual(new Set(['100', '25']))
    }
  })

  test('of an odd size are read again where they overlap', async () => {
    const weights = [...repeatSize(62, 10), ...repeatSize(31, 40_000), ...repeatSize(30, 10)]
    const { items, failure } = await readHeavy(heavy(weights), { pageSize: 31 }, { concurrency: 1 })
    expect({ items, failure }).toEqual({ items: ids(1, 123), failure: undefined })
  })

  test('are read in smaller pages also if only their bytes exceed the limit', async () => {
    const script = heavy(repeatSize(100, 2500))
    const limits = { memory: 2 ** 30, bytes: 100_000 }
    const { items, failure, requests } = await readHeavy(script, { pageSize: 100 }, { concurrency: 1 }, limits)
    expect({ items, failure }).toEqual({ items: ids(1, 100), failure: undefined })
    expect(requests).toEqual(['1 of 100', '1 of 25', '2 of 25', '3 of 25', '4 of 25'])
  })

  test('are not read if they announce more bytes than the memory limit', async () => {
    const whole = heavy(repeatSize(30, 20_000))
    const script: Script = (socket, request) =>
      sizeOf(request) > 25 ? socket.write(head(200, { 'content-length': '2000000' })) : whole(socket, request)
    const { items, failure, requests } = await readHeavy(script, { pageSize: 100 }, { concurrency: 1 })
    expect({ items, failure }).toEqual({ items: ids(1, 30), failure: undefined })
    expect(requests).toEqual(['1 of 100', '1 of 25', '2 of 25'])
  })

  test('are read completely from a service with at most 100 items a page', async () => {
    const weights = [...repeatSize(400, 10), ...repeatSize(100, 20_000), ...repeatSize(200, 10)]
    const script = heavy(weights, (requested) => Math.min(requested, 100))
    const { items, failure } = await readHeavy(script, {}, { concurrency: 1 })
    expect({ items, failure }).toEqual({ items: ids(1, 700), failure: undefined })
  })

  test.for([1, 4])(
    'end with too_large from a service that ignores the page size, with %i in parallel',
    async (concurrency) => {
      const weights = [...repeatSize(400, 10), ...repeatSize(100, 20_000), ...repeatSize(200, 10)]
      const { failure } = await readHeavy(
        heavy(weights, () => 100),
        {},
        { concurrency },
      )
      expect(failure).toMatchObject({ code: 'too_large', exitCode: 12 })
    },
  )

  test('end with too_large at the smallest page size', async () => {
    const { failure, requests } = await readHeavy(heavy(repeatSize(60, 50_000)), size500, { concurrency: 1 })
    expect(failure).toMatchObject({
      code: 'too_large',
      message: 'the response to GET /volumes?page_size=25&page=1 is too large: its contents take over 1 MiB of memory',
    })
    expect(requests).toEqual(['1 of 500', '1 of 125', '1 of 31', '1 of 25'])
  })

  test.for([1, 4])(
    'are not requested again because of an item that is nested too deep, with %i in parallel',
    async (concurrency) => {
      const nested = JSON.parse('['.repeat(600) + ']'.repeat(600))
      const script = collection(300, (page, number) => (number === 2 ? { ...page, data: [{ id: 101, nested }] } : page))
      const { failure, requests } = await readHeavy(script, { pageSize: 100 }, { concurrency })
      expect(failure).toMatchObject({ code: 'too_large', message: expect.stringContaining('nested over 500 levels') })
      expect(requests.filter((one) => one !== '3 of 100').toSorted()).toEqual(['1 of 100', '2 of 100'])
    },
  )

  test('are not requested again in a read of one page', async () => {
    const { failure, requests } = await readHeavy(heavy(repeatSize(300, 8000)), { page: 1, pageSize: 500 })
    expect(failure).toMatchObject({ code: 'too_large' })
    expect(requests).toEqual(['1 of 500'])
  })

  test('of a list that changes during the read lose nothing', async () => {
    const world = ids(1, 300)
    let deleted = false
    const script: Script = (socket, request) => {
      const [page, size] = [numberOf(request), sizeOf(request)]
      const data = world
        .slice((page - 1) * size, page * size)
        .map((id) => ({ id, text: 'x'.repeat(id > 200 ? 15_000 : 1) }))
      reply(200, { data, page, pages: Math.ceil(world.length / size), results: world.length })(socket, request)
      if (page === 3 && !deleted) world.splice(0, 3)
      deleted ||= page === 3
    }
    const { items, failure } = await readHeavy(script, { pageSize: 100 }, { concurrency: 1 })
    expect(failure).toBeUndefined()
    expect(new Set(items)).toEqual(new Set(ids(1, 300)))
    expect(items).toHaveLength(300)
  })
})
