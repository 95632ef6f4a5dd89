/** What an answer holds: its bytes, its shape, its errors, and whether it is about what was asked for. */
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Operation, operation } from '../../src/catalogue/operation'
import { memoryBudget } from '../../src/data/memory-limits'
import { Problem } from '../../src/errors'
import { normalizeBody, normalizeItems, readBody, readErrors } from '../../src/http/answer'
import type { Unreadable } from '../../src/http/network-errors'
import { failing, type RequestSummary } from '../../src/http/problems'
import { expectSameObject } from '../../src/http/response-identity'

const fail = (what: string) => new Problem('defect', what)
const asked: RequestSummary = { method: 'GET', path: '/volumes/7', idempotency: 'safe' }
const taken = { bytes: 1000, room: memoryBudget(2 ** 20) }
const answer = (body: Buffer | string, headers: Record<string, string> = {}) => ({
  status: 200,
  headers,
  body: Buffer.from(body),
  release() {},
})

describe('the body of an answer', () => {
  const read = (...given: Parameters<typeof answer>) => readBody(answer(...given), asked, taken)
  const gzip = { 'content-encoding': 'gzip' }

  test.for<[string, Buffer | string, Record<string, string>, unknown]>([
    ['JSON', '{"a":1}', {}, { a: 1 }],
    ['exact integers', '9007199254740993', {}, 9007199254740993n],
    ['a byte order mark', '\ufeff[1]', {}, [1]],
    ['no bytes', '', {}, undefined],
    ['no bytes, packed as nothing is', '', { 'content-encoding': 'br' }, undefined],
    ['JSON in gzip', gzipSync('[1]'), gzip, [1]],
    ['JSON that is packed as itself', '[1]', { 'content-encoding': 'identity' }, [1]],
  ])('may be %s', async ([, bytes, headers, body]) => {
    expect((await read(bytes, headers)).body).toEqual(body)
  })

  test('is told with what it takes in memory', async () => {
    expect(await read('[1]')).toEqual({ body: [1], memory: 12 })
    expect(await read('')).toEqual({ body: undefined, memory: 0 })
  })

  test.for<[string, Buffer | string, Record<string, string>, string, Unreadable?]>([
    ['bytes', Buffer.from([0x22, 0xff, 0x22]), {}, 'it is not UTF-8'],
    ['half of it', '{"a":', {}, 'it is not JSON'],
    ['JSON by its type only', 'x', { 'content-type': 'application/json' }, 'it is not JSON', 'not_the_api'],
    ['a page', '<html>', { 'content-type': 'text/html' }, 'it is not JSON but text/html', 'not_the_api'],
    ['deep', '['.repeat(501) + ']'.repeat(501), {}, 'it is nested over 500 levels deep', 'too_large'],
    ['a number that none can hold', '[1e999]', {}, 'it holds a number that is too large'],
    ['packed otherwise', '[1]', { 'content-encoding': 'br' }, 'it has the encoding br, which was not requested'],
    ['cut', gzipSync('[1]').subarray(0, 12), gzip, 'its gzip data is invalid or truncated'],
    [
      'a bomb',
      gzipSync(`[${' '.repeat(1000)}]`),
      gzip,
      'it is over 0.00095367431640625 MiB when unpacked',
      'too_large',
    ],
  ])('cannot be read where it is %s', async ([, bytes, headers, what, code = 'defect']) => {
    await expect(read(bytes, headers)).rejects.toMatchObject({
      code,
      message: failing(asked)(what, code).message,
      details: { status: 200, request: { method: 'GET', path: '/volumes/7' } },
    })
  })

  test.for<[string, Buffer | string, Record<string, string>, string]>([
    ['a bomb', gzipSync(`[${' '.repeat(1000)}]`), gzip, 'it is over 0.00095367431640625 MiB when unpacked'],
    ['large', `[${'{},'.repeat(90_000)}{}]`, {}, 'its contents take over 1 MiB of memory'],
  ])('is too large where it is %s', async ([, bytes, headers, what]) => {
    const path = '/volumes/7'
    await expect(read(bytes, headers)).rejects.toMatchObject({
      code: 'too_large',
      message: `the response to GET ${path} is too large: ${what}`,
      details: { status: 200, request: { method: 'GET', path } },
    })
  })
})

describe('a successful answer', () => {
  const about = (returns: Operation['returns']) =>
    operation({ method: 'GET', path: '/x', scopes: [], summary: 'x', returns })
  const take = (returns: Operation['returns'], body: unknown, status = 200) =>
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
    ['an object without anything', nothing, {}, 200, {}],
    ['nothing, for an object without anything, with a 204', nothing, undefined, 204, {}],
    ['nothing, with a 204', v.nullable(record), undefined, 204, null],
    ['a record with errors of its own', nothing, { errors: [error], more: 1 }, 200, { errors: [error], more: 1 }],
    ['an object whose errors are none', nothing, { errors: [] }, 200, { errors: [] }],
    ['an object whose errors are others', nothing, { errors: [error, 'x'] }, 200, { errors: [error, 'x'] }],
    [
      'an object whose errors are without reasons',
      nothing,
      { errors: [{ reason: 1 }] },
      200,
      { errors: [{ reason: 1 }] },
    ],
    ['an object whose errors are a text', nothing, { errors: 'x' }, 200, { errors: 'x' }],
    ['an object whose errors are no objects', nothing, { errors: [null] }, 200, { errors: [null] }],
  ])('is %s', ([, returns, body, status, expected]) => {
    expect(take(returns, body, status)).toEqual(expected)
  })

  test.for<[string, Operation['returns'], unknown, number, string]>([
    ['it is empty', record, undefined, 200, 'it is empty'],
    ['it is empty, where something is promised', record, undefined, 204, 'it is empty'],
    ['it is empty without a 204', v.nullable(record), undefined, 200, 'it is empty'],
    ['it is empty, where an object without anything is promised', nothing, undefined, 200, 'it is empty'],
    ['it is null', record, null, 200, 'it is null'],
    ['it is null, although nothing is an answer', v.nullable(record), null, 200, 'it is null'],
    ['it tells of errors', record, { errors: [error] }, 200, 'it reports errors with a success status'],
    ['it has another shape', record, { id: 'x' }, 200, 'id is a text, not a number'],
    ['it is not a list', list, { page: 1 }, 200, 'it is not a list'],
    ['it is not a list, but empty', list, undefined, 200, 'it is empty'],
  ])('is refused where %s', ([, returns, body, status, what]) => {
    expect(() => take(returns, body, status)).toThrow(what)
  })

  test('has items in their shape, told by their place', () => {
    expect(normalizeItems(about(record), [{ id: 1 }], fail)).toEqual([{ id: 1 }])
    expect(() => normalizeItems(about(record), [{ id: 1 }, {}], fail)).toThrow('data[1].id is missing')
  })

  test('that is a defect of ours stays one', () => {
    const broken = {
      type: 'object',
      get entries() {
        throw new TypeError('a defect')
      },
    } as unknown as Operation['returns']
    expect(() => normalizeItems(about(broken), [{}], fail)).toThrow(TypeError)
  })
})

describe('the errors of an answer', () => {
  const errors = (body: unknown) =>
    readErrors(answer(typeof body === 'string' ? body : JSON.stringify(body)), asked, taken)

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
    ['no JSON', []],
  ])('%j are %j, and the form of the API is known', async ([body, expected, byTheApi = false]) => {
    expect(await errors(body)).toEqual({ errors: expected, byTheApi })
  })
})

describe('an answer about what was asked for', () => {
  const operationAt = (path: string, more: Partial<Operation> = {}) =>
    ({ ...operation({ method: 'GET', path, scopes: [], summary: 'x', returns: v.unknown() }), ...more }) as Operation
  const check = (one: Operation, names: Record<string, string | number>, told: unknown) => () =>
    expectSameObject(one, { path: names }, { answer: told, fail })
  const create = (repeats: string[]) => operationAt('/x', { repeats })
  const repeated = (field: string, asked: unknown, told: unknown) => () =>
    expectSameObject(create([field]), { body: { [field]: asked } }, { answer: { [field]: told }, fail })

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
  ] as const)('takes %s as the same: %j and %j', ([field, asked, told]) => {
    expect(repeated(field, asked, told)).not.toThrow()
  })

  test.for([
    ['label', 'a/b', 'a/c'],
    ['label', 'a', 'A'],
    ['size', 40, 400],
    ['region', 'us-east', 'eu-west'],
    ['scopes', 'a:read_only', '*'],
    ['ssh_key', 'ssh-ed25519 AAAA', 'ssh-ed25519 AAAB'],
  ] as const)('refuses another %s: %j and %j', ([field, asked, told]) => {
    expect(repeated(field, asked, told)).toThrow(`its ${field} is not the requested one`)
  })

  const view = operationAt('/x/{id}', { identityField: 'id' })
  const address = operationAt('/x/{address}', { identityField: 'address' })
  const clone = operationAt('/x/{id}/clone', { creates: 'volume' })

  test.for<[string, Operation, Record<string, string | number>, unknown]>([
    ['has its id', view, { id: 7 }, { id: 7 }],
    ['has its id as a text', view, { id: 7 }, { id: '7' }],
    ['says nothing of it', view, { id: 7 }, { label: 'a' }],
    ['is no record', view, { id: 7 }, null],
    ['is a list of such', view, { id: 7 }, [{ id: 7 }, 'x', { id: 7 }]],
    ['is of something without a name', operationAt('/x', { identityField: 'id' }), {}, { id: 7 }],
    ['need not repeat it', operationAt('/x/{id}'), { id: 7 }, { id: 8 }],
    ['has the last of two names', operationAt('/x/{x}/y/{id}', { identityField: 'id' }), { x: 1, id: 7 }, { id: 7 }],
    ['has an address in another form', address, { address: '2001:db8::1' }, { address: '2001:0DB8:0::1' }],
    ['has an address with its prefix', address, { address: '2001:db8::1' }, { address: '2001:db8::1/64' }],
    ['has a name in other letters', address, { address: 'US-East' }, { address: 'us-east' }],
    ['is of something new', clone, { id: 7 }, { id: 8 }],
  ])('%s', ([, one, names, told]) => {
    expect(check(one, names, told)).not.toThrow()
  })

  test.for<[string, Operation, Record<string, string | number>, unknown, string]>([
    ['another id', view, { id: 7 }, { id: 8 }, 'its id is not 7'],
    ['another one in a list', view, { id: 7 }, [{ id: 7 }, { id: 8 }], 'its id is not 7'],
    [
      'another address',
      address,
      { address: '2001:db8::1' },
      { address: '2001:db8::2' },
      'its address is not 2001:db8::1',
    ],
    [
      'another, shorter one',
      address,
      { address: '192.0.2.7' },
      { address: '192.0.2.70' },
      'its address is not 192.0.2.7',
    ],
    ['no address', address, { address: 'a:b' }, { address: 'a:c' }, 'its address is not a:b'],
    ['the id of what it was made of', clone, { id: 7 }, { id: 7 }, 'the copy has the id of 7'],
  ])('is none with %s', ([, one, names, told, message]) => {
    expect(check(one, names, told)).toThrow(message)
  })
})
