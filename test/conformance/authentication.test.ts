import { describe, expect } from 'vitest'
import { perform, rows } from '../operations'
import type { Row } from '../operations/row'
import { refused, type Service, test } from '../sandbox/fixture'

/** Grants List answers 204 to the owner, who is not restricted. */
const ok = expect.toSatisfy((status: number) => status === 200 || status === 204)

type Token = { text: null } | { scopes: string }

/** Sends the request of a row with a token of these scopes, or with none. */
const answerTo = (row: Row, token: Token, service: Service) =>
  perform(row, service, 'scopes' in token ? service.world.token(token.scopes) : null)

/** Scopes just below these: without one of several, or with read_only instead of read_write. */
function narrower(scopes: string[]): string[] {
  return scopes.flatMap((scope, index) => {
    const others = scopes.filter((_, other) => other !== index)
    const weaker = scope.endsWith(':read_write') ? [scope.replace('read_write', 'read_only')] : []
    return [[...others, ...weaker], others].map((list) => list.join(' ')).filter((text) => text !== '')
  })
}

const unknownToken = '0'.repeat(64)

describe('a token', () => {
  test.for([null, '', 'x', unknownToken])(
    'is refused with 401 Invalid Token if it is missing or unknown: %j',
    async (token, { service: { call } }) => {
      const reply = await call('GET /volumes', { token })
      expect(reply).toMatchObject(refused(401, 'Invalid Token'))
      expect(reply.headers.get('x-oauth-scopes')).toBe('unknown')
      expect(reply.headers.get('x-accepted-oauth-scopes')).toBe('volumes:read_only')
    },
  )

  test('is accepted only in the Authorization header as Bearer', async ({ service: { call, sandbox } }) => {
    for (const Authorization of [sandbox.ownerToken, `Basic ${sandbox.ownerToken}`, `Bearer ${sandbox.ownerToken} x`]) {
      expect((await call('GET /profile', { token: null, headers: { Authorization } })).status).toBe(401)
    }
    expect((await call(`GET /profile?access_token=${sandbox.ownerToken}`, { token: null })).status).toBe(401)
  })
})

describe('scopes', () => {
  const reason = 'Your OAuth token is not authorized to use this endpoint.'

  test.for(rows)('Authentication 3, 4: are required for %s', async ([, row], { open }) => {
    const send = async (token: Token) => answerTo(row, token, await open())
    const service = await open()
    /** Sends a request that is refused: it changes nothing, so it can reuse one service. */
    const sendRefused = (token: Token) => answerTo(row, token, service)
    const needed = row.scopes.split(' ')
    if (row.scopes === 'open') {
      expect(await send({ text: null })).toMatchObject({ status: 200 })
    } else {
      const reply = await sendRefused({ text: null })
      expect(reply).toMatchObject(refused(401, 'Invalid Token'))
      expect(reply.headers.get('x-accepted-oauth-scopes')).toBe(row.scopes === 'none' ? '*' : needed.join(','))
    }
    const isLimited = row.scopes !== 'open' && row.scopes !== 'none'
    expect(await send({ scopes: 'images:read_write' })).toMatchObject(isLimited ? refused(401, reason) : { status: ok })
    expect(await send({ scopes: '*' })).toMatchObject({ status: ok })
    if (!isLimited) return
    expect(await send({ scopes: row.scopes })).toMatchObject({ status: ok })
    expect(await send({ scopes: row.scopes.replaceAll(/:read(_only)?$/g, ':read_write') })).toMatchObject({
      status: ok,
    })
    for (const scopes of narrower(needed)) expect(await sendRefused({ scopes })).toMatchObject(refused(401, reason))
  })

  test.for(['ips:read', 'ips:read_only', 'ips:read_write'])(
    'Authentication 4: %s suffices to view a range',
    async (scopes, { service: { call, world } }) => {
      const { body } = await call('GET /networking/ipv6/ranges')
      const token = world.token(scopes)
      expect((await call(`GET /networking/ipv6/ranges/${body.data[0].range}`, { token })).status).toBe(200)
    },
  )

  test('are checked before the body and the id', async ({ service: { call, world } }) => {
    const token = world.token('volumes:read_only')
    expect((await call('POST /volumes/1/resize', { token, body: '{' })).status).toBe(401)
  })
})

describe('the regions endpoints', () => {
  test.for(['/regions', '/regions/availability', '/regions/us-east', '/regions/us-east/availability'])(
    '%s needs no token, and ignores an invalid one',
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
  ])('shows the user of the token %s', async ([label, user], { service: { call, sandbox } }) => {
    const token = sandbox.describe().tokens.find((candidate) => candidate.label === label)?.token ?? null
    const { status, body } = await call('GET /profile', { token })
    expect(status).toBe(200)
    expect(body).toMatchObject(user)
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['uid', 'email', 'timezone', 'two_factor_auth', 'authorized_keys', 'shell_auth_method']),
    )
  })
})
