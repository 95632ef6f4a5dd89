/** Everything that a connection may do to an answer (reliability.md, Faults that the real binary must survive). */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../src/errors'
import type { Client } from '../../src/http/client'
import { volumes } from '../support/bare-volumes'
import { bundleScript } from '../support/bundle'
import {
  bytes,
  bytesAndEnd,
  certificateFile,
  drip,
  faultServer,
  head,
  reply,
  reset,
  type Script,
  silence,
} from '../support/fault-server'
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

/** As short as they can be told apart from a busy machine. */
const hasty = { headersMs: 200, bodyMs: 200, connectMs: 300, bytes: 1000 }
const json = { 'content-type': 'application/json' }

const broken: Record<string, Script> = {
  'a reset before the headers': reset(),
  'an end before the headers': bytesAndEnd(''),
  'a reset within the headers': reset('HTTP/1.1 200 OK\r\ncontent-'),
  'an end within the headers': bytesAndEnd('HTTP/1.1 200 OK\r\ncontent-'),
  'a reset within the body': reset(`${head(200, { ...json, 'content-length': '20' })}{"id":`),
  'a body that is too short': bytesAndEnd(`${head(200, { ...json, 'content-length': '20' })}{"id":1}`),
  'a cut chunk': bytesAndEnd(`${head(200, { ...json, 'transfer-encoding': 'chunked' })}10\r\n{"id":1}`),
  'a cut chunk where the connection was to end': bytesAndEnd(
    `${head(200, { connection: 'close', 'transfer-encoding': 'chunked' })}10\r\n{"id":1}`,
  ),
  'chunks without an end': bytesAndEnd(`${head(200, { ...json, 'transfer-encoding': 'chunked' })}8\r\n{"id":1}\r\n`),
  silence,
  'a silence within the body': bytes(`${head(200, { ...json, 'content-length': '20' })}{"id":`),
}

describe.each(Object.entries(broken))('%s', (_, script) => {
  test('is survived by what may be sent again', async () => {
    const server = await faultServer([script, reply(200, { id: 1 })])
    const { client, notes } = observedClient(`http://${server.host}`, {}, hasty)
    expect(await replaces(client)).toEqual({ id: 1 })
    expect(server.heard).toHaveLength(2)
    expect(notes).toEqual([expect.stringMatching(/^PUT \/volumes\/1: .+; attempt 2 of 3 in 0\.5s$/)])
  })

  test('is told after three attempts', async () => {
    const server = await faultServer(script)
    const { client, pauses } = observedClient(`http://${server.host}`, {}, hasty)
    expect(await problemOf(reads(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(server.host),
      details: { retryable: true, request: { method: 'GET', path: '/volumes/1' } },
    })
    expect(server.heard).toHaveLength(3)
    expect(pauses).toEqual([500, 1000])
  })

  test.each([
    ['makes a second thing', creates],
    ['must be looked at first', resizes],
  ])('leaves unknown what was done by a request that %s', async (_, call) => {
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, {}, hasty)
    expect(await problemOf(call(client))).toMatchObject({
      code: 'outcome_unknown',
      details: { request: { method: 'POST' }, hint: expect.stringContaining('before you try again') },
    })
    expect(server.heard).toHaveLength(1)
  })
})

const overBound: Record<string, [Script, RegExp, ErrorCode?]> = {
  'no HTTP at all': [bytesAndEnd('SSH-2.0-OpenSSH_9.2\r\n'), /not HTTP/],
  'headers that never end': [
    bytes(`HTTP/1.1 200 OK\r\n${'x-filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)}`),
    /headers.*16 KiB/,
  ],
  'a body that says it is too large': [bytes(head(200, { 'content-length': '1073741824' })), /32 MiB/, 'too_large'],
  'a body that grows too large': [
    (socket) => {
      socket.write(head(200, { 'transfer-encoding': 'chunked' }))
      socket.write('1000\r\n'.padEnd(0x1008, ' '))
    },
    /32 MiB/,
    'too_large',
  ],
}

describe.each(Object.entries(overBound))('%s', (_, [script, said, code = 'not_the_api']) => {
  test('is told at once', async () => {
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, {}, hasty)
    expect(await problemOf(reads(client))).toMatchObject({ code, message: expect.stringMatching(said) })
    expect(server.heard).toHaveLength(1)
  })
})

const unreadable: Record<string, [Script, RegExp, ErrorCode?]> = {
  'JSON that is cut': [reply(200, '{"id": 1'), /not JSON$/],
  HTML: [reply(200, '<html>Sign in</html>', { 'content-type': 'text/html' }), /not JSON but text\/html/, 'not_the_api'],
  nothing: [reply(200, ''), /empty/, 'not_the_api'],
  'a list for an object': [reply(200, [{ id: 1 }]), /it is a list, not an object/],
  'an object without its id': [reply(200, { label: 'a' }), /id is missing/],
  'errors with a status of success': [reply(200, { errors: [{ reason: 'No' }] }), /reports errors/],
  'a gzip bomb': [
    reply(200, gzipSync(Buffer.alloc(2001, ' ')), { 'content-encoding': 'gzip' }),
    /unpacked/,
    'too_large',
  ],
}

// All that cannot be read is in answer.test.ts: here is one of each kind, and what becomes of the request.
describe.each(Object.entries(unreadable))('%s', (_, [script, said, why = 'defect']) => {
  test.each([
    ['GET', reads, why],
    ['POST', creates, 'outcome_unknown'],
  ] as const)('is never taken for success, nor for a failure of what may be done: %s', async (_, call, code) => {
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, {}, { bytes: 2000 })
    expect(await problemOf(call(client))).toMatchObject({ code, message: expect.stringMatching(said) })
    expect(server.heard).toHaveLength(1)
  })
})

test.each(Object.entries(unreadable))(
  '%s leaves unknown what a PUT has done, which one look follows',
  async (_, [script]) => {
    const server = await faultServer(script)
    const { client } = observedClient(`http://${server.host}`, {}, { bytes: 2000 })
    expect(await problemOf(replaces(client))).toMatchObject({ code: 'outcome_unknown' })
    expect(server.heard.map(({ method }) => method)).toEqual(['PUT', 'GET'])
  },
)

const readable: Record<string, [Script, unknown]> = {
  'another content type': [reply(200, '{"id":1}', { 'content-type': 'text/plain' }), { id: 1 }],
  chunks: [bytes(`${head(200, { 'transfer-encoding': 'chunked' })}4\r\n{"id\r\n4\r\n":1}\r\n0\r\n\r\n`), { id: 1 }],
  'an end instead of a length': [bytesAndEnd(`${head(200, { connection: 'close' })}{"id":1}`), { id: 1 }],
  'whatever may come before it, many times': [
    bytes(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nwarning: 299 - "a"\r\n\r\n'.repeat(50) +
        `HTTP/1.1 103 Early Hints\r\ncontent-length: 99999999\r\n\r\nHTTP/1.1 199 Odd\r\n\r\n` +
        `${head(200, { 'content-length': '8' })}{"id":1}`,
    ),
    { id: 1 },
  ],
}

describe('an answer', () => {
  test.each(Object.entries(readable))('may come with %s', async (_, [script, expected]) => {
    const server = await faultServer(script)
    expect(await reads(observedClient(`http://${server.host}`).client)).toEqual(expected)
  })

  test.each([
    ['GET', reads],
    ['POST', creates],
  ] as const)('that says what it would, or changes the protocol, is none: %s', async (method, call) => {
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
  ])('of an operation that returns nothing may be %j', async (body, expected) => {
    const server = await faultServer(reply(body === '' ? 204 : 200, body))
    const { client } = observedClient(`http://${server.host}`)
    expect(await client.call(volumes.delete, { path: { volumeId: 1 } })).toEqual(expected)
  })

  test('of such an operation is no success where it tells of errors', async () => {
    const server = await faultServer(reply(200, { errors: [{ field: null, reason: 'Compute busy.' }] }))
    const { client } = observedClient(`http://${server.host}`)
    await expect(client.call(volumes.delete, { path: { volumeId: 1 } })).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringMatching(/reports errors/),
    })
  })
})

describe('without a connection', () => {
  test('refused, everything is tried three times', async () => {
    const closed = await unusedPort()
    const { client, pauses } = observedClient(`http://127.0.0.1:${closed}`)
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: `127.0.0.1:${closed} refuses the connection`,
    })
    expect(pauses).toHaveLength(2)
  })

  test('a name that does not exist is said', async () => {
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

describe('over TLS', () => {
  test.each([
    ['good', /self-signed/],
    ['expired', /expired/],
  ] as const)('a certificate that is not trusted is named and nothing is sent: %s', async (certificate, said) => {
    const server = await faultServer(reply(200, { id: 1 }), certificate)
    const { client, pauses } = observedClient(`https://${server.host}`)
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(said),
      details: { retryable: false },
    })
    expect(server.heard).toEqual([])
    expect(pauses).toEqual([])
  })

  test('plain HTTP is recognised', async () => {
    const server = await faultServer(bytesAndEnd('HTTP/1.1 400 Bad Request\r\n\r\n'))
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
    expect(server.heard).toEqual([])
    plain.close()
  })

  test('a server that does not finish the handshake is given up', async () => {
    const mute = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    const { client } = observedClient(`https://127.0.0.1:${port}`, { retries: 0 }, { connectMs: 300 })
    expect(await problemOf(creates(client))).toMatchObject({
      code: 'unavailable',
      message: `127.0.0.1:${port} did not accept the connection in time`,
    })
    mute.close()
  })

  describe('with an authority of NODE_EXTRA_CA_CERTS', () => {
    let folder: string
    let script: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'skyctl-http-'))
      script = await bundleScript(
        folder,
        `import { createClient } from './http/client'
         const client = createClient({ baseUrl: process.argv[2], timeoutMs: 20000, retries: 0, maxWaitMs: 0, concurrency: 1,
           clock: { now: Date.now, async sleep() {} }, random: Math.random, env: {}, userAgent: 'skyctl/test' })
         client.send({ method: 'GET', path: '/volumes/1', idempotency: 'safe' })
           .then(({ body }) => console.log(JSON.stringify(body)), (problem) => console.log(problem.code, problem.message))`,
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

    test('its certificates are trusted', async () => {
      expect(await run('good')).toBe('{"id":1}\n')
    })

    test('a certificate for another name is not', async () => {
      expect(await run('wrong-name')).toBe('unavailable the certificate of localhost:PORT is for another name\n')
    })
  })
})

describe('a server that drips', () => {
  test('is given up when the command has had its time', async () => {
    const server = await faultServer(drip(20))
    const { client } = observedClient(`http://${server.host}`, { timeoutMs: 300 })
    expect(await problemOf(reads(client))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/--timeout/),
    })
    expect(server.heard).toHaveLength(1)
  })
})
