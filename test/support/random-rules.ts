/** Random rule sets whose networks and ports overlap, nest and touch, and packets at which a verdict can change. */
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import type { Packet } from '../../src/firewall/verdict'
import fc from './fast-check'
import { ruleThat as rule, rulesOf } from './firewall-rules'
import { addressesAt, addressOf, portsAt } from './packets'

/** Few values, close to each other and at the ends, so that networks and ports overlap, nest and touch. */
const octet = fc.constantFrom(0, 1, 2, 3, 127, 128, 254, 255)
const ipv4 = fc.tuple(octet, octet, octet, octet, fc.constantFrom(0, 1, 7, 8, 9, 15, 16, 24, 30, 31, 32))
const group = fc.constantFrom('0', '1', '7fff', '8000', 'ffff')
const ipv6 = fc.tuple(group, group, group, fc.constantFrom(0, 1, 15, 16, 17, 33, 47, 48, 127, 128))
const port = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(1, 22, 443, 65_534, 65_535))
const range = fc.tuple(port, port).map(([a, b]) => (a === b ? `${a}` : `${Math.min(a, b)}-${Math.max(a, b)}`))

/** Prefix list, whose addresses nobody but the service knows. */
const prefixList = (family: string, lists: readonly string[]) => (lists.includes(family) ? ['pl:system:cdn'] : [])

/** Generates rules with some of these protocols; if ALL is one of them, also rules with prefix lists. */
export const someRule = (protocols: readonly string[]): fc.Arbitrary<FirewallRule> =>
  fc
    .record({
      action: fc.constantFrom('ACCEPT', 'DROP'),
      protocol: fc.constantFrom(...protocols),
      ports: fc.option(fc.array(range, { minLength: 1, maxLength: 5 }), { nil: undefined }),
      four: fc.array(ipv4, { maxLength: 4 }),
      six: fc.array(ipv6, { maxLength: 3 }),
      lists: protocols.includes('ALL') ? fc.subarray(['ipv4', 'ipv6', 'none', 'none']) : fc.constant([]),
    })
    .filter(({ four, six }) => four.length + six.length > 0)
    .map(({ action, protocol, ports, four, six, lists }) => ({
      action,
      protocol,
      ...(ports && ['TCP', 'UDP', 'ALL'].includes(protocol) && { ports: ports.join(', ') }),
      addresses: {
        ipv4: [...four.map(([a, b, c, d, prefix]) => `${a}.${b}.${c}.${d}/${prefix}`), ...prefixList('ipv4', lists)],
        ipv6: [...six.map(([a, b, c, prefix]) => `${a}:${b}:${c}::/${prefix}`), ...prefixList('ipv6', lists)],
      },
    }))

export const knownProtocols = ['TCP', 'TCP', 'UDP', 'ICMP', 'IPENCAP']
const policy = fc.constantFrom('ACCEPT', 'DROP')

export const someRules = (protocols: readonly string[]): fc.Arbitrary<FirewallRules> =>
  fc.record({
    inbound: fc.array(someRule(protocols), { maxLength: 6 }),
    inbound_policy: policy,
    outbound: fc.array(someRule(protocols), { maxLength: 3 }),
    outbound_policy: policy,
  })

const anywhere = fc.tuple(fc.bigInt(0n, (1n << 128n) - 1n), fc.boolean()).map(([value, six]) => {
  const address = six ? addressOf('ipv6', value) : addressOf('ipv4', value & 0xffff_ffffn)
  if (!address) throw new Error(`no address: ${value}`)
  return address
})

export const protocols = ['TCP', 'UDP', 'ICMP', 'IPENCAP'] as const

/** Generates packets at which a verdict can change, and others. */
export const packets = (sets: readonly FirewallRules[]): fc.Arbitrary<Packet[]> => {
  const addresses = fc.oneof(fc.constantFrom(...addressesAt([...sets, everywhere])), anywhere)
  const ports = fc.oneof(fc.constantFrom(...portsAt(sets)), fc.integer({ min: 1, max: 65_535 }))
  const packet = fc
    .record({
      direction: fc.constantFrom('inbound' as const, 'outbound' as const),
      protocol: fc.constantFrom(...protocols),
      port: ports,
      address: addresses,
      service: fc.constantFrom('compute' as const, 'balancer' as const),
    })
    .map(({ port, ...one }) => (one.protocol === 'TCP' || one.protocol === 'UDP' ? { ...one, port } : one))
  return fc.array(packet, { minLength: 60, maxLength: 60 })
}

const everywhere = rulesOf([rule({ ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] })])
