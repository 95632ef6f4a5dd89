/** What is typed to name things: fields to sort by, rules, scopes, labels (interface.md, Grammar; api.md). */

import { firewallLabelFault } from '../../src/catalogue/firewalls'
import { parseMatch } from '../../src/firewall/match'
import { sortBy, sorted } from '../../src/output/sort'
import { networkFault } from '../../src/rules/address-syntax'
import { portsFault } from '../../src/rules/ports'
import { leastScopes } from '../../src/rules/scope-cover'
import fc from '../support/fast-check'
import { nearly, property, textOf } from '../support/property'

const value = fc.oneof(fc.nat(3), fc.constantFrom('a', 'b', 'B', '10'), fc.constantFrom(null, undefined))

property(
  'records are sorted by the first field that tells them apart, what has no value last, equal ones as they were',
  {
    of: fc.tuple(
      fc.array(fc.record({ a: value, b: value }), { maxLength: 6 }),
      fc.array(fc.constantFrom('a', 'b', '-a', '-b'), { minLength: 1, maxLength: 2 }),
    ),
    ours: ([records, keys]) => sorted(records, keys.map(sortBy)),
    expected([records, keys]) {
      const rank = (one: unknown) => (one === null || one === undefined ? 2 : Number(typeof one === 'string'))
      const isAfter = (x: Record<string, unknown>, y: Record<string, unknown>) => {
        for (const key of keys) {
          const [p, q] = [x[key.replace('-', '')], y[key.replace('-', '')]] as [string | number, string | number]
          if (rank(p) === 2 || rank(q) === 2) {
            if (rank(p) !== rank(q)) return rank(p) > rank(q)
            continue
          }
          const greater = rank(p) === rank(q) ? p > q : rank(p) > rank(q)
          if (p !== q) return key.startsWith('-') ? !greater : greater
        }
        return false
      }
      // Neighbours change places until none must.
      const made = [...records]
      for (let end = made.length; end > 1; end -= 1) {
        for (let at = 0; at + 1 < end; at += 1) {
          const [x, y] = [made[at], made[at + 1]]
          if (x && y && isAfter(x, y)) made.splice(at, 2, y, x)
        }
      }
      return made
    },
    total: true,
  },
)

const protocol = fc.constantFrom('tcp', 'UDP', 'icmp', '58', '', 't-p')
const ports = fc.constantFrom(undefined, '22', '80,443', '443, 80', '80-81,82', '0', '')
const networks = fc.constantFrom(
  undefined,
  '192.0.2.0/24',
  '192.0.2.7/24',
  '192.0.2.7',
  '2001:db8::/32',
  '192.0.2.9,2001:DB8::1',
  'x',
  '',
)

property('a rule is named by its protocol, its ports and its networks, of which each may be left out', {
  of: fc.tuple(protocol, ports, networks),
  ours([protocol, ports, networks]) {
    const typed = `${protocol}${ports === undefined ? '' : `/${ports}`}${networks === undefined ? '' : `@${networks}`}`
    const match = parseMatch(typed)
    return typeof match === 'string' ? undefined : Object.keys(match).join()
  },
  expected([protocol, ports, networks]) {
    const isNetwork = (text: string) =>
      (['ipv4', 'ipv6'] as const).some((family) =>
        [text, `${text}/${family === 'ipv4' ? 32 : 128}`].some((one) => networkFault(family, one) === undefined),
      )
    if (!/^\w+$/.test(protocol)) return undefined
    if (ports !== undefined && portsFault(ports) !== undefined) return undefined
    if (networks !== undefined && !networks.split(',').every(isNetwork)) return undefined
    return ['protocol', ports !== undefined && 'ports', networks !== undefined && 'networks'].filter(Boolean).join()
  },
})

const open = new Set(['22', '80', '81', '82', '443'])

property('two ways to write the same ports name the same rules', {
  of: fc.tuple(fc.shuffledSubarray([...open], { minLength: 1 }), fc.boolean()),
  ours([list, joined]) {
    const typed = list.join(',')
    const other =
      joined && ['80', '81', '82'].every((port) => list.includes(port))
        ? ['80-82', ...list.filter((port) => !port.startsWith('8'))].join(', ')
        : [...list].reverse().join(', ')
    const [one, two] = [parseMatch(`tcp/${typed}`), parseMatch(`TCP/${other}`)]
    return [JSON.stringify(one) === JSON.stringify(two), JSON.stringify(one) === JSON.stringify(parseMatch('tcp/23'))]
  },
  expected: () => [true, false],
  total: true,
})

const resources = ['account', 'child_account']
const scope = fc
  .tuple(fc.constantFrom(...resources), fc.constantFrom(':read_only', ':read_write'))
  .map((parts) => parts.join(''))

/** What each scope lets be done, one by one. */
function permits(held: readonly string[]): Set<string> {
  return new Set(
    held.flatMap((one) => {
      if (one === '*') return ['*', ...resources.flatMap((name) => [`${name}:read_only`, `${name}:read_write`])]
      return one.endsWith(':read_write') ? [one, one.replace('write', 'only')] : [one]
    }),
  )
}

property('the least scopes are the smallest set that covers all that are needed, and nothing else', {
  of: fc.array(scope, { maxLength: 5 }),
  ours: (needed) => [...leastScopes(needed)].sort(),
  expected(needed) {
    const all = [...permits(needed)]
    const subsets = Array.from({ length: 2 ** all.length }, (_, mask) => all.filter((_, bit) => (mask >> bit) & 1))
    const enough = subsets.filter(
      (held) =>
        needed.every((one) => permits(held).has(one)) && [...permits(held)].every((one) => permits(needed).has(one)),
    )
    return (enough.sort((a, b) => a.length - b.length)[0] ?? []).sort()
  },
  total: true,
})

property('a label of a firewall is 3 to 32 letters, digits and - _ . between them, of which no two stand together', {
  of: nearly(
    fc.oneof(textOf('a', 'B', '0', '-', '_', '.', 'web'), fc.stringMatching(/^[a-z0-9]{28,34}$/)),
    ...['-', '.', ' ', 'ä', '\n'],
  ),
  ours: (label) => (firewallLabelFault(label) === undefined ? true : undefined),
  expected(label) {
    const isPlain = (char: string) => /[A-Za-z0-9]/.test(char)
    const chars = [...label]
    if (chars.length < 3 || chars.length > 32 || !chars.every((char) => isPlain(char) || '-_.'.includes(char)))
      return undefined
    if (!isPlain(chars[0] ?? '') || !isPlain(chars.at(-1) ?? '')) return undefined
    return chars.every((char, at) => isPlain(char) || char !== chars[at + 1]) || undefined
  },
})
