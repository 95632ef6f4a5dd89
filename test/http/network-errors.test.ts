/** Network errors and unusual answers (reliability.md, Faults that the real binary must survive). */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type ErrorCode, Problem } from '../../src/errors'
import type { Client } from '../../src/http/client'
import type { Limits } from '../../src/http/deadline'
import { bundleScript } from '../support/bundle'
import {
  bytes,
  bytesAndEnd,
  certificateFile,
  certificatePair,
  drip,
  faultServer,
  head,
  reply,
  reset,
  type Script,
  silence,
} from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { observedClient } from '../support/service-client'

const reads = (client: Client) => client.call(volumes.view, { path: { volumeId: 1 } })
const replaces = (client: Client) => client.call(volumes.update, { path: { volumeId: 1 }, body: { label: 'a' } })
const creates = (client: Client) => client.call(volumes.create, { body: { label: 'a', region: 'us-east' } })
const resizes = (client: Client) => client.call(volumes.resize, { path: { volumeId: 1 }, body: { size: 40 } })

async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const failure = await promise.then(
    (value) => new Error(`it succeeded with ${JSON.stringify(value)}`),
    (error) => error,
  )
  if (!(failure instanceof Problem)) throw failure
  return failure
}

/** Opens a server and a client of it, which are closed when the test of this context ends. */
async function connect({ onTestFinished }: TestContext, script: Script | Script[], limits: Partial<Limits> = {}) {
  const server = await faultServer(script, undefined, onTestFinished)
  return { server, ...observedClient(`http://${server.host}`, {}, limits, onTestFinished) }
}

/** Short, but a silent attempt still takes up to a second: undici's timers are coarse. */
const shortLimits = { headersMs: 200, bodyMs: 200, connectMs: 300, bytes: 1000 }
const json = { 'content-type': 'application/json' }

const broken: Record<string, Script> = {
  'a reset before the headers': reset(),
  'an end before the headers': bytesAndEnd(''),
  'a reset within the headers': reset('HTTP/1.1 200 OK\r\ncontent-'),
  'an end within the headers': bytesAndEnd('HTTP/1.1 200 OK\r\ncontent-'),
  'a reset within the body': reset(`${head(200, { ...json, 'content-length': '20' })}{"id":`),
  'a body that is too short': bytesAndEnd(`${head(200, { ...json, 'content-length': '20' })}{"id":1}`),
  'a cut chunk': bytesAndEnd(`${head(200, { ...json, 'transfer-encoding': 'chunked' })}10\r\n{"id":1}`),
  'a cut chunk with connection: close': bytesAndEnd(
    `${head(200, { connection: 'close', 'transfer-encoding': 'chunked' })}10\r\n{"id":1}`,
  ),
  'chunks without an end': bytesAndEnd(`${head(200, { ...json, 'transfer-encoding': 'chunked' })}8\r\n{"id":1}\r\n`),
  'a silent server': silence,
  'silence within the body': bytes(`${head(200, { ...json, 'content-length': '20' })}{"id":`),
}

// Concurrent, since silence takes a second for each attempt. The longest tests come first.
describe.concurrent('A broken connection', () => {
  test.for(Object.entries(broken))('fails a read after three attempts: %s', async ([, script], context) => {
    const { server, client, pauses } = await connect(context, script, shortLimits)
    expect(await problemOf(reads(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(server.host),
      details: { retryable: true, request: { method: 'GET', path: '/volumes/1' } },
    })
    expect(server.received).toHaveLength(3)
    expect(pauses).toEqual([500, 1000])
  })

  test.for(Object.entries(broken))(
    'is followed by a second attempt of an idempotent request: %s',
    async ([, script], context) => {
      const { server, client, notes } = await connect(context, [script, reply(200, { id: 1 })], shortLimits)
      expect(await replaces(client)).toEqual({ id: 1 })
      expect(server.received).toHaveLength(2)
      expect(notes).toEqual([expect.stringMatching(/^PUT \/volumes\/1: .+; attempt 2 of 3 in 0\.5s$/)])
    },
  )

  const posts = Object.entries(broken).flatMap(([name, script]) => [
    ['a creation', name, script, creates] as const,
    ['a resize', name, script, resizes] as const,
  ])
  test.for(posts)('leaves the outcome of %s unknown: %s', async ([, , script, call], context) => {
    const { server, client } = await connect(context, script, shortLimits)
    expect(await problemOf(call(client))).toMatchObject({
      code: 'outcome_unknown',
      details: { request: { method: 'POST' }, hint: expect.stringContaining('before you try again') },
    })
    expect(server.received).toHaveLength(1)
  })
})

describe.concurrent('A slow server', () => {
  test('is given up at the time limit of the command', async ({ onTestFinished }) => {
    const server = await faultServer(drip(20), undefined, onTestFinished)
    const { client } = observedClient(`http://${server.host}`, { timeoutMs: 2000 }, {}, onTestFinished)
    expect(await problemOf(reads(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ within [\d.]+ (?:s|ms)$/),
      details: { hint: expect.stringContaining('--timeout') },
    })
    expect(server.received).toHaveLength(1)
  })

  test('is given up if it does not finish the TLS handshake', async ({ onTestFinished }) => {
    const mute = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    const { client } = observedClient(`https://127.0.0.1:${port}`, { retries: 0 }, { connectMs: 300 }, onTestFinished)
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: `127.0.0.1:${port} did not accept the connection in time`,
    })
    mute.close()
  })
})

const unlimited: Record<string, [Script, RegExp, ErrorCode?]> = {
  'not HTTP': [bytesAndEnd('SSH-2.0-OpenSSH_9.2\r\n'), /not HTTP/],
  'endless headers': [
    bytes(`HTTP/1.1 200 OK\r\n${'x-filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)}`),
    /headers.*16 KiB/,
  ],
  'a Content-Length over the limit': [bytes(head(200, { 'content-length': '1073741824' })), /32 MiB/, 'too_large'],
  'an endless body': [
    (socket) => {
      socket.write(head(200, { 'transfer-encoding': 'chunked' }))
      socket.write('1000\r\n'.padEnd(0x1008, ' '))
    },
    /32 MiB/,
    'too_large',
  ],
}

test.for(Object.entries(unlimited))(
  'An invalid response fails a read without a second attempt: %s',
  async ([, [script, message, code = 'not_the_api']], context) => {
    const { server, client } = await connect(context, script, shortLimits)
    expect(await problemOf(reads(client))).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(server.received).toHaveLength(1)
  },
)

const unreadable: Record<string, [Script, RegExp, ErrorCode?]> = {
  'truncated JSON': [reply(200, '{"id": 1'), /not JSON$/],
  HTML: [reply(200, '<html>Sign in</html>', { 'content-type': 'text/html' }), /not JSON but text\/html/, 'not_the_api'],
  'an empty body': [reply(200, ''), /empty/, 'not_the_api'],
  'a list instead of an object': [reply(200, [{ id: 1 }]), /it is a list, not an object/],
  'an object without its id': [reply(200, { label: 'a' }), /id is missing/],
  'errors with status 200': [reply(200, { errors: [{ reason: 'No' }] }), /reports errors/],
  'a gzip bomb': [
    reply(200, gzipSync(Buffer.alloc(2001, ' ')), { 'content-encoding': 'gzip' }),
    /unpacked/,
    'too_large',
  ],
}

// One of each kind, to see the consequences for the request: answer.test.ts has all of them.
describe.each(Object.entries(unreadable))('An unreadable answer (%s)', (_, [script, message, readCode = 'defect']) => {
  test.for([
    ['fails a GET', reads, readCode],
    ['leaves the outcome of a POST unknown', creates, 'outcome_unknown'],
  ] as const)('%s', async ([, call, code], context) => {
    const { server, client } = await connect(context, script, { bytes: 2000 })
    expect(await problemOf(call(client))).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(server.received).toHaveLength(1)
  })

  test('leaves the outcome of a PUT unknown, and sends nothing more', async (context) => {
    const { server, client } = await connect(context, script, { bytes: 2000 })
    expect(await problemOf(replaces(client))).toMatchObject({ code: 'outcome_unknown' })
    expect(server.received.map(({ method }) => method)).toEqual(['PUT'])
  })
})

const readable: Record<string, [Script, unknown]> = {
  'another content type': [reply(200, '{"id":1}', { 'content-type': 'text/plain' }), { id: 1 }],
  chunks: [bytes(`${head(200, { 'transfer-encoding': 'chunked' })}4\r\n{"id\r\n4\r\n":1}\r\n0\r\n\r\n`), { id: 1 }],
  'the end of the connection instead of a length': [
    bytesAndEnd(`${head(200, { connection: 'close' })}{"id":1}`),
    { id: 1 },
  ],
  'many interim responses before it': [
    bytes(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nwarning: 299 - "a"\r\n\r\n'.repeat(50) +
        `HTTP/1.1 103 Early Hints\r\ncontent-length: 99999999\r\n\r\nHTTP/1.1 199 Odd\r\n\r\n` +
        `${head(200, { 'content-length': '8' })}{"id":1}`,
    ),
    { id: 1 },
  ],
}

describe('An answer', () => {
  test.for(Object.entries(readable))('can have %s', async ([, [script, expected]], context) => {
    const { client } = await connect(context, script)
    expect(await reads(client)).toEqual(expected)
  })

  test.each([
    ['GET', reads],
    ['POST', creates],
  ] as const)('is missing after an interim response or a change of the protocol: %s', async (method, call) => {
    const server = await faultServer(bytesAndEnd('HTTP/1.1 102 Processing\r\n\r\n'))
    const { client } = observedClient(`http://${server.host}`, { retries: 0 })
    const code = method === 'GET' ? 'unavailable' : 'outcome_unknown'
    expect(await problemOf(call(client))).toMatchObject({ code })
    const switching = await faultServer(bytes('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n{"id":1}'))
    const other = observedClient(`http://${switching.host}`, { retries: 0 })
    expect((await problemOf(call(other.client))).code).toMatch(/^(unavailable|defect|outcome_unknown)$/)
  })

  test.each([
    ['{}', {}],
    ['', {}],
  ])('of an operation without a result can be %j', async (body, expected) => {
    const server = await faultServer(reply(body === '' ? 204 : 200, body))
    const { client } = observedClient(`http://${server.host}`)
    expect(await client.call(volumes.delete, { path: { volumeId: 1 } })).toEqual(expected)
  })

  test('of an operation without a result is not a success if it reports errors', async () => {
    const server = await faultServer(reply(200, { errors: [{ field: null, reason: 'Compute busy.' }] }))
    const { client } = observedClient(`http://${server.host}`)
    await expect(client.call(volumes.delete, { path: { volumeId: 1 } })).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringMatching(/reports errors/),
    })
  })
})

describe('A connection', () => {
  test('is tried three times if it is refused', async () => {
    const closed = await unusedPort()
    const { client, pauses } = observedClient(`http://127.0.0.1:${closed}`)
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: `127.0.0.1:${closed} refuses the connection`,
    })
    expect(pauses).toHaveLength(2)
  })

  test('is tried three times if the host name cannot be resolved', async () => {
    const { client, pauses } = observedClient('http://api.invalid/v4')
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: 'the host name api.invalid cannot be resolved',
    })
    expect(pauses).toHaveLength(2)
  })
})

async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('TLS', () => {
  test.each([
    ['good', /self-signed/],
    ['expired', /expired/],
  ] as const)('rejects an untrusted certificate before sending anything: %s', async (certificate, message) => {
    const server = await faultServer(reply(200, { id: 1 }), certificate)
    const { client, pauses } = observedClient(`https://${server.host}`)
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
      details: { retryable: false },
    })
    expect(server.received).toEqual([])
    expect(pauses).toEqual([])
  })

  test('recognizes a server of plain HTTP', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    })
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const { port } = plain.address() as { port: number }
    const { client } = observedClient(`https://127.0.0.1:${port}`)
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/TLS/),
    })
    plain.close()
  })

  describe('with the certificates of NODE_EXTRA_CA_CERTS', () => {
    let folder: string
    let script: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'skyctl-http-'))
      script = await bundleScript(
        folder,
        `import { Client } from './http/client'
         const client = new Client({ baseUrl: process.argv[2], timeoutMs: 20000, retries: 0, maxWaitMs: 0, concurrency: 1,
           clock: { now: Date.now, monotonic: Date.now, async sleep() {} }, random: Math.random, env: {}, userAgent: 'skyctl/test' })
         client.onceAny({ method: 'GET', path: '/volumes/1', idempotency: 'safe' })
           .then(({ answer, problem }) => console.log(...(problem ? [problem.code, problem.message] : [JSON.stringify(answer)])))`,
      )
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    const run = async (certificate: 'good' | 'wrong-name') => {
      const server = await faultServer(reply(200, { id: 1 }), certificate)
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile(certificate) }
      const { stdout } = await promisify(execFile)(process.execPath, [script, `https://localhost:${server.port}`], {
        env,
      })
      return stdout.replace(String(server.port), 'PORT')
    }

    test('trusts their holders', async () => {
      expect(await run('good')).toBe('{"id":1}\n')
    })

    test('offers HTTP/1.1 only, also to a service that would choose HTTP/2', async ({ onTestFinished }) => {
      const offered: string[] = []
      const ALPNCallback = ({ protocols }: { protocols: string[] }) => {
        offered.push(...protocols)
        return protocols.includes('h2') ? 'h2' : protocols[0]
      }
      const server = createHttpsServer({ ALPNCallback, ...certificatePair('good') }, (_, response) => {
        response.writeHead(200, json).end('{"id":1}')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as { port: number }
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile('good') }
      const { stdout } = await promisify(execFile)(process.execPath, [script, `https://localhost:${port}`], { env })
      expect(stdout).toBe('{"id":1}\n')
      expect(offered).toEqual(['http/1.1'])
    })

    test.for([
      ['TLSv1.2', 'refuses the TLS handshake, perhaps because it requires a client certificate'],
      ['TLSv1.3', 'requires a client certificate'],
    ] as const)(
      'names a service that requires a certificate of the client, with %s',
      async ([version, reason], { onTestFinished }) => {
        const options = { requestCert: true, minVersion: version, maxVersion: version, ...certificatePair('good') }
        const server = createTlsServer(options, (socket) => socket.end())
        server.on('tlsClientError', () => {})
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        onTestFinished(() => void server.close())
        const { port } = server.address() as { port: number }
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile('good') }
        const { stdout } = await promisify(execFile)(process.execPath, [script, `https://localhost:${port}`], { env })
        expect(stdout.replace(String(port), 'PORT')).toBe(`unavailable localhost:PORT ${reason}\n`)
      },
    )

    test('rejects a certificate for another host name', async () => {
      expect(await run('wrong-name')).toBe('unavailable the certificate of localhost:PORT is for another name\n')
    })
  })
})
