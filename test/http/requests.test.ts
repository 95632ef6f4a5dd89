/** Requests: their paths, headers and bodies, and the proxy that they use. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { regions } from '../../src/catalogue/regions'
import { fillPath, wirePath } from '../../src/http/request-path'
import fc from '../support/fast-check'
import { faultServer, reply, reset } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { usEast } from '../support/records'
import { observedClient, token } from '../support/service-client'

const volume = { id: 1, label: 'data', size: 20 }

describe('A path', () => {
  test('has ids and region ids as parameters', async () => {
    expect(await fillPath('/volumes/{volumeId}/attach', { volumeId: 2 ** 53 - 1 })).toBe(
      '/volumes/9007199254740991/attach',
    )
    expect(await fillPath('/regions/{regionId}', { regionId: 'us-east' })).toBe('/regions/us-east')
  })

  test.each(['..', '.', '', '0', '-1', '1e3', '01', '９', '1/2', '%2e%2e', '1?x', '9007199254740992', 1.5, Number.NaN])(
    'refuses %j as an id',
    async (volumeId) => {
      await expect(fillPath('/volumes/{volumeId}', { volumeId })).rejects.toThrow(
        expect.objectContaining({ code: 'usage' }),
      )
    },
  )

  test.each(['..', '', 'us east', 'us/east', 'us%2feast', 'us-', 'us\n', 'ü'])(
    'refuses %j as a region id',
    async (regionId) => {
      await expect(fillPath('/regions/{regionId}', { regionId })).rejects.toThrow(
        expect.objectContaining({ code: 'usage' }),
      )
    },
  )

  test('has addresses as parameters, percent-encoded', async () => {
    expect(await fillPath('/networking/ips/{address}', { address: '192.0.2.11' })).toBe('/networking/ips/192.0.2.11')
    expect(await fillPath('/networking/ipv6/ranges/{range}', { range: '2001:db8::' })).toBe(
      '/networking/ipv6/ranges/2001%3Adb8%3A%3A',
    )
  })

  test.each(['..', '', '192.0.2', '010.0.0.1', '2001:db8::/64', 'fe80::1%eth0', '::1/..', '1?x', 'x'])(
    'refuses %j as an address',
    async (address) => {
      await expect(fillPath('/networking/ips/{address}', { address })).rejects.toThrow(
        expect.objectContaining({ code: 'usage' }),
      )
    },
  )

  test('refuses a missing parameter', async () => {
    await expect(fillPath('/volumes/{volumeId}', {})).rejects.toThrow(expect.objectContaining({ code: 'usage' }))
  })

  test.each([
    'volumes',
    '//evil.example/volumes/..',
    '/..',
    '/volumes/../profile',
    '/volumes/%2e%2E/profile',
    '/./volumes',
    '/volumes\\..\\profile',
    '/vol umes',
    '/volumes\n',
    '/volumes#x',
    '/volumes?x#y',
    '@evil.example/',
    '.evil.example/',
    ':80/',
    '',
    '/a%',
    '/a%2/b',
    '/a%zz',
    '/a"b',
    '/a\u00e4',
  ])('written by hand is refused if it is invalid or leads elsewhere: %j', (path) => {
    expect(() => wirePath('https://api.example.net/v4', path)).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  test.for(['/a//b', "/a-b_c.d~!$&'()*+,;=:@", '/a%2F%e4', '/a?b?c', '/'])('written by hand can be %s', (path) => {
    expect(wirePath('https://api.example.net/v4', path)).toBe(path)
  })

  test('written by hand keeps its query, percent-encoded', () => {
    expect(wirePath('https://api.example.net/v4', '/volumes?a=1&b=x y?')).toBe('/volumes?a=1&b=x%20y?')
  })

  test('of a page stays unchanged, without parsing a URL', () => {
    const parser = vi.spyOn(globalThis, 'URL')
    onTestFinished(() => parser.mockRestore())
    const path = '/volumes?page=2&page_size=100'
    expect(wirePath('https://api.example.net/v4', path)).toBe(path)
    expect(parser).not.toHaveBeenCalled()
  })

  test('never leaves the base URL, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('/', '.', '%2e', '%2f', '\\', '@', ':', '?', '#', 'a', '\t') }),
        (text) => {
          const base = 'https://api.example.net/v4'
          let path: string
          try {
            path = wirePath(base, text)
          } catch {
            return
          }
          expect(new URL(base + path).href.startsWith(`${base}/`)).toBe(true)
        },
      ),
    )
  })
})

describe('A request', () => {
  test('has the token, the user agent, and its body as JSON', async () => {
    const server = await faultServer(reply(200, { id: 1, label: 'data' }))
    const { client } = observedClient(`http://${server.host}/v4`)
    await client.call(volumes.create, { body: { label: 'data', size: 12345678901234567890n } })
    expect(server.received).toEqual([
      {
        method: 'POST',
        path: '/v4/volumes',
        body: '{"label":"data","size":12345678901234567890}',
        headers: {
          host: server.host,
          connection: 'keep-alive',
          accept: 'application/json',
          'accept-encoding': 'gzip',
          'user-agent': 'skyctl/test',
          'content-type': 'application/json',
          'content-length': '44',
          authorization: `Bearer ${token}`,
        },
      },
    ])
  })

  test('reports to --debug the duration until its answer or its failure', async () => {
    const { debug, client } = observedClient(`http://${(await faultServer(reply(200, {}))).host}/v4`)
    await client.call(volumes.detach, { path: { volumeId: 1 } })
    expect(debug).toContain('< 200 in 0 ms')
    const failing = observedClient(`http://${(await faultServer(reset())).host}/v4`, { retries: 0 })
    await expect(failing.client.call(volumes.detach, { path: { volumeId: 1 } })).rejects.toThrow('broke')
    expect(failing.debug.at(-1)).toMatch(/^< the connection to .* broke \(.*\) after 0 ms$/)
  })

  test('without a body has no content type', async () => {
    const server = await faultServer(reply(200, {}))
    const { client } = observedClient(`http://${server.host}/v4`)
    await client.call(volumes.detach, { path: { volumeId: 1 } })
    expect(server.received[0]).toMatchObject({ method: 'POST', path: '/v4/volumes/1/detach', body: '' })
    expect(server.received[0]?.headers).not.toHaveProperty('content-type')
  })

  test('has no token if the operation needs none, or none is set', async () => {
    const server = await faultServer([reply(200, usEast), reply(200, volume)])
    await observedClient(`http://${server.host}`).client.call(regions.view, { path: { regionId: 'us-east' } })
    await observedClient(`http://${server.host}`, { token: '' }).client.call(volumes.view, { path: { volumeId: 1 } })
    expect(server.received.map(({ path }) => path)).toEqual(['/regions/us-east', '/volumes/1'])
    for (const { headers } of server.received) expect(headers).not.toHaveProperty('authorization')
  })

  test('has its filter in ASCII', async () => {
    const server = await faultServer(reply(200, { data: [], page: 1, pages: 1, results: 0 }))
    const { client } = observedClient(`http://${server.host}`)
    for await (const _ of client.pages(volumes.list, { filter: { label: 'dätä 💾\u007f' } }));
    expect(server.received[0]?.headers['x-filter']).toBe('{"label":"d\\u00e4t\\u00e4 \\ud83d\\udcbe\\u007f"}')
  })

  test('without an operation returns status, headers and body', async () => {
    const server = await faultServer([reply(200, [1], { 'x-spec-version': '4.176.0' }), reply(204, '')])
    const { client } = observedClient(`http://${server.host}`)
    const request = {
      method: 'GET',
      path: '/anything?a=b',
      headers: { 'x-filter': '{}' },
      idempotency: 'safe',
    } as const
    expect(await client.onceAny(request)).toMatchObject({
      status: 200,
      headers: { 'x-spec-version': '4.176.0' },
      answer: [1],
    })
    expect(await client.onceAny(request)).toMatchObject({ status: 204, answer: null })
    expect(server.received[0]).toMatchObject({ path: '/anything?a=b', headers: { 'x-filter': '{}' } })
  })

  test('cannot replace the token with a header', async () => {
    const server = await faultServer(reply(200, {}))
    const { client } = observedClient(`http://${server.host}`)
    await client.onceAny({ method: 'GET', path: '/', headers: { authorization: 'Bearer other' }, idempotency: 'safe' })
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${token}`)
  })
})

describe('A proxy', () => {
  test.for([
    ['https://api.example.net/v4', 'api.example.net:443'],
    ['https://api.example.net:8443/v4', 'api.example.net:8443'],
  ] as const)('of the environment is used: for %s it connects to %s', async ([baseUrl, target]) => {
    const proxy = await faultServer(reply(403, ''))
    const { client } = observedClient(baseUrl, {
      env: { HTTPS_PROXY: `http://${proxy.host}` },
      retries: 0,
    })
    await expect(client.call(volumes.view, { path: { volumeId: 1 } })).rejects.toMatchObject({ code: 'unavailable' })
    expect(proxy.received).toMatchObject([{ method: 'CONNECT', path: target }])
    expect(JSON.stringify(proxy.received)).not.toContain(token)
  })

  test('is not used for the hosts of NO_PROXY', async () => {
    const proxy = await faultServer(reply(403, ''))
    const env = { https_proxy: `http://${proxy.host}`, no_proxy: 'other.example,.invalid' }
    const { client } = observedClient('https://api.invalid/v4', { env, retries: 0 })
    await expect(client.call(volumes.view, { path: { volumeId: 1 } })).rejects.toMatchObject({ code: 'unavailable' })
    expect(proxy.received).toEqual([])
  })

  test('is reported without its user and password, in the problem, to --debug and with -v', async () => {
    const proxy = await faultServer(reply(403, ''))
    const env = { HTTPS_PROXY: `http://ada:hunter2@${proxy.host}` }
    const { client, debug, notes, warnings } = observedClient('https://service.invalid', { env, retries: 0 })
    const failure = await client.call(volumes.view, { path: { volumeId: 1 } }).catch((error) => error)
    const output = JSON.stringify([failure.message, failure.stack, failure.details, debug, notes, warnings])
    expect(output).toContain('proxy')
    expect(output).not.toMatch(/hunter2|ada|YWRhOmh1bnRlcjI/)
  })
})
