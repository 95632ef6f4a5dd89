import { describe, expect } from 'vitest'
import { isSandboxToken, sandboxScratchCode, sandboxToken } from '../../src/sandbox/secrets'
import { refused, test } from './fixture'

const create = 'POST /profile/tokens'

describe('token create', () => {
  test('returns the whole token once, and later its first 16 characters', async ({ service: { call } }) => {
    const { status, body } = await call(create, { body: { label: 'ci' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      label: 'ci',
      scopes: '*',
      created: '2026-01-15T12:30:00',
      expiry: null,
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(isSandboxToken(body.token)).toBe(true)
    const later = { ...body, token: body.token.slice(0, 16) }
    expect((await call(`GET /profile/tokens/${body.id}`)).body).toEqual(later)
    expect((await call('GET /profile/tokens')).body.data).toContainEqual(later)
    expect((await call(`PUT /profile/tokens/${body.id}`, { body: { label: 'ci' } })).body).toEqual(later)
  })

  test('without an expiry creates a token that is valid until it is revoked', async ({ service: { call, clock } }) => {
    const { token } = (await call(create, { body: { label: 'a', expiry: null } })).body
    clock.advance(500 * 365 * 86_400_000)
    expect((await call('GET /profile', { token })).status).toBe(200)
  })

  test('creates a token of the same user with the requested scopes', async ({ service: { call } }) => {
    const { body } = await call(create, { body: { label: 'ci', scopes: 'volumes:read_only account:read_write' } })
    expect((await call('GET /profile', { token: body.token })).body.username).toBe('owner')
    expect((await call('GET /volumes', { token: body.token })).status).toBe(200)
    expect((await call('DELETE /volumes/3002', { token: body.token })).status).toBe(401)
  })

  test('never creates the same token twice', async ({ service: { call } }) => {
    const created = await Promise.all(['a', 'a', 'a'].map((label) => call(create, { body: { label } })))
    const { body: last } = await call(create, { body: { label: 'a' } })
    await call(`DELETE /profile/tokens/${last.id}`)
    const { body: next } = await call(create, { body: { label: 'a' } })
    const texts = [...created.map(({ body }) => body.token), last.token, next.token]
    expect(new Set(texts.map((text) => text.slice(0, 16))).size).toBe(5)
  })

  test.for<[acting: string, requested: string | undefined, wider: string | undefined]>([
    ['account:read_write volumes:read_only', 'volumes:read_only', undefined],
    ['account:read_write volumes:read_write', 'volumes:read_only', undefined],
    ['account:read_write', 'account:read_only account:read_write', undefined],
    ['*', '*', undefined],
    ['*', 'object_storage:read_write child_account:read_only', undefined],
    ['account:read_write ips:read_only', 'ips:read', undefined],
    ['account:read_write ips:read', 'ips:read', undefined],
    ['account:read_write ips:read', 'ips:read_only', 'ips:read_only'],
    ['account:read_write volumes:read_only', 'volumes:read_write', 'volumes:read_write'],
    ['account:read_write', 'account:read_only ips:read_only vpc:read_only', 'ips:read_only vpc:read_only'],
    ['account:read_write', '*', '*'],
    ['account:read_write', undefined, '*'],
  ])(
    'with a token for %s grants %s unless that is wider',
    async ([acting, scopes, wider], { service: { call, world } }) => {
      const before = world.tokens.size
      const reply = await call(create, { token: world.token(acting), body: { label: 'a', ...(scopes && { scopes }) } })
      if (wider === undefined) {
        expect(reply).toMatchObject({ status: 200, body: { scopes } })
      } else {
        expect(reply).toMatchObject(refused(400, `The acting token does not have: ${wider}`, 'scopes'))
        expect(world.tokens.size).toBe(before + 1)
      }
    },
  )

  test.for([
    '',
    ' ',
    'volumes:read_only  ips:read_only',
    ' volumes:read_only',
    'volumes:read_only ',
    'volumes:read_only,ips:read_only',
    'volumes:read_only\tips:read_only',
    'volumes',
    'volumes:',
    'volumes:write',
    'volume:read_only',
    'VOLUMES:read_only',
    '* volumes:read_only',
    '**',
    '__proto__:read_only',
  ])('refuses the scopes %j', async (scopes, { service: { call } }) => {
    expect(await call(create, { body: { label: 'a', scopes } })).toMatchObject(
      refused(400, expect.any(String), 'scopes'),
    )
  })

  test('accepts only an expiry in the future', async ({ service: { call, clock } }) => {
    const at = (expiry: string) => call(create, { body: { label: 'a', expiry } })
    for (const expiry of ['2026-01-15T12:29:59', '2026-01-15T12:30:00', '2020-02-29T00:00:00']) {
      expect(await at(expiry)).toMatchObject(refused(400, 'Must be in the future', 'expiry'))
    }
    const { body } = await at('2026-01-15T12:30:01')
    expect(body.expiry).toBe('2026-01-15T12:30:01')
    expect((await call('GET /profile', { token: body.token })).status).toBe(200)
    clock.advance(1000)
    expect(await call('GET /profile', { token: body.token })).toMatchObject(refused(401, 'Invalid Token'))
    expect((await call(`GET /profile/tokens/${body.id}`)).status).toBe(200)
  })

  test.for([
    '2026-02-30T00:00:00',
    '2027-02-29T00:00:00',
    '2026-13-01T00:00:00',
    '2026-06-01T24:00:00',
    '2026-06-01',
    '2026-06-01T00:00Z',
    '2026-06-01T00:00:00+2:00',
    '2026-06-01T00:00:00+24:00',
    '2026-06-01T00:00:00.Z',
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '2026-06-01 00:00:00',
    '90d',
    '',
    1_800_000_000,
  ])('refuses the expiry %j', async (expiry, { service: { call } }) => {
    expect(await call(create, { body: { label: 'a', expiry } })).toMatchObject(
      refused(400, expect.any(String), 'expiry'),
    )
  })

  test.for([
    ['2026-06-01T00:00:00', '2026-06-01T00:00:00'],
    ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00'],
    ['2026-06-01t00:00:00z', '2026-06-01T00:00:00'],
    ['2026-06-01T00:30:00+02:00', '2026-05-31T22:30:00'],
    ['2026-06-01T00:00:00-05:30', '2026-06-01T05:30:00'],
    ['2026-06-01T00:00:00.000', '2026-06-01T00:00:00'],
    ['2026-06-01T00:00:00.999999999+00:00', '2026-06-01T00:00:00'],
  ])('accepts the RFC 3339 expiry %s and returns %s', async ([expiry, answered], { service: { call } }) => {
    const { status, body } = await call(create, { body: { label: 'a', expiry } })
    expect({ status, expiry: body.expiry }).toEqual({ status: 200, expiry: answered })
    expect((await call(`GET /profile/tokens/${body.id}`)).body.expiry).toBe(answered)
  })

  test('applies the UTC offset of an expiry before it refuses a past one', async ({ service: { call } }) => {
    const at = (expiry: string) => call(create, { body: { label: 'a', expiry } })
    expect(await at('2026-01-15T13:00:00+01:00')).toMatchObject(refused(400, 'Must be in the future', 'expiry'))
    expect((await at('2026-01-15T12:00:00-01:00')).body.expiry).toBe('2026-01-15T13:00:00')
  })

  test.for(['', 'a'.repeat(101), '😀'.repeat(101), 1, null, undefined])(
    'refuses the label %j',
    async (label, { service: { call } }) => {
      expect(await call(create, { body: { label } })).toMatchObject(refused(400, expect.any(String), 'label'))
    },
  )

  test.for(['a', 'a'.repeat(100), '😀'.repeat(100), '__proto__'])(
    'accepts the label %s of 1 to 100 characters',
    async (label, { service: { call } }) => {
      expect((await call(create, { body: { label } })).body.label).toBe(label)
    },
  )

  test('is refused for a proxy user', async ({ service: { call, world } }) => {
    const before = world.tokens.size
    expect(await call(create, { token: world.token('*', 3), body: { label: 'a' } })).toMatchObject(
      refused(403, 'Unauthorized'),
    )
    expect(world.tokens.size).toBe(before + 1)
  })

  test('is allowed for a restricted user', async ({ service: { call, world } }) => {
    const { body } = await call(create, { token: world.token('*', 2), body: { label: 'a' } })
    expect((await call('GET /profile', { token: body.token })).body.username).toBe('restricted')
  })
})

describe('tokens', () => {
  test('are listed only for their own user, without those of apps', async ({ service: { call, world } }) => {
    const labels = async (token: string) =>
      (await call('GET /profile/tokens', { token })).body.data.map(({ label }: { label: string }) => label)
    expect(await labels(world.token('*'))).toEqual([
      'owner',
      'volumes-read-only',
      'volumes-read-write',
      'volumes-and-computes',
      'account-read-only',
      'expired',
      'deploy',
      expect.stringMatching(/^token-/),
    ])
    expect(await labels(world.token('*', 2))).toEqual(['restricted', expect.any(String)])
    const [app] = world.tokens.all().filter((token) => token.app !== null)
    expect(await call(`DELETE /profile/tokens/${app?.id}`)).toMatchObject(refused(404, 'Not found'))
  })

  test('show no more than 16 characters', async ({ service: { call } }) => {
    const { body } = await call('GET /profile/tokens')
    for (const { token } of body.data) expect(token).toMatch(/^[0-9a-f]{16}$/)
  })

  test('can change only their label', async ({ service: { call } }) => {
    const { body: before } = await call('GET /profile/tokens/4')
    expect((await call('PUT /profile/tokens/4', { body: { label: 'new' } })).body).toEqual({ ...before, label: 'new' })
    for (const field of ['scopes', 'expiry', 'token', 'id']) {
      const { status, body } = await call('PUT /profile/tokens/4', { body: { label: 'new', [field]: '*' } })
      expect({ status, body }).toEqual({ status: 200, body: { ...before, label: 'new' } })
    }
    expect((await call('PUT /profile/tokens/4', { body: { label: 'a'.repeat(101) } })).status).toBe(400)
  })

  test('are invalid as soon as they are revoked', async ({ service: { call } }) => {
    const { body } = await call(create, { body: { label: 'a' } })
    expect((await call(`DELETE /profile/tokens/${body.id}`)).body).toEqual({})
    expect(await call('GET /profile', { token: body.token })).toMatchObject(refused(401, 'Invalid Token'))
    expect(await call(`GET /profile/tokens/${body.id}`)).toMatchObject(refused(404, 'Not found'))
    expect(await call(`DELETE /profile/tokens/${body.id}`)).toMatchObject(refused(404, 'Not found'))
  })

  test('can revoke themselves, and are then invalid', async ({ service: { call } }) => {
    expect((await call('DELETE /profile/tokens/1')).status).toBe(200)
    expect(await call('GET /profile')).toMatchObject(refused(401, 'Invalid Token'))
  })
})

test('a scratch code has 16 characters in groups of four', () => {
  expect(sandboxScratchCode('a')).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/)
})

test.for<[string, boolean]>([
  [sandboxToken('owner'), true],
  [`facade00${'0'.repeat(56)}`, true],
  [`facade00${'0'.repeat(55)}`, false],
  [`facade00${'0'.repeat(57)}`, false],
  [`facade00${'0'.repeat(55)}g`, false],
  [`facade00${'F'.repeat(56)}`, false],
  [`xfacade00${'0'.repeat(56)}`, false],
  ['0'.repeat(64), false],
])('%s is a sandbox token: %s', ([text, isToken]) => {
  expect(isSandboxToken(text)).toBe(isToken)
})
