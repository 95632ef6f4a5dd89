/** Names in user input: sort fields, rules, scopes, labels (interface.md, Grammar; api.md). */

import { firewallLabelFault } from '../../src/catalogue/firewalls'
import { parseMatch } from '../../src/firewall/rule-selector'
import { sortBy, sorted } from '../../src/output/sort'
import { networkFault } from '../../src/rules/address-syntax'
import { portsFault } from '../../src/rules/ports'
import { leastScopes } from '../../src/rules/scope-cover'
import fc from '../support/fast-check'
import { nearly, property, textOf } from '../support/property'

const value = fc.oneof(fc.nat(3), fc.constantFrom('a', 'b', 'B', '10'), fc.constantFrom(null, undefined))

property('records are sorted stably by the first field that differs, and those without a value are last', {
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
    // Bubble sort.
    const ordered = [...records]
    for (let end = ordered.length; end > 1; end -= 1) {
      for (let at = 0; at + 1 < end; at += 1) {
        const [x, y] = [ordered[at], ordered[at + 1]]
        if (x && y && isAfter(x, y)) ordered.splice(at, 2, y, x)
      }
    }
    return ordered
  },
  total: true,
})

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

property('a rule is named by its protocol, and optionally its ports and its networks', {
  of: fc.tuple(protocol, ports, networks),
  ours([protocol, ports, networks]) {
    const input = `${protocol}${ports === undefined ? '' : `/${ports}`}${networks === undefined ? '' : `@${networks}`}`
    const match = parseMatch(input)
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

property('ports in any order and notation name the same rules', {
  of: fc.tuple(fc.shuffledSubarray([...open], { minLength: 1 }), fc.boolean()),
  ours([list, joined]) {
    const input = list.join(',')
    const other =
      joined && ['80', '81', '82'].every((port) => list.includes(port))
        ? ['80-82', ...list.filter((port) => !port.startsWith('8'))].join(', ')
        : [...list].reverse().join(', ')
    const [one, two] = [parseMatch(`tcp/${input}`), parseMatch(`TCP/${other}`)]
    return [JSON.stringify(one) === JSON.stringify(two), JSON.stringify(one) === JSON.stringify(parseMatch('tcp/23'))]
  },
  expected: () => [true, false],
  total: true,
})

const resources = ['account', 'child_account']
const scope = fc
  .tuple(fc.constantFrom(...resources), fc.constantFrom(':read_only', ':read_write'))
  .map((parts) => parts.join(''))

/** Permissions of scopes, one by one. */
function permits(scopes: readonly string[]): Set<string> {
  return new Set(
    scopes.flatMap((one) => {
      if (one === '*') return ['*', ...resources.flatMap((name) => [`${name}:read_only`, `${name}:read_write`])]
      return one.endsWith(':read_write') ? [one, one.replace('write', 'only')] : [one]
    }),
  )
}

property('the least scopes are the smallest set that covers exactly the needed ones', {
  of: fc.array(scope, { maxLength: 5 }),
  ours: (needed) => [...leastScopes(needed)].sort(),
  expected(needed) {
    const all = [...permits(needed)]
    const subsets = Array.from({ length: 2 ** all.length }, (_, mask) => all.filter((_, bit) => (mask >> bit) & 1))
    const enough = subsets.filter(
      (scopes) =>
        needed.every((one) => permits(scopes).has(one)) &&
        [...permits(scopes)].every((one) => permits(needed).has(one)),
    )
    return (enough.sort((a, b) => a.length - b.length)[0] ?? []).sort()
  },
  total: true,
})

property('a firewall label has 3 to 32 letters, digits and inner - _ . that are never repeated in a row', {
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
