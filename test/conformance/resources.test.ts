/** api.md, Resources and their fields: names, types and values, typed by hand. */
import { describe, expect } from 'vitest'
import { type Service, test } from '../sandbox/fixture'

const integer = expect.toSatisfy(Number.isInteger, 'an integer')
const string = expect.any(String)
const boolean = expect.any(Boolean)
const strings = expect.toSatisfy((value) => Array.isArray(value) && value.every((one) => typeof one === 'string'))
const integers = expect.toSatisfy((value) => Array.isArray(value) && value.every(Number.isInteger))
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
const oneOf = (...values: unknown[]) => expect.toSatisfy((value) => values.includes(value), values.join(', '))
const nullOr = (...kinds: ('string' | 'number')[]) =>
  expect.toSatisfy((value) => value === null || kinds.some((kind) => kind === typeof value))

const rules = {
  inbound: expect.any(Array),
  inbound_policy: oneOf('ACCEPT', 'DROP'),
  outbound: expect.any(Array),
  outbound_policy: oneOf('ACCEPT', 'DROP'),
}

const profile = {
  authentication_type: oneOf('password', 'idp'),
  authorized_keys: null,
  email: expect.stringMatching(/^[^@]+@[^@]+$/),
  email_notifications: boolean,
  ip_whitelist_enabled: boolean,
  shell_auth_method: oneOf('password_keys', 'keys_only', 'disabled'),
  referrals: {
    code: string,
    completed: expect.any(Number),
    credit: expect.any(Number),
    pending: expect.any(Number),
    total: expect.any(Number),
    url: string,
  },
  restricted: boolean,
  timezone: string,
  two_factor_auth: boolean,
  uid: integer,
  username: string,
  verified_phone_number: null,
}

/** Where a record is listed, and the fields of each. */
const listed: [name: string, path: string, fields: object][] = [
  [
    'Authorized app',
    '/profile/apps',
    {
      created: time,
      expiry: nullOr('string'),
      id: integer,
      label: string,
      scopes: string,
      thumbnail_url: string,
      website: string,
    },
  ],
  [
    'Trusted device',
    '/profile/devices',
    {
      created: time,
      expiry: time,
      id: integer,
      last_authenticated: time,
      last_remote_addr: string,
      user_agent: string,
    },
  ],
  [
    'Login record',
    '/profile/logins',
    {
      datetime: time,
      id: integer,
      ip: string,
      restricted: boolean,
      status: oneOf('successful', 'failed'),
      username: string,
    },
  ],
  ['SSH key', '/profile/sshkeys', { created: time, id: integer, label: string, ssh_key: string }],
  [
    'Personal access token',
    '/profile/tokens',
    {
      created: time,
      expiry: nullOr('string'),
      id: integer,
      label: string,
      scopes: string,
      token: expect.stringMatching(/^.{16}$/),
    },
  ],
  [
    'Volume',
    '/volumes',
    {
      created: time,
      filesystem_path: expect.stringMatching(/^\/dev\/disk\/by-id\/scsi-0Cloud_Volume_./),
      hardware_type: oneOf('hdd', 'nvme'),
      id: integer,
      label: expect.stringMatching(/^.{1,32}$/),
      compute_id: nullOr('number'),
      compute_label: nullOr('string'),
      region: string,
      size: integer,
      status: oneOf('creating', 'active', 'resizing'),
      tags: strings,
      updated: time,
    },
  ],
  [
    'Region',
    '/regions',
    {
      capabilities: strings,
      country: string,
      id: string,
      label: string,
      resolvers: { ipv4: string, ipv6: string },
      status: oneOf('ok', 'outage'),
    },
  ],
  ['Region availability', '/regions/availability', { available: boolean, plan: string, region: string }],
  [
    'Firewall',
    '/networking/firewalls',
    {
      created: time,
      id: integer,
      label: expect.stringMatching(/^[\w.-]{3,32}$/),
      rules,
      status: oneOf('enabled', 'disabled'),
      tags: strings,
      updated: time,
    },
  ],
  [
    'Firewall device',
    '/networking/firewalls/4001/devices',
    {
      created: time,
      entity: { id: integer, label: string, type: oneOf('compute', 'balancer'), url: expect.stringMatching(/^\/v4\//) },
      id: integer,
      updated: time,
    },
  ],
  [
    'IP address',
    '/networking/ips',
    {
      address: string,
      gateway: nullOr('string'),
      compute_id: integer,
      prefix: integer,
      public: true,
      rdns: nullOr('string'),
      region: string,
      subnet_mask: string,
      type: oneOf('ipv4', 'ipv6', 'ipv6/pool', 'ipv6/range'),
      vpc_nat_1_1: expect.toSatisfy((value) => value === null || Object.keys(value).length === 3),
    },
  ],
]

describe('Resources: the fields of', () => {
  test.for(listed)('%s', async ([, path, fields], { service: { call } }) => {
    const { data } = (await call(`GET ${path}`)).body
    expect(data.length).toBeGreaterThan(0)
    for (const record of data) expect(record).toEqual(fields)
  })

  test('Profile', async ({ service: { call } }) => {
    expect((await call('GET /profile')).body).toEqual(profile)
  })

  test('Security question', async ({ service: { call } }) => {
    const { security_questions } = (await call('GET /profile/security-questions')).body
    for (const question of security_questions) {
      expect(question).toEqual({ id: integer, question: string, response: nullOr('string') })
    }
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'x' }))
    const { body } = await call('POST /profile/security-questions', { body: { security_questions: answers } })
    for (const answer of body.security_questions) {
      expect(answer).toEqual({ question_id: integer, response: 'x', security_question: string })
    }
  })

  test('User preferences: any object', async ({ service: { call } }) => {
    const body = { nested: { list: [1, null, 'é'] }, '': true }
    expect((await call('PUT /profile/preferences', { body })).body).toEqual(body)
    expect((await call('GET /profile/preferences')).body).toEqual(body)
  })

  test('Firewall rule', async ({ service: { call } }) => {
    for (const { id } of (await call('GET /networking/firewalls')).body.data) {
      const { inbound, outbound } = (await call(`GET /networking/firewalls/${id}/rules`)).body
      for (const { action, addresses, protocol, ...more } of [...inbound, ...outbound]) {
        expect(action).toEqual(oneOf('ACCEPT', 'DROP'))
        expect(protocol).toEqual(oneOf('TCP', 'UDP', 'ICMP', 'IPENCAP'))
        for (const family of Object.values(addresses)) expect(family).toEqual(strings)
        for (const [key, value] of Object.entries(more)) {
          expect(['description', 'label', 'ports']).toContain(key)
          expect(value).toEqual(string)
        }
      }
    }
  })

  test('IPv6 range', async ({ service: { call } }) => {
    for (const { range } of (await call('GET /networking/ipv6/ranges')).body.data) {
      expect((await call(`GET /networking/ipv6/ranges/${range}`)).body).toEqual({
        is_bgp: boolean,
        computes: integers,
        prefix: oneOf(56, 64),
        range: string,
        region: string,
      })
    }
  })

  test('Grants response', async ({ service }) => {
    const { body } = await service.call('GET /profile/grants', { token: tokenOf('restricted', service) })
    const { global, ...entities } = body
    expect(Object.keys(entities).sort()).toEqual(
      ['balancer', 'compute', 'database', 'domain', 'image', 'monitor', 'script', 'volume', 'vpc']
        .concat(Object.keys(entities).filter((key) => key === 'firewall'))
        .sort(),
    )
    for (const granted of Object.values(entities).flat()) {
      expect(granted).toEqual({ id: integer, label: string, permissions: oneOf('read_only', 'read_write') })
    }
    const { account_access, child_account_access, ...booleans } = global
    expect(account_access).toEqual(oneOf('read_only', 'read_write', null))
    expect(child_account_access).toEqual(oneOf(true, false, null))
    const things = ['databases', 'domains', 'firewalls', 'images', 'computes', 'monitors', 'balancers', 'scripts']
    const names = [...things, 'volumes', 'vpcs'].map((thing) => `add_${thing}`)
    expect(Object.keys(booleans).sort()).toEqual([...names, 'cancel_account', 'monitor_subscription'].sort())
    for (const value of Object.values(booleans)) expect(value).toEqual(boolean)
  })
})

function tokenOf(label: string, { sandbox }: Service): string | null {
  return sandbox.describe().tokens.find((one) => one.label === label)?.token ?? null
}
