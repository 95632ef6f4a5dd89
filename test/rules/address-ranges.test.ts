/** Sets of addresses as the fewest ranges and networks. */

import { describe, expect, test } from 'vitest'
import { type AddressRange, joined, networksOf } from '../../src/rules/address-ranges'
import { covers, parseAddress, parseNetwork } from '../../src/rules/addresses'
import fc, { runs } from '../support/fast-check'

const range = (first: number, last = first): AddressRange => ({ first: BigInt(first), last: BigInt(last) })
const ipv4 = (...ranges: AddressRange[]) => networksOf('ipv4', joined(ranges))

test('Adjacent ranges are joined, and others are not', () => {
  expect(joined([range(8, 11), range(12, 15), range(16), range(18, 19), range(21)])).toEqual([
    range(8, 16),
    range(18, 19),
    range(21),
  ])
  expect(joined([])).toEqual([])
})

describe('Networks of addresses', () => {
  test.for<[string, AddressRange[], string[], string[]]>([
    ['none', [], [], []],
    ['all', [range(0, 2 ** 32 - 1)], ['0.0.0.0/0'], []],
    ['one', [range(7)], ['0.0.0.7/32'], []],
    ['seven of eight', [range(0, 6)], ['0.0.0.0/29'], ['0.0.0.7/32']],
    ['two that are not a network', [range(1, 2)], ['0.0.0.1/32', '0.0.0.2/32'], []],
    ['two adjacent ranges', [range(8, 11), range(12, 15)], ['0.0.0.8/29'], []],
    ['the last', [range(2 ** 32 - 1)], ['255.255.255.255/32'], []],
    ['all but the first', [range(1, 2 ** 32 - 1)], ['0.0.0.0/0'], ['0.0.0.0/32']],
  ])('are the fewest: %s', ([, ranges, networks, except]) => {
    expect(ipv4(...ranges)).toEqual({ networks, except })
  })

  test('of IPv6 are in the form of RFC 5952', () => {
    const allAddresses = { first: 0n, last: (1n << 128n) - 1n }
    expect(networksOf('ipv6', [allAddresses])).toEqual({ networks: ['::/0'], except: [] })
    expect(networksOf('ipv6', [{ first: 0n, last: allAddresses.last - 1n }])).toEqual({
      networks: ['::/0'],
      except: ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128'],
    })
  })

  test('contain exactly these addresses', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const bytes = Array.from({ length: 256 }, (_, one) => parseAddress(`0.0.0.${one}`) ?? expect.fail())
    fc.assert(
      fc.property(fc.uniqueArray(byte, { maxLength: 60 }), (some) => {
        const included = new Set(some)
        const { networks, except } = ipv4(...[...included].sort((a, b) => a - b).map((one) => range(one)))
        const countOf = (texts: readonly string[]) => {
          const parsed = texts.map((text) => parseNetwork(text) ?? expect.fail(text))
          return bytes.map((address) => parsed.filter((network) => covers(network, address)).length)
        }
        const exceptions = countOf(except)
        const counts = countOf(networks).map((count, one) => count - (exceptions[one] ?? 0))
        expect(counts).toEqual(bytes.map((_, one) => Number(included.has(one))))
      }),
      { numRuns: runs(300) },
    )
  })
})
