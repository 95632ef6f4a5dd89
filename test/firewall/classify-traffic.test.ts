/** Classification of traffic by examples, and which pieces of traffic it examines. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import { classifyTraffic, type TrafficRules, type Verdicts } from '../../src/firewall/classify-traffic'
import { compareRules } from '../../src/firewall/compare'
import { trafficText } from '../../src/firewall/traffic-text'
import { type RuleFields, ruleThat as rule, rulesOf } from '../support/firewall-rules'

const [near, far] = [['10.0.0.0/8'], ['192.0.2.0/24']]

/** Classifies TCP traffic and returns the verdict on each examined piece that rules match. */
function examined(rules: FirewallRules, isDecisive: ((rule: FirewallRule) => boolean) | undefined): Verdicts[] {
  const verdicts: Verdicts[] = []
  const decisive = ([one, other]: readonly [TrafficRules, TrafficRules, TrafficRules?]) =>
    isDecisive && [...one.rules, ...other.rules].filter(isDecisive)
  classifyTraffic([rules, rulesOf([])], 'balancer', {
    names: ['passes'],
    decisive,
    sort: ([is], [{ rules }]) => {
      if (rules.length > 0) verdicts.push(is)
      return { passes: is.passes }
    },
  })
  return verdicts
}

const labelled = (label: string) => (one: FirewallRule) => one.label === label
const some = rulesOf([
  rule({ label: 'one', ipv4: near }),
  rule({ label: 'other', ipv4: far }),
  rule({ label: 'elsewhere', ports: '80', ipv4: ['10.1.0.0/16'] }),
])

describe('The classification examines', () => {
  test('each piece of traffic once if all rules are decisive', () => {
    // The traffic of no rule, of each rule, and of the rule that is within another.
    expect(examined(some, undefined)).toHaveLength(4)
  })

  test('only traffic that decisive rules match', () => {
    expect(examined(some, labelled('one'))).toHaveLength(1)
    expect(examined(some, labelled('elsewhere'))).toHaveLength(1)
    expect(examined(some, labelled('none'))).toHaveLength(0)
    expect(examined(some, ({ ports }) => ports === '22')).toHaveLength(2)
  })

  test('one of several pieces that the same rules match', () => {
    const apart = rulesOf([rule({ label: 'one', ipv4: [...near, ...far], ipv6: ['2001:db8::/32'] })])
    expect(examined(apart, labelled('one'))).toHaveLength(1)
    expect(examined(apart, undefined)).toHaveLength(2)
  })
})

describe('The outcome of traffic', () => {
  const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
  const unknownProtocol = (fields: RuleFields = {}) => rule({ protocol: '50', ports: undefined, ...anyone, ...fields })
  const changes = (before: readonly FirewallRule[], after: readonly FirewallRule[]) => {
    const comparison = compareRules(rulesOf(before), rulesOf(after), 'compute')
    return Object.entries(comparison).flatMap(([kind, traffic]) =>
      traffic.length > 0 ? [`${kind}: ${trafficText(traffic)}`] : [],
    )
  }
  const [accept, drop] = [rule(anyone), rule({ action: 'DROP', ...anyone })]

  test.for<[string, FirewallRule[], FirewallRule[], string[]]>([
    ['is decided by the first matching rule', [drop, accept], [accept, drop], ['allowed: tcp/22 from 0.0.0.0/0, ::/0']],
    [
      'is decided by a rule for its ports',
      [accept],
      [rule({ ...anyone, ports: '21-22' })],
      ['allowed: tcp/21 from 0.0.0.0/0, ::/0'],
    ],
    [
      'is decided by a rule for all ports',
      [],
      [rule({ ...anyone, ports: undefined })],
      ['allowed: tcp from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear if a rule of an unknown protocol may allow it',
      [],
      [unknownProtocol()],
      ['unclear: all traffic from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unchanged if a rule of an unknown protocol has the action of the policy',
      [],
      [unknownProtocol({ action: 'DROP' })],
      [],
    ],
    [
      'is unclear only for the ports of a rule of an unknown protocol',
      [],
      [unknownProtocol({ ports: '22' })],
      ['unclear: tcp/22, udp/22, icmp, ipencap, other protocols from 0.0.0.0/0, ::/0'],
    ],
    [
      'is clear if an earlier rule decides',
      [drop],
      [drop, unknownProtocol({ ports: '22' })],
      ['unclear: udp/22, icmp, ipencap, other protocols from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear if a later rule has another action',
      [unknownProtocol({ ports: '22', action: 'DROP' })],
      [unknownProtocol({ ports: '22', action: 'DROP' }), accept],
      ['unclear: tcp/22 from 0.0.0.0/0, ::/0'],
    ],
    [
      'stays unclear by the same rule with another label',
      [unknownProtocol()],
      [unknownProtocol({ label: 'other' }), rule({ ports: '80', action: 'DROP' })],
      [],
    ],
    ['stays unclear if a later rule has the action of the policy', [unknownProtocol()], [unknownProtocol(), drop], []],
    [
      'is newly unclear by another rule',
      [unknownProtocol()],
      [unknownProtocol({ protocol: '51' })],
      ['unclear: all traffic from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear if an action is unknown',
      [],
      [rule({ ...anyone, action: 'REJECT' })],
      ['unclear: tcp/22 from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear at all ports of a rule with invalid ports',
      [],
      [rule({ ...anyone, ports: 'x' })],
      ['unclear: tcp from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear if a rule has ports of a protocol without ports',
      [],
      [rule({ ...anyone, protocol: 'ICMP' })],
      ['unclear: icmp from 0.0.0.0/0, ::/0'],
    ],
    ['is unclear in the family of a prefix list', [], [rule({ ipv4: ['pl:cdn'] })], ['unclear: tcp/22 from 0.0.0.0/0']],
    [
      'is clear at the networks beside a prefix list',
      [],
      [rule({ ipv4: ['pl:cdn', '203.0.113.0/24'] })],
      ['allowed: tcp/22 from 203.0.113.0/24', 'unclear: tcp/22 from 0.0.0.0/0 but 203.0.113.0/24'],
    ],
    [
      'is that of a network for an address without a mask',
      [],
      [rule({ ipv4: ['203.0.113.7'] })],
      ['allowed: tcp/22 from 203.0.113.7'],
    ],
    ['is unclear if a rule has no addresses', [], [rule({ ipv4: [] })], ['unclear: tcp/22 from 0.0.0.0/0, ::/0']],
    ['is unchanged if a rule is removed that others decide for', [accept, drop, accept], [accept, accept], []],
    ['is unchanged if a wider rule remains', [rule({ ipv4: ['10.0.0.0/8'] }), accept], [accept], []],
    [
      'is listed by addresses if their ports overlap',
      [rule({ ports: '22,80', ipv4: near }), rule({ ports: '80,443', ipv4: far })],
      [rule({ ports: '25', ipv4: ['172.16.0.0/12'] })],
      ['blocked: tcp/22,80 from 10.0.0.0/8; tcp/80,443 from 192.0.2.0/24', 'allowed: tcp/25 from 172.16.0.0/12'],
    ],
    [
      'is decided by the remaining rule if one of two is removed',
      [accept, rule({ ...anyone, ports: '80' })],
      [accept],
      ['blocked: tcp/80 from 0.0.0.0/0, ::/0'],
    ],
  ])('%s', ([, before, after, expected]) => {
    expect(changes(before, after)).toEqual(expected)
  })
})
