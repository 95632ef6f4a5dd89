/** api.md, Resources: names and types of fields as in test/operations, and their values. */
import { isIP } from 'node:net'
import { describe, expect } from 'vitest'
import { isRecord } from '../../src/rules/records'
import { operations, perform, type Title } from '../operations'
import type { Kind } from '../operations/row'
import { type Service, test } from '../sandbox/fixture'

const integer = expect.toSatisfy(Number.isInteger, 'an integer')
const string = expect.any(String)
const strings = expect.toSatisfy((value) => Array.isArray(value) && value.every((one) => typeof one === 'string'))
const oneOf = (...values: unknown[]) => expect.toSatisfy((value) => values.includes(value), values.join(', '))

/** Matchers for the kinds of fields in test/operations. */
const kinds: Readonly<Record<string, unknown>> = {
  string,
  integer,
  number: expect.any(Number),
  boolean: expect.any(Boolean),
  ip: expect.toSatisfy((value) => isIP(value) !== 0, 'an address'),
  'date-time': expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/),
  'any object': expect.any(Object),
}

/** Expected form of an answer: all the fields of api.md, and no others. */
function like(kind: Kind, value: unknown): unknown {
  if (typeof kind === 'string') {
    const [bare = '', canBeNull] = kind.replace(' to come', '').split(' or ')
    if (canBeNull && value === null) return null
    return kinds[bare] ?? oneOf(...bare.split(', '))
  }
  if (isList(kind)) {
    if (kind.length === 2) return value === null ? null : like(kind[1], value)
    return Array.isArray(value) ? value.map((one) => like(kind[0], one)) : []
  }
  const record = isRecord(value) ? value : {}
  return Object.fromEntries(Object.entries(kind).map(([name, field]) => [name, like(field, record[name])]))
}

const isList = (kind: Kind): kind is readonly [Kind] | readonly ['null', Kind] => Array.isArray(kind)

/** Resources with a list, and fields for which api.md states more than their types. */
const resources: [name: string, list: Title, narrower: object][] = [
  ['Authorized app', 'Authorized Apps List', { thumbnail_url: string }],
  ['Trusted device', 'Trusted Devices List', {}],
  ['Login record', 'Logins List', {}],
  ['SSH key', 'SSH Keys List', {}],
  ['Personal access token', 'Personal Access Tokens List', { token: expect.stringMatching(/^.{16}$/) }],
  [
    'Volume',
    'Volumes List',
    {
      filesystem_path: expect.stringMatching(/^\/dev\/disk\/by-id\/scsi-0Cloud_Volume_./),
      label: expect.stringMatching(/^.{1,32}$/),
    },
  ],
  ['Region', 'Regions List', {}],
  ['Region availability', 'Regions Availability List', {}],
  [
    'Firewall',
    'Firewalls List',
    {
      label: expect.stringMatching(/^[\w.-]{3,32}$/),
      // Fields of rules are optional: see "Firewall rule".
      rules: {
        inbound: expect.any(Array),
        inbound_policy: oneOf('ACCEPT', 'DROP'),
        outbound: expect.any(Array),
        outbound_policy: oneOf('ACCEPT', 'DROP'),
      },
      status: oneOf('enabled', 'disabled'),
    },
  ],
  [
    'Firewall device',
    'Firewall Devices List',
    {
      entity: { id: integer, label: string, type: oneOf('compute', 'balancer'), url: expect.stringMatching(/^\/v4\//) },
    },
  ],
  ['IP address', 'IP Addresses List', { compute_id: integer, public: true, subnet_mask: string }],
  ['IPv6 pool', 'IPv6 Pools List', {}],
  ['VLAN', 'VLANs List', {}],
]

describe('Resources: the fields of', () => {
  test.for(resources)('%s', async ([, title, narrower], { service }) => {
    const row = operations[title]
    const { data } = (await perform(row, service)).body
    expect(data.length).toBeGreaterThan(0)
    for (const record of data) expect(record).toEqual(Object.assign({}, like(row.answer, record), narrower))
  })

  test('Profile', async ({ service }) => {
    const row = operations['Profile View']
    const { body } = await perform(row, service)
    expect(body).toEqual(like(row.answer, body))
    expect(body).toMatchObject({
      authorized_keys: null,
      email: expect.stringMatching(/^[^@]+@[^@]+$/),
      verified_phone_number: null,
    })
  })

  test('Security question', async ({ service }) => {
    for (const title of ['Security Questions List', 'Security Questions Answer'] as const) {
      const row = operations[title]
      const { body } = await perform(row, service)
      expect(body.security_questions.length).toBeGreaterThan(0)
      expect(body).toEqual(like(row.answer, body))
      if (row.send) expect(body).toMatchObject(row.send)
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

  test('IPv6 range', async ({ service }) => {
    const { line, answer } = operations['IPv6 Range View']
    for (const { range } of (await service.call('GET /networking/ipv6/ranges')).body.data) {
      const { body } = await service.call(line.replace('{range}', encodeURIComponent(range)))
      expect(body).toEqual(like(answer, body))
      expect([56, 64]).toContain(body.prefix)
    }
  })

  test('Grants response', async ({ service }) => {
    const row = operations['Grants List']
    const { body } = await perform(row, service, tokenOf('restricted', service))
    // gaps.md: there is also an array of firewalls.
    const { firewall = [], ...documented } = body
    expect(documented).toEqual(like(row.answer, documented))
    const { global, ...entities } = documented
    for (const grant of [...firewall, ...Object.values(entities).flat()]) {
      expect(grant).toEqual({ id: integer, label: string, permissions: oneOf('read_only', 'read_write') })
    }
  })
})

function tokenOf(label: string, { sandbox }: Service): string | null {
  return sandbox.describe().tokens.find((one) => one.label === label)?.token ?? null
}
