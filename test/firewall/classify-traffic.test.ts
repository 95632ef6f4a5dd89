/** What becomes of traffic, by examples, and what is looked at for it: what a difference can reach, alike things once. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import { classifyTraffic, type TrafficRules, type Verdicts } from '../../src/firewall/classify-traffic'
import { compareRules } from '../../src/firewall/compare'
import { trafficText } from '../../src/firewall/effects'
import { ruleThat as rule, rulesOf, type Said } from '../support/firewall-rules'

const [near, far] = [['10.0.0.0/8'], ['192.0.2.0/24']]

/** What each piece of TCP traffic becomes, of which the rules that are named decide. */
function looked(rules: FirewallRules, isDecisive: ((rule: FirewallRule) => boolean) | undefined): Verdicts[] {
  const seen: Verdicts[] = []
  const decisive = ([one, other]: readonly [TrafficRules, TrafficRules, TrafficRules?]) =>
    isDecisive && [...one.rules, ...other.rules].filter(isDecisive)
  classifyTraffic([rules, rulesOf([])], 'balancer', {
    names: ['passes'],
    decisive,
    sort: ([is], [{ rules }]) => {
      if (rules.length > 0) seen.push(is)
      return { passes: is.passes }
    },
  })
  return seen
}

const labelled = (label: string) => (one: FirewallRule) => one.label === label
const some = rulesOf([
  rule({ label: 'one', ipv4: near }),
  rule({ label: 'other', ipv4: far }),
  rule({ label: 'elsewhere', ports: '80', ipv4: ['10.1.0.0/16'] }),
])

describe('what is looked at', () => {
  test('is everything once, where everything matters', () => {
    // Nowhere, at each of the rules, and at that which is within another.
    expect(looked(some, undefined)).toHaveLength(4)
  })

  test('is what the rules that matter match, and of the others what meets it', () => {
    expect(looked(some, labelled('one'))).toHaveLength(1)
    expect(looked(some, labelled('elsewhere'))).toHaveLength(1)
    expect(looked(some, labelled('none'))).toHaveLength(0)
    expect(looked(some, ({ ports }) => ports === '22')).toHaveLength(2)
  })

  test('is one of what the same rules match in several places', () => {
    const apart = rulesOf([rule({ label: 'one', ipv4: [...near, ...far], ipv6: ['2001:db8::/32'] })])
    expect(looked(apart, labelled('one'))).toHaveLength(1)
    expect(looked(apart, undefined)).toHaveLength(2)
  })
})

describe('what becomes of traffic', () => {
  const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
  const foreign = (said: Said = {}) => rule({ protocol: '50', ports: undefined, ...anyone, ...said })
  const changed = (before: readonly FirewallRule[], after: readonly FirewallRule[]) => {
    const found = compareRules(rulesOf(before), rulesOf(after), 'compute')
    return Object.entries(found).flatMap(([kind, traffic]) =>
      traffic.length > 0 ? [`${kind}: ${trafficText(traffic)}`] : [],
    )
  }
  const [accept, drop] = [rule(anyone), rule({ action: 'DROP', ...anyone })]

  test.for<[string, FirewallRule[], FirewallRule[], string[]]>([
    [
      'is what the first rule says that matches',
      [drop, accept],
      [accept, drop],
      ['admitted: tcp/22 from 0.0.0.0/0, ::/0'],
    ],
    [
      'is what a rule says for the ports it names',
      [accept],
      [rule({ ...anyone, ports: '21-22' })],
      ['admitted: tcp/21 from 0.0.0.0/0, ::/0'],
    ],
    [
      'is what a rule says for all ports',
      [],
      [rule({ ...anyone, ports: undefined })],
      ['admitted: tcp from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear where a rule of a protocol that is not known may let it in',
      [],
      [foreign()],
      ['unclear: all traffic from 0.0.0.0/0, ::/0'],
    ],
    ['is the same where such a rule would do as the policy does', [], [foreign({ action: 'DROP' })], []],
    [
      'is unclear only for the ports of such a rule, where there are ports',
      [],
      [foreign({ ports: '22' })],
      ['unclear: tcp/22, udp/22, icmp, ipencap from 0.0.0.0/0, ::/0'],
    ],
    [
      'is clear where an earlier rule decides',
      [drop],
      [drop, foreign({ ports: '22' })],
      ['unclear: udp/22, icmp, ipencap from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear where a later rule does otherwise',
      [foreign({ ports: '22', action: 'DROP' })],
      [foreign({ ports: '22', action: 'DROP' }), accept],
      ['unclear: tcp/22 from 0.0.0.0/0, ::/0'],
    ],
    [
      'stays unclear by the same rule, however it is named',
      [foreign()],
      [foreign({ label: 'other' }), rule({ ipv4: ['x'] })],
      [],
    ],
    ['stays unclear where a later rule does as the policy does', [foreign()], [foreign(), drop], []],
    [
      'becomes unclear in another way by another rule',
      [foreign()],
      [foreign({ protocol: '51' })],
      ['unclear: all traffic from 0.0.0.0/0, ::/0'],
    ],
    [
      'is unclear where an action is not known',
      [],
      [rule({ ...anyone, action: 'REJECT' })],
      ['unclear: tcp/22 from 0.0.0.0/0, ::/0'],
    ],
    ['is no matter of ports that cannot be read', [], [rule({ ...anyone, ports: 'x' })], []],
    ['is no matter of ports where there are none', [], [rule({ ...anyone, protocol: 'ICMP' })], []],
    ['is no matter of networks that cannot be read', [], [rule({ ipv4: ['x'] })], []],
    ['is that of the others where a rule is taken from between them', [accept, drop, accept], [accept, accept], []],
    ['is that of a rule which stands for more', [rule({ ipv4: ['10.0.0.0/8'] }), accept], [accept], []],
    [
      'goes by addresses where their ports overlap',
      [rule({ ports: '22,80', ipv4: near }), rule({ ports: '80,443', ipv4: far })],
      [rule({ ports: '25', ipv4: ['172.16.0.0/12'] })],
      ['refused: tcp/22,80 from 10.0.0.0/8; tcp/80,443 from 192.0.2.0/24', 'admitted: tcp/25 from 172.16.0.0/12'],
    ],
    [
      'is that of what is left where one of two is removed',
      [accept, rule({ ...anyone, ports: '80' })],
      [accept],
      ['refused: tcp/80 from 0.0.0.0/0, ::/0'],
    ],
  ])('%s', ([, before, after, found]) => {
    expect(changed(before, after)).toEqual(found)
  })
})
