/** Connections that only test whether an address can be reached (interface.md, doctor). */
import { describe, expect, test } from 'vitest'
import { probe } from '../../src/http/probe'
import { faultServer, silence } from '../support/fault-server'

describe('A connection test', () => {
  test('ends at its time limit if the server does not answer the handshake', async () => {
    const { host } = await faultServer(silence)
    const { signal } = new AbortController()
    await expect(
      probe(new URL(`https://${host}/v4`), { proxy: undefined, timeoutMs: 50, signal }),
    ).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  })

  test('ends with its command, with the same reason', async () => {
    const { host, connections } = await faultServer(silence)
    const run = new AbortController()
    const reason = new Error('interrupted')
    const probing = probe(new URL(`https://${host}/v4`), { proxy: undefined, timeoutMs: 20_000, signal: run.signal })
    await expect.poll(connections, { interval: 1 }).toBe(1)
    run.abort(reason)
    await expect(probing).rejects.toBe(reason)
  })

  test('ends with its command also before there is a connection', async () => {
    const { host } = await faultServer(silence)
    const run = new AbortController()
    const reason = new Error('interrupted')
    const proxy = { url: new URL(`http://${host}`), variable: 'HTTPS_PROXY' }
    const settings = { proxy, timeoutMs: 20_000, signal: run.signal }
    const probing = probe(new URL('https://api.example.net/v4'), settings)
    run.abort(reason)
    await expect(probing).rejects.toMatchObject({ name: 'ProxyError', cause: reason })
  })
})
