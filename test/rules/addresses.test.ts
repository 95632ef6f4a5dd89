import { describe, expect, test } from 'vitest'
import { networkFault } from '../../src/rules/address-syntax'
import {
  boundsOf,
  covers,
  formatAddress,
  formatNetwork,
  hasHostBits,
  isPrivateAddress,
  maskOf,
  networkOf,
  parseAddress,
  parseNetwork,
} from '../../src/rules/addresses'
import fc, { runs } from '../support/fast-check'
import { expectUnder } from '../support/fastest'

/** api.md, Firewall rule, Address rules. */
describe('An address of a firewall rule', () => {
  test.each([
    ['ipv4', '0.0.0.0/0'],
    ['ipv4', '203.0.113.7/32'],
    ['ipv4', '255.255.255.255/1'],
    ['ipv6', '::/0'],
    ['ipv6', '2001:DB8::7/128'],
    ['ipv6', '1:2:3:4:5:6:7:8/64'],
  ] as const)('is valid: %s %s', (family, text) => {
    expect(networkFault(family, text)).toBeUndefined()
    expect(parseNetwork(text)?.family).toBe(family)
  })

  const no4 = 'Must contain only valid IPv4 addresses or networks'
  const no6 = 'Must contain only valid IPv6 addresses or networks'

  test.each([
    ['ipv4', '10.0.0.0', `${no4}: the mask is missing, as in 10.0.0.0/32`],
    ['ipv4', '10.0.0.0/33', `${no4}: the mask must be 0 to 32`],
    ['ipv4', '10.0.0.0/', `${no4}: the mask must be 0 to 32`],
    ['ipv4', '10.0.0.0/08', `${no4}: the mask must be 0 to 32`],
    ['ipv4', '10.0.0.0/255.0.0.0', `${no4}: the mask must be 0 to 32`],
    ['ipv4', '10.0.0.0/8/8', `${no4}: the mask must be 0 to 32`],
    ['ipv4', '010.0.0.1/8', `${no4}: no leading zeros`],
    ['ipv4', '10.0.0.01/8', `${no4}: no leading zeros`],
    ['ipv4', '100.300.0.1/8', `${no4}: not an address`],
    ['ipv4', '10.0.0/8', `${no4}: write all four parts, as in 10.0.0.0/8`],
    ['ipv4', '172.16/12', `${no4}: write all four parts, as in 172.16.0.0/12`],
    ['ipv4', '10/8', `${no4}: write all four parts, as in 10.0.0.0/8`],
    ['ipv4', '10.1', `${no4}: not an address`],
    ['ipv4', '1.2.3.4.5/8', `${no4}: not an address`],
    ['ipv4', '0x0a.0.0.1/8', `${no4}: not an address`],
    ['ipv4', '10.0.0.256/8', `${no4}: not an address`],
    ['ipv4', '/8', `${no4}: not an address`],
    ['ipv4', '', `${no4}: not an address`],
    ['ipv4', ' 10.0.0.0/8', `${no4}: not an address`],
    ['ipv4', '2001:db8::/32', `${no4}: an IPv6 address belongs in ipv6`],
    ['ipv6', '01.0.0.1/8', `${no6}: not an address`],
    ['ipv6', '12', `${no6}: not an address`],
    ['ipv6', '10.0.0.0/8', `${no6}: an IPv4 address belongs in ipv4`],
    ['ipv6', '2001:db8::', `${no6}: the mask is missing, as in 2001:db8::/128`],
    ['ipv6', '2001:db8::/129', `${no6}: the mask must be 0 to 128`],
    ['ipv6', 'fe80::1%eth0/64', `${no6}: a zone id is not allowed`],
    ['ipv6', 'fe80::1/64%eth0', `${no6}: a zone id is not allowed`],
    ['ipv6', '1::2::3/64', `${no6}: not an address`],
    ['ipv6', '12345::/64', `${no6}: not an address`],
    ['ipv6', '::ffff:010.0.0.1/128', `${no6}: not an address`],
    ['ipv6', '[2001:db8::]/32', `${no6}: not an address`],
  ] as const)('is rejected with a reason: %s %j', (family, text, fault) => {
    expect(networkFault(family, text)).toBe(fault)
    if (!fault.includes('belongs')) expect(parseNetwork(text)).toBeUndefined()
  })

  test('is valid exactly if a simple parser accepts it', () => {
    fc.assert(
      fc.property(networkText, (text) => {
        const expected = simplyParsed(text)
        const network = parseNetwork(text)
        expect(network && [network.family, network.value, network.prefix]).toEqual(expected && asIpv4(expected))
        expect(networkFault('ipv4', text) === undefined).toBe(expected?.[0] === 'ipv4')
        expect(networkFault('ipv6', text) === undefined).toBe(expected?.[0] === 'ipv6')
      }),
      { numRuns: runs(8000) },
    )
  })
})

describe('An address', () => {
  test.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4'],
    ['0001::0', '1::'],
    ['::1.2.3.4', '::102:304'],
    ['::10.20.30.45', '::a14:1e2d'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['::fffe:c000:207', '::fffe:c000:207'],
    ['::1:ffff:c000:207', '::1:ffff:c000:207'],
    ['192.0.2.7', '192.0.2.7'],
  ])('has the canonical form of RFC 5952: %s is %s', (text, canonical) => {
    expect(parseAddress(text)?.address).toBe(canonical)
  })

  test('of IPv6 has the form of URLs', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        fc.pre(parseAddress(text)?.family === 'ipv6')
        expect(parseAddress(text)?.address).toBe(new URL(`http://[${text}]`).hostname.slice(1, -1))
      }),
      { numRuns: runs(8000) },
    )
  })

  test('of IPv6 that is IPv4-mapped has the form of RFC 5952, section 5', () => {
    expect(formatAddress('ipv6', 0xffff_cb00_7109n)).toBe('::ffff:203.0.113.9')
    expect(formatAddress('ipv6', 0xffff_0000_0000n)).toBe('::ffff:0.0.0.0')
    expect(formatAddress('ipv6', 0x1_ffff_cb00_7109n)).toBe('::1:ffff:cb00:7109')
  })

  test.each([
    ['10.0.0.0', true],
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['172.15.255.255', false],
    ['172.16.0.0', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.168.0.0', true],
    ['192.169.0.0', false],
    ['203.0.113.9', false],
    ['2001:db8::1', false],
  ])('is private by RFC 1918, 3: %s: %s', (address, isPrivate) => {
    expect(isPrivateAddress(address)).toBe(isPrivate)
  })
})

test.each(['1', '1.', ':', '::', 'f:', '%', '/', '0/0'])('1 MB is checked in under 50 ms: "%s"', (part) => {
  const text = part.repeat(1_000_000 / part.length)
  expect([networkFault('ipv4', text), networkFault('ipv6', text)]).not.toContain(undefined)
  expect(parseAddress(text)).toBeUndefined()
  expectUnder(50, () => networkFault('ipv4', text))
  expectUnder(50, () => networkFault('ipv6', text))
})

describe('A network', () => {
  const network = (text: string) => parseNetwork(text) ?? expect.fail(text)

  test.each([
    ['0.0.0.0/0', '203.0.113.7/32', true],
    ['203.0.113.0/24', '203.0.113.7/32', true],
    ['203.0.113.9/24', '203.0.113.0/24', true],
    ['203.0.113.0/25', '203.0.113.0/24', false],
    ['203.0.113.0/24', '203.0.114.1/32', false],
    ['::/0', '203.0.113.7/32', false],
    ['2001:db8::/32', '2001:db8:ffff::/48', true],
    ['::ffff:0:0/96', '192.0.2.1/32', true],
    ['192.0.2.0/24', '::ffff:192.0.2.1/128', true],
    ['::/0', '::ffff:192.0.2.1/128', false],
  ])('covers another: %s and %s: %s', (outer, inner, expected) => {
    expect(covers(network(outer), network(inner))).toBe(expected)
  })

  test.each([
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
  ])('without its host bits: %s is %s', (text, base) => {
    expect(formatNetwork(networkOf(network(text)))).toBe(base)
    expect(hasHostBits(network(text))).toBe(text !== base)
  })

  test.each([
    ['ipv4', 24, '255.255.255.0'],
    ['ipv4', 17, '255.255.128.0'],
    ['ipv6', 56, 'ffff:ffff:ffff:ff00::'],
  ] as const)('has a mask: %s /%i: %s', (family, prefix, mask) => {
    expect(maskOf(family, prefix)).toBe(mask)
  })
})

const nearlyValid = fc
  .tuple(
    fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.tuple(fc.ipV6(), fc.ipV4()).map(([a, b]) => a.replace(/:[^:]*:[^:]*$/, `:${b}`)),
    ),
    fc.oneof(fc.integer({ min: 0, max: 140 }).map(String), fc.constantFrom('', '00', '08', '1e1', '+8')),
    fc.nat(60),
    fc.oneof(fc.constant(''), fc.constantFrom('0', '.', ':', '::', 'g', '%', '%1', '/', ' ', 'F')),
  )
  .map(([address, mask, at, extra]) => {
    const text = `${address}/${mask}`
    return text.slice(0, at) + extra + text.slice(at)
  })
const networkText = fc.oneof(
  { weight: 4, arbitrary: nearlyValid },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '::', '.', '/'), maxLength: 16 }) },
)

const octets = new Map(Array.from({ length: 256 }, (_, value) => [String(value), BigInt(value)]))

/** Returns a network of IPv4-mapped addresses as IPv4. */
function asIpv4([family, value, prefix]: [string, bigint, number]): [string, bigint, number] {
  const isMapped = family === 'ipv6' && prefix >= 96 && value / 2n ** 32n === 65_535n
  return isMapped ? ['ipv4', value % 2n ** 32n, prefix - 96] : [family, value, prefix]
}

/** Parses step by step, without a regular expression or a library. */
function simplyParsed(text: string): [family: string, value: bigint, prefix: number] | undefined {
  const [address = '', mask = '', ...rest] = text.split('/')
  if (rest.length > 0 || !text.includes('/')) return undefined
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const value = family === 'ipv4' ? simpleIpv4(address) : simpleIpv6(address)
  const prefix = Array.from({ length: family === 'ipv4' ? 33 : 129 }, (_, length) => String(length)).indexOf(mask)
  return value === undefined || prefix < 0 ? undefined : [family, value, prefix]
}

function simpleIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  let value = 0n
  for (const part of parts) {
    const octet = octets.get(part)
    if (octet === undefined) return undefined
    value = value * 256n + octet
  }
  return parts.length === 4 ? value : undefined
}

function simpleIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const groups: (bigint | undefined)[][] = halves.map((half, index) =>
    half === ''
      ? []
      : half.split(':').flatMap((part, at, all) => group(part, index === halves.length - 1 && at === all.length - 1)),
  )
  const [left = [], right = []] = groups
  const missing = 8 - left.length - right.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  let value = 0n
  for (const one of [...left, ...Array<bigint>(missing).fill(0n), ...right]) {
    if (one === undefined) return undefined
    value = value * 65_536n + one
  }
  return value
}

function group(part: string, isLast: boolean): (bigint | undefined)[] {
  if (part.includes('.')) {
    const value = isLast ? simpleIpv4(part) : undefined
    return value === undefined ? [undefined] : [value / 65_536n, value % 65_536n]
  }
  const isHexadecimal = [...part].every((digit) => '0123456789abcdefABCDEF'.includes(digit))
  return [part.length >= 1 && part.length <= 4 && isHexadecimal ? BigInt(`0x${part}`) : undefined]
}

test.for([
  ['203.0.113.7/24', 'ipv4', 0xcb007100n, 0xcb0071ffn],
  ['203.0.113.7/32', 'ipv4', 0xcb007107n, 0xcb007107n],
  ['0.0.0.0/0', 'ipv4', 0n, 2n ** 32n - 1n],
  ['::/0', 'ipv6', 0n, 2n ** 128n - 1n],
  ['2001:db8::ffff/112', 'ipv6', 0x20010db8n << 96n, (0x20010db8n << 96n) + 0xffffn],
] as const)('A network has a first and a last address: %s', ([text, family, first, last]) => {
  expect(boundsOf(text)).toEqual({ family, first, last })
})

test.for(['', '203.0.113.7', '203.0.113.7/33', '203.0.113.7/', 'x/8', '::/129'])(
  'An invalid network has no bounds: %j',
  (text) => {
    expect(boundsOf(text)).toBeUndefined()
  },
)
