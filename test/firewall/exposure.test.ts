/** Public addresses that a firewall accepts traffic from, compared to the verdict on single packets. */

import { describe, expect, test } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { exposureOf, publicAddresses, totalOf } from '../../src/firewall/exposure'
import { judge } from '../../src/firewall/verdict'
import type { Family } from '../../src/rules/address-syntax'
import { boundsOf } from '../../src/rules/addresses'
import fc from '../support/fast-check'
import { type RuleFields, rulesOf, ruleThat } from '../support/firewall-rules'
import { addressesAt, addressOf, portsAt } from '../support/packets'

/** IANA, IPv4 Special-Purpose Address Registry, multicast and reserved; of IPv6 all that is not 2000::/3 (RFC 4291). */
const special = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  ...['240.0.0.0/4', '::/3', '4000::/3', '6000::/3', '8000::/1'],
]

const sizeOf = (text: string) => {
  const { first, last } = boundsOf(text) ?? { first: 0n, last: -1n }
  return last - first + 1n
}

const at = (rules: FirewallRules, port = 22, protocol = 'TCP') =>
  exposureOf(rules)(protocol).find(({ ports }) => ports.first <= port && port <= ports.last)?.entrances ?? []
const accepted = (fields: RuleFields, policy = 'DROP') => totalOf(at(rulesOf([ruleThat(fields)], policy)))

describe('Public addresses', () => {
  test('are all but special-purpose ones', () => {
    const specialCount = special.filter((text) => text.includes('.')).reduce((sum, text) => sum + sizeOf(text), 0n)
    expect(publicAddresses).toEqual({ ipv4: 2n ** 32n - specialCount, ipv6: 2n ** 125n })
  })

  test('are counted exactly', () => {
    expect(accepted({ ipv4: ['8.8.8.8/32', '9.0.0.0/31'], ipv6: ['2600::/128'] })).toEqual({ ipv4: 3n, ipv6: 1n })
  })

  test('are counted once if several networks contain them', () => {
    expect(accepted({ ipv4: ['8.0.0.0/8', '8.8.8.8/32', '8.0.0.0/9'] }).ipv4).toBe(2n ** 24n)
  })

  test('are not in private and documentation networks', () => {
    expect(accepted({ ipv4: special.filter((text) => text.includes('.')), ipv6: ['fc00::/7'] })).toEqual({
      ipv4: 0n,
      ipv6: 0n,
    })
  })

  test('are complete if two halves of the address space are accepted', () => {
    expect(accepted({ ipv4: ['0.0.0.0/1', '128.0.0.0/1'], ipv6: ['::/0'] })).toEqual(publicAddresses)
  })
})

describe('Traffic is accepted', () => {
  test('by the policy if no rule matches', () => {
    expect(at(rulesOf([], 'ACCEPT'))).toEqual([{ number: null, addresses: publicAddresses }])
    const dropped = rulesOf([ruleThat({ action: 'DROP', ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] })], 'ACCEPT')
    expect([at(dropped), at(dropped, 23).map(({ number }) => number)]).toEqual([[], [null]])
  })

  test('by each rule that is the first to match an address, in order, and then by the policy', () => {
    const rules = rulesOf(
      [
        ruleThat({ ipv4: ['8.0.0.0/8'], ports: '22' }),
        ruleThat({ ipv4: ['8.8.0.0/16'], ports: undefined }),
        ruleThat({ ipv4: ['9.0.0.0/8'], action: 'DROP' }),
        ruleThat({ ipv4: ['9.0.0.0/7'], ports: '20-25' }),
      ],
      'ACCEPT',
    )
    expect(at(rules).map(({ number, addresses }) => [number, addresses.ipv4])).toEqual([
      [1, 2n ** 24n],
      [null, publicAddresses.ipv4 - 2n * 2n ** 24n],
    ])
    expect(at(rules, 20).map(({ number }) => number)).toEqual([2, 4, null])
  })

  test('not by a rule of another protocol, or with ports of a protocol without ports', () => {
    const everybody = { ipv4: ['0.0.0.0/0'] }
    const rules = rulesOf([
      ruleThat({ ...everybody, protocol: 'ALL', ports: undefined }),
      ruleThat({ ...everybody, protocol: 'ICMP', ports: '22' }),
    ])
    expect([at(rules), at(rules, 22, 'ICMP'), at(rules, 22, 'ALL').length]).toEqual([[], [], 1])
  })

  test('by a rule of an unknown protocol at its ports', () => {
    const rules = rulesOf([ruleThat({ ipv4: ['0.0.0.0/0'], protocol: 'SCTP', ports: '22' })])
    expect([22, 23].map((port) => at(rules, port, 'SCTP').length)).toEqual([1, 0])
  })
})

const text = fc.oneof(
  fc.tuple(fc.constantFrom(0, 1, 2, 7, 8, 9, 16, 31, 32), fc.nat(2 ** 32 - 1)).map(([prefix, value]) => {
    const parts = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
    return `${parts.join('.')}/${prefix}`
  }),
  fc.constantFrom('10.0.0.0/8', '8.8.8.8/32', '0.0.0.0/0', '128.0.0.0/1', '11.0.0.0/8', '100.0.0.0/8'),
)
const text6 = fc.constantFrom(
  '::/0',
  '2000::/3',
  '2000::/4',
  '3000::/4',
  '2600::/12',
  '2001:db8::/32',
  'fe80::/10',
  '2600::1/128',
)
const rule = fc
  .record({
    action: fc.constantFrom('ACCEPT', 'DROP'),
    protocol: fc.constantFrom('TCP', 'TCP', 'UDP', 'ICMP', 'ALL'),
    ports: fc.constantFrom('22', '1-65535', '20-25', '443, 21-23', undefined),
    ipv4: fc.uniqueArray(text, { maxLength: 4 }),
    ipv6: fc.uniqueArray(text6, { minLength: 1, maxLength: 3 }),
  })
  .map((one) => (one.protocol === 'ICMP' ? { ...one, ports: undefined } : one))

/** Judges one packet from each interval of addresses between network boundaries, and adds up the public ones. */
function packetByPacket(rules: FirewallRules, protocol: string, port: number | undefined) {
  const marks = [
    ...rulesOf([ruleThat({ ipv4: special.slice(0, 14), ipv6: special.slice(14) })]).inbound,
    ...rules.inbound,
  ]
  const knownRules = { ...rules, inbound: rules.inbound.filter((one) => one.protocol !== 'ALL') }
  const numbers = rules.inbound.flatMap((one, index) => (one.protocol === 'ALL' ? [] : [index + 1]))
  const sums = new Map<number | null, Record<Family, bigint>>()
  for (const family of ['ipv4', 'ipv6'] as const) {
    const end = family === 'ipv4' ? 2n ** 32n : 2n ** 128n
    const ends = addressesAt([{ ...rules, inbound: marks }]).filter((one) => one.family === family)
    const starts = [...new Set([0n, ...ends.map(({ value }) => value)])].sort((a, b) => (a < b ? -1 : 1))
    starts.forEach((value, index) => {
      const address = addressOf(family, value)
      if (!address || isSpecial(family, value)) return
      const { action, number } = judge(knownRules, {
        direction: 'inbound',
        protocol,
        port,
        address,
        service: 'compute',
      })
      if (action !== 'ACCEPT') return
      const by = number === null ? null : (numbers[number - 1] ?? null)
      const sum = sums.get(by) ?? { ipv4: 0n, ipv6: 0n }
      sum[family] += (starts[index + 1] ?? end) - value
      sums.set(by, sum)
    })
  }
  return sums
}

const isSpecial = (family: Family, value: bigint) =>
  special.some((one) => {
    const bounds = boundsOf(one)
    return bounds?.family === family && bounds.first <= value && value <= bounds.last
  })

test('The exposure agrees with the verdict on every packet', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 6 }),
      fc.constantFrom('ACCEPT', 'DROP'),
      fc.constantFrom('TCP', 'UDP', 'ICMP'),
      fc.nat(),
      (inbound, policy, protocol, pick) => {
        const rules = rulesOf(inbound.map(ruleThat), policy)
        const ports = portsAt([rules])
        const port = ports[pick % ports.length]
        const entrances = at(rules, port, protocol)
        expect(new Map(entrances.map(({ number, addresses }) => [number, addresses]))).toEqual(
          packetByPacket(rules, protocol, protocol === 'ICMP' ? undefined : port),
        )
      },
    ),
    { numRuns: 150 },
  )
})
