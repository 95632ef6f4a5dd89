/** Traffic that two sets of rules treat differently, compared to their verdicts on single packets. */

import { describe, expect, test } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { open } from '../../src/firewall/classify-traffic'
import { closedBy, compareRules } from '../../src/firewall/compare'
import { judge, type Packet } from '../../src/firewall/verdict'
import { parseAddress } from '../../src/rules/addresses'
import fc, { runs } from '../support/fast-check'
import { expectUnder } from '../support/fastest'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'
import { includesPacket } from '../support/packets'
import { knownProtocols, packets, protocols, someRule, someRules } from '../support/random-rules'

/** Pairs of an original set and an unrelated set, or one with a few edits of the original. */
const pairs = (protocols: readonly string[]) =>
  fc
    .tuple(
      someRules(protocols),
      someRules(protocols),
      fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.option(someRule(protocols))), { maxLength: 3 }),
    )
    .chain(([before, other, edits]) => {
      const inbound = [...before.inbound]
      for (const [from, to, replacement] of edits) {
        const [removed] = inbound.splice(from % (inbound.length + 1), 1)
        const inserted = replacement ?? removed
        if (inserted) inbound.splice(to % (inbound.length + 1), 0, inserted)
      }
      return fc.constantFrom([before, other] as const, [before, { ...before, inbound }] as const)
    })

const compared = (before: FirewallRules, after: FirewallRules) => ({
  compute: compareRules(before, after, 'compute'),
  balancer: compareRules(before, after, 'balancer'),
})

describe('The comparison of two sets of rules', () => {
  test('agrees with both verdicts on every packet', () => {
    let [blocked, allowed] = [0, 0]
    const of = pairs(knownProtocols).chain(([before, after]) =>
      packets([before, after]).map((some) => ({ before, after, some })),
    )
    fc.assert(
      fc.property(of, ({ before, after, some }) => {
        const comparisons = compared(before, after)
        for (const packet of some) {
          const [was, is] = [judge(before, packet).action, judge(after, packet).action]
          const comparison = comparisons[packet.service]
          if (was === 'ACCEPT' && is === 'DROP') blocked += 1
          if (was === 'DROP' && is === 'ACCEPT') allowed += 1
          expect(includesPacket(comparison.blocked, packet)).toBe(was === 'ACCEPT' && is === 'DROP')
          expect(includesPacket(comparison.allowed, packet)).toBe(was === 'DROP' && is === 'ACCEPT')
          expect(comparison.unclear).toEqual([])
        }
      }),
      { numRuns: runs(120) },
    )
    expect(Math.min(blocked, allowed)).toBeGreaterThan(runs(120))
  })

  test('reports no difference for traffic that a rule of unknown effect may decide', () => {
    let unclear = 0
    const of = pairs([...knownProtocols, 'ALL', '47']).chain(([before, after]) =>
      packets([before, after]).map((some) => ({ before, after, some })),
    )
    fc.assert(
      fc.property(of, ({ before, after, some }) => {
        const comparisons = compared(before, after)
        for (const packet of some) {
          const [was, is] = [judge(before, packet).action, judge(after, packet).action]
          const comparison = comparisons[packet.service]
          if (was !== null && is !== null) {
            expect(includesPacket(comparison.blocked, packet)).toBe(was === 'ACCEPT' && is === 'DROP')
            expect(includesPacket(comparison.allowed, packet)).toBe(was === 'DROP' && is === 'ACCEPT')
            expect(includesPacket(comparison.unclear, packet)).toBe(false)
          } else if (includesPacket(comparison.unclear, packet)) unclear += 1
        }
      }),
      { numRuns: runs(50) },
    )
    expect(unclear).toBeGreaterThan(0)
  })

  test('has every packet in one piece at most', () => {
    fc.assert(
      fc.property(
        pairs(knownProtocols).chain((pair) => packets(pair).map((some) => ({ pair, some }))),
        ({ pair: [before, after], some }) => {
          const { blocked, allowed } = compareRules(before, after, 'compute')
          for (const packet of some) {
            const pieces = [...blocked, ...allowed].filter((piece) => includesPacket([piece], packet))
            expect(pieces.length).toBeLessThanOrEqual(1)
          }
        },
      ),
      { numRuns: runs(50) },
    )
  })
})

const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const ssh = { protocol: 'TCP', ports: '22' }

describe('The pieces of a comparison', () => {
  const refusedBy = (before: FirewallRules, after: FirewallRules, service: Packet['service'] = 'compute') =>
    compareRules(before, after, service).blocked

  test('have ports and networks in the form of rules', () => {
    expect(refusedBy(rulesOf([rule({ ipv4: ['198.51.100.9/24'] })]), rulesOf([]))).toEqual([
      { direction: 'inbound', protocols: [ssh], networks: ['198.51.100.0/24'], except: [] },
    ])
  })

  test('join adjacent ports and networks', () => {
    const halves = ['198.51.100.0/25', '198.51.100.128/25']
    const before = rulesOf([rule({ ports: '22', ipv4: halves }), rule({ ports: '23-24, 30', ipv4: halves })])
    expect(refusedBy(before, rulesOf([]))).toEqual([
      {
        direction: 'inbound',
        protocols: [{ protocol: 'TCP', ports: '22-24,30' }],
        networks: ['198.51.100.0/24'],
        except: [],
      },
    ])
  })

  test('have exceptions if that is shorter', () => {
    const after = rulesOf([rule({ ipv4: ['203.0.113.0/24'] })], 'ACCEPT')
    const shut = { ...after, inbound: [...after.inbound, rule({ action: 'DROP', ...anyone })] }
    expect(refusedBy(open, shut)).toEqual([
      {
        direction: 'inbound',
        protocols: [ssh],
        networks: ['0.0.0.0/0', '::/0'],
        except: ['203.0.113.0/24'],
      },
    ])
  })

  test('are grouped by port if ports have different peers', () => {
    const before = rulesOf([rule({ ports: '22', ...anyone }), rule({ ports: '80', ipv4: ['10.0.0.0/8'] })])
    expect(refusedBy(before, rulesOf([]))).toEqual([
      { direction: 'inbound', protocols: [ssh], networks: ['0.0.0.0/0', '::/0'], except: [] },
      { direction: 'inbound', protocols: [{ protocol: 'TCP', ports: '80' }], networks: ['10.0.0.0/8'], except: [] },
    ])
  })

  test('have all protocols if a policy changes, in either direction', () => {
    const shut = { ...open, outbound_policy: 'DROP' }
    const allTraffic = {
      direction: 'outbound',
      protocols: [...protocols, 'OTHER'].map((protocol) => ({ protocol, ports: null })),
      networks: ['0.0.0.0/0', '::/0'],
      except: [],
    }
    expect(compareRules(open, shut, 'compute')).toEqual({ blocked: [allTraffic], allowed: [], unclear: [] })
    expect(compareRules(shut, open, 'compute')).toEqual({ blocked: [], allowed: [allTraffic], unclear: [] })
  })

  test('are none for a rule that is never reached, moved past a similar one, or renamed', () => {
    const [one, other] = [rule(), rule({ ports: '80' })]
    const set = rulesOf([one, other])
    expect(refusedBy(rulesOf([other, one]), set)).toEqual([])
    expect(refusedBy(rulesOf([one, { ...one, action: 'DROP' }, other]), set)).toEqual([])
    expect(refusedBy(rulesOf([{ ...one, label: 'other' }, other]), set)).toEqual([])
  })

  test('have only inbound TCP at a balancer', () => {
    const shut = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }
    expect(refusedBy(open, shut, 'balancer')).toEqual([
      {
        direction: 'inbound',
        protocols: [{ protocol: 'TCP', ports: null }],
        networks: ['0.0.0.0/0', '::/0'],
        except: [],
      },
    ])
  })
})

describe('Traffic to keep open', () => {
  const required = rulesOf([rule({ ports: '22', ipv4: ['198.51.100.0/24'] })])

  test('is closed as far as the rules do not allow it', () => {
    const half = rulesOf([rule({ ipv4: ['198.51.100.0/25'] })])
    expect(closedBy(half, required, { service: 'compute' })).toEqual({
      blocked: [{ direction: 'inbound', protocols: [ssh], networks: ['198.51.100.128/25'], except: [] }],
      unclear: [],
    })
    expect(closedBy(required, required, { service: 'compute' }).blocked).toEqual([])
  })

  test('is closed by a change only as far as it was allowed before', () => {
    const half = rulesOf([rule({ ipv4: ['198.51.100.0/25'] })])
    expect(closedBy(rulesOf([]), required, { service: 'compute', before: half }).blocked).toEqual([
      { direction: 'inbound', protocols: [ssh], networks: ['198.51.100.0/25'], except: [] },
    ])
    expect(closedBy(rulesOf([]), required, { service: 'compute', before: rulesOf([]) }).blocked).toEqual([])
  })

  test('agrees with the verdict on a packet', () => {
    fc.assert(
      fc.property(someRules([...knownProtocols, 'ALL']), fc.constantFrom('compute', 'balancer'), (rules, service) => {
        const closed = closedBy(rules, required, { service })
        for (const text of ['198.51.100.0', '198.51.100.255', '198.51.101.0']) {
          const address = parseAddress(text)
          if (!address) throw new Error(text)
          const packet: Packet = { direction: 'inbound', protocol: 'TCP', port: 22, address, service }
          const { action } = judge(rules, packet)
          const within = text !== '198.51.101.0'
          if (action !== null) expect(includesPacket(closed.blocked, packet)).toBe(within && action === 'DROP')
          else if (!within) expect(includesPacket(closed.unclear, packet)).toBe(false)
        }
      }),
      { numRuns: runs(120) },
    )
  })
})

/** Creates the largest set that api.md allows (Limits), with rules, addresses and ports that all differ. */
function fullSet(seed: number): FirewallRules {
  const host = (index: number) => `${10 + seed}.${index >> 8}.${index & 255}`
  const inbound = Array.from({ length: 25 }, (_, place) => ({
    action: place % 3 === 0 ? 'DROP' : 'ACCEPT',
    protocol: 'TCP',
    ports: Array.from({ length: 15 }, (_, index) => 1 + ((seed * 9001 + place * 613 + index * 4001) % 65_535)).join(),
    addresses: {
      ipv4: Array.from({ length: 128 }, (_, index) => `${host(place * 128 + index)}.${(index * 37) % 256}/32`),
      ipv6: Array.from(
        { length: 127 },
        (_, index) => `2001:db8:${seed}:${(2 * (place * 128 + index)).toString(16)}::/64`,
      ),
    },
  }))
  return { ...rulesOf(inbound), inbound_policy: 'DROP' }
}

describe('The largest sets', () => {
  const full = fullSet(1)

  test('with one changed rule are compared in under 50 ms', () => {
    const inbound = full.inbound.map((one, place) => (place === 13 ? { ...one, ports: '22' } : one))
    const edited = { ...full, inbound }
    expect(compareRules(full, edited, 'compute').blocked).toHaveLength(1)
    expectUnder(50, () => compareRules(full, edited, 'compute'))
    const required = rulesOf([rule({ ipv4: ['198.51.100.7/32'] })])
    expectUnder(50, () => closedBy(full, required, { service: 'compute' }))
  })

  test('without a common rule are compared exactly, in under 150 ms on a busy machine', () => {
    const other = fullSet(2)
    const { blocked, allowed } = compareRules(full, other, 'compute')
    expectUnder(150, () => compareRules(full, other, 'compute'))
    for (const [pieces, set] of [
      [blocked, full],
      [allowed, other],
    ] as const) {
      const accepting = set.inbound.filter(({ action }) => action === 'ACCEPT')
      const networks = new Set(pieces.flatMap((piece) => piece.networks))
      expect(networks).toEqual(new Set(accepting.flatMap(({ addresses }) => Object.values(addresses).flat())))
    }
  })
})
