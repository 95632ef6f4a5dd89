/** In which order rules come that two have put in order, each for itself. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule } from '../../src/catalogue/firewall-rules'
import { type MergeNode, mergeRules, orderNodes } from '../../src/firewall/merge'
import { ruleThat as rule, rulesOf as set } from '../support/firewall-rules'

const [pass, drop, other] = [
  rule({ label: 'pass' }),
  rule({ label: 'drop', action: 'DROP' }),
  rule({ label: 'other', ports: '80' }),
]
const labels = (nodes: readonly MergeNode[]) => nodes.map(({ rule }) => rule.label)
const order = (...nodes: MergeNode[]) => {
  const { order, unclear } = orderNodes(nodes)
  return [labels(order), labels(unclear)]
}

describe('of two rules', () => {
  test.for<[string, Omit<MergeNode, 'rule'>, Omit<MergeNode, 'rule'>, string[], string[]]>([
    ['as all have it', { base: 0, mine: 0, theirs: 0 }, { base: 1, mine: 1, theirs: 1 }, ['pass', 'drop'], []],
    ['as mine has put it', { base: 0, mine: 1, theirs: 0 }, { base: 1, mine: 0, theirs: 1 }, ['drop', 'pass'], []],
    ['as theirs have put it', { base: 0, mine: 0, theirs: 1 }, { base: 1, mine: 1, theirs: 0 }, ['drop', 'pass'], []],
    ['as both have put it', { base: 0, mine: 1, theirs: 1 }, { base: 1, mine: 0, theirs: 0 }, ['drop', 'pass'], []],
    ['as mine alone has the two', { base: 0, mine: 0 }, { base: 1, mine: 1, theirs: 0 }, ['pass', 'drop'], []],
    ['as mine alone has put one', { mine: 1 }, { base: 0, mine: 0, theirs: 0 }, ['drop', 'pass'], []],
    ['as theirs alone have put one', { theirs: 0 }, { base: 0, mine: 0, theirs: 1 }, ['pass', 'drop'], []],
    ['as both brought them in', { mine: 0, theirs: 0 }, { mine: 1, theirs: 1 }, ['pass', 'drop'], []],
    ['brought in either way', { mine: 0, theirs: 1 }, { mine: 1, theirs: 0 }, ['pass', 'drop'], ['pass', 'drop']],
    ['brought in by one each', { mine: 0 }, { theirs: 0 }, ['drop', 'pass'], ['pass', 'drop']],
  ])('the first is that which comes first %s', ([, one, another, inOrder, unclear]) => {
    expect(order({ rule: pass, ...one }, { rule: drop, ...another })).toEqual([inOrder, unclear])
    expect(order({ rule: drop, ...another }, { rule: pass, ...one })).toEqual([inOrder, unclear.toReversed()])
  })

  test('each is unclear where a third makes them follow each other, whatever they do', () => {
    const turned = (place: number) => [place, (place + 1) % 3] as const
    const nodes = [pass, drop, other].map((rule, index) => {
      const [mine, theirs] = turned(index)
      return { rule, mine, theirs }
    })
    expect(order(...nodes)).toEqual([
      ['pass', 'drop', 'other'],
      ['pass', 'drop', 'other'],
    ])
  })

  test('one comes first by what stands between them', () => {
    const nodes = [
      { rule: drop, theirs: 1 },
      { rule: other, base: 0, mine: 1, theirs: 0 },
      { rule: pass, mine: 0 },
    ]
    expect(order(...nodes)).toEqual([['pass', 'other', 'drop'], []])
  })
})

test('a rule that one has changed and the other removed is no conflict about the order of those beside it', () => {
  const changed = (one: FirewallRule): FirewallRule => ({ ...one, ports: '20-22' })
  const merged = (mine: FirewallRule[], theirs: FirewallRule[]) => {
    const { rules, conflicts } = mergeRules({ base: set([pass, drop]), mine: set(mine), theirs: set(theirs) })
    return [rules.inbound, conflicts.map(({ kind }) => kind)]
  }
  expect(merged([changed(pass), drop], [drop])).toEqual([[changed(pass), drop], ['rule']])
  expect(merged([pass, changed(drop)], [pass])).toEqual([[pass, changed(drop)], ['rule']])
})
