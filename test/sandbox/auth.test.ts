import { describe, expect } from 'vitest'
import { isSandboxToken } from '../../src/sandbox/secrets'
import { refused, test } from './fixture'

const unknownToken = '0'.repeat(64)

describe('a token', () => {
  test.for([null, '', 'x', unknownToken])(
    'that is missing or unknown is 401 Invalid Token: %j',
    async (token, { service: { call } }) => {
      const reply = await call('GET /volumes', { token })
      expect(reply).toMatchObject(refused(401, 'Invalid Token'))
      expect(reply.headers.get('x-oauth-scopes')).toBe('unknown')
      expect(reply.headers.get('x-accepted-oauth-scopes')).toBe('volumes:read_only')
    },
  )

  test('is taken from the Authorization header as Bearer only', async ({ service: { call, sandbox } }) => {
    for (const Authorization of [sandbox.ownerToken, `Basic ${sandbox.ownerToken}`, `Bearer ${sandbox.ownerToken} x`]) {
      expect((await call('GET /profile', { token: null, headers: { Authorization } })).status).toBe(401)
    }
    expect((await call(`GET /profile?access_token=${sandbox.ownerToken}`, { token: null })).status).toBe(401)
  })

  test('is no longer valid from its expiry on', async ({ service: { call, world, clock } }) => {
    const token = world.token('*')
    const record = world.tokens.all().find((candidate) => candidate.token === token)
    if (record) world.tokens.put({ ...record, expiry: '2026-01-15T12:31:00' })
    expect((await call('GET /profile', { token })).status).toBe(200)
    clock.advance(60_000)
    expect(await call('GET /profile', { token })).toMatchObject(refused(401, 'Invalid Token'))
  })

  test('that was revoked is invalid immediately', async ({ service: { call, world } }) => {
    const token = world.token('*')
    expect((await call('GET /profile', { token })).status).toBe(200)
    world.tokens.delete(world.tokens.all().find((candidate) => candidate.token === token)?.id ?? 0)
    expect(await call('GET /profile', { token })).toMatchObject(refused(401, 'Invalid Token'))
  })

  test('of the sandbox is recognisable and no other is', ({ service: { sandbox } }) => {
    const { tokens } = sandbox.describe()
    for (const { token } of tokens) expect(isSandboxToken(token)).toBe(true)
    expect(new Set(tokens.map(({ token }) => token.slice(0, 16))).size).toBe(tokens.length)
    const real = 'c0ffee'.repeat(11).slice(0, 64)
    for (const text of [real, '', unknownToken, sandbox.ownerToken.toUpperCase(), `${sandbox.ownerToken}0`]) {
      expect(isSandboxToken(text)).toBe(false)
    }
  })
})

describe('scopes', () => {
  const lacking = 'Your OAuth token is not authorized to use this endpoint.'

  test.for<[scopes: string, line: string]>([
    ['volumes:read_only', 'POST /volumes'],
    ['volumes:read_only', 'PUT /volumes/3002'],
    ['volumes:read_only', 'DELETE /volumes/3002'],
    ['volumes:read_only', 'POST /volumes/3002/resize'],
    ['volumes:read_only', 'POST /volumes/3002/clone'],
    ['volumes:read_only computes:read_write', 'POST /volumes/3002/attach'],
    ['volumes:read_write', 'POST /volumes/3002/attach'],
    ['volumes:read_write computes:read_only', 'POST /volumes/3002/attach'],
    ['volumes:read_write', 'POST /volumes/3001/detach'],
    ['account:read_write', 'GET /volumes'],
    ['account:read_only', 'GET /volumes/3001'],
    ['computes:read_write', 'GET /volumes'],
  ])('%s does not suffice for %s', async ([scopes, line], { service: { call, world } }) => {
    const reply = await call(line, { token: world.token(scopes) })
    expect(reply).toMatchObject(refused(401, lacking))
    expect(reply.headers.get('x-oauth-scopes')).toBe(scopes)
  })

  test.for<[scopes: string, line: string, body?: object]>([
    ['volumes:read_only', 'GET /volumes'],
    ['volumes:read_write', 'GET /volumes'],
    ['volumes:read_write', 'GET /volumes/3001'],
    ['volumes:read_write', 'POST /volumes', { label: 'a', region: 'us-east' }],
    ['volumes:read_write', 'POST /volumes/3002/resize', { size: 30 }],
    ['volumes:read_write computes:read_write', 'POST /volumes/3002/attach', { compute_id: 1001 }],
    ['computes:read_write volumes:read_write', 'POST /volumes/3001/detach'],
    ['*', 'DELETE /volumes/3002'],
    ['images:read_only', 'GET /profile'],
  ])('%s suffices for %s', async ([scopes, line, body], { service: { call, world } }) => {
    expect((await call(line, { token: world.token(scopes), ...(body && { body }) })).status).toBe(200)
  })

  test('are checked before the body and the id', async ({ service: { call, world } }) => {
    const token = world.token('volumes:read_only')
    expect((await call('POST /volumes/1/resize', { token, body: '{' })).status).toBe(401)
  })
})

describe('the regions endpoints', () => {
  test.for(['/regions', '/regions/availability', '/regions/us-east', '/regions/us-east/availability'])(
    '%s needs no token, and ignores one that is not valid',
    async (path, { service: { call } }) => {
      expect((await call(`GET ${path}`, { token: null })).status).toBe(200)
      expect((await call(`GET ${path}`, { token: unknownToken })).status).toBe(200)
    },
  )
})

describe('profile view', () => {
  test.for<[label: string, user: object]>([
    ['owner', { username: 'owner', restricted: false }],
    ['restricted', { username: 'restricted', restricted: true }],
    ['proxy', { username: 'proxy', restricted: false }],
    ['account-read-only', { username: 'owner' }],
  ])('shows whom the token %s belongs to', async ([label, user], { service: { call, sandbox } }) => {
    const token = sandbox.describe().tokens.find((candidate) => candidate.label === label)?.token ?? null
    const { status, body } = await call('GET /profile', { token })
    expect(status).toBe(200)
    expect(body).toMatchObject(user)
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['uid', 'email', 'timezone', 'two_factor_auth', 'authorized_keys', 'shell_auth_method']),
    )
  })
})
