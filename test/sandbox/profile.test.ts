import { describe, expect } from 'vitest'
import { refused, test } from './fixture'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA laptop'

describe('profile view', () => {
  test('shows every field of the acting user', async ({ service: { call } }) => {
    expect((await call('GET /profile')).body).toEqual({
      username: 'owner',
      uid: 1,
      email: 'owner@example.net',
      authentication_type: 'password',
      restricted: false,
      two_factor_auth: false,
      email_notifications: true,
      ip_whitelist_enabled: true,
      shell_auth_method: 'password_keys',
      authorized_keys: null,
      timezone: 'Europe/Berlin',
      verified_phone_number: null,
      referrals: {
        code: expect.any(String),
        url: expect.stringMatching(/^https:\/\//),
        total: 3,
        completed: 2,
        pending: 1,
        credit: 40,
      },
    })
  })

  test.for<[payments: number, shown: boolean]>([
    [24.99, false],
    [25, true],
  ])('shows referrals after payments of %d USD: %s', async ([payments, shown], { service: { call, world } }) => {
    const owner = world.users.get(1)
    if (owner) world.users.put({ ...owner, payments })
    expect('referrals' in (await call('GET /profile')).body).toBe(shown)
  })

  test('shows that a proxy user signs in through an identity provider', async ({ service: { call, world } }) => {
    const { body } = await call('GET /profile', { token: world.token('*', 3) })
    expect(body).toMatchObject({ username: 'proxy', authentication_type: 'idp' })
    expect(body).not.toHaveProperty('referrals')
  })
})

describe('profile update', () => {
  test.for<[field: string, value: unknown]>([
    ['email', 'someone@example.net'],
    ['email_notifications', false],
    ['ip_whitelist_enabled', false],
    ['shell_auth_method', 'keys_only'],
    ['shell_auth_method', 'disabled'],
    ['authorized_keys', [key]],
    ['authorized_keys', null],
    ['timezone', 'America/New_York'],
    ['timezone', 'UTC'],
    ['timezone', 'EST'],
    ['timezone', 'Asia/Calcutta'],
    ['two_factor_auth', false],
    ['restricted', false],
  ])('sets %s to %j and leaves the other fields unchanged', async ([field, value], { service: { call } }) => {
    const { body: before } = await call('GET /profile')
    const { status, body } = await call('PUT /profile', { body: { [field]: value } })
    expect({ status, body }).toEqual({ status: 200, body: { ...before, [field]: value } })
    expect((await call('GET /profile')).body).toEqual(body)
  })

  test('changes all requested fields or none', async ({ service: { call } }) => {
    const { body: before } = await call('GET /profile')
    expect((await call('PUT /profile', { body: {} })).body).toEqual(before)
    const wrong = { email: 'a@example.net', timezone: 'Mars/Olympus' }
    expect(await call('PUT /profile', { body: wrong })).toMatchObject(refused(400, 'timezone is not valid', 'timezone'))
    expect((await call('GET /profile')).body).toEqual(before)
    const changes = { email: 'a@example.net', timezone: 'Asia/Tokyo' }
    expect((await call('PUT /profile', { body: changes })).body).toMatchObject(changes)
  })

  test.for<[field: string, value: unknown]>([
    ['email', 'nobody'],
    ['email', 'a@b@c'],
    ['email', 'a b@example.net'],
    ['email', ''],
    ['email_notifications', 'yes'],
    ['shell_auth_method', 'password'],
    ['authorized_keys', 'ssh-ed25519 AAAA'],
    ['timezone', '+01:00'],
    ['timezone', 'Berlin'],
    ['timezone', 'BST'],
    ['timezone', 'cst'],
    ['timezone', 'SystemV/EST5'],
    ['timezone', ''],
    ['two_factor_auth', 1],
  ])('refuses %s %j', async ([field, value], { service: { call } }) => {
    expect(await call('PUT /profile', { body: { [field]: value } })).toMatchObject(
      refused(400, expect.any(String), field),
    )
  })

  test.for(['username', 'uid', 'authentication_type', 'referrals', 'verified_phone_number'])(
    'ignores the read-only %s, and refuses it if the service is strict',
    async (field, { service: { call }, open }) => {
      const before = (await call('GET /profile')).body
      const { status, body } = await call('PUT /profile', { body: { [field]: 'x' } })
      expect({ status, body }).toEqual({ status: 200, body: before })
      const strict = await (await open({ strict: true })).call('PUT /profile', { body: { [field]: 'x' } })
      expect(strict).toMatchObject({ status: 400, body: { errors: [{ field }] } })
    },
  )

  test('cannot change the email of a proxy user', async ({ service: { call, world } }) => {
    const token = world.token('*', 3)
    expect(await call('PUT /profile', { token, body: { email: 'new@example.net' } })).toMatchObject(
      refused(400, 'The email of a proxy user cannot be changed', 'email'),
    )
    const body = { email: 'proxy@example.net', timezone: 'Asia/Tokyo' }
    expect((await call('PUT /profile', { token, body })).body).toMatchObject(body)
  })

  test('can disable the IP whitelist, but not enable it', async ({ service: { call } }) => {
    const set = (ip_whitelist_enabled: boolean) => call('PUT /profile', { body: { ip_whitelist_enabled } })
    expect((await set(true)).body.ip_whitelist_enabled).toBe(true)
    expect((await set(false)).body.ip_whitelist_enabled).toBe(false)
    expect(await set(true)).toMatchObject(
      refused(400, 'The IP whitelist is deprecated and cannot be enabled', 'ip_whitelist_enabled'),
    )
  })

  test('stores an empty list of authorized keys as null', async ({ service: { call } }) => {
    await call('PUT /profile', { body: { authorized_keys: [key] } })
    expect((await call('PUT /profile', { body: { authorized_keys: [] } })).body.authorized_keys).toBeNull()
  })

  test('names the invalid authorized key', async ({ service: { call } }) => {
    expect(await call('PUT /profile', { body: { authorized_keys: [key, 'ssh-ed25519 AAAA'] } })).toMatchObject(
      refused(400, expect.any(String), 'authorized_keys[1]'),
    )
  })

  test('cannot enable two-factor authentication, which needs a code', async ({ service: { call } }) => {
    expect(await call('PUT /profile', { body: { two_factor_auth: true } })).toMatchObject(
      refused(400, expect.any(String), 'two_factor_auth'),
    )
  })

  test('accepts two-factor authentication as enabled if it is already enabled', async ({
    service: { call, world },
  }) => {
    const owner = world.users.get(1)
    if (owner) world.users.put({ ...owner, two_factor_auth: true })
    const { status, body } = await call('PUT /profile', { body: { two_factor_auth: true, timezone: 'UTC' } })
    expect({ status, body }).toMatchObject({ status: 200, body: { two_factor_auth: true, timezone: 'UTC' } })
  })

  test('can restrict the acting user, but not lift the restriction', async ({ service: { call, world } }) => {
    expect((await call('PUT /profile', { body: { restricted: true } })).body.restricted).toBe(true)
    expect((await call('GET /volumes')).body.results).toBe(0)
    expect(await call('PUT /profile', { body: { restricted: false } })).toMatchObject(refused(403, 'Unauthorized'))
    const token = world.token('*', 2)
    expect(await call('PUT /profile', { token, body: { restricted: false } })).toMatchObject(
      refused(403, 'Unauthorized'),
    )
    expect((await call('PUT /profile', { token, body: { restricted: true } })).status).toBe(200)
    expect((await call('GET /volumes', { token })).body.results).toBe(2)
  })
})

describe('grants', () => {
  test('of an unrestricted user are 204 without a body', async ({ service: { call, world } }) => {
    const { status, body } = await call('GET /profile/grants', { token: world.token('images:read_only') })
    expect({ status, body }).toEqual({ status: 204, body: undefined })
  })

  test('of a restricted user have every kind of object, and only accessible objects', async ({
    service: { call, world },
  }) => {
    const { status, body } = await call('GET /profile/grants', { token: world.token('images:read_only', 2) })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining('database domain image compute monitor balancer script volume vpc global'.split(' ')),
    )
    expect(body.volume).toEqual([
      { id: 3001, label: 'data-1', permissions: 'read_only' },
      { id: 3002, label: 'data-2', permissions: 'read_write' },
    ])
    expect(body.domain).toEqual([])
    expect(Object.keys(body.global).sort()).toEqual(
      (
        'account_access add_balancers add_computes add_databases add_domains add_firewalls add_images add_monitors ' +
        'add_scripts add_volumes add_vpcs cancel_account child_account_access monitor_subscription'
      ).split(' '),
    )
    expect(body.global).toMatchObject({ account_access: 'read_only', add_volumes: false, child_account_access: null })
  })

  test('follow renamed and deleted objects', async ({ service: { call, world } }) => {
    await call('PUT /volumes/3001', { body: { label: 'renamed' } })
    await call('DELETE /volumes/3002')
    const { body } = await call('GET /profile/grants', { token: world.token('*', 2) })
    expect(body.volume).toEqual([{ id: 3001, label: 'renamed', permissions: 'read_only' }])
  })
})
