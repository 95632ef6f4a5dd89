/** api.md, Firewall label rules, Firewall rule, Address rules and Ports rules: each statement. */
import { describe, expect } from 'vitest'
import { refused, test } from '../sandbox/fixture'

type Rule = Record<string, unknown>

const rule = (change: Rule = {}): Rule => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  addresses: { ipv4: ['192.0.2.0/24'] },
  ...change,
})
const without = (field: string) => {
  const { [field]: _, ...rest } = rule()
  return rest
}
const ipv4 = (...networks: string[]) => rule({ addresses: { ipv4: networks } })
const ipv6 = (...networks: string[]) => rule({ addresses: { ipv6: networks } })
const families = (networks: number, single: number, more: string[]) =>
  rule({
    addresses: {
      ipv4: [...Array(networks).fill('192.0.2.0/24'), ...Array(single).fill('192.0.2.7/32')],
      ipv6: more,
    },
  })
const each = (field: string, values: unknown[]) => values.map((value) => rule({ [field]: value }))
const ports = (...texts: string[]) => each('ports', texts)
const times = (text: string, count: number) => Array(count).fill(text).join(',')

const rows: [statement: string, valid: Rule[], invalid: Rule[]][] = [
  [
    'a rule needs action, addresses and protocol',
    [rule()],
    ['action', 'addresses', 'protocol'].map((field) => without(field)),
  ],
  ['the action is ACCEPT or DROP', each('action', ['ACCEPT', 'DROP']), each('action', ['REJECT', 'accept', ''])],
  [
    'the protocol is TCP, UDP, ICMP or IPENCAP',
    each('protocol', ['TCP', 'UDP', 'ICMP', 'IPENCAP']),
    each('protocol', ['GRE', 'tcp', '', 6]),
  ],
  [
    'addresses are ipv4, ipv6 or both',
    [ipv4('192.0.2.0/24'), ipv6('2001:db8::/32'), families(1, 1, ['2001:db8::/32'])],
    each('addresses', [{}, [], ['192.0.2.0/24'], '192.0.2.0/24']),
  ],
  [
    'a list of addresses is not empty if it is present',
    [ipv4('192.0.2.0/24')],
    [ipv4(), ipv6(), families(1, 0, []), families(0, 0, ['2001:db8::/32'])],
  ],
  [
    'addresses are an IP and a mask',
    [ipv4('192.0.2.0/24', '192.0.2.7/32'), ipv6('2001:db8::/32', '2001:db8::1/128')],
    [
      ...['192.0.2.7', '192.0.2.0/33', '192.0.2/24', 'example.net', '192.0.2.0/', '2001:db8::/32'].map((one) =>
        ipv4(one),
      ),
      ...['2001:db8::1', '2001:db8::/129', '2001:db8/32', '192.0.2.0/24'].map((one) => ipv6(one)),
    ],
  ],
  [
    'an IPv6 address has no zone_id',
    [ipv6('fe80::1/64')],
    ['fe80::1%eth0/64', 'fe80::%1/64', 'fe80::/64%eth0'].map((one) => ipv6(one)),
  ],
  [
    'a rule has at most 255 addresses, where networks count as one',
    [
      ipv4(...Array(255).fill('192.0.2.0/24')),
      ipv4(...Array(255).fill('192.0.2.7/32')),
      families(100, 100, Array(55).fill('2001:db8::1/128')),
    ],
    [families(255, 0, ['::/0']), families(0, 255, ['::/0']), families(100, 100, Array(56).fill('2001:db8::1/128'))],
  ],
  [
    'Ports 1: ports are a port, a range, or a list of both, with at most one space after a comma',
    ports('22', '80-90', '22,80-90', '22, 80-90, 443', '80-90,22'),
    ports('22,  80', '22 ,80', '22;80', '22 80', '22,', ',22', '22,,80', ' 22', '22 ', '80 - 90', '80-', '-80', 'ssh'),
  ],
  [
    'Ports 2: the end of a range is greater than its start',
    ports('80-81', '1-65535'),
    ports('80-80', '90-80', '22,9-8'),
  ],
  [
    'Ports 3: ports are 1 to 65535 without leading zeroes',
    ports('1', '65535', '1-65535'),
    ports('0', '65536', '022', '0-5', '01-5', '1-65536', '22,00080', '100000'),
  ],
  [
    'Ports 4: a list has at most 15 pieces, where a range counts as two',
    ports(times('22', 15), `${times('80-90', 7)},22`),
    ports(times('22', 16), times('80-90', 8), `${times('80-90', 7)},22,23`),
  ],
  [
    'Ports 5: a rule can leave out its ports',
    [rule(), rule({ ports: null }), rule({ protocol: 'UDP', ports: null })],
    [],
  ],
  [
    'Ports 6: only TCP and UDP have ports',
    [
      ...['TCP', 'UDP'].map((protocol) => rule({ protocol, ports: '22' })),
      ...['ICMP', 'IPENCAP'].map((protocol) => rule({ protocol })),
    ],
    ['ICMP', 'IPENCAP'].map((protocol) => rule({ protocol, ports: '22' })),
  ],
]

const policies = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }

describe('Firewall rule', () => {
  test.for(rows)('Firewall rule: %s', async ([, valid, invalid], { service: { call } }) => {
    let number = 0
    const send = async (one: Rule, direction: string) => {
      const rules = { inbound: [], outbound: [], ...policies, [direction]: [one] }
      number += 1
      const created = await call('POST /networking/firewalls', { body: { label: `fw-${number}`, rules } })
      const updated = await call('PUT /networking/firewalls/4005/rules', { body: rules })
      return [created.status, updated.status]
    }
    for (const direction of ['inbound', 'outbound']) {
      for (const one of valid) expect({ one, got: await send(one, direction) }).toEqual({ one, got: [200, 200] })
      for (const one of invalid) expect({ one, got: await send(one, direction) }).toEqual({ one, got: [400, 400] })
    }
  })
})

describe('Firewall label', () => {
  const create = (label: string) => ({ body: { label, rules: { inbound: [], outbound: [], ...policies } } })

  test.for<[rule: string, valid: string[], invalid: string[]]>([
    ['it begins and ends with a letter or a digit', ['abc', '1a1', 'A-9'], ['-ab', '_ab', '.ab', 'ab-', 'ab_', 'ab.']],
    ['it holds letters, digits, hyphens, underscores and periods', ['a-b_c.d9'], ['a b', 'a/b', 'a:b', 'äbc', 'a\nb']],
    ['it has no two hyphens, underscores or periods in a row', ['a-b-c', 'a_b_c', 'a.b.c'], ['a--b', 'a__b', 'a..b']],
    ['it has 3 to 32 characters', ['abc', 'a'.repeat(32)], ['', 'ab', 'a'.repeat(33)]],
  ])('Firewall label: %s', async ([, valid, invalid], { service: { call } }) => {
    for (const label of valid) {
      expect((await call('POST /networking/firewalls', create(label))).body.label).toBe(label)
    }
    for (const label of invalid) {
      const reply = await call('POST /networking/firewalls', create(label))
      expect({ label, reply }).toMatchObject({ label, reply: refused(400, expect.any(String), 'label') })
    }
  })
})
