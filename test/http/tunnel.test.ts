/** Connections through a proxy: with CONNECT (RFC 9110, 9.3.6), and with SOCKS5 (RFC 1928, 1929). */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ProxyError } from '../../src/http/network-errors'
import { openTunnel } from '../../src/http/tunnel'
import { bytes, faultServer, silence } from '../support/fault-server'
import { unreachableUrl } from '../support/nonexistent'
import { socksProxy } from '../support/socks-proxy'

const variable = 'HTTPS_PROXY'

function tunnel(url: string, { timeoutMs = 20_000, host = 'api.example.net' } = {}) {
  const sockets: Socket[] = []
  const proxy = { url: new URL(url), variable }
  const opened = openTunnel({ proxy, host, port: 443, timeoutMs, onSocket: (socket) => void sockets.push(socket) })
  return { opened, sockets }
}

describe('A tunnel with CONNECT', () => {
  const answers = (status: number) => bytes(`HTTP/1.1 ${status} Reason\r\n\r\n`)

  test.for([200, 201, 299])('is open after status %i', async (status) => {
    const server = await faultServer(answers(status))
    const { opened, sockets } = tunnel(`http://${server.host}`)
    expect(sockets).toEqual([])
    expect(await opened).toBe(sockets[0])
    expect(sockets).toHaveLength(1)
    expect(server.received).toEqual([
      {
        method: 'CONNECT',
        path: 'api.example.net:443',
        headers: { host: 'api.example.net:443', connection: 'close' },
        body: '',
      },
    ])
    sockets[0]?.destroy()
  })

  test.for([300, 302, 403, 407, 502])('fails after status %i and closes its connection', async (status) => {
    const server = await faultServer(answers(status))
    const { opened, sockets } = tunnel(`http://me:geheim@${server.host}`)
    const error = await opened.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ProxyError)
    const failure = status === 407 ? 'credentials' : { answer: `it answers ${status}`, lasting: status < 500 }
    expect(error).toMatchObject({ name: 'ProxyError', proxy: { url: { host: server.host }, variable }, failure })
    expect(sockets[0]?.destroyed).toBe(true)
    expect(String(error)).toBe(`ProxyError: the proxy ${server.host} failed`)
  })

  test('fails with the reason if the proxy cannot be reached', async () => {
    await expect(tunnel(unreachableUrl).opened).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
      failure: { cause: { code: 'ECONNREFUSED' } },
    })
  })

  test('fails at its time limit', async () => {
    const server = await faultServer(silence)
    await expect(tunnel(`http://${server.host}`, { timeoutMs: 50 }).opened).rejects.toMatchObject({
      cause: { name: 'AbortError' },
    })
  })

  test('is not requested from a proxy with an untrusted certificate', async () => {
    const server = await faultServer(answers(200), 'good')
    const refused = tunnel(`https://127.0.0.1:${server.port}`)
    await expect(refused.opened).rejects.toMatchObject({
      failure: { cause: { code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) } },
    })
    expect(server.received).toEqual([])
  })

  test.for([
    ['me:p%40ss@', 'me:p@ss'],
    ['me@', 'me:'],
    [':only@', ':only'],
    ['me:%41%4a%zz%2@', 'me:AJ%zz%2'],
    ['me:50%off@', 'me:50%off'],
    ['me:%e4@', 'me:\xe4'],
    ['me:ä@', Buffer.from('me:ä').toString('latin1')],
    ['m%C3%A9:x@', 'm\xc3\xa9:x'],
  ] as const)('sends the user and password of %s', async ([userinfo, pair]) => {
    const server = await faultServer(answers(200))
    const { opened } = tunnel(`http://${userinfo}${server.host}`)
    ;(await opened).destroy()
    expect(server.received[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa(pair)}`)
  })
})

describe.for(['socks5', 'socks5h'])('A connection with %s', (scheme) => {
  test('leads to the service, whose name the proxy resolves', async () => {
    const service = await faultServer(bytes('HTTP/1.1 204 No Content\r\n\r\n'))
    const proxy = await socksProxy({ port: service.port })
    const { opened, sockets } = tunnel(`${scheme}://${proxy.host}`)
    const socket = await opened
    expect(sockets).toEqual([socket])
    socket.write('GET / HTTP/1.1\r\n\r\n')
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 204/)
    expect(proxy.requests).toEqual(['name api.example.net:443'])
    socket.destroy()
  })

  test.for([
    ['192.0.2.7', 'IPv4 c0000207:443'],
    ['[2001:db8::7]', 'IPv6 20010db8000000000000000000000007:443'],
  ] as const)('can lead to an address: %s', async ([host, request]) => {
    const proxy = await socksProxy()
    ;(await tunnel(`${scheme}://${proxy.host}`, { host }).opened).destroy()
    expect(proxy.requests).toEqual([request])
  })

  test('sends the user and the password', async () => {
    const proxy = await socksProxy({ login: { user: 'me', password: 'p@s%s' } })
    ;(await tunnel(`${scheme}://me:p%40s%s@${proxy.host}`).opened).destroy()
    expect(proxy.requests).toHaveLength(1)
  })

  test.for([
    ['wants credentials', '', 'credentials'],
    ['rejects credentials', 'me:geheim@', 'credentials'],
  ] as const)('fails if the proxy %s', async ([, userinfo, failure]) => {
    const proxy = await socksProxy({ login: { user: 'me', password: 'other' } })
    await expect(tunnel(`${scheme}://${userinfo}${proxy.host}`).opened).rejects.toMatchObject({ failure })
  })

  test.for([
    [1, 'General SOCKS server failure', false],
    [2, 'Connection not allowed by ruleset', true],
    [3, 'Network unreachable', false],
    [4, 'Host unreachable', false],
    [5, 'Connection refused', false],
    [6, 'TTL expired', false],
    [7, 'Command not supported', true],
    [8, 'Address type not supported', true],
  ] as const)('fails with reply %i and closes its connection', async ([reply, text, lasting]) => {
    const proxy = await socksProxy({ reply })
    const { opened, sockets } = tunnel(`${scheme}://${proxy.host}`)
    await expect(opened).rejects.toMatchObject({ failure: { answer: `it answers "${text}"`, lasting } })
    expect(sockets[0]?.destroyed).toBe(true)
  })

  test('fails if the proxy speaks HTTP, hangs up, or cannot be reached', async () => {
    const failureOf = async (url: string) =>
      (await tunnel(url).opened.catch((error: ProxyError) => error)) as ProxyError
    const http = await socksProxy({ greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' })
    expect((await failureOf(`${scheme}://${http.host}`)).failure).toEqual({
      answer: 'it does not speak SOCKS5',
      lasting: true,
    })
    const rude = await socksProxy({ greeting: '' })
    expect(await failureOf(`${scheme}://${rude.host}`)).toMatchObject({ failure: { cause: { code: 'ECONNRESET' } } })
    const { host } = new URL(unreachableUrl)
    expect(await failureOf(`${scheme}://${host}`)).toMatchObject({ failure: { cause: { code: 'ECONNREFUSED' } } })
  })

  test('fails at its time limit', async () => {
    const proxy = await socksProxy({ silent: true })
    const { opened, sockets } = tunnel(`${scheme}://${proxy.host}`, { timeoutMs: 50 })
    await expect(opened).rejects.toMatchObject({ failure: { cause: { code: 'ETIMEDOUT' } } })
    expect(sockets[0]?.destroyed).toBe(true)
  })
})
