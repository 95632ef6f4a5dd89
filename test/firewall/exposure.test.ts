/** How much of the internet rules let in, against a packet from each 256th of it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exposureOf, isOpenOfUnknownProtocol } from '../../src/firewall/exposure'
import { judge } from '../../src/firewall/verdict'
import { parseAddress } from '../../src/rules/addresses'
import { rulesOf, ruleThat, type Said } from '../support/firewall-rules'

const ssh = { protocol: 'TCP', port: 22 }
const share = (networks: string[], action = 'ACCEPT') =>
  exposureOf(rulesOf([ruleThat({ ipv4: networks, action })]), ssh, 'ipv4').share

describe('the share of addresses that a rule accepts', () => {
  test('is all of them where networks together are', () => {
    expect(share(['0.0.0.0/0'])).toBe(1)
    expect(share(['0.0.0.0/1', '128.0.0.0/1'])).toBe(1)
  })

  test('is none where the rule drops, and where only the policy accepts', () => {
    expect(share(['0.0.0.0/0'], 'DROP')).toBe(0)
    expect(exposureOf(rulesOf([], 'ACCEPT'), ssh, 'ipv4').share).toBe(0)
  })

  test('is that of IPv6 by the addresses that anybody can have', () => {
    const of = (network: string) => exposureOf(rulesOf([ruleThat({ ipv4: [], ipv6: [network] })]), ssh, 'ipv6').share
    expect([of('::/0'), of('2000::/3'), of('2000::/4'), of('fc00::/7')]).toEqual([1, 1, 1 / 2, 0])
  })

  test('is that of networks down to a 256th, with or without host bits', () => {
    expect([share(['10.0.0.0/8']), share(['10.0.0.0/9'])]).toEqual([1 / 256, 0])
    expect(share(['129.2.3.4/1', 'x'])).toBe(1 / 2)
    const six = (network: string) => exposureOf(rulesOf([ruleThat({ ipv4: [network], ipv6: [network] })]), ssh, 'ipv6')
    expect([six('2000::/11').share, six('2000::/12').share]).toEqual([1 / 256, 0])
    expect(six('2000::/12').by).toEqual(new Set())
  })

  test('names the rules that accept, and none that an earlier one hides', () => {
    const rules = rulesOf([
      ruleThat({ ipv4: ['0.0.0.0/1'] }),
      ruleThat({ ipv4: ['0.0.0.0/2'] }),
      ruleThat({ ipv4: ['0.0.0.0/0'], ports: undefined }),
    ])
    expect(exposureOf(rules, ssh, 'ipv4')).toEqual({ share: 1, by: new Set([1, 3]) })
  })
})

describe('a rule of a protocol that is not known', () => {
  const of = (said: Said) => isOpenOfUnknownProtocol(ruleThat({ protocol: '50', ports: undefined, ...said }))

  test.for<[string[], string[], boolean]>([
    [['0.0.0.0/0'], [], true],
    [['128.0.0.0/1'], [], true],
    [['0.0.0.0/2', '192.0.0.0/2'], [], true],
    [['0.0.0.0/2'], [], false],
    [['203.0.113.0/24'], ['2000::/3'], true],
    [[], ['3000::/4'], true],
    [[], ['2000::/5'], false],
    [['203.0.113.0/24'], ['fc00::/7'], false],
    [[], [], false],
  ])('for %j and %j is open: %s', ([ipv4, ipv6, open]) => {
    expect(of({ ipv4, ipv6 })).toBe(open)
  })

  test('is so only where it accepts; one of a known protocol never is', () => {
    expect(of({ ipv4: ['0.0.0.0/0'], action: 'DROP' })).toBe(false)
    expect(of({ ipv4: ['0.0.0.0/0'], protocol: 'TCP' })).toBe(false)
    expect(of({ ipv4: ['203.0.113.0/24'], protocol: 'TCP', action: 'DROP' })).toBe(false)
  })
})

const network = fc
  .tuple(fc.integer({ min: 0, max: 8 }), fc.nat(255))
  .map(([prefix, first]) => `${first & (256 - 2 ** (8 - prefix))}.0.0.0/${prefix}`)
const rule = fc.record({
  action: fc.constantFrom('ACCEPT', 'DROP'),
  protocol: fc.constantFrom('TCP', 'UDP'),
  ports: fc.constantFrom('22', '1-65535', '443', undefined),
  ipv4: fc.uniqueArray(network, { minLength: 1, maxLength: 4 }),
})

test('agrees with the verdict on a packet from each 256th', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), (said) => {
      const rules = rulesOf(said.map(ruleThat))
      const verdicts = Array.from({ length: 256 }, (_, first) => {
        const address = parseAddress(`${first}.1.2.3`)
        if (!address) throw new Error('no address')
        return judge(rules, { direction: 'inbound', protocol: 'TCP', port: 22, address, service: 'compute' })
      }).filter(({ by, action }) => by === 'rule' && action === 'ACCEPT')
      expect(exposureOf(rules, ssh, 'ipv4')).toEqual({
        share: verdicts.length / 256,
        by: new Set(verdicts.map(({ number }) => number)),
      })
    }),
    { numRuns: 300 },
  )
})
