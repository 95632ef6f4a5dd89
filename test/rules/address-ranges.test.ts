/** Sets of addresses, as few ranges and networks as there can be. */

import { describe, expect, test } from 'vitest'
import { type AddressRange, joined, networksOf } from '../../src/rules/address-ranges'
import { covers, parseAddress, parseNetwork } from '../../src/rules/addresses'
import fc, { runs } from '../support/fast-check'

const ofBytes = (first: number, last = first): AddressRange => ({ first: BigInt(first), last: BigInt(last) })
const ipv4 = (...ranges: AddressRange[]) => networksOf('ipv4', joined(ranges))

test('ranges that touch are one, and those with an address between them are not', () => {
  expect(joined([ofBytes(8, 11), ofBytes(12, 15), ofBytes(16), ofBytes(18, 19), ofBytes(21)])).toEqual([
    ofBytes(8, 16),
    ofBytes(18, 19),
    ofBytes(21),
  ])
  expect(joined([])).toEqual([])
})

describe('networks of addresses', () => {
  test.for<[string, AddressRange[], string[], string[]]>([
    ['none', [], [], []],
    ['all', [ofBytes(0, 2 ** 32 - 1)], ['0.0.0.0/0'], []],
    ['one', [ofBytes(7)], ['0.0.0.7/32'], []],
    ['seven of eight', [ofBytes(0, 6)], ['0.0.0.0/29'], ['0.0.0.7/32']],
    ['two that are no network', [ofBytes(1, 2)], ['0.0.0.1/32', '0.0.0.2/32'], []],
    ['two that touch', [ofBytes(8, 11), ofBytes(12, 15)], ['0.0.0.8/29'], []],
    ['the last', [ofBytes(2 ** 32 - 1)], ['255.255.255.255/32'], []],
    ['all but the first', [ofBytes(1, 2 ** 32 - 1)], ['0.0.0.0/0'], ['0.0.0.0/32']],
  ])('%s', ([, ranges, networks, except]) => {
    expect(ipv4(...ranges)).toEqual({ networks, except })
  })

  test('of IPv6 are written as RFC 5952 does', () => {
    const whole = { first: 0n, last: (1n << 128n) - 1n }
    expect(networksOf('ipv6', [whole])).toEqual({ networks: ['::/0'], except: [] })
    expect(networksOf('ipv6', [{ first: 0n, last: whole.last - 1n }])).toEqual({
      networks: ['::/0'],
      except: ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128'],
    })
  })

  test('hold these addresses and no others', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const bytes = Array.from({ length: 256 }, (_, one) => parseAddress(`0.0.0.${one}`) ?? expect.fail())
    fc.assert(
      fc.property(fc.uniqueArray(byte, { maxLength: 60 }), (some) => {
        const held = new Set(some)
        const { networks, except } = ipv4(...[...held].sort((a, b) => a - b).map((one) => ofBytes(one)))
        const countOf = (texts: readonly string[]) => {
          const parsed = texts.map((text) => parseNetwork(text) ?? expect.fail(text))
          return bytes.map((address) => parsed.filter((network) => covers(network, address)).length)
        }
        const exceptions = countOf(except)
        const counts = countOf(networks).map((count, one) => count - (exceptions[one] ?? 0))
        expect(counts).toEqual(bytes.map((_, one) => Number(held.has(one))))
      }),
      { numRuns: runs(300) },
    )
  })
})
