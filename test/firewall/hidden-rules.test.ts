/** Rules that no packet reaches, checked with every packet at which a verdict can change. */

import { describe, expect, test } from 'vitest'
import type { FirewallRule } from '../../src/catalogue/firewall-rules'
import { hiddenRules } from '../../src/firewall/hidden-rules'
import { networkTexts } from '../../src/firewall/rules'
import { judge } from '../../src/firewall/verdict'
import { covers, type IpNetwork, parseNetwork } from '../../src/rules/addresses'
import { parsePorts } from '../../src/rules/ports'
import fc, { runs } from '../support/fast-check'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'
import { addressesAt, portsAt } from '../support/packets'

/** Networks from a small range, so that one rule or several together often cover another. */
const network = fc
  .tuple(fc.nat(3), fc.constantFrom(30, 31, 31, 32))
  .map(([last, prefix]) => `203.0.113.${last}/${prefix}`)
const six = fc.tuple(fc.nat(1), fc.constantFrom(127, 128)).map(([last, prefix]) => `2001:db8::${last}/${prefix}`)
const port = fc.integer({ min: 1, max: 3 })
const range = fc.tuple(port, port).map(([a, b]) => (a === b ? `${a}` : `${Math.min(a, b)}-${Math.max(a, b)}`))
const action = fc.constantFrom('ACCEPT', 'DROP')
const unknown = ['ALL', '47']

const someRule = (protocols: readonly string[]): fc.Arbitrary<FirewallRule> =>
  fc
    .record({
      action,
      protocol: fc.constantFrom(...protocols),
      ports: fc.option(fc.array(fc.oneof(range, fc.constant('1-65535')), { minLength: 1, maxLength: 2 }), {
        nil: undefined,
      }),
      ipv4: fc.array(network, { maxLength: 3 }),
      ipv6: fc.option(fc.array(six, { maxLength: 2 }), { freq: 2 }),
    })
    .map(({ action, protocol, ports, ipv4, ipv6 }) => ({
      action,
      protocol,
      ...(ports && !['ICMP', 'IPENCAP'].includes(protocol) && { ports: ports.join() }),
      addresses: { ipv4, ...(ipv6 && { ipv6 }) },
    }))

/** Random rules and two that match a part of the last one each, shuffled, one may be missing; then the last one. */
const side = (protocols: readonly string[]): fc.Arbitrary<FirewallRule[]> =>
  fc
    .tuple(fc.array(someRule(protocols), { maxLength: 4 }), someRule(protocols), port, action)
    .chain(([others, last, cut, action]) => {
      const parts = [cut === 1 ? '1' : `1-${cut}`, `${cut + 1}-65535`].map((ports) => ({ ...last, action, ports }))
      const all = [...others, ...(last.ports ? parts : halves(last))]
      return fc.shuffledSubarray(all, { minLength: all.length - 1 }).map((some) => [...some, last])
    })

const halves = (one: FirewallRule): FirewallRule[] => {
  const { ipv4 = [], ipv6 = [] } = one.addresses
  return [
    { ...one, addresses: { ipv4 } },
    { ...one, addresses: { ipv6 } },
  ]
}

/** Returns the packets, of those where a verdict can change, that reach this rule undecided. */
function packetsReaching(index: number, rules: readonly FirewallRule[]) {
  const own = rules[index]
  if (!own) return []
  // A rule of another protocol matches other packets; a rule of an unknown protocol may match none.
  const before = rules.slice(0, index).filter(({ protocol }) => protocol === own.protocol)
  const set = rulesOf([...rules])
  const isUnknown = unknown.includes(own.protocol)
  const hasPorts = own.protocol === 'TCP' || own.protocol === 'UDP'
  const ports = [...(hasPorts || isUnknown ? portsAt([set]) : []), ...(hasPorts ? [] : [undefined])]
  const packets = addressesAt([set]).flatMap((address) => ports.map((port) => ({ address, port })))
  return packets.filter((packet) => matches(own, packet) && !before.some((one) => matches(one, packet)))
}

function matches(one: FirewallRule, { address, port }: { address: IpNetwork; port: number | undefined }): boolean {
  const hasAddress = networkTexts(one).some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && covers(network, address)
  })
  if (!hasAddress || !one.ports) return hasAddress
  return (parsePorts(one.ports) ?? []).some(({ first, last }) => port !== undefined && first <= port && port <= last)
}

const matchesNothing = (one: FirewallRule) => networkTexts(one).length === 0

describe('A rule is reported as never reached', () => {
  test.for([
    ['known protocols', ['TCP', 'TCP', 'TCP', 'UDP', 'ICMP', 'IPENCAP']],
    [
      'unknown protocols among them, which hide only rules of the same protocol',
      ['TCP', 'TCP', 'ICMP', ...unknown, 'ALL'],
    ],
  ] as const)('exactly if no packet reaches it: %s', ([, protocols]) => {
    let [alone, together] = [0, 0]
    fc.assert(
      fc.property(side(protocols), (rules) => {
        const reports = new Map(hiddenRules(rules).map(({ index, text }) => [index, text]))
        rules.forEach((one, index) => {
          const text = reports.get(index)
          if (text?.includes('earlier rules')) together += 1
          else if (text !== undefined) alone += 1
          // Checks of the rules report one without networks.
          if (matchesNothing(one)) return
          expect([index, text !== undefined]).toEqual([index, packetsReaching(index, rules).length === 0])
        })
      }),
      { numRuns: runs(60) },
    )
    expect(Math.min(alone, together)).toBeGreaterThan(runs(60) / 20)
  })

  test('and then decides no verdict', () => {
    fc.assert(
      fc.property(
        side(['TCP', 'TCP', 'UDP', 'ICMP', 'ALL']),
        fc.constantFrom('TCP', 'UDP', 'ICMP'),
        (rules, protocol) => {
          const hidden = hiddenRules(rules).map(({ index }) => index + 1)
          const set = rulesOf(rules)
          for (const address of addressesAt([set])) {
            for (const port of protocol === 'ICMP' ? [undefined] : portsAt([set])) {
              const { number } = judge(set, { direction: 'inbound', protocol, port, address, service: 'compute' })
              expect(hidden).not.toContain(number)
            }
          }
        },
      ),
      { numRuns: runs(60) },
    )
  })

  test('with the rule that hides it, if one does alone', () => {
    fc.assert(
      fc.property(side(['TCP']), (rules) => {
        for (const { index, text } of hiddenRules(rules)) {
          const hidden = rules[index] ?? rule()
          if (matchesNothing(hidden)) continue
          const isHiddenBy = (one: FirewallRule | undefined) => packetsReaching(1, [one ?? rule(), hidden]).length === 0
          const [, number] = /rule (\d+)/.exec(text) ?? []
          if (number === undefined) expect(rules.slice(0, index).some(isHiddenBy)).toBe(false)
          else expect(isHiddenBy(rules[Number(number) - 1])).toBe(true)
        }
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('The report of a hidden rule names', () => {
  const reports = (...rules: FirewallRule[]) => hiddenRules(rules).map(({ index, text }) => `${index + 1} ${text}`)

  test('earlier rules, if only several hide it together', () => {
    const left = rule({ ports: '80-85' })
    const right = rule({ ports: '86-90', action: 'DROP' })
    expect(reports(left, rule({ protocol: 'UDP' }), right, rule({ ports: '84-88', label: 'web' }))).toEqual([
      '4 is never reached: earlier rules match all of its traffic first',
    ])
    const quarter = (first: number) => rule({ ipv4: [`203.0.113.${first}/26`] })
    expect(reports(quarter(0), quarter(64), quarter(128), quarter(192), rule())).toEqual([
      '5 is never reached: earlier rules match all of its traffic first',
    ])
    expect(reports(quarter(0), quarter(64), quarter(192), rule())).toEqual([])
  })

  test('one rule that hides it alone, even if several do together', () => {
    expect(reports(rule({ ports: '1-30' }), rule({ ports: '20-90' }), rule({ ports: '22-80' }))).toEqual([
      '3 is never reached: rule 2 matches all of its traffic first',
    ])
    const [left, right, all] = [rule({ ports: '20-50' }), rule({ ports: '51-90' }), rule({ ports: '10-95' })]
    expect(reports(left, right, all, rule({ ports: '22-80' }))).toEqual([
      '4 is never reached: rule 3 matches all of its traffic first',
    ])
  })

  test('one rule whose networks together contain its network', () => {
    expect(reports(rule({ ipv4: ['203.0.113.0/25', '203.0.113.128/25'] }), rule())).toEqual([
      '2 is never reached: rule 1 matches all of its traffic first',
    ])
  })

  test('a rule of an unknown protocol only for a rule of the same protocol', () => {
    const all = { protocol: 'ALL', ports: undefined }
    expect(reports(rule(all), rule())).toEqual([])
    expect(reports(rule(), rule({ ...all, ports: '22' }))).toEqual([])
    expect(reports(rule(all), rule({ ...all, ports: '22' }))).toEqual([
      '2 is never reached: rule 1 matches all of its traffic first',
    ])
    // The second rule may match traffic without ports.
    expect(reports(rule({ ...all, ports: '1-65535' }), rule(all))).toEqual([])
  })
})
