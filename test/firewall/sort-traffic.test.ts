/** What is looked at to sort traffic: only what a difference can reach, and what is alike once. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import { type Side, sortTraffic, type Verdicts } from '../../src/firewall/sort-traffic'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'

const [near, far] = [['10.0.0.0/8'], ['192.0.2.0/24']]

/** What each piece of TCP traffic becomes, of which the rules that are named decide. */
function looked(rules: FirewallRules, isDecisive: ((rule: FirewallRule) => boolean) | undefined): Verdicts[] {
  const seen: Verdicts[] = []
  const decisive = ([one, other]: readonly [Side, Side, Side?]) =>
    isDecisive && [...one.rules, ...other.rules].filter(isDecisive)
  sortTraffic([rules, rulesOf([])], 'balancer', {
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
