/** What goes with a request: who waits for it, what it is called, what it leaves behind. */
import { getEventListeners } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/http/client'
import { Deadline } from '../../src/http/deadline'
import type { AttemptLine } from '../../src/http/settings'
import { volumes } from '../support/bare-volumes'
import { faultServer, reply, type Script } from '../support/fault-server'
import { observedClient } from '../support/service-client'

const view = { path: { volumeId: 1 } }
const volume = { id: 1 }

describe('who is told that the service is waited for', () => {
  test('is told once for requests that are under way together, and when none is left', async () => {
    const told: string[] = []
    const onWait = () => {
      told.push('waits')
      return () => void told.push('waited')
    }
    const held: (() => void)[] = []
    const together: Script = (socket, heard) => {
      held.push(() => reply(200, volume)(socket, heard))
      if (held.length === 2) for (const answer of held) answer()
    }
    const server = await faultServer([together, together, reply(200, volume)])
    const { client } = observedClient(`http://${server.host}`, { onWait })
    await Promise.all([client.call(volumes.view, view), client.call(volumes.view, view)])
    expect(told).toEqual(['waits', 'waited'])
    await client.call(volumes.view, view)
    expect(told).toEqual(['waits', 'waited', 'waits', 'waited'])
  })

  test('is told that it is over also where it failed', async () => {
    let waiting = 0
    const onWait = () => {
      waiting += 1
      return () => {
        waiting -= 1
      }
    }
    const server = await faultServer(reply(404, { errors: [{ reason: 'Not found' }] }))
    const { client } = observedClient(`http://${server.host}`, { onWait })
    await expect(client.call(volumes.view, view)).rejects.toMatchObject({ code: 'not_found' })
    expect(waiting).toBe(0)
  })
})

describe('the name that a service gives to an exchange', () => {
  const nameOf = async (headers: Record<string, string>) => {
    const lines: Omit<AttemptLine, 'request'>[] = []
    const server = await faultServer(reply(200, volume, headers))
    const { client } = observedClient(`http://${server.host}`, { debug: () => (line) => void lines.push(line) })
    await client.call(volumes.view, view)
    const [answered, ...others] = lines.filter(({ text }) => text.startsWith('< 200'))
    expect(others).toEqual([])
    return answered
  }

  test.for(['x-request-id', 'request-id', 'x-correlation-id', 'x-trace-id'])('is told from %s', async (header) => {
    expect(await nameOf({ [header]: 'r-1' })).toEqual({ attempt: 1, text: '< 200 in 0 ms', serviceId: 'r-1' })
  })

  test('is the first of several', async () => {
    expect(await nameOf({ 'x-trace-id': 't', 'x-request-id': 'r' })).toMatchObject({ serviceId: 'r' })
  })

  test('is none where there is none', async () => {
    expect(await nameOf({ 'x-id': 'r-1' })).toEqual({ attempt: 1, text: '< 200 in 0 ms' })
  })
})

describe('when it is over', () => {
  test('nothing listens to the signal of the run any more', async () => {
    const { signal } = new AbortController()
    const server = await faultServer([reply(503, ''), reply(200, volume)])
    const { client } = observedClient(`http://${server.host}`, { signal })
    await client.call(volumes.view, view)
    expect(server.heard).toHaveLength(2)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('requests in flight have shared one listener, and each has ended', async () => {
    const interruption = new AbortController()
    const server = await faultServer(() => {})
    const { client } = observedClient(`http://${server.host}`, { signal: interruption.signal })
    const ended = Promise.allSettled([client.call(volumes.view, view), client.call(volumes.view, view)])
    await server.until(2)
    expect(getEventListeners(interruption.signal, 'abort')).toHaveLength(1)
    const reason = new Error('interrupted')
    interruption.abort(reason)
    expect(await ended).toEqual(Array(2).fill({ status: 'rejected', reason }))
  })

  test('no timer of its time is left', () => {
    vi.useFakeTimers()
    try {
      const budget = new Deadline(1000, () => Date.now())
      const over = vi.fn()
      budget.listen(over)
      expect(vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(400)
      expect(budget.left()).toBe(600)
      budget.stop()
      expect(vi.getTimerCount()).toBe(0)
      vi.advanceTimersByTime(1000)
      expect(over).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  test('its time has an end, however long it is', () => {
    vi.useFakeTimers()
    try {
      const [heard, heardNoMore, heardLate, heardOfLong] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
      const budget = new Deadline(1000, () => Date.now())
      budget.listen(heardNoMore)()
      budget.listen(heard)
      vi.advanceTimersByTime(1000)
      // A pause may have taken the rest of the time, before the next attempt listens.
      budget.listen(heardLate)
      new Deadline(2 ** 40, () => Date.now()).listen(heardOfLong)
      vi.advanceTimersByTime(2 ** 31 - 2)
      const calls = [heard, heardNoMore, heardLate, heardOfLong].map((one) => one.mock.calls.length)
      expect(calls).toEqual([1, 0, 1, 0])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a client', () => {
  const settings = (host: string) => ({
    baseUrl: `http://${host}`,
    timeoutMs: 20_000,
    retries: 1,
    maxWaitMs: 60_000,
    concurrency: 2,
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 0,
    env: {},
    userAgent: 'skyctl/test',
  })

  test('needs nobody who listens', async () => {
    const server = await faultServer([reply(429, ''), reply(202, { ...volume, warnings: [{ title: 'Slow' }] })])
    const client = createClient(settings(server.host))
    onTestFinished(() => client.close())
    expect(await client.call(volumes.view, view)).toMatchObject(volume)
    expect(server.heard).toHaveLength(2)
  })

  test('takes as many bytes as it may, and not one more', async () => {
    const server = await faultServer([reply(200, '[1234567]'), reply(200, '[12345678]')])
    const { client } = observedClient(`http://${server.host}`, { retries: 0 }, { bytes: 9 })
    expect(client.progress).toEqual({ pagesRead: 0 })
    const sending = { method: 'GET', path: '/x', idempotency: 'safe' } as const
    expect(await client.send(sending)).toMatchObject({ body: [1234567] })
    await expect(client.send(sending)).rejects.toMatchObject({
      code: 'too_large',
      message: 'the answer is over 32 MiB',
    })
  })

  test('that was never used is closed like any other, and so is one that has been', async () => {
    const server = await faultServer(reply(200, volume))
    const client = createClient(settings(server.host))
    await client.close()
    await client.call(volumes.view, view)
    await client.close()
    await expect(client.call(volumes.view, view)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('what --debug tells', () => {
  test('of an answer without a body ends with its headers', async () => {
    const server = await faultServer(reply(200, '', { 'x-last': '1' }))
    const { client, debug } = observedClient(`http://${server.host}`)
    await client.send({ method: 'GET', path: '/x', idempotency: 'safe' })
    expect(debug.at(-1)).toBe('< x-last: 1')
    expect(debug.filter((line) => line.startsWith('> {'))).toEqual([])
  })
})

describe('a secret that is sent', () => {
  test('is shown nowhere, wherever the service says it', async () => {
    const server = await faultServer(reply(400, { errors: [{ field: 'x', reason: 'no geheimgeheim' }] }))
    const { client } = observedClient(`http://${server.host}`)
    const sending = { method: 'POST', path: '/x', body: { password: 'geheimgeheim' }, idempotency: 'never' } as const
    await expect(client.send(sending)).rejects.toThrow('x: no [redacted]')
  })
})

describe('a list that is named by its path', () => {
  const collection: Script = (socket, heard) => {
    const query = new URL(heard.path, 'http://host').searchParams
    const page = Number(query.get('page'))
    reply(200, { data: [{ id: page }], page, pages: 2, results: 2 })(socket, heard)
  }
  const read = async (path: string, script: Script = collection, headers?: Record<string, string>) => {
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, { concurrency: 1 })
    const items: unknown[] = []
    for await (const batch of client.pagesAt({ path, ...(headers && { headers }) })) items.push(...batch)
    return { items, heard: server.heard }
  }

  test('is read whole, with its query and its headers', async () => {
    const { items, heard } = await read('/x?a=b', collection, { 'x-filter': '{}' })
    expect(items).toEqual([{ id: 1 }, { id: 2 }])
    expect(heard.map(({ path }) => path)).toEqual(['/x?a=b&page_size=500&page=1', '/x?a=b&page_size=500&page=2'])
    expect(heard.map(({ headers }) => headers['x-filter'])).toEqual(['{}', '{}'])
  })

  test('keeps the page size that it names', async () => {
    const { heard } = await read('/x?page_size=25')
    expect(heard.map(({ path }) => path)).toEqual(['/x?page_size=25&page=1', '/x?page_size=25&page=2'])
  })

  test('is none where its first page is no page, and broken where a later one is none', async () => {
    await expect(read('/x?a=b', reply(200, { id: 1 }))).rejects.toMatchObject({
      code: 'usage',
      message: '/x is not a list of pages',
    })
    const later: Script = (socket, heard) => (heard.path.endsWith('=1') ? collection : reply(200, {}))(socket, heard)
    await expect(read('/x', later)).rejects.toMatchObject({
      code: 'defect',
      message: 'invalid response to GET /x?page_size=500&page=2: it is not a page of a list: data is missing',
    })
  })
})
