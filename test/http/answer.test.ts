/** Answers: their bytes, their schema, their errors, and whether they are about the requested object. */
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Operation, operation } from '../../src/catalogue/operation'
import { Problem } from '../../src/errors'
import { normalizeBody, normalizeItems, readBody } from '../../src/http/answer'
import { errorsIn } from '../../src/http/error-body'
import { expectSameObject } from '../../src/http/expect-same-object'
import type { Unreadable } from '../../src/http/network-errors'
import { failing, type RequestSummary } from '../../src/http/problems'

const fail = (reason: string) => new Problem('defect', reason)
const request: RequestSummary = { method: 'GET', path: '/volumes/7', idempotency: 'safe' }
const limits = { bytes: 1000, memory: 2 ** 20 }
const answer = (body: Buffer | string, headers: Record<string, string> = {}) => ({
  status: 200,
  headers,
  body: Buffer.from(body),
  release() {},
})

describe('The body of an answer', () => {
  const read = (...parameters: Parameters<typeof answer>) => readBody(answer(...parameters), request, limits)
  const gzip = { 'content-encoding': 'gzip' }

  test.for<[string, Buffer | string, Record<string, string>, unknown]>([
    ['JSON', '{"a":1}', {}, { a: 1 }],
    ['exact integers', '9007199254740993', {}, 9007199254740993n],
    ['a byte order mark', '\ufeff[1]', {}, [1]],
    ['no bytes', '', {}, undefined],
    ['no bytes with a Content-Encoding', '', { 'content-encoding': 'br' }, undefined],
    ['JSON in gzip', gzipSync('[1]'), gzip, [1]],
    ['JSON with the encoding identity', '[1]', { 'content-encoding': 'identity' }, [1]],
  ])('can be %s', async ([, bytes, headers, body]) => {
    expect((await read(bytes, headers)).body).toEqual(body)
  })

  test('comes with its size', async () => {
    expect(await read('[1]')).toEqual({ body: [1], bytes: 3 })
    expect(await read('')).toEqual({ body: undefined, bytes: 0 })
  })

  test.for<[string, Buffer | string, Record<string, string>, string, Unreadable?]>([
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'it is not UTF-8'],
    ['truncated', '{"a":', {}, 'it is not JSON'],
    ['not JSON despite its content type', 'x', { 'content-type': 'application/json' }, 'it is not JSON', 'not_the_api'],
    ['HTML', '<html>', { 'content-type': 'text/html' }, 'it is not JSON but text/html', 'not_the_api'],
    ['nested too deep', '['.repeat(501) + ']'.repeat(501), {}, 'it is nested over 500 levels deep', 'too_large'],
    ['a number over the range of a double', '[1e999]', {}, 'it holds a number that is too large'],
    [
      'in an encoding that was not requested',
      '[1]',
      { 'content-encoding': 'br' },
      'it has the encoding br, which was not requested',
    ],
    ['truncated gzip', gzipSync('[1]').subarray(0, 12), gzip, 'its gzip data is invalid or truncated'],
    [
      'a gzip bomb',
      gzipSync(`[${' '.repeat(1000)}]`),
      gzip,
      'it is over 0.00095367431640625 MiB when unpacked',
      'too_large',
    ],
  ])('is unreadable if it is %s', async ([, bytes, headers, reason, code = 'defect']) => {
    await expect(read(bytes, headers)).rejects.toMatchObject({
      code,
      message: failing(request)(reason, code).message,
      details: { status: 200, request: { method: 'GET', path: '/volumes/7' } },
    })
  })

  test.for<[string, Buffer | string, Record<string, string>, string]>([
    ['a gzip bomb', gzipSync(`[${' '.repeat(1000)}]`), gzip, 'it is over 0.00095367431640625 MiB when unpacked'],
    ['large', `[${'{},'.repeat(90_000)}{}]`, {}, 'its contents take over 1 MiB of memory'],
  ])('is too large if it is %s', async ([, bytes, headers, reason]) => {
    const path = '/volumes/7'
    await expect(read(bytes, headers)).rejects.toMatchObject({
      code: 'too_large',
      message: `the response to GET ${path} is too large: ${reason}`,
      details: { status: 200, request: { method: 'GET', path } },
    })
  })
})

describe('A successful answer', () => {
  const about = (returns: Operation['returns']) =>
    operation({ method: 'GET', path: '/x', scopes: [], summary: 'x', returns })
  const normalize = (returns: Operation['returns'], body: unknown, status = 200) =>
    normalizeBody(about(returns), { status, body }, fail)
  const record = v.looseObject({ id: v.number() })
  const nothing = v.looseObject({})
  const list = v.array(record)
  const error = { field: null, reason: 'No' }

  test.for<[string, Operation['returns'], unknown, number, unknown]>([
    ['a record', record, { id: 1, more: 2 }, 200, { id: 1, more: 2 }],
    ['a list', list, [{ id: 1 }], 200, [{ id: 1 }]],
    ['a list in an envelope', list, { data: [{ id: 1 }], page: 1 }, 200, [{ id: 1 }]],
    ['a list that is null', list, null, 200, []],
    ['a list in an envelope that is null', list, { data: null }, 200, []],
    ['an empty object', nothing, {}, 200, {}],
    ['no body with a 204 instead of an empty object', nothing, undefined, 204, {}],
    ['no body with a 204', v.nullable(record), undefined, 204, null],
    [
      'an object with more fields than errors',
      nothing,
      { errors: [error], more: 1 },
      200,
      { errors: [error], more: 1 },
    ],
    ['an object with an empty list of errors', nothing, { errors: [] }, 200, { errors: [] }],
    ['an object with errors in another form', nothing, { errors: [error, 'x'] }, 200, { errors: [error, 'x'] }],
    ['an object with errors without reasons', nothing, { errors: [{ reason: 1 }] }, 200, { errors: [{ reason: 1 }] }],
    ['an object with a text as errors', nothing, { errors: 'x' }, 200, { errors: 'x' }],
    ['an object with errors that are not objects', nothing, { errors: [null] }, 200, { errors: [null] }],
  ])('can be %s', ([, returns, body, status, expected]) => {
    expect(normalize(returns, body, status)).toEqual(expected)
  })

  test.for<[string, Operation['returns'], unknown, number, string]>([
    ['it is empty', record, undefined, 200, 'it is empty'],
    ['it is empty with a 204 instead of a record', record, undefined, 204, 'it is empty'],
    ['it is empty without a 204', v.nullable(record), undefined, 200, 'it is empty'],
    ['it is empty without a 204 instead of an empty object', nothing, undefined, 200, 'it is empty'],
    ['it is null', record, null, 200, 'it is null'],
    ['it is null instead of empty', v.nullable(record), null, 200, 'it is null'],
    ['it reports errors', record, { errors: [error] }, 200, 'it reports errors with a success status'],
    ['it does not match the schema', record, { id: 'x' }, 200, 'id is a text, not a number'],
    ['it is not a list', list, { page: 1 }, 200, 'it is not a list'],
    ['it is not a list, but empty', list, undefined, 200, 'it is empty'],
  ])('is rejected if %s', ([, returns, body, status, reason]) => {
    expect(() => normalize(returns, body, status)).toThrow(reason)
  })

  test('has items that match the schema; an error names their index', () => {
    expect(normalizeItems(about(record), [{ id: 1 }], fail)).toEqual([{ id: 1 }])
    expect(() => normalizeItems(about(record), [{ id: 1 }, {}], fail)).toThrow('data[1].id is missing')
  })

  test('does not hide an internal error', () => {
    const broken = {
      type: 'object',
      get entries() {
        throw new TypeError('a defect')
      },
    } as unknown as Operation['returns']
    expect(() => normalizeItems(about(broken), [{}], fail)).toThrow(TypeError)
  })
})

describe('The errors of an answer', () => {
  test.for<[unknown, unknown[], boolean?]>([
    [{ errors: [{ field: 'a', reason: 'No' }] }, [{ field: 'a', reason: 'No' }], true],
    [{ errors: { field: 'a', reason: 'No' } }, [{ field: 'a', reason: 'No' }]],
    [
      { errors: [{ field: '', reason: 'No' }, { reason: 'No' }, { field: 7, reason: 'No' }] },
      Array(3).fill({ field: null, reason: 'No' }),
      true,
    ],
    [{ errors: ['No'] }, [{ field: null, reason: 'No' }]],
    [{ errors: 'No' }, [{ field: null, reason: 'No' }]],
    [{ errors: [7, null, {}, { reason: 7 }] }, []],
    [{ error: 'No' }, []],
    [['No'], []],
    [undefined, []],
  ])('are read from %j as %j, with whether they have the form of the API', ([body, expected, byTheApi = false]) => {
    expect(errorsIn(body)).toEqual({ errors: expected, byTheApi })
  })
})

describe('An answer about the requested object', () => {
  const operationAt = (path: string, more: Partial<Operation> = {}) =>
    ({ ...operation({ method: 'GET', path, scopes: [], summary: 'x', returns: v.unknown() }), ...more }) as Operation
  const check = (one: Operation, path: Record<string, string | number>, body: unknown) => () =>
    expectSameObject(one, { path }, { answer: body, fail })
  const create = (repeats: string[]) => operationAt('/x', { repeats })
  const repeated = (field: string, requested: unknown, returned: unknown) => () =>
    expectSameObject(create([field]), { body: { [field]: requested } }, { answer: { [field]: returned }, fail })

  test.for([
    ['label', 'a', 'a'],
    ['size', 40, '40'],
    ['label', 'a', undefined],
    ['compute_id', 7, null],
    ['compute_id', null, 7],
    ['size', undefined, 20],
    ['scopes', 'b:read_only a:read_only', 'a:read_only b:read_only'],
    ['ssh_key', 'ssh-ed25519 AAAA me@x ', 'ssh-ed25519 AAAA'],
    ['route_target', '2001:DB8::1', '2001:db8:0::1'],
  ] as const)('can repeat the %s %j as %j', ([field, requested, returned]) => {
    expect(repeated(field, requested, returned)).not.toThrow()
  })

  test.for([
    ['label', 'a/b', 'a/c'],
    ['label', 'a', 'A'],
    ['size', 40, 400],
    ['region', 'us-east', 'eu-west'],
    ['scopes', 'a:read_only', '*'],
    ['ssh_key', 'ssh-ed25519 AAAA', 'ssh-ed25519 AAAB'],
  ] as const)('cannot repeat the %s %j as %j', ([field, requested, returned]) => {
    expect(repeated(field, requested, returned)).toThrow(`its ${field} is not the requested one`)
  })

  const view = operationAt('/x/{id}', { identityField: 'id' })
  const address = operationAt('/x/{address}', { identityField: 'address' })
  const clone = operationAt('/x/{id}/clone', { creates: 'volume' })

  test.for<[string, Operation, Record<string, string | number>, unknown]>([
    ['has its id', view, { id: 7 }, { id: 7 }],
    ['has its id as a text', view, { id: 7 }, { id: '7' }],
    ['lacks its id', view, { id: 7 }, { label: 'a' }],
    ['is null', view, { id: 7 }, null],
    ['is a list of records with its id', view, { id: 7 }, [{ id: 7 }, 'x', { id: 7 }]],
    ['is of a request without an id', operationAt('/x', { identityField: 'id' }), {}, { id: 7 }],
    ['need not repeat an id that identifies another object', operationAt('/x/{id}'), { id: 7 }, { id: 8 }],
    ['has the last of two ids', operationAt('/x/{x}/y/{id}', { identityField: 'id' }), { x: 1, id: 7 }, { id: 7 }],
    ['has its address in another form', address, { address: '2001:db8::1' }, { address: '2001:0DB8:0::1' }],
    ['has its address with a prefix', address, { address: '2001:db8::1' }, { address: '2001:db8::1/64' }],
    ['has its name in another case', address, { address: 'US-East' }, { address: 'us-east' }],
    ['is about a new object', clone, { id: 7 }, { id: 8 }],
  ])('%s', ([, one, path, body]) => {
    expect(check(one, path, body)).not.toThrow()
  })

  test.for<[string, Operation, Record<string, string | number>, unknown, string]>([
    ['another id', view, { id: 7 }, { id: 8 }, 'its id is not 7'],
    ['another id in a list', view, { id: 7 }, [{ id: 7 }, { id: 8 }], 'its id is not 7'],
    [
      'another address',
      address,
      { address: '2001:db8::1' },
      { address: '2001:db8::2' },
      'its address is not 2001:db8::1',
    ],
    [
      'another address with the requested one as prefix',
      address,
      { address: '192.0.2.7' },
      { address: '192.0.2.70' },
      'its address is not 192.0.2.7',
    ],
    ['another text instead of an address', address, { address: 'a:b' }, { address: 'a:c' }, 'its address is not a:b'],
    ['the id of the source of a copy', clone, { id: 7 }, { id: 7 }, 'the copy has the id of 7'],
  ])('does not have %s', ([, one, path, body, message]) => {
    expect(check(one, path, body)).toThrow(message)
  })
})
