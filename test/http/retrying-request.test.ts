/** Side effects of a request: reports of waiting, the id of its answer, listeners and timers. */

import { getEventListeners } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaultPageSize } from '../../src/catalogue/paging'
import { Problem } from '../../src/errors'
import { Client } from '../../src/http/client'
import { Deadline } from '../../src/http/deadline'
import type { AttemptLine } from '../../src/http/settings'
import { faultServer, reply, type Script } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { observedClient } from '../support/service-client'

const view = { path: { volumeId: 1 } }
const volume = { id: 1 }

describe('A report of waiting', () => {
  test('begins with the first of several requests and ends with the last', async () => {
    const reports: string[] = []
    const onWait = () => {
      reports.push('waits')
      return () => void reports.push('waited')
    }
    const answers: (() => void)[] = []
    const together: Script = (socket, request) => {
      answers.push(() => reply(200, volume)(socket, request))
      if (answers.length === 2) for (const answer of answers) answer()
    }
    const server = await faultServer([together, together, reply(200, volume)])
    const { client } = observedClient(`http://${server.host}`, { onWait })
    await Promise.all([client.call(volumes.view, view), client.call(volumes.view, view)])
    expect(reports).toEqual(['waits', 'waited'])
    await client.call(volumes.view, view)
    expect(reports).toEqual(['waits', 'waited', 'waits', 'waited'])
  })

  test('ends also with a failure', async () => {
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

describe('The id that a service assigns to a request', () => {
  const answerLine = async (headers: Record<string, string>) => {
    const lines: Omit<AttemptLine, 'request'>[] = []
    const server = await faultServer(reply(200, volume, headers))
    const { client } = observedClient(`http://${server.host}`, { debug: () => (line) => void lines.push(line) })
    await client.call(volumes.view, view)
    const [answered, ...others] = lines.filter(({ text }) => text.startsWith('< 200'))
    expect(others).toEqual([])
    return answered
  }

  test.for(['x-request-id', 'request-id', 'x-correlation-id', 'x-trace-id'])('is reported from %s', async (header) => {
    expect(await answerLine({ [header]: 'r-1' })).toEqual({ attempt: 1, text: '< 200 in 0 ms', serviceId: 'r-1' })
  })

  test('is the first of several headers', async () => {
    expect(await answerLine({ 'x-trace-id': 't', 'x-request-id': 'r' })).toMatchObject({ serviceId: 'r' })
  })

  test('is not taken from another header', async () => {
    expect(await answerLine({ 'x-id': 'r-1' })).toEqual({ attempt: 1, text: '< 200 in 0 ms' })
  })
})

describe('After the end of a request', () => {
  test('nothing listens to the signal of the command', async () => {
    const { signal } = new AbortController()
    const server = await faultServer([reply(503, ''), reply(200, volume)])
    const { client } = observedClient(`http://${server.host}`, { signal })
    await client.call(volumes.view, view)
    expect(server.received).toHaveLength(2)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('by an interruption, each request in flight has ended, and they shared one listener', async () => {
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

  test('its deadline leaves no timer', () => {
    vi.useFakeTimers()
    try {
      const deadline = new Deadline(1000, () => Date.now())
      const over = vi.fn()
      deadline.listen(over)
      expect(vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(400)
      expect(deadline.left()).toBe(600)
      deadline.stop()
      expect(vi.getTimerCount()).toBe(0)
      vi.advanceTimersByTime(1000)
      expect(over).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  test('its deadline has expired, unless it is very long', () => {
    vi.useFakeTimers()
    try {
      const [listener, removed, late, ofLong] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
      const deadline = new Deadline(1000, () => Date.now())
      deadline.listen(removed)()
      deadline.listen(listener)
      vi.advanceTimersByTime(1000)
      // A pause may have taken the rest of the time, before the next attempt listens.
      deadline.listen(late)
      new Deadline(2 ** 40, () => Date.now()).listen(ofLong)
      vi.advanceTimersByTime(2 ** 31 - 2)
      const calls = [listener, removed, late, ofLong].map((one) => one.mock.calls.length)
      expect(calls).toEqual([1, 0, 1, 0])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('A client', () => {
  const settings = (host: string) => ({
    baseUrl: `http://${host}`,
    timeoutMs: 20_000,
    retries: 1,
    maxWaitMs: 60_000,
    concurrency: 2,
    clock: { now: () => 0, monotonic: () => 0, sleep: async () => {} },
    random: () => 0,
    env: {},
    userAgent: 'skyctl/test',
  })

  test('needs no listeners', async () => {
    const server = await faultServer([reply(429, ''), reply(202, { ...volume, warnings: [{ title: 'Slow' }] })])
    const client = new Client(settings(server.host))
    onTestFinished(() => client.close())
    expect(await client.call(volumes.view, view)).toMatchObject(volume)
    expect(server.received).toHaveLength(2)
  })

  test('reads answers up to its size limit', async () => {
    const server = await faultServer([reply(200, '[1234567]'), reply(200, '[12345678]')])
    const { client } = observedClient(`http://${server.host}`, { retries: 0 }, { bytes: 9 })
    const request = { method: 'GET', path: '/x', idempotency: 'safe' } as const
    expect(await client.onceAny(request)).toMatchObject({ is: 'ok', answer: [1234567] })
    expect(await client.onceAny(request)).toMatchObject({
      is: 'refused',
      problem: { code: 'too_large', message: 'the answer is over 32 MiB' },
    })
  })

  test('can be closed before and after its use', async () => {
    const server = await faultServer(reply(200, volume))
    const client = new Client(settings(server.host))
    await client.close()
    await client.call(volumes.view, view)
    await client.close()
    await expect(client.call(volumes.view, view)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('The output of --debug', () => {
  test('ends with the headers of an answer without a body', async () => {
    const server = await faultServer(reply(200, '', { 'x-last': '1' }))
    const { client, debug } = observedClient(`http://${server.host}`)
    await client.onceAny({ method: 'GET', path: '/x', idempotency: 'safe' })
    expect(debug.at(-1)).toBe('< x-last: 1')
    expect(debug.filter((line) => line.startsWith('> {'))).toEqual([])
  })
})

describe('A secret of a request', () => {
  test('is redacted in an answer that repeats it', async () => {
    const server = await faultServer(reply(400, { errors: [{ field: 'x', reason: 'no geheimgeheim' }] }))
    const { client } = observedClient(`http://${server.host}`)
    const request = { method: 'POST', path: '/x', body: { password: 'geheimgeheim' }, idempotency: 'never' } as const
    expect(await client.onceAny(request)).toMatchObject({ is: 'refused', problem: { message: 'x: no [redacted]' } })
  })
})

describe('An embedded service that broke', () => {
  const reason = new Problem('local', 'the disk is full')

  test.for([
    ['has refused a change', [500], undefined, 'refused', reason.message],
    [
      'may have made a change that it had begun',
      [500],
      true,
      'lost',
      `was sent, but its answer was lost: ${reason.message}`,
    ],
    ['may have made a change whose first answer was lost', [502, 500], undefined, 'lost', reason.message],
  ] as const)('%s', async ([, statuses, mayBeDone, is, message]) => {
    const server = await faultServer(statuses.map((status) => reply(status, {})))
    let left = statuses.length
    const failure = () => {
      left -= 1
      return left === 0 ? new Problem(reason.code, reason.message, { ...(mayBeDone && { mayBeDone }) }) : undefined
    }
    const { client } = observedClient(`http://${server.host}`, { failure })
    const got = await client.once(volumes.update, { ...view, body: { label: 'a' } })
    expect(got).toMatchObject({ is, problem: { message: expect.stringContaining(message) } })
  })

  test('is the reason of a read that broke off', async () => {
    const server = await faultServer((socket) => socket.destroy())
    const { client } = observedClient(`http://${server.host}`, { failure: () => reason })
    await expect(client.call(volumes.view, view)).rejects.toBe(reason)
  })
})

describe('A list at a path', () => {
  const collection: Script = (socket, request) => {
    const query = new URL(request.path, 'http://host').searchParams
    const page = Number(query.get('page'))
    reply(200, { data: [{ id: page }], page, pages: 2, results: 2 })(socket, request)
  }
  const read = async (path: string, script: Script = collection, headers?: Record<string, string>) => {
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, { concurrency: 1 })
    const items: unknown[] = []
    for await (const batch of client.pagesAt({ path, ...(headers && { headers }) })) items.push(...batch)
    return { items, requests: server.received }
  }

  test('is read completely, with its query and its headers', async () => {
    const { items, requests } = await read('/x?a=b', collection, { 'x-filter': '{}' })
    expect(items).toEqual([{ id: 1 }, { id: 2 }])
    expect(requests.map(({ path }) => path)).toEqual(
      [1, 2].map((page) => `/x?a=b&page_size=${defaultPageSize}&page=${page}`),
    )
    expect(requests.map(({ headers }) => headers['x-filter'])).toEqual(['{}', '{}'])
  })

  test('keeps the page size of its query', async () => {
    const { requests } = await read('/x?page_size=25')
    expect(requests.map(({ path }) => path)).toEqual(['/x?page_size=25&page=1', '/x?page_size=25&page=2'])
  })

  test('is rejected if the first answer is not a page, and invalid if a later one is not', async () => {
    await expect(read('/x?a=b', reply(200, { id: 1 }))).rejects.toMatchObject({
      code: 'usage',
      message: '/x is not a list of pages',
    })
    const later: Script = (socket, request) =>
      (request.path.endsWith('=1') ? collection : reply(200, {}))(socket, request)
    await expect(read('/x', later)).rejects.toMatchObject({
      code: 'defect',
      message: `invalid response to GET /x?page_size=${defaultPageSize}&page=2: it is not a page of a list: data is missing`,
    })
  })
})
