/** Who gets in, as it is drawn: held to what `firewalls test` says of single packets. */
import { describe, expect, test } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { type InboundAccess, inboundAccess, type Outcome } from '../../src/firewall/access'
import { judge, type Packet } from '../../src/firewall/verdict'
import fc, { runs } from '../support/fast-check'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'
import { holds } from '../support/packets'
import { known, packets, someRules } from '../support/random-rules'

/** As a reader of the drawing finds it: the row that holds the packet, or else the last line. */
function drawn({ rows, otherwise, isTcpOnly }: InboundAccess, packet: Packet): Outcome {
  if (isTcpOnly && packet.protocol !== 'TCP') return 'allowed'
  const found = rows.filter(({ traffic }) => holds([traffic], packet))
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]?.outcome ?? otherwise
}

const meanings: Readonly<Record<string, Outcome>> = { ACCEPT: 'allowed', DROP: 'blocked' }
const judged = (rules: FirewallRules, packet: Packet): Outcome =>
  meanings[judge(rules, packet).action ?? ''] ?? 'unknown'

/** Some actions and policies are others than api.md names. */
const withOddActions = (rules: FirewallRules, odd: readonly number[]): FirewallRules => ({
  ...rules,
  inbound: rules.inbound.map((one, index) => (odd.includes(index) ? { ...one, action: 'REJECT' } : one)),
  ...(odd.includes(9) && { inbound_policy: 'REJECT' }),
})

describe('the drawing of who gets in', () => {
  test.for([
    ['of documented rules', known, 0],
    ['of rules that nobody can judge among others', [...known, 'ALL', '47'], 3],
  ] as const)('says of each packet what firewalls test says: %s', ([, protocols, mostOdd]) => {
    const seen = { allowed: 0, blocked: 0, unknown: 0 }
    const odd = fc.array(fc.nat(9), { maxLength: mostOdd })
    const of = fc
      .tuple(someRules(protocols), odd)
      .map(([rules, places]) => withOddActions(rules, places))
      .chain((rules) => packets([rules]).map((some) => ({ rules, some })))
    fc.assert(
      fc.property(of, ({ rules, some }) => {
        const found = { compute: inboundAccess(rules, 'compute'), balancer: inboundAccess(rules, 'balancer') }
        for (const one of some) {
          const packet = { ...one, direction: 'inbound' as const }
          const expected = judged(rules, packet)
          seen[expected] += 1
          expect(drawn(found[packet.service], packet)).toBe(expected)
        }
      }),
      { numRuns: runs(120) },
    )
    expect(Math.min(seen.allowed, seen.blocked)).toBeGreaterThan(runs(120))
    expect(seen.unknown > 0).toBe(mostOdd > 0)
  })

  const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }

  test('has a row for what rules decide, and leaves the rest to the policy', () => {
    const access = inboundAccess(rulesOf([rule(), rule({ ...anyone, ports: '443' })]), 'compute')
    expect(access).toMatchObject({ otherwise: 'blocked', policy: 'DROP', unjudged: [], isTcpOnly: false })
    const rows = access.rows.map(({ outcome, traffic: { protocols, networks } }) => [outcome, protocols, networks])
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(['allowed', [{ protocol: 'TCP', ports: '22' }], ['203.0.113.0/24']])
    expect(rows).toContainEqual(['allowed', [{ protocol: 'TCP', ports: '443' }], ['0.0.0.0/0', '::/0']])
  })

  test('leaves out of a rule what an earlier one decides', () => {
    const [first, second] = [rule({ action: 'DROP' }), rule({ ipv4: ['203.0.112.0/23'] })]
    const { rows } = inboundAccess(rulesOf([first, second]), 'compute')
    expect(rows.map(({ outcome, traffic: { networks } }) => [outcome, networks])).toEqual([
      ['allowed', ['203.0.112.0/24']],
      ['blocked', ['203.0.113.0/24']],
    ])
  })

  test('names the rules of unknown protocols and actions, with their numbers', () => {
    const rules = rulesOf([rule(), rule({ protocol: '47', ports: undefined }), rule({ action: 'REJECT' })])
    expect(inboundAccess(rules, 'compute').unjudged.map(({ number }) => number)).toEqual([2, 3])
  })
})
