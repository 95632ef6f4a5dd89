/** Problems and warnings from answers (interface.md, Errors; gaps.md, On the wire). */
import { describe, expect, test } from 'vitest'
import { readWarnings } from '../../src/http/answer'
import type { Client } from '../../src/http/client'
import { faultServer, reply, type Script } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { observedClient } from '../support/service-client'

const resize = (client: Client) => client.call(volumes.resize, { path: { volumeId: 7 }, body: { size: 40 } })
const view = (client: Client) => client.call(volumes.view, { path: { volumeId: 7 } })

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

describe('Status 400', () => {
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

  test('shows at most a hundred errors, and the number of others', async () => {
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
    ['an object as errors', { errors: { field: 'a', reason: 'No' } }, [{ field: 'a', reason: 'No' }]],
    ['no errors', {}, []],
    ['HTML', '<html><body>Bad Request</body></html>', []],
  ])('is not from the API with %s', async (_, body, expected) => {
    const failure = await failureOf(resize, reply(400, body))
    expect(failure).toMatchObject({ code: 'not_the_api', errors: expected, hint: 'Check the address: skyctl doctor' })
    expect(failure.message).toMatch(
      / is not from the API: status 400 without an error message of the API( but ".*No")?$/,
    )
  })
})

describe('Without an error message of the API', () => {
  test.each([401, 403, 404, 405, 409, 413, 418, 451])('status %i is not from the API', async (status) => {
    const message = `the response to GET /volumes/7 is not from the API: status ${status} without an error message of the API`
    const failure = await failureOf(view, reply(status, '<html>'))
    expect(failure).toMatchObject({ status, code: 'not_the_api', message })
    expect(failure).not.toHaveProperty('missing')
  })
})

describe('A redirect', () => {
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

  test.each([{ location: '/v4/other' }, { location: 'http://' }, {}])('can lack a host: %j', async (headers) => {
    expect((await failureOf(view, reply(302, '', headers as Record<string, string>))).message).toBe(
      'the service answers with a redirect (302), and none is followed',
    )
  })
})

describe('The warnings of an answer', () => {
  const warnings = [
    { title: 'Slow', details: 'It takes a minute' },
    { title: 'Old', details: 7 },
    { details: 'x' },
    'x',
  ]
  const expected = [{ title: 'Slow', details: 'It takes a minute' }, { title: 'Old' }]
  const read = (status: number, headers: Record<string, string> = {}, body: unknown = { warnings }) =>
    readWarnings({ status, headers, body: Buffer.alloc(0), release() {} }, body)

  test('are read if its status or its header announces them', () => {
    expect(read(202)).toEqual(expected)
    expect(read(299)).toEqual(expected)
    expect(read(200, { warning: '299 - "see the body"' })).toEqual(expected)
  })

  test('are ignored otherwise, or if they are not a list', () => {
    expect(read(200)).toEqual([])
    expect(read(200, { warning: '110 - "stale"' })).toEqual([])
    expect(read(200, { warning: '2990 x' })).toEqual([])
    expect(read(202, {}, { warnings: 'x' })).toEqual([])
    expect(read(202, {}, [warnings])).toEqual([])
    expect(read(202, {}, null)).toEqual([])
  })
})
