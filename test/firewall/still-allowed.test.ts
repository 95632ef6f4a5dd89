/** Traffic that stays allowed although its rule is removed, and the rules that allow it. */
import { describe, expect, test } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { stillAllowed } from '../../src/firewall/still-allowed'
import { trafficText } from '../../src/firewall/traffic-text'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'

const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const office = { ipv4: ['198.51.100.0/24'] }
const half = { ipv4: ['198.51.100.0/25'] }
const postgres = rule({ ports: '5432', ...office })
const wide = rule({ ports: '5000-6000', ...anyone })
const part = rule({ ports: '5432', ...half })
const shut = rule({ action: 'DROP', ports: '5432', ...office })
const accepting = (...inbound: FirewallRules['inbound']): FirewallRules => ({
  ...rulesOf(inbound),
  inbound_policy: 'ACCEPT',
})

const everything = ['TCP', 'UDP', 'ICMP', 'IPENCAP'].map((protocol) => rule({ protocol, ports: undefined, ...anyone }))

const descriptions = (before: FirewallRules, after: FirewallRules) =>
  stillAllowed(before, after).map(({ direction, traffic, by }) => `${direction} ${trafficText(traffic)}: ${by.join()}`)

const all = 'inbound tcp/5432 from 198.51.100.0/24'

describe('Removing a rule blocks nothing', () => {
  test.for<[string, FirewallRules, FirewallRules, string[]]>([
    ['under a policy that accepts', accepting(postgres), accepting(), [`${all}: `]],
    ['if another rule accepts the same traffic', rulesOf([postgres, wide]), rulesOf([wide]), [`${all}: 1`]],
    [
      'if another rule accepts the same traffic and gets a new label',
      rulesOf([postgres, wide]),
      rulesOf([{ ...wide, label: 'wide', description: 'for now' }]),
      [`${all}: 1`],
    ],
    [
      'if two rules accept a part each',
      rulesOf([postgres, part, rule({ ports: '5432', ipv4: ['198.51.100.128/25'] })]),
      rulesOf([part, rule({ ports: '5432', ipv4: ['198.51.100.128/25'] })]),
      [`${all}: 1,2`],
    ],
    [
      'if a policy accepts traffic of a rule that becomes narrower',
      accepting(postgres),
      accepting(part),
      ['inbound tcp/5432 from 198.51.100.128/25: '],
    ],
    [
      'if it becomes a DROP rule behind one that accepts',
      rulesOf([wide, postgres]),
      rulesOf([wide, shut]),
      [`${all}: 1`],
    ],
    [
      'if rules accept everything that the policy accepted',
      accepting(...everything),
      rulesOf(everything),
      ['inbound tcp, udp, icmp, ipencap from 0.0.0.0/0, ::/0: 1,2,3,4'],
    ],
    [
      'if a moved DROP rule stays behind one that accepts',
      rulesOf([wide, rule({ ports: '80', ...office }), shut]),
      rulesOf([wide, shut, rule({ ports: '80', ...office })]),
      [`${all}: 1`],
    ],
  ])('%s', ([, before, after, lines]) => {
    expect(descriptions(before, after)).toEqual(lines)
  })

  test('of outbound traffic, which is labeled as outbound', () => {
    const rules = { ...accepting(), outbound: [postgres] }
    expect(descriptions(rules, accepting())).toEqual(['outbound tcp/5432 to 198.51.100.0/24: '])
  })
})

describe('Nothing is reported', () => {
  test.for<[string, FirewallRules, FirewallRules]>([
    ['if traffic is blocked', rulesOf([postgres]), rulesOf([])],
    ['if traffic is blocked in part', rulesOf([postgres, part]), rulesOf([part])],
    ['if the removed rule was never reached', accepting(shut, postgres), accepting(shut)],
    ['if the removed rule drops', accepting(shut), accepting()],
    ['if only a label changes', accepting(postgres), accepting({ ...postgres, label: 'postgres' })],
    ['if a rule accepts more', accepting(postgres), accepting(wide)],
    ['if a new rule replaces another', rulesOf([postgres]), rulesOf([{ ...postgres, label: 'new' }, wide])],
    ['if one rule replaces two', rulesOf([postgres, rule({ ports: '5433', ...office })]), rulesOf([wide])],
    ['if a new policy accepts the traffic', rulesOf([postgres]), accepting()],
    ['if nothing changes', accepting(postgres), accepting(postgres)],
  ])('%s', ([, before, after]) => {
    expect(descriptions(before, after)).toEqual([])
  })
})
