/** Selection of the proxy for a service, exemptions from it, and tunnels through it (RFC 9110, 9.3.6). */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openTunnel, ProxyError, proxyFor } from '../../src/http/proxy'
import type { Environment } from '../../src/rules/environment'
import { bytes, faultServer, silence } from '../support/fault-server'
import { unreachableUrl } from '../support/nonexistent'

const proxyUrl = 'http://proxy.example.net:3128'
const hrefOfProxy = async (env: Environment, service = 'https://api.example.net/v4') =>
  (await proxyFor(new URL(service), env))?.href

describe('The proxy', () => {
  test.for<[string, Environment, string | undefined]>([
    ['is none without variables', {}, undefined],
    ['is none if the variables are empty', { HTTPS_PROXY: '', https_proxy: '' }, undefined],
    ['is the value of HTTPS_PROXY', { HTTPS_PROXY: proxyUrl }, `${proxyUrl}/`],
    ['is the value of https_proxy', { https_proxy: proxyUrl }, `${proxyUrl}/`],
    [
      'is the value of https_proxy if both are set',
      { https_proxy: proxyUrl, HTTPS_PROXY: 'http://other.example' },
      `${proxyUrl}/`,
    ],
    ['is the value of HTTPS_PROXY if https_proxy is empty', { https_proxy: '', HTTPS_PROXY: proxyUrl }, `${proxyUrl}/`],
    ['is never the value of HTTP_PROXY', { HTTP_PROXY: proxyUrl, http_proxy: proxyUrl }, undefined],
    ['uses HTTP without a scheme', { HTTPS_PROXY: 'proxy.example.net:3128' }, `${proxyUrl}/`],
    ['can use TLS', { HTTPS_PROXY: 'https://proxy.example.net' }, 'https://proxy.example.net/'],
    ['can end with a slash', { HTTPS_PROXY: `${proxyUrl}/` }, `${proxyUrl}/`],
  ])('%s', async ([, env, proxy]) => {
    expect(await hrefOfProxy(env)).toBe(proxy)
  })

  test.for([
    'http://127.0.0.1:8080/v4',
    'http://api.example.net/v4',
    'https://127.0.0.1/v4',
    'https://127.9.9.9/v4',
    'https://localhost/v4',
    'https://[::1]:8443/v4',
  ])('is not used for %s', async (service) => {
    expect(await hrefOfProxy({ HTTPS_PROXY: proxyUrl }, service)).toBeUndefined()
  })

  test.for([
    'socks5://proxy.example.net',
    'httpsx://proxy.example.net',
    'xhttp://proxy.example.net',
    'http://',
    'http://a:b@:x',
    'http://a:1/geheim@proxy.example.net',
    'http://a:1?geheim@proxy.example.net',
    'http://a:1#geheim@proxy.example.net',
    'http://proxy.example.net//',
  ])('is rejected without quoting it if it is not a proxy URL: %s', async (HTTPS_PROXY) => {
    await expect(hrefOfProxy({ HTTPS_PROXY })).rejects.toMatchObject({
      code: 'usage',
      message: 'HTTPS_PROXY is not the URL of a proxy',
      details: { hint: 'Write it as http://proxy.example.net:3128, and / ? # in a password as %2F %3F %23' },
    })
  })
})

describe('NO_PROXY', () => {
  const isDirect = async (NO_PROXY: string, service: string) =>
    (await hrefOfProxy({ HTTPS_PROXY: proxyUrl, NO_PROXY }, service)) === undefined

  test.for([
    ['*', 'api.example.net'],
    ['other,*', 'api.example.net'],
    ['api.example.net', 'api.example.net'],
    ['API.Example.NET', 'api.example.net'],
    ['example.net', 'api.example.net'],
    ['.example.net', 'api.example.net'],
    ['.example.net', 'example.net'],
    ['*.example.net', 'api.example.net'],
    ['a b,\tapi.example.net', 'api.example.net'],
    ['api.example.net:443', 'api.example.net'],
    ['api.example.net:8443', 'api.example.net:8443'],
    ['example.net:8443', 'api.example.net:8443'],
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.7'],
    ['10.0.0.0/8, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.99/24', '192.0.2.7'],
    ['0.0.0.0/0', '192.0.2.7'],
    ['192.0.2.7:443', '192.0.2.7'],
    ['2001:DB8:0::7', '[2001:db8::7]'],
    ['2001:db8::/32', '[2001:db8::7]'],
    ['[2001:db8::7]', '[2001:db8::7]'],
    ['[2001:db8::7]:8443', '[2001:db8::7]:8443'],
  ] as const)('%j exempts %s', async ([list, host]) => {
    expect(await isDirect(list, `https://${host}/v4`)).toBe(true)
  })

  test.for([
    ['', 'api.example.net'],
    [',', 'api.example.net'],
    ['*.', 'api.example.net'],
    ['.', 'api.example.net'],
    [':443', 'api.example.net'],
    ['pi.example.net', 'api.example.net'],
    ['example.ne', 'api.example.net'],
    ['api.example.net.org', 'api.example.net'],
    ['x.api.example.net', 'api.example.net'],
    ['api.example.net:8443', 'api.example.net'],
    ['api.example.net:443', 'api.example.net:8443'],
    ['api.example.net:', 'api.example.net'],
    ['x*.example.net', 'api.example.net'],
    ['192.0.2.7', 'api.example.net'],
    ['192.0.2.8', '192.0.2.7'],
    ['2.7, .2.7, 192.0.2, 192.0.2.70', '192.0.2.7'],
    ['192.0.2.0/30', '192.0.2.7'],
    ['192.0.2.0/33, 192.0.2.0/, /24, 192.0.2.0/-1', '192.0.2.7'],
    ['::/0', '192.0.2.7'],
    ['2001:db9::/32, 0.0.0.0/0', '[2001:db8::7]'],
    ['192.0.2.0/24, 0.0.0.0/0', 'api.example.net'],
    ['192.0.2.7:8443', '192.0.2.7'],
    ['[2001:db8::7]:8443', '[2001:db8::7]'],
    ['x192.0.2.7', '192.0.2.7'],
    ['192.0.2.7x', '192.0.2.7'],
    ['example.net', '192.0.2.7'],
  ] as const)('%j does not exempt %s', async ([list, host]) => {
    expect(await isDirect(list, `https://${host}/v4`)).toBe(false)
  })

  test('in lower case has precedence, also if it is empty', async () => {
    const env = { HTTPS_PROXY: proxyUrl, NO_PROXY: '*', no_proxy: '' }
    expect(await hrefOfProxy(env)).toBe(`${proxyUrl}/`)
    expect(await hrefOfProxy({ HTTPS_PROXY: proxyUrl, NO_PROXY: '', no_proxy: '*' })).toBeUndefined()
  })
})

describe('A tunnel', () => {
  const answers = (status: number) => bytes(`HTTP/1.1 ${status} Reason\r\n\r\n`)

  function tunnel(url: string, { timeoutMs = 20_000, to = 'api.example.net:443' } = {}) {
    const sockets: Socket[] = []
    const opened = openTunnel({ proxy: new URL(url), to, timeoutMs, onSocket: (socket) => void sockets.push(socket) })
    return { opened, sockets }
  }

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
    expect(error).toMatchObject({ name: 'ProxyError', host: server.host, reason: { status } })
    expect(sockets[0]?.destroyed).toBe(true)
    expect(String(error)).toBe(`ProxyError: the proxy ${server.host} failed`)
  })

  test('fails with the reason if the proxy cannot be reached', async () => {
    const { host } = new URL(unreachableUrl)
    await expect(tunnel(unreachableUrl).opened).rejects.toMatchObject({
      host,
      cause: { code: 'ECONNREFUSED' },
      reason: { cause: { code: 'ECONNREFUSED' } },
    })
  })

  test('fails at its time limit', async () => {
    const server = await faultServer(silence)
    await expect(tunnel(`http://${server.host}`, { timeoutMs: 50 }).opened).rejects.toMatchObject({
      host: server.host,
      cause: { name: 'AbortError' },
    })
  })

  test('is not requested from a proxy with an untrusted certificate', async () => {
    const server = await faultServer(answers(200), 'good')
    const refused = tunnel(`https://127.0.0.1:${server.port}`)
    await expect(refused.opened).rejects.toMatchObject({
      reason: { cause: { code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) } },
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
