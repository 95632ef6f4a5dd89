/** Records of the acting user that expire: authorized apps, trusted devices, logins. */
import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

const day = 86_400_000
const ids = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id)
const tokenOf = ({ sandbox }: Service, label: string) =>
  sandbox.describe().tokens.find((token) => token.label === label)?.token ?? null

describe('authorized apps', () => {
  test('are listed with every field', async ({ service: { call } }) => {
    const reply = await call('GET /profile/apps')
    expect(ids(reply)).toEqual([1, 2])
    expect(reply.body.data[0]).toEqual({
      id: 1,
      label: 'dashboard',
      scopes: 'account:read_write volumes:read_only',
      website: expect.stringMatching(/^https:\/\//),
      thumbnail_url: expect.stringMatching(/^https:\/\//),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      expiry: null,
    })
    expect((await call('GET /profile/apps/1')).body).toEqual(reply.body.data[0])
  })

  test('have the scopes that the user authorized', async ({ service }) => {
    const token = tokenOf(service, 'app dashboard')
    expect((await service.call('GET /profile', { token })).body.username).toBe('owner')
    expect((await service.call('GET /volumes', { token })).status).toBe(200)
    expect((await service.call('DELETE /volumes/3002', { token })).status).toBe(401)
  })

  test('lose their access when they are revoked', async ({ service }) => {
    const token = tokenOf(service, 'app dashboard')
    const { status, body } = await service.call('DELETE /profile/apps/1')
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await service.call('GET /profile', { token })).toMatchObject(refused(401, 'Invalid Token'))
    expect(await service.call('GET /profile/apps/1')).toMatchObject(refused(404, 'Not found'))
    expect(await service.call('DELETE /profile/apps/1')).toMatchObject(refused(404, 'Not found'))
    expect((await service.call('GET /volumes', { token: tokenOf(service, 'app backups') })).status).toBe(200)
  })

  test('lose their access when it expires', async ({ service }) => {
    const token = tokenOf(service, 'app backups')
    service.clock.advance(20 * day - 1000)
    expect((await service.call('GET /volumes', { token })).status).toBe(200)
    service.clock.advance(1000)
    expect((await service.call('GET /volumes', { token })).status).toBe(401)
  })
})

describe('trusted devices', () => {
  test('are listed with every field', async ({ service: { call } }) => {
    const reply = await call('GET /profile/devices')
    expect(ids(reply)).toEqual([1, 2])
    expect(reply.body.data[0]).toEqual({
      id: 1,
      user_agent: expect.stringContaining('Mozilla'),
      last_remote_addr: expect.stringMatching(/^198\.51\.100\./),
      last_authenticated: expect.any(String),
      created: '2026-01-11T12:30:00',
      expiry: '2026-02-10T12:30:00',
    })
    expect((await call('GET /profile/devices/2')).body).toEqual(reply.body.data[1])
  })

  test('are removed when they are revoked', async ({ service: { call } }) => {
    expect((await call('DELETE /profile/devices/1')).body).toEqual({})
    expect(ids(await call('GET /profile/devices'))).toEqual([2])
    expect(await call('DELETE /profile/devices/1')).toMatchObject(refused(404, 'Not found'))
  })

  test('expire after 30 days', async ({ service: { call, clock } }) => {
    clock.advance(9 * day - 1000)
    expect(ids(await call('GET /profile/devices'))).toEqual([1, 2])
    clock.advance(1000)
    expect(ids(await call('GET /profile/devices'))).toEqual([1])
    expect(await call('GET /profile/devices/2')).toMatchObject(refused(404, 'Not found'))
    expect(await call('DELETE /profile/devices/2')).toMatchObject(refused(404, 'Not found'))
  })
})

describe('logins', () => {
  test('are listed if they succeeded within 90 days', async ({ service: { call, clock } }) => {
    expect(ids(await call('GET /profile/logins'))).toEqual([2, 3, 6])
    clock.advance(45 * day)
    expect(ids(await call('GET /profile/logins'))).toEqual([2, 3, 6])
    clock.advance(1000)
    expect(ids(await call('GET /profile/logins'))).toEqual([3, 6])
    expect(await call('GET /profile/logins/2')).toMatchObject(refused(404, 'Not found'))
  })

  test('are shown with every field, failed ones too', async ({ service: { call, world } }) => {
    expect((await call('GET /profile/logins/6')).body).toEqual({
      id: 6,
      datetime: '2026-01-11T12:30:00',
      ip: expect.stringMatching(/^198\.51\.100\./),
      username: 'owner',
      restricted: false,
      status: 'successful',
    })
    expect((await call('GET /profile/logins/5')).body.status).toBe('failed')
    const { body } = await call('GET /profile/logins', { token: world.token('*', 2) })
    expect(body.data).toMatchObject([{ id: 4, username: 'restricted', restricted: true }])
  })
})

test.for(['apps/1', 'devices/1', 'logins/6', 'sshkeys/1', 'tokens/4'])(
  'a record of another user is not found: %s',
  async (path, { service: { call, world } }) => {
    const token = world.token('*', 2)
    expect((await call(`GET /profile/${path}`)).status).toBe(200)
    expect(await call(`GET /profile/${path}`, { token })).toMatchObject(refused(404, 'Not found'))
    if (path.startsWith('logins')) return
    expect(await call(`DELETE /profile/${path}`, { token })).toMatchObject(refused(404, 'Not found'))
    expect((await call(`GET /profile/${path}`)).status).toBe(200)
  },
)
