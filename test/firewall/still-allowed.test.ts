/** What a change takes away and does not close, and what allows it all the same. */
import { describe, expect, test } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { trafficText } from '../../src/firewall/effects'
import { stillAllowed } from '../../src/firewall/still-allowed'
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

const said = (before: FirewallRules, after: FirewallRules) =>
  stillAllowed(before, after).map(({ direction, traffic, by }) => `${direction} ${trafficText(traffic)}: ${by.join()}`)

const all = 'inbound tcp/5432 from 198.51.100.0/24'

describe('A rule that is taken away closes nothing', () => {
  test.for<[string, FirewallRules, FirewallRules, string[]]>([
    ['under a policy that accepts', accepting(postgres), accepting(), [`${all}: `]],
    ['beside a rule that accepts the same', rulesOf([postgres, wide]), rulesOf([wide]), [`${all}: 1`]],
    [
      'beside one that accepts the same and only gets another name',
      rulesOf([postgres, wide]),
      rulesOf([{ ...wide, label: 'wide', description: 'for now' }]),
      [`${all}: 1`],
    ],
    [
      'beside two that accept a part each',
      rulesOf([postgres, part, rule({ ports: '5432', ipv4: ['198.51.100.128/25'] })]),
      rulesOf([part, rule({ ports: '5432', ipv4: ['198.51.100.128/25'] })]),
      [`${all}: 1,2`],
    ],
    [
      'where it is only made narrower',
      accepting(postgres),
      accepting(part),
      ['inbound tcp/5432 from 198.51.100.128/25: '],
    ],
    ['where it drops now, behind one that accepts', rulesOf([wide, postgres]), rulesOf([wide, shut]), [`${all}: 1`]],
    [
      'where another policy leaves all to a rule',
      accepting(...everything),
      rulesOf(everything),
      ['inbound all traffic from 0.0.0.0/0, ::/0: 1,2,3,4'],
    ],
    [
      'where a rule that drops is moved and comes too late all the same',
      rulesOf([wide, rule({ ports: '80', ...office }), shut]),
      rulesOf([wide, shut, rule({ ports: '80', ...office })]),
      [`${all}: 1`],
    ],
  ])('%s', (test) => {
    const [, before, after, lines] = test
    expect(said(before, after)).toEqual(lines)
  })

  test('of outbound traffic, which is told as such', () => {
    const rules = { ...accepting(), outbound: [postgres] }
    expect(said(rules, accepting())).toEqual(['outbound tcp/5432 to 198.51.100.0/24: '])
  })
})

describe('Nothing is told', () => {
  test.for<[string, FirewallRules, FirewallRules]>([
    ['of what is closed', rulesOf([postgres]), rulesOf([])],
    ['of what is closed in part', rulesOf([postgres, part]), rulesOf([part])],
    ['of a rule that accepted nothing', accepting(shut, postgres), accepting(shut)],
    ['of one that drops', accepting(shut), accepting()],
    ['of another name', accepting(postgres), accepting({ ...postgres, label: 'postgres' })],
    ['of one that accepts more now', accepting(postgres), accepting(wide)],
    ['of one that a new rule stands in for', rulesOf([postgres]), rulesOf([{ ...postgres, label: 'new' }, wide])],
    ['of two that were made one', rulesOf([postgres, rule({ ports: '5433', ...office })]), rulesOf([wide])],
    ['where a new policy accepts it', rulesOf([postgres]), accepting()],
    ['where nothing is different', accepting(postgres), accepting(postgres)],
  ])('%s', ([, before, after]) => {
    expect(said(before, after)).toEqual([])
  })
})
