/** Merging two edits of the same rules: the result, its order, and the conflicts. */

import { describe, expect, test } from 'vitest'
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import { diffRules } from '../../src/firewall/diff'
import { type Conflict, type Merge, type MergeNode, mergeRules, orderNodes } from '../../src/firewall/merge'
import { meaningOf } from '../../src/firewall/rules'
import fc from '../support/fast-check'
import { rulesOf, ruleThat } from '../support/firewall-rules'

const rule = (label: string, more: Partial<FirewallRule> = {}): FirewallRule => ({
  ...ruleThat({ ports: '443', label }),
  ...more,
})
const set = (...inbound: FirewallRule[]) => rulesOf(inbound)
const drop = (label: string, more: Partial<FirewallRule> = {}) => rule(label, { action: 'DROP', ...more })

const [a, b, c] = [rule('a', { ports: '1' }), drop('b', { ports: '2' }), rule('c', { ports: '3' })]
const base = set(a, b, c)
const labels = ({ inbound }: FirewallRules) => inbound.map(({ label }) => label)

describe('Independent edits are merged', () => {
  test.for<[string, FirewallRules, FirewallRules, FirewallRules]>([
    [
      'a change and another',
      set({ ...a, ports: '9' }, b, c),
      set(a, b, { ...c, ports: '8' }),
      set({ ...a, ports: '9' }, b, { ...c, ports: '8' }),
    ],
    ['a change and a removal', set({ ...a, ports: '9' }, b, c), set(a, c), set({ ...a, ports: '9' }, c)],
    ['a removal and the same removal', set(a, c), set(a, c), set(a, c)],
    [
      'a change and the same change',
      set(a, b, { ...c, ports: '8' }),
      set(a, b, { ...c, ports: '8' }),
      set(a, b, { ...c, ports: '8' }),
    ],
    ['an addition at either end', set(drop('x'), a, b, c), set(a, b, c, rule('y')), set(drop('x'), a, b, c, rule('y'))],
    ['the same addition', set(a, rule('x'), b, c), set(a, rule('x'), b, c), set(a, rule('x'), b, c)],
    ['a move and an addition elsewhere', set(b, a, c), set(a, b, c, rule('x')), set(b, a, c, rule('x'))],
    [
      'a policy and a rule',
      { ...base, inbound_policy: 'ACCEPT' },
      set(a, b),
      { ...set(a, b), inbound_policy: 'ACCEPT' },
    ],
  ])('%s', ([, mine, theirs, merged]) => {
    expect(mergeRules({ base, mine, theirs })).toEqual({ rules: merged, conflicts: [] })
    expect(mergeRules({ base, mine: theirs, theirs: mine })).toEqual({ rules: merged, conflicts: [] })
  })

  test('and an added rule stays between its neighbors', () => {
    const { rules } = mergeRules({ base, mine: set(a, drop('x'), b, c), theirs: set(a, b, rule('y'), c) })
    expect(labels(rules)).toEqual(['a', 'x', 'b', 'y', 'c'])
  })
})

describe('Two edits of the same rule are a conflict, and the result has mine', () => {
  const kinds = (conflicts: Conflict[]) => conflicts.map(({ kind }) => kind)

  test.for<[string, FirewallRule | null, FirewallRule | null]>([
    ['two changes', { ...a, ports: '9' }, { ...a, ports: '8' }],
    ['a removal and a change', null, { ...a, ports: '8' }],
    ['a change and a removal', { ...a, ports: '8' }, null],
  ])('%s', ([, mine, theirs]) => {
    const withFirst = (first: FirewallRule | null) => (first ? set(first, b, c) : set(b, c))
    expect(mergeRules({ base, mine: withFirst(mine), theirs: withFirst(theirs) })).toEqual({
      rules: withFirst(mine),
      conflicts: [{ direction: 'inbound', kind: 'rule', number: 1, base: a, mine, theirs }],
    })
  })

  test('of an unlabeled rule of one family without ports, too', () => {
    const from = (network: string) => {
      const { ports: _, label: _label, ...one } = a
      return { ...one, addresses: { ipv4: [network] } }
    }
    const [first, mine, theirs] = [from('203.0.113.0/24'), from('203.0.113.0/25'), from('203.0.113.7/32')]
    expect(mergeRules({ base: set(first, b), mine: set(mine, b), theirs: set(theirs, b) })).toEqual({
      rules: set(mine, b),
      conflicts: [{ direction: 'inbound', kind: 'rule', number: 1, base: first, mine, theirs }],
    })
    expect(mergeRules({ base: set(first, b), mine: set(first), theirs: set(theirs, b) }).rules).toEqual(set(theirs))
  })

  test('together with their independent edits', () => {
    const mine = set({ ...a, ports: '9' }, b, c)
    const theirs = set({ ...a, ports: '8' }, b, c, rule('y'))
    expect(mergeRules({ base, mine, theirs }).rules).toEqual(set({ ...a, ports: '9' }, b, c, rule('y')))
  })

  test.for<[string, Partial<FirewallRule>]>([
    ['an equal network', {}],
    ['an unknown protocol', { protocol: 'ALL' }],
  ])('as are two additions at one place that match the same packets: %s', ([, more]) => {
    const mine = rule('x', more)
    expect(mergeRules({ base, mine: set(a, b, c, mine), theirs: set(a, b, c, drop('y')) })).toEqual({
      rules: set(a, b, c, drop('y'), mine),
      conflicts: [{ direction: 'inbound', kind: 'order', rules: [mine, drop('y')] }],
    })
  })

  test('as are two rules added in opposite orders', () => {
    const [x, y] = [rule('x'), drop('y', { ports: '80' })]
    const { conflicts } = mergeRules({ base, mine: set(a, b, c, x, y), theirs: set(a, b, c, y, x) })
    expect(kinds(conflicts)).toEqual(['order'])
  })

  test('as is a rule added before another that they moved before it', () => {
    const { conflicts } = mergeRules({ base, mine: set(a, drop('x'), b, c), theirs: set(c, b, a) })
    expect(kinds(conflicts)).toContain('order')
  })
})

describe('For random rules', () => {
  const anyRule = fc.record({
    action: fc.constantFrom('ACCEPT', 'DROP'),
    protocol: fc.constantFrom('TCP', 'UDP', 'ALL'),
    ports: fc.constantFrom('22', '80', '20-90'),
    addresses: fc.record({ ipv4: fc.subarray(['192.0.2.0/24', '192.0.2.7/32', '198.51.100.0/24'], { minLength: 1 }) }),
    label: fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six'),
  })
  const side = fc.array(anyRule, { maxLength: 6 })
  const policy = fc.constantFrom('ACCEPT', 'DROP')
  const anySet = fc.record({ inbound: side, inbound_policy: policy, outbound: side, outbound_policy: policy })
  /** One edit of a list of rules. */
  const step = fc.record({
    kind: fc.constantFrom('add', 'remove', 'move', 'change'),
    at: fc.nat(6),
    to: fc.nat(6),
    rule: anyRule,
  })
  const edited = (
    rules: FirewallRules,
    steps: readonly { kind: string; at: number; to: number; rule: FirewallRule }[],
  ) => {
    const inbound = [...rules.inbound]
    for (const { kind, at, to, rule } of steps) {
      if (kind === 'add') inbound.splice(at, 0, rule)
      else if (kind === 'remove') inbound.splice(at, 1)
      else if (kind === 'move') inbound.splice(to, 0, ...inbound.splice(at, 1))
      else if (inbound[at]) inbound[at] = { ...inbound[at], ports: rule.ports ?? '1' }
    }
    return { ...rules, inbound }
  }
  const threeVersions = fc
    .tuple(anySet, fc.array(step, { maxLength: 4 }), fc.array(step, { maxLength: 4 }))
    .map(([base, mine, theirs]) => ({ base, mine: edited(base, mine), theirs: edited(base, theirs) }))
  const runs = { numRuns: 150, seed: 11 }

  test('the result is the edit of one side if the other has none', () => {
    fc.assert(
      fc.property(anySet, anySet, (base, other) => {
        expect(mergeRules({ base, mine: other, theirs: base })).toEqual({ rules: other, conflicts: [] })
        expect(mergeRules({ base, mine: base, theirs: other })).toEqual({ rules: other, conflicts: [] })
        expect(mergeRules({ base, mine: other, theirs: other })).toEqual({ rules: other, conflicts: [] })
      }),
      runs,
    )
  })

  test('the sides can be swapped: same rules, same conflicts', () => {
    const touchedByBoth = ({ conflicts }: Merge) => [
      conflicts.length > 0,
      ...conflicts.flatMap((one) => (one.kind === 'rule' ? [one.direction + one.number] : [])),
    ]
    fc.assert(
      fc.property(threeVersions, ({ base, mine, theirs }) => {
        const one = mergeRules({ base, mine, theirs })
        const other = mergeRules({ base, mine: theirs, theirs: mine })
        expect(touchedByBoth(other)).toEqual(touchedByBoth(one))
        if (one.conflicts.length === 0) expect(diffRules(one.rules, other.rules)).toEqual([])
      }),
      runs,
    )
  })

  test('a result without conflicts has every addition and every removal', () => {
    const count = (rules: readonly FirewallRule[], meaning: string) =>
      rules.filter((one) => meaningOf(one) === meaning).length
    fc.assert(
      fc.property(threeVersions, ({ base, mine, theirs }) => {
        const { rules, conflicts } = mergeRules({ base, mine, theirs })
        fc.pre(conflicts.length === 0)
        for (const one of rules.inbound) {
          const meaning = meaningOf(one)
          const [inBase, inMine, inTheirs] = [base, mine, theirs].map(({ inbound }) => count(inbound, meaning)) as [
            number,
            number,
            number,
          ]
          const merged = count(rules.inbound, meaning)
          expect(merged).toBeGreaterThanOrEqual(Math.min(inMine, inTheirs))
          expect(merged).toBeLessThanOrEqual(Math.max(inMine, inTheirs, inMine + inTheirs - inBase))
        }
        for (const one of [...mine.inbound, ...theirs.inbound]) {
          if (count(base.inbound, meaningOf(one)) === 0) expect(count(rules.inbound, meaningOf(one))).toBeGreaterThan(0)
        }
      }),
      runs,
    )
  })

  test('a result without conflicts keeps the order of two rules that is the same on both sides', () => {
    fc.assert(
      fc.property(threeVersions, ({ base, mine, theirs }) => {
        const { rules, conflicts } = mergeRules({ base, mine, theirs })
        fc.pre(conflicts.length === 0)
        const indexes = ({ inbound }: FirewallRules, meaning: string) =>
          inbound.flatMap((one, index) => (meaningOf(one) === meaning ? [index] : []))
        const meanings = rules.inbound.map(meaningOf)
        for (const one of meanings) {
          for (const other of meanings) {
            const at = [mine, theirs, rules].map((version) => [indexes(version, one), indexes(version, other)])
            if (one === other || at.some(([first, second]) => first?.length !== 1 || second?.length !== 1)) continue
            const [inMine, inTheirs, merged] = at.map(([[first = 0] = [], [second = 0] = []]) => first < second)
            if (inMine === inTheirs) expect(merged).toBe(inMine)
          }
        }
      }),
      runs,
    )
  })
})

const [pass, block, other] = [
  ruleThat({ label: 'pass' }),
  ruleThat({ label: 'drop', action: 'DROP' }),
  ruleThat({ label: 'other', ports: '80' }),
]
const order = (...nodes: MergeNode[]) => {
  const { order, unclear } = orderNodes(nodes)
  return [order, unclear].map((some) => some.map(({ rule }) => rule.label))
}

describe('The order of two merged rules', () => {
  test.for<[string, Omit<MergeNode, 'rule'>, Omit<MergeNode, 'rule'>, string[], string[]]>([
    ['all agree', { base: 0, mine: 0, theirs: 0 }, { base: 1, mine: 1, theirs: 1 }, ['pass', 'drop'], []],
    ['mine moved one', { base: 0, mine: 1, theirs: 0 }, { base: 1, mine: 0, theirs: 1 }, ['drop', 'pass'], []],
    ['theirs moved one', { base: 0, mine: 0, theirs: 1 }, { base: 1, mine: 1, theirs: 0 }, ['drop', 'pass'], []],
    ['both moved one', { base: 0, mine: 1, theirs: 1 }, { base: 1, mine: 0, theirs: 0 }, ['drop', 'pass'], []],
    ['only mine has both', { base: 0, mine: 0 }, { base: 1, mine: 1, theirs: 0 }, ['pass', 'drop'], []],
    ['only mine added one', { mine: 1 }, { base: 0, mine: 0, theirs: 0 }, ['drop', 'pass'], []],
    ['only theirs added one', { theirs: 0 }, { base: 0, mine: 0, theirs: 1 }, ['pass', 'drop'], []],
    ['both added both', { mine: 0, theirs: 0 }, { mine: 1, theirs: 1 }, ['pass', 'drop'], []],
    [
      'both added both, in opposite orders',
      { mine: 0, theirs: 1 },
      { mine: 1, theirs: 0 },
      ['pass', 'drop'],
      ['pass', 'drop'],
    ],
    ['each added one', { mine: 0 }, { theirs: 0 }, ['drop', 'pass'], ['pass', 'drop']],
  ])('follows the side that decided it: %s', ([, one, another, inOrder, unclear]) => {
    expect(order({ rule: pass, ...one }, { rule: block, ...another })).toEqual([inOrder, unclear])
    expect(order({ rule: block, ...another }, { rule: pass, ...one })).toEqual([inOrder, unclear.toReversed()])
  })

  test('is that of their meanings if no side decided it and they do not overlap', () => {
    const [http, https] = [
      { rule: ruleThat({ ports: '80' }), mine: 0 },
      { rule: ruleThat({ ports: '443' }), theirs: 0 },
    ]
    expect(orderNodes([http, https])).toEqual({ order: [https, http], unclear: [] })
    expect(orderNodes([https, http])).toEqual({ order: [https, http], unclear: [] })
  })

  test('is unclear for each rule of a cycle of three', () => {
    const nodes = [pass, block, other].map((rule, index) => ({ rule, mine: index, theirs: (index + 1) % 3 }))
    expect(order(...nodes)).toEqual([
      ['pass', 'drop', 'other'],
      ['pass', 'drop', 'other'],
    ])
  })

  test('follows from a third rule between them', () => {
    const nodes = [
      { rule: block, theirs: 1 },
      { rule: other, base: 0, mine: 1, theirs: 0 },
      { rule: pass, mine: 0 },
    ]
    expect(order(...nodes)).toEqual([['pass', 'other', 'drop'], []])
  })
})

test('A rule that is changed and removed is not a conflict about the order of its neighbors', () => {
  const withOtherPorts = (one: FirewallRule): FirewallRule => ({ ...one, ports: '20-22' })
  const merged = (mine: FirewallRule[], theirs: FirewallRule[]) => {
    const { rules, conflicts } = mergeRules({
      base: rulesOf([pass, block]),
      mine: rulesOf(mine),
      theirs: rulesOf(theirs),
    })
    return [rules.inbound, conflicts.map(({ kind }) => kind)]
  }
  expect(merged([withOtherPorts(pass), block], [block])).toEqual([[withOtherPorts(pass), block], ['rule']])
  expect(merged([pass, withOtherPorts(block)], [pass])).toEqual([[pass, withOtherPorts(block)], ['rule']])
})
