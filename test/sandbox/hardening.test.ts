import { once } from 'node:events'
import { connect, Server } from 'node:net'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { isNamed } from '../../src/sandbox/sandbox'
import { test } from './fixture'

/** Globals before any server was started. */
const globals = [globalThis.Request, globalThis.Response]

/** Sends bytes as they are and reads until the other side closes. */
function raw(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

const request = (host: string, target = '/v4/regions') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

describe('the host name of a request', () => {
  test('is the loopback address or localhost, with the port', async ({ service: { baseUrl } }) => {
    const { port } = new URL(baseUrl)
    expect(await raw(baseUrl, request(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(baseUrl, request(`localhost:${port}`))).toMatch(/^HTTP\/1.1 200/)
  })

  test.for(['evil.example', '127.0.0.1', '127.0.0.1:1', 'localhost:1', 'localhost.evil.example', '192.0.2.1', '[::1]'])(
    '%s is refused with 421',
    async (name, { service: { baseUrl } }) => {
      const { port } = new URL(baseUrl)
      const host = name.includes(':1') || name === '127.0.0.1' ? name : `${name}:${port}`
      const answer = await raw(baseUrl, request(host))
      expect(answer).toMatch(/^HTTP\/1.1 421/)
      expect(answer).toContain('{"errors":[{"field":null,')
    },
  )

  test('is checked in an absolute target, too', async ({ service: { baseUrl } }) => {
    const { port } = new URL(baseUrl)
    const answer = await raw(baseUrl, request(`127.0.0.1:${port}`, `http://evil.example:${port}/v4/regions`))
    expect(answer).toMatch(/^HTTP\/1.1 421/)
  })

  test('must match the port of the connection, not that of another sandbox in the process', async ({ service }) => {
    const other = await service.sandbox.listen()
    const [own, others] = [service.baseUrl, other.baseUrl].map((url) => new URL(url).host)
    expect(await raw(service.baseUrl, request(own ?? ''))).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(service.baseUrl, request(others ?? ''))).toMatch(/^HTTP\/1.1 421/)
    expect(await raw(other.baseUrl, request(others ?? ''))).toMatch(/^HTTP\/1.1 200/)
  })

  test('must match the port of the connection if the sandbox listens on several', async ({ service }) => {
    const [first = '', second = ''] = [service.baseUrl, (await service.sandbox.listen()).baseUrl]
    expect(await raw(first, request(new URL(second).host))).toMatch(/^HTTP\/1.1 421/)
    expect(await raw(first, request(new URL(first).host))).toMatch(/^HTTP\/1.1 200/)
  })

  test.for(['Host', 'hOST'])(
    'must be sent once: a second or an empty header %s is refused',
    async (name, { service }) => {
      const { host } = new URL(service.baseUrl)
      const twice = [host, 'evil.example', ''].map((second) => `Host: ${host}\r\n${name}: ${second}`)
      for (const lines of [...twice, `${name}:`]) {
        const head = `GET /v4/regions HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`
        const answer = await raw(service.baseUrl, head)
        expect(answer).toMatch(/^HTTP\/1.1 400/)
        expect(answer).toContain('Must have exactly one Host header')
      }
    },
  )

  test('is checked even beside an absolute target that names the sandbox', async ({ service: { baseUrl } }) => {
    const target = `${baseUrl}/regions`
    const { host, port } = new URL(baseUrl)
    expect(await raw(baseUrl, request(host, target))).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(baseUrl, request(`evil.example:${port}`, target))).toMatch(/^HTTP\/1.1 421/)
    expect(await raw(baseUrl, request(host, target.replace('http:', 'https:')))).toMatch(/^HTTP\/1.1 421/)
  })

  test.for<[url: string, host: string, isAccepted: boolean]>([
    ['http://127.0.0.1:8080/', '127.0.0.1', true],
    ['http://localhost:8080/', '127.0.0.1', true],
    ['http://[::1]:8080/', '::1', true],
    ['http://[::1]:8080/', '127.0.0.1', false],
    ['http://127.0.0.1:8081/', '127.0.0.1', false],
    ['http://127.0.0.1/', '127.0.0.1', false],
    ['https://127.0.0.1:8080/', '127.0.0.1', false],
    ['http://192.0.2.1:8080/', '127.0.0.1', false],
    ['http://192.0.2.1:8080/', '0.0.0.0', true],
    ['http://[2001:db8::1]:8080/', '::', true],
    ['http://evil.example:8080/', '0.0.0.0', false],
    ['http://evil.example:8080/', '::', false],
  ])('of %s is accepted by a server on %s: %s', ([url, host, isAccepted]) => {
    expect(isNamed(new URL(url), { host, port: 8080 })).toBe(isAccepted)
  })

  test('needs no port on a server with port 80', () => {
    expect(isNamed(new URL('http://localhost/'), { host: '127.0.0.1', port: 80 })).toBe(true)
  })

  test('is required', async ({ service: { baseUrl } }) => {
    expect(await raw(baseUrl, 'GET /v4/regions HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })
})

describe('a web page', () => {
  test.for<Record<string, string>>([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ])('is refused: %j', async (headers, { service: { baseUrl } }) => {
    const { hostname, port } = new URL(baseUrl)
    const [[name, value] = []] = Object.entries(headers)
    const answer = await raw(
      baseUrl,
      `GET /v4/regions HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${name}: ${value}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 403/)
    expect(answer).not.toMatch(/access-control/i)
  })

  test('is not assumed for a URL from the address bar', async ({ service: { call } }) => {
    expect((await call('GET /regions', { headers: { 'Sec-Fetch-Site': 'none' } })).status).toBe(200)
  })
})

const evil = 'Origin: https://evil.example'

/** Requests as browsers send them for a page. */
const fromPages: [sender: string, start: string, headers: string[], body?: string][] = [
  ['a form of plain text', 'POST /v4/volumes', ['Origin: null', 'Content-Type: text/plain'], '{"label":"a"}'],
  ['a fetch with no-cors', 'POST /v4/volumes', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'], '{}'],
  ['a beacon', 'POST /v4/volumes', [evil, 'Content-Type: application/json'], '{}'],
  ['an image', 'GET /v4/regions', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: image']],
  ['a page of the same machine', 'GET /v4/regions', ['Origin: http://localhost:3000']],
  ['an extension', 'GET /v4/regions', ['Origin: chrome-extension://abcdefghijklmnop']],
  ['a preflight of a DELETE', 'OPTIONS /v4/volumes/3002', [evil, 'Access-Control-Request-Method: DELETE']],
  [
    'a preflight of the control path',
    'OPTIONS /sandbox/control',
    [evil, 'Access-Control-Request-Method: PUT', 'Access-Control-Request-Headers: x-skyctl-sandbox'],
  ],
  ['the control path', 'PUT /sandbox/control', [evil, 'X-Skyctl-Sandbox: control'], '{"latency_ms":600000}'],
  [
    'a WebSocket',
    'GET /v4/regions',
    [evil, 'Upgrade: websocket', 'Connection: Upgrade, close', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
  ],
]

describe('a request that a browser sends for a page', () => {
  test.for(fromPages)('is refused without CORS headers: %s', async ([, start, headers, body = ''], { service }) => {
    const before = service.sandbox.describe()
    const { host } = new URL(service.baseUrl)
    const authorization = `Authorization: Bearer ${service.sandbox.ownerToken}`
    const lines = [`${start} HTTP/1.1`, `Host: ${host}`, authorization, ...headers, `Content-Length: ${body.length}`]
    const close = headers.some((header) => header.startsWith('Connection')) ? [] : ['Connection: close']
    const answer = await raw(service.baseUrl, [...lines, ...close, '', body].join('\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 403/)
    expect(answer).not.toMatch(/access-control/i)
    expect(service.sandbox.describe()).toEqual(before)
  })

  test('is refused with 421 after DNS rebinding', async ({ service: { baseUrl } }) => {
    const { port } = new URL(baseUrl)
    expect(await raw(baseUrl, request(`evil.example:${port}`, '/sandbox/control'))).toMatch(/^HTTP\/1\.1 421/)
  })
})

describe('the server', () => {
  test('listens on loopback and a free port by default', async ({ service: { baseUrl } }) => {
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v4$/)
  })

  test('reports a port that is in use', async ({ service: { baseUrl }, open }) => {
    const { sandbox } = await open()
    const port = Number(new URL(baseUrl).port)
    await expect(sandbox.listen({ port })).rejects.toMatchObject({
      code: 'local',
      message: `cannot listen on 127.0.0.1:${port}: the port is in use`,
    })
  })

  test('reports why it cannot listen', async ({ open }) => {
    const { sandbox } = await open()
    await expect(sandbox.listen({ host: '203.0.113.7', port: 7000 })).rejects.toMatchObject({
      code: 'local',
      message: expect.stringMatching(/^cannot listen on 203\.0\.113\.7:7000: listen EADDRNOTAVAIL: /),
    })
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      const denied = Object.assign(new Error('listen EACCES: permission denied'), { code: 'EACCES' })
      return process.nextTick(() => this.emit('error', denied)) ?? this
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(sandbox.listen({ port: 80 })).rejects.toMatchObject({
      code: 'local',
      message: 'cannot listen on 127.0.0.1:80: permission denied',
    })
  })

  test('listens on every address if requested, and then accepts any address but no host name', async ({ open }) => {
    const { sandbox } = await open()
    const { baseUrl } = await sandbox.listen({ host: '0.0.0.0' })
    const { port } = new URL(baseUrl)
    const local = `http://127.0.0.1:${port}/v4`
    expect(await raw(local, request(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(local, request(`192.0.2.9:${port}`))).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(local, request(`evil.example:${port}`))).toMatch(/^HTTP\/1.1 421/)
  })

  test.for([
    ['that is idle', ''],
    ['in the middle of a request', 'GET /v4/regions HTTP/1.1\r\n'],
  ])('ends a connection %s when it closes', async ([, partial], { open }) => {
    const { sandbox, baseUrl } = await open()
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const closed = new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
    socket.write(`GET /v4/regions HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n${partial}`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 200/)
    await sandbox.close()
    await closed
    await expect(fetch(`${baseUrl}/regions`)).rejects.toThrow()
  })

  test('aborts delayed answers when it closes', async ({ open }) => {
    const { sandbox, call } = await open({ latencyMs: 600_000 })
    const overSocket = call('GET /regions').catch(() => 'cut off')
    await expect.poll(() => sandbox.world.requests()).toHaveLength(1)
    await sandbox.close()
    expect(await overSocket).toBe('cut off')
  })

  test('does not replace the global Request and Response', async ({ service: { call } }) => {
    await call('GET /regions')
    expect([globalThis.Request, globalThis.Response]).toEqual(globals)
  })

  test.for([
    ['an asterisk as target', '*'],
    ['a target that is not a URL', 'http://'],
    ['a backslash in the path', '/v4\\volumes'],
  ])('refuses %s with an error in the format of the API', async ([, target = ''], { service: { baseUrl } }) => {
    const answer = await raw(baseUrl, request(new URL(baseUrl).host, target))
    expect(answer).toMatch(/^HTTP\/1.1 400/)
    expect(answer).toContain('{"errors":[{"field":null,"reason":"The host and the target must make a URL"}]}')
  })

  test.for(['constructor', '__proto__', 'toString'])('accepts a header of any name: %s', async (name, { service }) => {
    const { host } = new URL(service.baseUrl)
    const head = `GET /v4/regions HTTP/1.1\r\nHost: ${host}\r\n${name}: x\r\nConnection: close\r\n\r\n`
    expect(await raw(service.baseUrl, head)).toMatch(/^HTTP\/1.1 200/)
  })

  test('does not mistake the value of a header for a name', async ({ service: { baseUrl } }) => {
    const head = `GET /v4/regions HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\nX-Note: origin\r\nConnection: close\r\n\r\n`
    expect(await raw(baseUrl, head)).toMatch(/^HTTP\/1.1 200/)
  })

  test('refuses a request with two tokens', async ({ service: { baseUrl, sandbox } }) => {
    const authorization = `Authorization: Bearer ${sandbox.ownerToken}\r\n`
    const head = (token: string) =>
      `GET /v4/volumes HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\n${token}Connection: close\r\n\r\n`
    expect(await raw(baseUrl, head(authorization))).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(baseUrl, head(authorization + authorization))).toMatch(/^HTTP\/1.1 401/)
  })

  test('answers HEAD like GET, without the body', async ({ service: { baseUrl, sandbox } }) => {
    const send = (method: string) =>
      raw(
        baseUrl,
        `${method} /v4/volumes/3001 HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\n` +
          `Authorization: Bearer ${sandbox.ownerToken}\r\nConnection: close\r\n\r\n`,
      )
    const [head = '', body] = (await send('GET')).split('\r\n\r\n')
    expect(body).toContain('"id":3001')
    expect((await send('HEAD')).replace(/Remaining: \d+/, '')).toBe(`${head.replace(/Remaining: \d+/, '')}\r\n\r\n`)
  })

  test('leaves idle connections open: a client that stands still for seconds loses no request', async ({
    service: { call },
  }) => {
    const { headers } = await call('GET /regions')
    // Node names the time after which it closes one: `timeout=5`.
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null])
  })

  test.for(['close', 'keep-alive'])(
    'refuses a body over 1 MiB while it is being sent: Connection: %s',
    async (connection, { service: { baseUrl, sandbox } }) => {
      const { host } = new URL(baseUrl)
      const body = 'x'.repeat(8 * 1024 * 1024)
      const head = `Host: ${host}\r\nAuthorization: Bearer ${sandbox.ownerToken}\r\nContent-Length: ${body.length}\r\n`
      const large = `POST /v4/volumes HTTP/1.1\r\n${head}Connection: ${connection}\r\n\r\n${body}`
      // The rest of the body is not parsed as a request.
      const next = connection === 'close' ? '' : request(host)
      const statuses = (await raw(baseUrl, large + next)).match(/HTTP\/1.1 \d+/g)
      expect(statuses).toEqual(['HTTP/1.1 413', ...(next && ['HTTP/1.1 200'])])
    },
  )

  test('does not read more than 64 MiB of a body', async ({ service: { baseUrl, sandbox } }) => {
    const { host } = new URL(baseUrl)
    const head = `Host: ${host}\r\nAuthorization: Bearer ${sandbox.ownerToken}\r\nContent-Length: 99999999\r\n`
    const partial = `POST /v4/volumes HTTP/1.1\r\n${head}Connection: close\r\n\r\n${'x'.repeat(64 * 1024 * 1024 + 1)}`
    expect(await raw(baseUrl, partial)).toMatch(/^HTTP\/1.1 413/)
  })

  test('prefers a literal path segment to a parameter', async ({ service: { call } }) => {
    const { body } = await call('GET /regions/availability')
    expect(body.data).toBeInstanceOf(Array)
    const answer = await call('GET /networking/ips/assign')
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })

  test('survives input that is not HTTP', async ({ service: { baseUrl, call } }) => {
    expect(await raw(baseUrl, '\u0000\u0001 nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
    expect((await call('GET /regions')).status).toBe(200)
  })
})
