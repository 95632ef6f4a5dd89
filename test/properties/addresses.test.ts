/** Addresses, networks, hosts, proxies and URLs (RFC 4291, RFC 4632, RFC 3986; reliability.md, Secrets). */

import { parseBaseUrl } from '../../src/config/base-url'
import { expectSafePath } from '../../src/http/request-path'
import { covers, hasHostBits, networkOf, parseAddress, parseNetwork } from '../../src/rules/addresses'
import fc from '../support/fast-check'
import { property, textOf } from '../support/property'
import { orUndefined } from './or-undefined'

const bits = (family: 4 | 6) => fc.bigInt(0n, 2n ** (family === 4 ? 32n : 128n) - 1n)

/** Address in full notation. */
function text(family: 4 | 6, value: bigint): string {
  const parts = Array.from({ length: family === 4 ? 4 : 8 }, (_, index, size = family === 4 ? 8 : 16) => {
    const shift = BigInt((family === 4 ? 3 : 7) - index) * BigInt(size)
    return Number((value >> shift) & (2n ** BigInt(size) - 1n))
  })
  return family === 4 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':')
}

const network = fc
  .constantFrom<4 | 6>(4, 6)
  .chain((family) => fc.tuple(fc.constant(family), bits(family), fc.nat(family === 4 ? 32 : 128)))

property('an address is parsed to the number of its parts', {
  of: network,
  ours: ([family, value]) => parseAddress(text(family, value))?.value,
  expected: ([, value]) => value,
  total: true,
})

property('an address in RFC 5952 notation is the same address', {
  of: network,
  ours([family, value]) {
    const { address = '' } = parseAddress(text(family, value)) ?? {}
    return [parseAddress(address)?.value, /(^|:)0[0-9a-f]/.test(address), address === address.toLowerCase()]
  },
  expected: ([, value]) => [value, false, true],
  total: true,
})

const networkPair = network.chain(([family, value, prefix]) =>
  fc.record({
    family: fc.constant(family),
    one: fc.constant(value),
    // Often in the same network: one bit differs.
    other: fc.oneof(
      fc.nat(family === 4 ? 31 : 127).map((bit) => value ^ (1n << BigInt(bit))),
      bits(family),
    ),
    prefix: fc.constant(prefix),
    longer: fc.nat(family === 4 ? 32 : 128),
  }),
)
const binary = (family: 4 | 6, value: bigint) => value.toString(2).padStart(family === 4 ? 32 : 128, '0')

property('a network covers the networks whose bits begin with its own', {
  of: networkPair,
  ours({ family, one, other, prefix, longer }) {
    const [outer, inner] = [
      parseNetwork(`${text(family, one)}/${prefix}`),
      parseNetwork(`${text(family, other)}/${longer}`),
    ]
    return outer && inner && covers(outer, inner)
  },
  expected: ({ family, one, other, prefix, longer }) =>
    longer >= prefix && binary(family, one).slice(0, prefix) === binary(family, other).slice(0, prefix),
  refused: (isCovered) => isCovered === false,
})

property('bits after the prefix are host bits, not part of the network', {
  of: network,
  ours([family, value, prefix]) {
    const read = parseNetwork(`${text(family, value)}/${prefix}`)
    return read && [hasHostBits(read), networkOf(read).value]
  },
  expected([family, value, prefix]) {
    const all = binary(family, value)
    return [all.slice(prefix).includes('1'), BigInt(`0b${all.slice(0, prefix).padEnd(all.length, '0')}`)]
  },
  total: true,
})

const host = fc.oneof(
  fc.constantFrom(
    'localhost',
    '[::1]',
    'example.net',
    'localhost.example.net',
    '[::2]',
    '128.0.0.1',
    '[::ffff:7f00:1]',
  ),
  fc.bigInt(2n ** 24n * 126n, 2n ** 24n * 128n).map((value) => text(4, value)),
)

const url = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'ftp://', '//', ''),
    fc.oneof(fc.constant(''), fc.constantFrom('user@', 'user:geheim@')),
    host,
    fc.constantFrom('', ':443', ':8080', ':99999', ':x'),
    fc.constantFrom('', '/', '/v4', '/v4/', '/v4//', '/a/v4', '/v4?a=b', '/v4#x', '/v 4'),
  )
  .map((parts) => parts.join(''))

property('a base URL is https or local http, without user, query, fragment and trailing slash', {
  of: url,
  ours: (input) => orUndefined(() => parseBaseUrl(input)),
  expected(input) {
    const [scheme = '', rest] = input.split('://')
    if (rest === undefined || /[@?# ]/.test(rest)) return undefined
    const slash = rest.indexOf('/')
    const [authority, path] = slash < 0 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash)]
    const end = authority.lastIndexOf(']') + 1 || authority.lastIndexOf(':')
    const [name, port] = authority.includes(':', end < 0 ? undefined : end)
      ? [authority.slice(0, authority.indexOf(':', end)), authority.slice(authority.indexOf(':', end) + 1)]
      : [authority, '']
    if (port !== '' && !['443', '8080'].includes(port)) return undefined
    const isLocal = name === 'localhost' || name === '[::1]' || name.startsWith('127.')
    const isSecure = scheme.toLowerCase() === 'https'
    if (!isSecure && !(scheme === 'http' && isLocal)) return undefined
    const shown = port === '' || (isSecure && port === '443') ? name : `${name}:${port}`
    return `${scheme.toLowerCase()}://${shown}${path.replace(/\/*$/, '')}`
  },
})

property('a path is refused if a URL parser would change it', {
  of: textOf(
    '/',
    '/',
    'volumes',
    '3001',
    '..',
    '.',
    '%2e',
    '%2E',
    '%2f',
    '%zz',
    '?a=b',
    '#x',
    ' ',
    '\\',
    'ä',
    '//',
    '%20',
    ':',
  ),
  ours: (path) =>
    orUndefined(() => {
      expectSafePath(path)
      return true
    }),
  expected(path) {
    const [pathname = ''] = path.split('?')
    if (!pathname.startsWith('/') || path.includes('#')) return undefined
    // An authority would begin there, and name another host.
    if (pathname.startsWith('//')) return undefined
    for (const segment of pathname.slice(1).split('/')) {
      const plain = segment.replaceAll(/%2e/gi, '.')
      if (plain === '.' || plain === '..') return undefined
      if (/%(?![0-9a-f]{2})/i.test(segment) || /[ \\ä]/.test(segment)) return undefined
    }
    return true
  },
})
