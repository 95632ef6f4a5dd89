import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

const line = 'PUT /profile/preferences'
const most = 65_535
/** Preferences of this length as JSON. */
const ofLength = (characters: number, char = 'a') => ({ k: char.repeat(characters - '{"k":""}'.length) })
const tooLong = refused(400, 'Must not exceed 65535 characters as JSON')

/** Reads the preferences as text, since `toEqual` ignores a key such as `__proto__`. */
async function preferencesText({ baseUrl, sandbox }: Service): Promise<string> {
  const headers = { Authorization: `Bearer ${sandbox.ownerToken}` }
  return (await fetch(`${baseUrl}/profile/preferences`, { headers })).text()
}

describe('preferences', () => {
  test('are empty at first', async ({ service: { call } }) => {
    expect(await call('GET /profile/preferences')).toMatchObject({ status: 200, body: {} })
  })

  test('are replaced as a whole', async ({ service: { call } }) => {
    await call(line, { body: { a: 1, b: { c: [null, true, 'x'] } } })
    const { status, body } = await call(line, { body: { d: 2 } })
    expect({ status, body }).toEqual({ status: 200, body: { d: 2 } })
    expect((await call('GET /profile/preferences')).body).toEqual({ d: 2 })
    await call(line, { body: {} })
    expect((await call('GET /profile/preferences')).body).toEqual({})
  })

  test('keep integers beyond 2^53 exact', async ({ service }) => {
    const body = '{"id":9007199254740993,"list":[-12345678901234567890],"__proto__":{"a":18446744073709551615}}'
    expect((await service.call(line, { body })).status).toBe(200)
    expect(await preferencesText(service)).toBe(body)
  })

  test('can have any keys', async ({ service }) => {
    const body =
      '{"__proto__":{"x":1},"constructor":2,"prototype":3,"toString":4,"":5,"a.b[0]":6,"hasOwnProperty":7,"\\u0000":8}'
    expect((await service.call(line, { body })).status).toBe(200)
    expect(await preferencesText(service)).toBe(body)
  })

  test('are separate for each user and each OAuth client', async ({ service }) => {
    const { call, world, sandbox } = service
    const app = sandbox.describe().tokens.find(({ label }) => label === 'app dashboard')?.token ?? null
    const tokens = [world.token('*'), app, world.token('*', 2)]
    for (const [index, token] of tokens.entries()) await call(line, { token, body: { index } })
    const read = await Promise.all(tokens.map((token) => call('GET /profile/preferences', { token })))
    expect(read.map(({ body }) => body.index)).toEqual([0, 1, 2])
    expect((await call('GET /profile/preferences')).body).toEqual({ index: 0 })
  })

  test.for<[name: string, char: string, units: number]>([
    ['letters', 'a', 1],
    ['letters beyond ASCII', 'é', 1],
    ['characters of two UTF-16 units', '😀', 1],
    ['characters that JSON escapes', '"', 2],
    ['control characters', '\u0000', 6],
  ])('have at most 65,535 characters as JSON: %s', async ([, char, units], { service: { call } }) => {
    const room = most - '{"k":""}'.length
    const fits = { k: char.repeat(Math.floor(room / units)) + 'a'.repeat(room % units) }
    expect((await call(line, { body: fits })).status).toBe(200)
    expect(await call(line, { body: { k: `${fits.k}a` } })).toMatchObject(tooLong)
    expect((await call('GET /profile/preferences')).body).toEqual(fits)
  })

  test('are counted without the whitespace of the request', async ({ service: { call } }) => {
    expect((await call(line, { body: JSON.stringify(ofLength(most), null, 8) })).status).toBe(200)
    expect((await call(line, { body: JSON.stringify({ a: [1, { b: 2 }], c: {} }, null, 60_000) })).status).toBe(200)
  })

  test('are counted with keys that are special in JavaScript', async ({ service: { call } }) => {
    const body = `{"__proto__":"${'a'.repeat(most - 15)}"}`
    expect(body.length).toBe(most + 1)
    expect(await call(line, { body })).toMatchObject(tooLong)
  })

  test('can be nested 2,000 levels, but not 100,000', async ({ service: { call } }) => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await call(line, { body: nested(2000) })).status).toBe(200)
    expect((await call('GET /profile/preferences')).status).toBe(200)
    // On Node 26 JSON.stringify takes any depth.
    expect([200, 400]).toContain((await call(line, { body: nested(30_000) })).status)
    expect(await call(line, { body: nested(100_000) })).toMatchObject(tooLong)
    expect((await call('GET /profile/preferences')).status).toBe(200)
  })

  test.for(['[]', '["a"]', '"a"', '1', 'null', 'true'])(
    'are refused unless they are an object: %s',
    async (body, { service: { call } }) => {
      expect(await call(line, { body })).toMatchObject(refused(400, 'Must be an object'))
    },
  )
})
