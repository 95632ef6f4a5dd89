/** Time limits and interruptions (reliability.md, Around the process). */
import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/errors'
import type { Client } from '../../src/http/client'
import { faultServer, head, reply, type Script, silence } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { now, observedClient } from '../support/service-client'

const path = { volumeId: 7 }
const view = (client: Client) => client.call(volumes.view, { path })
const update = (client: Client) => client.call(volumes.update, { path, body: { label: 'a' } })
const clone = (client: Client) => client.call(volumes.clone, { path, body: { label: 'a' } })

const interrupted = new Problem('interrupted', 'interrupted')

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  )
}

/** Accepts connections and sends nothing, so that a handshake does not end. */
async function muteServer(): Promise<{ port: number; accepted: Promise<Socket> }> {
  const server = createServer((socket) => socket.on('error', () => {}))
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { port, accepted }
}

describe('An interrupt', () => {
  test('before a request sends nothing', async () => {
    const server = await faultServer(reply(200, { id: 7 }))
    const { client } = observedClient(`http://${server.host}`, { signal: AbortSignal.abort(interrupted) })
    expect(await failureOf(clone(client))).toBe(interrupted)
    expect(server.connections()).toBe(0)
  })

  test('during a read stops it at once', async () => {
    const server = await faultServer(silence)
    const stop = new AbortController()
    const { client } = observedClient(`http://${server.host}`, { signal: stop.signal })
    const failure = failureOf(view(client))
    await server.until(1)
    stop.abort(interrupted)
    expect(await failure).toBe(interrupted)
  })

  test('during reads of pages stops all of them', async () => {
    const first = reply(200, { data: [{ id: 1 }], page: 1, pages: 9, results: 9 })
    const server = await faultServer([first, silence])
    const stop = new AbortController()
    const { client } = observedClient(`http://${server.host}`, { signal: stop.signal, concurrency: 4 })
    const reading = client.pages(volumes.list)
    await reading.next()
    const failure = failureOf(reading.next())
    await server.until(5)
    stop.abort(interrupted)
    expect(await failure).toBe(interrupted)
    expect(server.received).toHaveLength(5)
  })

  test('before another attempt prevents it', async () => {
    const server = await faultServer(reply(503, ''))
    const stop = new AbortController()
    const { client } = observedClient(`http://${server.host}`, {
      signal: stop.signal,
      note: () => stop.abort(interrupted),
    })
    expect(await failureOf(view(client))).toBe(interrupted)
    expect(server.received).toHaveLength(1)
  })

  test('during the connection of a write stops it at once, since nothing was sent', async () => {
    const { port, accepted } = await muteServer()
    const stop = new AbortController()
    const never = { graceMs: 2 ** 31 - 1 }
    const { client } = observedClient(`https://127.0.0.1:${port}`, { signal: stop.signal }, never)
    const failure = failureOf(clone(client))
    const socket = await accepted
    stop.abort(interrupted)
    expect(await failure).toBe(interrupted)
    // The connection does not keep the process alive.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await client.close()
    await closed
  })

  test('before the connection is open sends nothing through it', async () => {
    const server = await faultServer(reply(200, { id: 7 }))
    const stop = new AbortController()
    const baseUrl = `http://${server.host}`
    const { client } = observedClient(baseUrl, { signal: stop.signal, debug: () => () => stop.abort(interrupted) })
    expect(await failureOf(clone(client))).toBe(interrupted)
    await view(observedClient(baseUrl).client)
    expect(server.received.map(({ method }) => method)).toEqual(['GET'])
  })

  test('during a write in flight waits for its answer', async () => {
    const stop = new AbortController()
    const server = await faultServer((socket, request) => {
      stop.abort(interrupted)
      setImmediate(() => reply(200, { id: 8 })(socket, request))
    })
    const { client } = observedClient(`http://${server.host}`, { signal: stop.signal })
    expect(await clone(client)).toEqual({ id: 8 })
    expect(await failureOf(clone(client))).toBe(interrupted)
  })

  test.each([
    ['that is not repeatable', clone, 'outcome_unknown', 'POST /volumes/7/clone'],
    ['that is repeatable', update, 'interrupted', 'PUT /volumes/7'],
  ])('during a write %s reports an unknown outcome if no answer comes', async (_, call, code, request) => {
    const server = await faultServer(silence)
    const stop = new AbortController()
    const { client, warnings } = observedClient(`http://${server.host}`, { signal: stop.signal }, { graceMs: 50 })
    const failure = failureOf(call(client))
    await server.until(1)
    stop.abort(interrupted)
    expect(await failure).toMatchObject({
      code,
      message: `interrupted: ${request} was sent, but its answer did not arrive in time`,
      details: { hint: 'Check the current state before you try again' },
    })
    expect(warnings).toEqual([
      { title: `waiting up to 0.05 s for the answer to ${request}; a second signal stops at once` },
    ])
    expect(server.received).toHaveLength(1)
  })
})

describe('The time limit of a request', () => {
  test('ends a write in flight with an unknown outcome', async () => {
    const server = await faultServer(silence)
    const { client } = observedClient(`http://${server.host}`, { timeoutMs: 100 })
    expect(await failureOf(clone(client))).toMatchObject({ code: 'outcome_unknown' })
  })

  test('ends the wait for a connection', async () => {
    const { port } = await muteServer()
    const { client } = observedClient(`https://127.0.0.1:${port}`, { timeoutMs: 100 })
    expect(await failureOf(clone(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ within [\d.]+ (?:s|ms)$/),
      details: { hint: expect.stringContaining('--timeout') },
    })
  })

  /** Answers after 90 s; the time limit is 120 s. */
  function lateService(answers: Script[]) {
    let time = now
    const slow = answers.map(
      (answer): Script =>
        (socket, request) => {
          time += 90_000
          answer(socket, request)
        },
    )
    const clock = { now: () => now, monotonic: () => time, sleep: async () => {} }
    return { slow, settings: { timeoutMs: 120_000, clock } }
  }

  test('applies to each request, not to several together', async () => {
    const { slow, settings } = lateService([reply(200, { id: 7 })])
    const server = await faultServer(slow)
    const { client } = observedClient(`http://${server.host}`, settings)
    for (let count = 1; count <= 5; count += 1) expect(await view(client)).toEqual({ id: 7 })
  })

  test('applies to each page of a list', async () => {
    const page = (number: number) => reply(200, { data: [{ id: number }], page: number, pages: 5, results: 5 })
    const { slow, settings } = lateService([1, 2, 3, 4, 5].map(page))
    const server = await faultServer(slow)
    const { client } = observedClient(`http://${server.host}`, { ...settings, concurrency: 1 })
    const ids: unknown[] = []
    for await (const items of client.pages(volumes.list)) ids.push(...items.map(({ id }) => id))
    expect(ids).toEqual([1, 2, 3, 4, 5])
  })

  test('applies to its attempts together', async () => {
    const { slow, settings } = lateService([reply(503, ''), reply(503, ''), reply(200, { id: 7 })])
    const server = await faultServer(slow)
    const { client } = observedClient(`http://${server.host}`, settings)
    expect(await failureOf(view(client))).toMatchObject({ code: 'unavailable', details: { status: 503 } })
    expect(server.received).toHaveLength(2)
  })
})

describe('A body', () => {
  test('of a gigabyte is rejected without reading it', async () => {
    let sent = 0
    const chunk = Buffer.alloc(2 ** 20, ' ')
    const server = await faultServer((socket) => {
      socket.write(head(200, { connection: 'close' }))
      const pour = () => {
        while (!socket.destroyed && sent < 2 ** 30) {
          sent += chunk.length
          if (!socket.write(chunk)) return socket.once('drain', pour)
        }
        return socket
      }
      pour()
    })
    const { client } = observedClient(`http://${server.host}`)
    const before = process.memoryUsage.rss()
    expect(await failureOf(view(client))).toMatchObject({ code: 'too_large', message: expect.stringMatching(/32 MiB/) })
    expect(sent).toBeLessThan(100 * 2 ** 20)
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20)
  })
})
