/** Properties of any rules: their difference, their verdict on a packet, and their files. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { parseRules } from '../src/commands/firewalls/rules-file'
import { formatJson } from '../src/data/json'
import { diffRules, type RulesChange } from '../src/firewall/diff'
import { directions, meaningOf } from '../src/firewall/rules'
import { judge } from '../src/firewall/verdict'
import { yamlText } from '../src/output/documents'
import { parseNetwork } from '../src/rules/addresses'
import fc, { anyCharacter, runs } from './support/fast-check'

const octet = fc.constantFrom(0, 1, 2, 127, 128, 255)
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))
const group = fc.constantFrom('0', '1', 'db8', '8000', 'ffff')
const ipv6 = fc.tuple(group, group, group, group, group, group, group, group).map((groups) => groups.join(':'))
const network4 = fc.tuple(ipv4, fc.constantFrom(0, 1, 8, 23, 31, 32)).map((parts) => parts.join('/'))
const network6 = fc.tuple(ipv6, fc.constantFrom(0, 1, 16, 64, 127, 128)).map((parts) => parts.join('/'))
const portRange = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 10 }), fc.boolean())
  .map(([first, more, single]) => (single ? `${first}` : `${first}-${first + more}`))
const ports = fc.array(portRange, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(', '))
const label = fc.option(fc.constantFrom('web', 'ssh', 'db-1'), { nil: undefined })

const rule: fc.Arbitrary<FirewallRule> = fc
  .record({
    action: fc.constantFrom('ACCEPT', 'DROP'),
    protocol: fc.constantFrom('TCP', 'UDP', 'ICMP', 'IPENCAP'),
    ports: fc.option(ports, { nil: undefined }),
    ipv4: fc.array(network4, { maxLength: 3 }),
    ipv6: fc.array(network6, { minLength: 1, maxLength: 3 }),
    label,
  })
  .map(({ action, protocol, ports, ipv4, ipv6, label }) => ({
    action,
    protocol,
    ...(ports !== undefined && (protocol === 'TCP' || protocol === 'UDP') && { ports }),
    addresses: { ...(ipv4.length > 0 && { ipv4 }), ipv6 },
    ...(label !== undefined && { label }),
  }))

const policy = fc.constantFrom('ACCEPT', 'DROP')
const sides = fc.array(rule, { maxLength: 12 })
const rules: fc.Arbitrary<FirewallRules> = fc.record({
  inbound: sides,
  inbound_policy: policy,
  outbound: sides,
  outbound_policy: policy,
})

/** Two sets of rules, the second being the first after a few edits, as in practice. */
const editedRules = fc
  .tuple(rules, fc.array(fc.tuple(fc.nat(), fc.nat(), rule), { maxLength: 5 }))
  .map(([before, edits]) => {
    const inbound = [...before.inbound]
    edits.forEach(([from, to, fresh], index) => {
      const [removed] = inbound.splice(from % (inbound.length + 1), 1)
      const inserted =
        index % 3 === 0 ? fresh : index % 3 === 1 ? removed : removed && { ...removed, action: fresh.action }
      if (inserted) inbound.splice(to % (inbound.length + 1), 0, inserted)
    })
    return [before, { ...before, inbound }] as const
  })

/** Applies a difference as documented at diffRules. */
function apply(before: FirewallRules, changes: readonly RulesChange[]): FirewallRules {
  const after = structuredClone(before)
  for (const direction of directions) {
    const ownChanges = changes.filter((change) => change.direction === direction)
    const removedNumbers = new Set(
      ownChanges.flatMap((change) => ('from' in change && change.kind !== 'policy' ? [change.from] : [])),
    )
    const rest = before[direction].filter((_, index) => !removedNumbers.has(index + 1))
    const placed = new Map(
      ownChanges.flatMap((change) => ('rule' in change && 'to' in change ? [[change.to, change.rule]] : [])),
    )
    const length = rest.length + placed.size
    after[direction] = Array.from({ length }, (_, index) => placed.get(index + 1) ?? (rest.shift() as FirewallRule))
    for (const change of ownChanges) if (change.kind === 'policy') after[`${direction}_policy`] = change.to
  }
  return after
}

const meanings = (set: FirewallRules) => ({
  ...set,
  inbound: set.inbound.map(meaningOf),
  outbound: set.outbound.map(meaningOf),
})

describe('the difference between two sets of rules', () => {
  test('gives the new rules if it is applied to the old ones', () => {
    fc.assert(
      fc.property(fc.oneof(editedRules, fc.tuple(rules, rules)), ([before, after]) => {
        expect(meanings(apply(before, diffRules(before, after)))).toEqual(meanings(after))
      }),
      { numRuns: runs(150) },
    )
  })

  test('is empty between equal sets, and at most one move after a move', () => {
    fc.assert(
      fc.property(rules, fc.nat(), fc.nat(), (before, from, to) => {
        expect(diffRules(before, structuredClone(before))).toEqual([])
        const inbound = [...before.inbound]
        const removed = inbound.splice(from % (inbound.length + 1), 1)
        inbound.splice(to % (inbound.length + 1), 0, ...removed)
        expect(diffRules(before, { ...before, inbound }).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('a file of rules', () => {
  const name = fc.oneof(
    fc.constantFrom('yes', '0o17', '2001', 'null', '- a', '# b', '__proto__', ' a ', 'a: b', 'ä"\\'),
    fc.string({ unit: anyCharacter, minLength: 3, maxLength: 32 }),
  )
  const namedRules = fc
    .tuple(rules, fc.array(name, { minLength: 2, maxLength: 2 }))
    .map(([set, [label, description]]) => ({
      ...set,
      inbound: set.inbound.map((one) => ({ ...one, label, description })),
    }))

  test.for([
    ['YAML', yamlText],
    ['JSON', formatJson],
  ] as const)('is equal after writing and reading it as %s', async ([, write]) => {
    await fc.assert(
      fc.asyncProperty(namedRules, async (set) => {
        const { value, masked } = await parseRules(await write(set), 'it', { flags: {} } as never)
        expect({ value, masked }).toEqual({ value: set, masked: [] })
      }),
      { numRuns: runs(60) },
    )
  })
})

/** Decides bit by bit and port by port. */
function naiveVerdict(set: FirewallRules, { direction, protocol, port, text }: NaivePacket): string {
  for (const { action, protocol: ruleProtocol, ports, addresses } of set[direction]) {
    const open = new Set<number>()
    for (const piece of ports?.split(',') ?? []) {
      const [first = '', last = first] = piece.trim().split('-')
      for (let one = Number(first); one <= Number(last); one += 1) open.add(one)
    }
    const networks = [...(addresses.ipv4 ?? []), ...(addresses.ipv6 ?? [])]
    const inside = networks.some((network) => {
      const [address = '', prefix] = network.split('/')
      return (
        address.includes(':') === text.includes(':') &&
        bits(address).slice(0, Number(prefix)) === bits(text).slice(0, Number(prefix))
      )
    })
    if (ruleProtocol === protocol && inside && (ports === undefined || open.has(port))) return action
  }
  return set[`${direction}_policy`]
}

interface NaivePacket {
  direction: 'inbound' | 'outbound'
  protocol: string
  port: number
  text: string
}

function bits(address: string): string {
  if (address.includes(':'))
    return address
      .split(':')
      .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'))
      .join('')
  return address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
}

function packet(text: string, more: Partial<Parameters<typeof judge>[1]> = {}): Parameters<typeof judge>[1] {
  const address = parseNetwork(`${text}/${text.includes(':') ? 128 : 32}`)
  if (!address) throw new Error(text)
  return { direction: 'inbound', protocol: 'TCP', port: 22, service: 'compute', address, ...more }
}

describe('the verdict about a packet', () => {
  test('agrees with a naive evaluator', () => {
    const probe = fc.record({
      direction: fc.constantFrom(...directions),
      protocol: fc.constantFrom('TCP', 'UDP', 'ICMP', 'IPENCAP'),
      port: fc.integer({ min: 1, max: 45 }),
      text: fc.oneof(ipv4, ipv6),
    })
    fc.assert(
      fc.property(rules, fc.array(probe, { minLength: 10, maxLength: 10 }), (set, probes) => {
        for (const { text, ...rest } of probes)
          expect(judge(set, packet(text, rest)).action).toBe(naiveVerdict(set, { text, ...rest }))
      }),
      { numRuns: runs(200) },
    )
  })
})
