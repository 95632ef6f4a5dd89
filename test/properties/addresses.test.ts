/** Addresses, networks, hosts, proxies and URLs (RFC 4291, RFC 4632, RFC 3986; reliability.md, Secrets). */

import { parseBaseUrl } from '../../src/config/base-url'
import { expectPath } from '../../src/http/path'
import { covers, hasHostBits, networkOf, parseAddress, parseNetwork } from '../../src/rules/addresses'
import fc from '../support/fast-check'
import { property, textOf } from '../support/property'

const bits = (family: 4 | 6) => fc.bigInt(0n, 2n ** (family === 4 ? 32n : 128n) - 1n)

/** Written in full. */
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

property('an address is the number that its parts make', {
  of: network,
  ours: ([family, value]) => parseAddress(text(family, value))?.value,
  expected: ([, value]) => value,
  total: true,
})

property('an address as RFC 5952 writes it is the same address', {
  of: network,
  ours([family, value]) {
    const { address = '' } = parseAddress(text(family, value)) ?? {}
    return [parseAddress(address)?.value, /(^|:)0[0-9a-f]/.test(address), address === address.toLowerCase()]
  },
  expected: ([, value]) => [value, false, true],
  total: true,
})

const close = network.chain(([family, value, prefix]) =>
  fc.record({
    family: fc.constant(family),
    one: fc.constant(value),
    // Often of the same network: only the last bits are others.
    other: fc.oneof(
      fc.nat(family === 4 ? 31 : 127).map((bit) => value ^ (1n << BigInt(bit))),
      bits(family),
    ),
    prefix: fc.constant(prefix),
    longer: fc.nat(family === 4 ? 32 : 128),
  }),
)
const binary = (family: 4 | 6, value: bigint) => value.toString(2).padStart(family === 4 ? 32 : 128, '0')

property('a network covers those whose bits begin with its own', {
  of: close,
  ours({ family, one, other, prefix, longer }) {
    const [outer, inner] = [
      parseNetwork(`${text(family, one)}/${prefix}`),
      parseNetwork(`${text(family, other)}/${longer}`),
    ]
    return outer && inner && covers(outer, inner)
  },
  expected: ({ family, one, other, prefix, longer }) =>
    longer >= prefix && binary(family, one).slice(0, prefix) === binary(family, other).slice(0, prefix),
  refused: (covered) => covered === false,
})

property('what stands behind the prefix are host bits, and no part of the network', {
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

const readUrl = (typed: string) => {
  try {
    return parseBaseUrl(typed)
  } catch {
    return undefined
  }
}

property(
  'a base URL is https, or http to this machine, without user, query and fragment, and without a slash at its end',
  {
    of: url,
    ours: readUrl,
    expected(typed) {
      const [scheme = '', rest] = typed.split('://')
      if (rest === undefined || /[@?# ]/.test(rest)) return undefined
      const slash = rest.indexOf('/')
      const [authority, path] = slash < 0 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash)]
      const end = authority.lastIndexOf(']') + 1 || authority.lastIndexOf(':')
      const [name, port] = authority.includes(':', end < 0 ? undefined : end)
        ? [authority.slice(0, authority.indexOf(':', end)), authority.slice(authority.indexOf(':', end) + 1)]
        : [authority, '']
      if (port !== '' && !['443', '8080'].includes(port)) return undefined
      const here = name === 'localhost' || name === '[::1]' || name.startsWith('127.')
      const secure = scheme.toLowerCase() === 'https'
      if (!secure && !(scheme === 'http' && here)) return undefined
      const shown = port === '' || (secure && port === '443') ? name : `${name}:${port}`
      return `${scheme.toLowerCase()}://${shown}${path.replace(/\/*$/, '')}`
    },
  },
)

property('a path that is sent is the one that is written: none that a parser of URLs would read otherwise', {
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
  ours(path) {
    try {
      expectPath(path)
      return true
    } catch {
      return undefined
    }
  },
  expected(path) {
    const [written = ''] = path.split('?')
    if (!written.startsWith('/') || path.includes('#')) return undefined
    // An authority would begin there, and what follows would be another host's.
    if (written.startsWith('//')) return undefined
    for (const segment of written.slice(1).split('/')) {
      const plain = segment.replaceAll(/%2e/gi, '.')
      if (plain === '.' || plain === '..') return undefined
      if (/%(?![0-9a-f]{2})/i.test(segment) || /[ \\ä]/.test(segment)) return undefined
    }
    return true
  },
})
