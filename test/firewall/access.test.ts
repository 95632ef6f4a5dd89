/** Inbound access as shown in a table, compared to the verdict of `firewalls test` on single packets. */
import { describe, expect, test } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { type InboundAccess, inboundAccess, type Outcome } from '../../src/firewall/access'
import { judge, type Packet } from '../../src/firewall/verdict'
import fc, { runs } from '../support/fast-check'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'
import { includesPacket } from '../support/packets'
import { knownProtocols, packets, someRules } from '../support/random-rules'

/** Finds a packet's outcome as a reader of the table does: in the matching row, or else in the last line. */
function outcomeOf({ rows, otherwise, isTcpOnly }: InboundAccess, packet: Packet): Outcome {
  if (isTcpOnly && packet.protocol !== 'TCP') return 'allowed'
  const matching = rows.filter(({ traffic }) => includesPacket([traffic], packet))
  expect(matching.length).toBeLessThanOrEqual(1)
  return matching[0]?.outcome ?? otherwise
}

const outcomes: Readonly<Record<string, Outcome>> = { ACCEPT: 'allowed', DROP: 'blocked' }
const expectedOutcome = (rules: FirewallRules, packet: Packet): Outcome =>
  outcomes[judge(rules, packet).action ?? ''] ?? 'unknown'

/** Replaces some actions and policies with undocumented ones. */
const withUnknownActions = (rules: FirewallRules, unknown: readonly number[]): FirewallRules => ({
  ...rules,
  inbound: rules.inbound.map((one, index) => (unknown.includes(index) ? { ...one, action: 'REJECT' } : one)),
  ...(unknown.includes(9) && { inbound_policy: 'REJECT' }),
})

describe('The table of inbound access', () => {
  test.for([
    ['documented rules', knownProtocols, 0],
    ['some rules of unknown effect', [...knownProtocols, 'ALL', '47'], 3],
  ] as const)('agrees with firewalls test on every packet: %s', ([, protocols, maxUnknown]) => {
    const counts = { allowed: 0, blocked: 0, unknown: 0 }
    const unknown = fc.array(fc.nat(9), { maxLength: maxUnknown })
    const of = fc
      .tuple(someRules(protocols), unknown)
      .map(([rules, places]) => withUnknownActions(rules, places))
      .chain((rules) => packets([rules]).map((some) => ({ rules, some })))
    fc.assert(
      fc.property(of, ({ rules, some }) => {
        const access = { compute: inboundAccess(rules, 'compute'), balancer: inboundAccess(rules, 'balancer') }
        for (const one of some) {
          const packet = { ...one, direction: 'inbound' as const }
          const expected = expectedOutcome(rules, packet)
          counts[expected] += 1
          expect(outcomeOf(access[packet.service], packet)).toBe(expected)
        }
      }),
      { numRuns: runs(120) },
    )
    expect(Math.min(counts.allowed, counts.blocked)).toBeGreaterThan(runs(120))
    expect(counts.unknown > 0).toBe(maxUnknown > 0)
  })

  const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }

  test('has a row per rule, and the policy for the rest', () => {
    const access = inboundAccess(rulesOf([rule(), rule({ ...anyone, ports: '443' })]), 'compute')
    expect(access).toMatchObject({ otherwise: 'blocked', policy: 'DROP', unjudged: [], isTcpOnly: false })
    const rows = access.rows.map(({ outcome, traffic: { protocols, networks } }) => [outcome, protocols, networks])
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(['allowed', [{ protocol: 'TCP', ports: '22' }], ['203.0.113.0/24']])
    expect(rows).toContainEqual(['allowed', [{ protocol: 'TCP', ports: '443' }], ['0.0.0.0/0', '::/0']])
  })

  test('omits from a rule the traffic that an earlier rule decides', () => {
    const [first, second] = [rule({ action: 'DROP' }), rule({ ipv4: ['203.0.112.0/23'] })]
    const { rows } = inboundAccess(rulesOf([first, second]), 'compute')
    expect(rows.map(({ outcome, traffic: { networks } }) => [outcome, networks])).toEqual([
      ['allowed', ['203.0.112.0/24']],
      ['blocked', ['203.0.113.0/24']],
    ])
  })

  test('lists the numbers of rules with unknown protocols or actions', () => {
    const rules = rulesOf([rule(), rule({ protocol: '47', ports: undefined }), rule({ action: 'REJECT' })])
    expect(inboundAccess(rules, 'compute').unjudged.map(({ number }) => number)).toEqual([2, 3])
  })
})
