/** The initial world: scripts and examples rely on its ids, labels and tokens. */
import { describe, expect } from 'vitest'
import { seedFrom } from '../../src/sandbox/restore-world'
import { test } from './fixture'

describe('the built-in world', () => {
  test('has the same records for everybody, with times relative to the clock', async ({ service }) => {
    const lines = Object.entries(service.sandbox.describe()).flatMap(([table, records]) =>
      [records].flat().map((record) => `${table} ${JSON.stringify(record)}`),
    )
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('built-in.txt')
  })

  test('has the same regions, resolvers and plans for everybody', async ({ service: { call } }) => {
    const { data } = (await call('GET /regions?page_size=500')).body
    const { data: rows } = (await call('GET /regions/availability?page_size=500')).body
    const lines = [...data, ...rows].map((record: object) => JSON.stringify(record))
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('regions.txt')
  })
})

describe('fields that a world file leaves out', () => {
  const now = '2026-01-15T12:30:00'

  test('get their default values', async ({ open }) => {
    const seed = seedFrom({
      computes: [{ id: 7 }, { id: 8, label: 'far', region: 'eu-west', configs: [] }],
      users: [{ uid: 1, username: 'me' }],
      volumes: [{ id: 9 }],
      firewalls: [{ id: 5, devices: [{ type: 'compute', id: 7 }] }],
      addresses: [
        { address: '192.0.2.1', compute_id: 7 },
        { address: '2001:db8::1', compute_id: 8 },
        { address: '192.0.2.2', compute_id: 99 },
        { address: '2001:db8:1::', compute_id: 8, type: 'ipv6/range' },
      ],
      tokens: [{ label: 'mine', user: 'me' }],
      apps: [],
      trusted_devices: [],
      logins: [],
      sshkeys: [{ user: 'me', label: 'key', ssh_key: 'ssh-ed25519 A' }],
      security_answers: [],
    })
    const { computes, users, volumes, firewalls, addresses, tokens, sshkeys } = (
      await open({ seed })
    ).sandbox.describe()
    const compute = { status: 'running', memory: 4, live_migration: false }
    expect(computes).toEqual([
      {
        ...compute,
        id: 7,
        label: 'compute-7',
        region: 'us-east',
        configs: [{ id: 71, label: 'default' }],
        last_booted_config: 71,
      },
      { ...compute, id: 8, label: 'far', region: 'eu-west', configs: [], last_booted_config: null },
    ])
    expect(users).toEqual([
      {
        uid: 1,
        username: 'me',
        email: 'me@example.net',
        proxy: false,
        restricted: false,
        grants: null,
        authentication_type: 'password',
        email_notifications: true,
        ip_whitelist_enabled: false,
        shell_auth_method: 'password_keys',
        authorized_keys: null,
        timezone: 'UTC',
        two_factor_auth: false,
        verified_phone_number: null,
        payments: 0,
      },
    ])
    const times = { created: now, updated: now }
    expect(volumes).toEqual([
      {
        id: 9,
        label: 'volume-9',
        status: 'active',
        size: 20,
        region: 'us-east',
        hardware_type: 'nvme',
        tags: [],
        compute_id: null,
        config_id: null,
        ready_at: null,
        ...times,
      },
    ])
    expect(firewalls).toEqual([
      {
        id: 5,
        label: 'firewall-5',
        status: 'enabled',
        rules: { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' },
        tags: [],
        ...times,
        devices: [{ device_id: expect.any(Number), type: 'compute', id: 7, ...times }],
      },
    ])
    const address = { public: true, rdns: null, vpc_nat_1_1: null, shared_with: [] }
    expect(addresses.map(({ id, ...rest }) => rest)).toEqual([
      { ...address, address: '192.0.2.1', compute_id: 7, type: 'ipv4', prefix: 24, region: 'us-east' },
      { ...address, address: '2001:db8::1', compute_id: 8, type: 'ipv6', prefix: 64, region: 'eu-west' },
      { ...address, address: '192.0.2.2', compute_id: 99, type: 'ipv4', prefix: 24, region: 'us-east' },
      { ...address, address: '2001:db8:1::', compute_id: 8, type: 'ipv6/range', prefix: 64, region: 'eu-west' },
    ])
    const token = expect.stringMatching(/^facade00[0-9a-f]{56}$/)
    expect(tokens).toEqual([
      { id: expect.any(Number), user: 'me', label: 'mine', token, app: null, scopes: '*', created: now, expiry: null },
    ])
    expect(sshkeys).toEqual([
      { id: expect.any(Number), user: 'me', label: 'key', ssh_key: 'ssh-ed25519 A', created: now },
    ])
  })
})
