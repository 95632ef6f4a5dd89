/** What an answer that tells of a failure becomes (interface.md, Errors; gaps.md, On the wire). */
import { describe, expect, test } from 'vitest'
import { profile } from '../../src/catalogue/profile/profile'
import { regions } from '../../src/catalogue/regions'
import { readWarnings } from '../../src/http/answer'
import type { Client } from '../../src/http/client'
import { volumes } from '../support/bare-volumes'
import { faultServer, reply, type Script } from '../support/fault-server'
import { observedClient } from '../support/service-client'

const resize = (client: Client) => client.call(volumes.resize, { path: { volumeId: 7 }, body: { size: 40 } })
const view = (client: Client) => client.call(volumes.view, { path: { volumeId: 7 } })
const attach = (client: Client) => client.call(volumes.attach, { path: { volumeId: 7 }, body: { compute_id: 1 } })

async function failureOf(call: (client: Client) => Promise<unknown>, script: Script, settings = {}) {
  const server = await faultServer(script)
  const observed = observedClient(`http://${server.host}/v4`, { retries: 0, ...settings })
  const problem = await call(observed.client).then(
    () => expect.fail('it succeeded'),
    (error) => error,
  )
  return { ...problem.details, code: problem.code, message: problem.message }
}

const errors = (...list: unknown[]) => ({ errors: list })

describe('400', () => {
  test('is a refusal with every field and reason', async () => {
    const body = errors(
      { field: 'rules.inbound[0].ports', reason: 'Must be 1-65535' },
      { field: 'size', reason: 'Must be 10-10240' },
    )
    expect(await failureOf(resize, reply(400, body))).toEqual({
      code: 'refused',
      message: 'rules.inbound[0].ports: Must be 1-65535; size: Must be 10-10240',
      status: 400,
      request: { method: 'POST', path: '/volumes/7/resize' },
      errors: body.errors,
    })
  })

  test('with very many errors shows a hundred, and how many more there are', async () => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({ field: `tags[${index}]`, reason: 'Must be a string' }))
    const failure = await failureOf(resize, reply(400, errors(...list)))
    const more = { field: null, reason: '9900 more errors are not shown' }
    expect(failure.errors).toEqual([...list.slice(0, 100), more])
    expect(failure.message).toMatch(/^tags\[0\]: Must be a string; .*; 9900 more errors are not shown$/)
    expect(failure.message.length).toBeLessThan(4000)
    const one = await failureOf(resize, reply(400, errors(...list.slice(0, 101))))
    expect(one.errors?.at(-1)).toEqual({ field: null, reason: '1 more error is not shown' })
    const few = await failureOf(resize, reply(400, errors(...list.slice(0, 100))))
    expect(few.errors).toEqual(list.slice(0, 100))
  })

  test.each([
    ['no field', errors({ reason: 'No' }), [{ field: null, reason: 'No' }]],
    ['a field that is null', errors({ field: null, reason: 'No' }), [{ field: null, reason: 'No' }]],
    ['a field that is empty', errors({ field: '', reason: 'No' }), [{ field: null, reason: 'No' }]],
    ['a field that is no text', errors({ field: 3, reason: 'No' }), [{ field: null, reason: 'No' }]],
  ])('may come with %s', async (_, body, expected) => {
    expect(await failureOf(resize, reply(400, body))).toMatchObject({
      code: 'refused',
      errors: expected,
      message: 'No',
    })
  })

  test.each([
    ['errors that are one object', { errors: { field: 'a', reason: 'No' } }, [{ field: 'a', reason: 'No' }]],
    ['errors that are a text', { errors: 'No' }, [{ field: null, reason: 'No' }]],
    ['errors that are texts', errors('No'), [{ field: null, reason: 'No' }]],
    ['errors without reasons', errors({ field: 'a' }, null, 3, {}), []],
    ['no errors', {}, []],
    ['null', null, []],
    ['HTML', '<html><body>Bad Request</body></html>', []],
    ['an empty body', '', []],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe]), []],
  ])('is not of the API with %s', async (_, body, expected) => {
    const failure = await failureOf(resize, reply(400, body))
    expect(failure).toMatchObject({ code: 'not_the_api', errors: expected, hint: 'Check the address: skyctl doctor' })
    expect(failure.message).toMatch(
      / is not from the API: status 400 without an error message of the API( but ".*No")?$/,
    )
  })
})

describe('401', () => {
  const invalid = errors({ field: null, reason: 'Invalid Token' })
  const unauthorized = errors({ field: null, reason: 'Your OAuth token is not authorized to use this endpoint.' })

  test.each([
    ['the service says so', reply(401, invalid, { 'x-oauth-scopes': 'unknown' })],
    ['nothing tells of scopes', reply(401, invalid)],
    ['the reason says so, whatever the headers', reply(401, invalid, { 'x-oauth-scopes': 'volumes:read_only' })],
  ])('means to sign in again where %s', async (_, script) => {
    expect(await failureOf(resize, script)).toMatchObject({
      code: 'not_signed_in',
      message: 'token rejected: it is wrong, revoked or expired',
      hint: 'Sign in with: skyctl auth login',
    })
  })

  test('of a token from the environment is not mended by signing in', async () => {
    const settings = { tokenVariable: 'SKYCTL_TOKEN' }
    expect((await failureOf(resize, reply(401, invalid), settings)).hint).toBe('Set SKYCTL_TOKEN to a valid token')
    expect((await failureOf(resize, reply(401, unauthorized), settings)).hint).toBe(
      'Set SKYCTL_TOKEN to one that has it',
    )
  })

  test('means to sign in where there was no token', async () => {
    expect(await failureOf(resize, reply(401, invalid), { token: '' })).toMatchObject({
      code: 'not_signed_in',
      message: 'the service requires a token',
    })
  })

  test('names the scope that is missing, and those that the token has', async () => {
    const headers = {
      'x-oauth-scopes': 'volumes:read_only account:read_write',
      'x-accepted-oauth-scopes': 'volumes:read_write',
    }
    expect(await failureOf(resize, reply(401, unauthorized, headers))).toMatchObject({
      code: 'not_allowed',
      message: 'the token lacks the scope volumes:read_write; it has volumes:read_only account:read_write',
      hint: 'Sign in with one that has it: skyctl auth login',
    })
  })

  test('names of two scopes the one that is missing', async () => {
    const headers = {
      'x-oauth-scopes': 'volumes:read_write',
      'x-accepted-oauth-scopes': 'volumes:read_write,computes:read_write',
    }
    expect((await failureOf(attach, reply(401, unauthorized, headers))).message).toBe(
      'the token lacks the scope computes:read_write; it has volumes:read_write',
    )
  })

  test('names the scopes of the operation where the service names none', async () => {
    expect((await failureOf(attach, reply(401, unauthorized))).message).toBe(
      'the token lacks the scopes volumes:read_write and computes:read_write',
    )
  })

  test('of an operation that needs no scope says only that it may not be done', async () => {
    const whoAmI = (client: Client) => client.call(profile.view, {})
    const failure = await failureOf(whoAmI, reply(401, unauthorized, { 'x-oauth-scopes': 'ips:read_only' }))
    expect(failure).toMatchObject({
      code: 'not_allowed',
      message: 'the token may not do this; it has ips:read_only',
      hint: 'Sign in with one that has more scopes: skyctl auth login',
    })
  })

  test('of a token without any scope says so', async () => {
    expect((await failureOf(view, reply(401, unauthorized, { 'x-oauth-scopes': '' }))).message).toBe(
      'the token lacks the scope volumes:read_only; it has none',
    )
  })
})

describe('other failures', () => {
  test.each([
    [403, errors({ field: null, reason: 'Unauthorized' }), 'not_allowed', 'your user may not do this: Unauthorized'],
    [404, errors({ field: null, reason: 'Not found' }), 'not_found', '/volumes/7 not found'],
    [405, errors({ reason: 'Method not allowed' }), 'refused', 'the service does not support GET at /volumes/7'],
    [408, '', 'unavailable', 'the service failed with 408'],
    [409, errors({ reason: 'Busy' }), 'conflict', 'Busy'],
    [418, errors({ reason: 'Short and stout' }), 'refused', 'Short and stout'],
    [425, '', 'unavailable', 'the service failed with 425'],
    [429, errors({ reason: 'Too many requests' }), 'rate_limited', 'too many requests'],
    [500, errors({ reason: 'Oops' }), 'unavailable', 'the service failed with 500: Oops'],
    [502, '<html>Bad Gateway</html>', 'unavailable', 'the service failed with 502'],
    [503, '', 'unavailable', 'the service failed with 503'],
    [504, '', 'unavailable', 'the service failed with 504'],
    [599, '', 'unavailable', 'the service failed with 599'],
  ])('%i', async (status, body, code, message) => {
    expect(await failureOf(view, reply(status, body))).toMatchObject({ status, code, message })
  })

  test.each([401, 403, 404, 405, 409, 413, 418, 451])("%i that is not the API's", async (status) => {
    const message = `the response to GET /volumes/7 is not from the API: status ${status} without an error message of the API`
    const failure = await failureOf(view, reply(status, '<html>'))
    expect(failure).toMatchObject({ status, code: 'not_the_api', message })
    expect(failure).not.toHaveProperty('missing')
  })

  test('planned maintenance is said', async () => {
    expect(await failureOf(view, reply(503, '', { 'x-maintenance-mode': 'filesystem' }))).toMatchObject({
      code: 'unavailable',
      message: 'the service is in planned maintenance',
    })
  })

  test('a region that does not exist is not found', async () => {
    const call = (client: Client) => client.call(regions.view, { path: { regionId: 'mars' } })
    expect(await failureOf(call, reply(404, errors({ reason: 'Not found' })))).toMatchObject({
      code: 'not_found',
      missing: '/regions/mars',
      message: '/regions/mars not found',
    })
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('is never followed: %i', async (status) => {
    const other = await faultServer(reply(200, { id: 7 }))
    for (const call of [view, resize]) {
      const location = `http://user:geheim@${other.host}/elsewhere?token=1`
      const failure = await failureOf(call, reply(status, '', { location }))
      expect(failure).toMatchObject({
        code: 'not_the_api',
        message: `the service answers with a redirect (${status}) to ${other.host}, and none is followed`,
      })
    }
    expect(other.connections()).toBe(0)
  })

  test.each([{ location: '/v4/other' }, { location: 'http://' }, {}])('may name no host: %j', async (headers) => {
    expect((await failureOf(view, reply(302, '', headers as Record<string, string>))).message).toBe(
      'the service answers with a redirect (302), and none is followed',
    )
  })
})

describe('the warnings of an answer', () => {
  const warnings = [
    { title: 'Slow', details: 'It takes a minute' },
    { title: 'Old', details: 7 },
    { details: 'x' },
    'x',
  ]
  const found = [{ title: 'Slow', details: 'It takes a minute' }, { title: 'Old' }]
  const read = (status: number, headers: Record<string, string> = {}, body: unknown = { warnings }) =>
    readWarnings({ status, headers, body: Buffer.alloc(0), release() {} }, body)

  test('are read where its status or its header says that there are some', () => {
    expect(read(202)).toEqual(found)
    expect(read(299)).toEqual(found)
    expect(read(200, { warning: '299 - "see the body"' })).toEqual(found)
  })

  test('are not where neither does, or they are no list', () => {
    expect(read(200)).toEqual([])
    expect(read(200, { warning: '110 - "stale"' })).toEqual([])
    expect(read(200, { warning: '2990 x' })).toEqual([])
    expect(read(202, {}, { warnings: 'x' })).toEqual([])
    expect(read(202, {}, [warnings])).toEqual([])
    expect(read(202, {}, null)).toEqual([])
  })
})
