/** A connection that is opened to look at, and nothing else (interface.md, doctor). */
import { describe, expect, test } from 'vitest'
import { probe } from '../../src/http/probe'
import { faultServer, silence } from '../support/fault-server'

describe('a look at a connection', () => {
  test('ends in time where nobody answers the handshake', async () => {
    const { host } = await faultServer(silence)
    const { signal } = new AbortController()
    await expect(
      probe(new URL(`https://${host}/v4`), { proxy: undefined, timeoutMs: 50, signal }),
    ).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  })

  test('ends with its run, for its reason', async () => {
    const { host, connections } = await faultServer(silence)
    const run = new AbortController()
    const reason = new Error('interrupted')
    const looking = probe(new URL(`https://${host}/v4`), { proxy: undefined, timeoutMs: 20_000, signal: run.signal })
    await expect.poll(connections, { interval: 1 }).toBe(1)
    run.abort(reason)
    await expect(looking).rejects.toBe(reason)
  })

  test('ends with its run also where there is no connection yet', async () => {
    const { host } = await faultServer(silence)
    const run = new AbortController()
    const reason = new Error('interrupted')
    const way = { proxy: new URL(`http://${host}`), timeoutMs: 20_000, signal: run.signal }
    const looking = probe(new URL('https://api.example.net/v4'), way)
    run.abort(reason)
    await expect(looking).rejects.toMatchObject({ name: 'ProxyError', cause: reason })
  })
})
