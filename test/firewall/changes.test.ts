/** Changes between two sets of rules, whether a change was applied, and merging the changes of two. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule } from '../../src/catalogue/firewall-rules'
import { diffRules } from '../../src/firewall/diff'
import { wasApplied } from '../../src/firewall/edit'
import { mergeRules, mineFirst } from '../../src/firewall/merge'
import { type RuleFields, ruleThat as rule, rulesOf as set } from '../support/firewall-rules'

describe('The difference of two sets of rules', () => {
  const [ssh, web, dns, ntp] = [
    rule({ label: 'ssh' }),
    rule({ label: 'web', ports: '443' }),
    rule({ label: 'dns', ports: '53' }),
    rule({ label: 'ntp', ports: '123' }),
  ]
  const described = (fields: RuleFields = {}) => ({ ...rule(fields), description: 'of the office' })
  const changes = (before: FirewallRule[], after: FirewallRule[]) =>
    diffRules(set(before), set(after)).map((change) => {
      const numbers = [('from' in change && change.from) || '-', ('to' in change && change.to) || '-'].join('>')
      const fields = 'fields' in change ? ` ${change.fields.map(({ field }) => field).join()}` : ''
      return `${change.kind} ${numbers}${fields}${'moved' in change && change.moved ? ' moved' : ''}`
    })

  test.for([
    ['none', [ssh, web], [ssh, web], []],
    ['none in another form', [rule({ ports: '22, 80' })], [rule({ ports: '22,80', label: null as never })], []],
    ['a rule added', [ssh], [ssh, web], ['added ->2']],
    ['a rule removed', [ssh, web], [web], ['removed 1>-']],
    ['a rule moved to the front', [ssh, web, dns], [dns, ssh, web], ['moved 3>1']],
    [
      'a rule moved to the front, before one that stays last',
      [ssh, web, dns, ntp],
      [dns, ssh, web, ntp],
      ['moved 3>1'],
    ],
    ['a rule moved to the end', [ssh, web, dns], [web, dns, ssh], ['moved 1>3']],
    ['two rules swapped', [ssh, web], [web, ssh], ['moved 2>1']],
    ['two rules swapped before another', [ssh, web, dns], [web, ssh, dns], ['moved 2>1']],
    ['ports of a labeled rule', [ssh], [rule({ label: 'ssh', ports: '23' })], ['changed 1>1 ports']],
    ['ports of an unlabeled rule', [rule()], [rule({ ports: '23' })], ['changed 1>1 ports']],
    [
      'the network of an unlabeled rule without ports',
      [rule({ ports: undefined })],
      [rule({ ports: undefined, ipv4: ['203.0.113.7/32'] })],
      ['changed 1>1 addresses.ipv4'],
    ],
    [
      'the network of an unlabeled rule of a protocol without ports, in IPv6',
      [rule({ protocol: 'ICMP', ports: undefined, ipv4: [], ipv6: ['2001:db8::/32'] })],
      [rule({ protocol: 'ICMP', ports: undefined, ipv4: [], ipv6: ['2001:db8::/48'] })],
      ['changed 1>1 addresses.ipv6'],
    ],
    [
      'a rule replaced by one with another label',
      [rule({ ports: undefined, label: 'office' })],
      [rule({ ports: undefined, label: 'vpn', ipv4: ['198.51.100.0/24'] })],
      ['removed 1>-', 'added ->1'],
    ],
    ['a label', [ssh], [rule({ label: 'shell' })], ['changed 1>1 label']],
    [
      'two fields of an unlabeled rule',
      [rule()],
      [rule({ ports: '23', protocol: 'UDP' })],
      ['removed 1>-', 'added ->1'],
    ],
    [
      'all fields but the label',
      [ssh],
      [rule({ label: 'ssh', action: 'DROP', protocol: 'UDP', ports: '9', ipv4: ['198.51.100.0/24'] })],
      ['changed 1>1 action,protocol,ports,addresses.ipv4'],
    ],
    [
      'two fields of a rule with an equal description',
      [described()],
      [described({ ports: '23', protocol: 'UDP' })],
      ['removed 1>-', 'added ->1'],
    ],
    [
      'a change and a move',
      [ssh, web, dns],
      [web, dns, rule({ label: 'ssh', ports: '23' })],
      ['changed 1>3 ports moved'],
    ],
    ['one of two equal rules removed', [ssh, ssh, web], [ssh, web], ['removed 2>-']],
    ['the nearest of equal rules changed', [rule(), rule()], [rule(), rule({ ports: '23' })], ['changed 2>2 ports']],
    [
      'two rules swapped, one of them changed',
      [ssh, web],
      [web, rule({ label: 'ssh', ports: '23' })],
      ['moved 2>1', 'changed 1>2 ports'],
    ],
  ] as const)('is: %s', ([, before, after, expected]) => {
    expect(changes([...before], [...after])).toEqual(expected)
  })

  test('pairs a changed rule with the nearest similar one', () => {
    const before = [rule(), rule({ ports: '24' })]
    const other = rule({ action: 'DROP', protocol: 'UDP', ports: '9', ipv4: ['198.51.100.0/24'] })
    expect(changes(before, [other, rule({ ports: '23' })])).toEqual(['removed 1>-', 'added ->1', 'changed 2>2 ports'])
  })

  test('lists the policy, and each direction separately', () => {
    expect(diffRules(set([ssh]), set([ssh], 'ACCEPT'))).toEqual([
      { kind: 'policy', direction: 'inbound', from: 'DROP', to: 'ACCEPT' },
    ])
    expect(diffRules(set([]), { ...set([]), outbound: [ssh] })).toEqual([
      { direction: 'outbound', kind: 'added', to: 1, rule: ssh },
    ])
  })

  test('lists each field with its old and new value', () => {
    const after = rule({ label: 'ssh', ipv4: ['203.0.113.0/24', '198.51.100.0/24'], ports: undefined })
    expect(diffRules(set([ssh]), set([after]))).toMatchObject([
      {
        fields: [
          { field: 'ports', from: '22', to: null },
          { field: 'addresses.ipv4', from: ['203.0.113.0/24'], to: ['198.51.100.0/24', '203.0.113.0/24'] },
        ],
      },
    ])
  })
})

describe('A change was applied', () => {
  const [ssh, web, dns] = [rule(), rule({ ports: '443' }), rule({ ports: '53' })]

  test.for([
    ['if the added rule exists', [ssh], [ssh, web], [ssh, web], true],
    ['if the added rule exists beside others', [ssh], [ssh, web], [dns, web], true],
    ['not if the added rule is missing', [ssh], [ssh, web], [ssh], false],
    ['not if the rule exists once and should exist twice', [ssh], [ssh, web, web], [ssh, web], false],
    ['if the removed rule is gone', [ssh, web], [ssh], [ssh], true],
    ['if more rules are gone than were removed', [web, web, web], [web], [], true],
    ['not if the removed rule still exists', [ssh, web], [ssh], [ssh, web], false],
    ['not if fewer rules are gone than were removed', [web, web, web], [web], [web, web], false],
    ['if an unchanged rule was removed since', [ssh, web], [ssh], [], true],
    ['if an unchanged rule was added again since', [ssh, web], [ssh], [ssh, ssh], true],
  ] as const)('%s', ([, from, to, now, isApplied]) => {
    expect(wasApplied(set([...now]), { from: set([...from]), to: set([...to]) })).toBe(isApplied)
    const outbound = (rules: readonly FirewallRule[]) => ({ ...set([]), outbound: [...rules] })
    expect(wasApplied(outbound(now), { from: outbound(from), to: outbound(to) })).toBe(isApplied)
  })
})

describe('The changes of two people', () => {
  const ssh = rule({ label: 'ssh' })

  test('to a policy are a conflict if they differ, and merged if only one changed it', () => {
    const merged = (base: string, one: string, theirs: string) =>
      mergeRules({ base: set([], base), mine: set([], one), theirs: set([], theirs) })
    expect(merged('DROP', 'ACCEPT', 'REJECT')).toMatchObject({
      rules: { inbound_policy: 'ACCEPT' },
      conflicts: [{ direction: 'inbound', kind: 'policy', base: 'DROP', mine: 'ACCEPT', theirs: 'REJECT' }],
    })
    expect(merged('DROP', 'DROP', 'ACCEPT')).toMatchObject({ rules: { inbound_policy: 'ACCEPT' }, conflicts: [] })
    expect(merged('DROP', 'ACCEPT', 'DROP')).toMatchObject({ rules: { inbound_policy: 'ACCEPT' }, conflicts: [] })
  })

  test.for([
    ['mine', { ports: '22, 80' }, {}, { ports: '22, 80' }],
    ['theirs', {}, { ports: '22, 80' }, { ports: '22, 80' }],
    ['mine, if theirs changed it', { ports: '22, 80' }, { ports: '22,81' }, { ports: '22,81' }],
    ['theirs, if mine changed it', { ports: '22,81' }, { ports: '22, 80' }, { ports: '22,81' }],
  ] as const)('are not a conflict if one only reformats a rule: %s', ([, one, theirs, merged]) => {
    const of = (fields: object) => set([rule({ label: 'web', ports: '22,80', ...fields })])
    expect(mergeRules({ base: of({}), mine: of(one), theirs: of(theirs) })).toEqual({
      rules: of(merged),
      conflicts: [],
    })
  })

  test('that move the same rule are a conflict, unless both move it to the same place', () => {
    const [a, b, c] = [rule({ label: 'a' }), rule({ label: 'b' }), rule({ label: 'c' })]
    const merged = (mine: FirewallRule[], theirs: FirewallRule[]) => {
      const { rules, conflicts } = mergeRules({ base: set([a, b, c]), mine: set(mine), theirs: set(theirs) })
      return { labels: rules.inbound.map(({ label }) => label).join(''), conflicts }
    }
    expect(merged([c, a, b], [c, a, b])).toEqual({ labels: 'cab', conflicts: [] })
    const conflicts = [{ direction: 'inbound', kind: 'rule', number: 3, base: c, mine: c, theirs: c }]
    expect(merged([c, a, b], [a, c, b])).toEqual({ labels: 'cab', conflicts })
  })

  test('that move a rule to the same place are merged if one removes the rule that it was moved past', () => {
    const [a, b, c, d] = [...'abcd'].map((label) => rule({ label })) as [
      FirewallRule,
      FirewallRule,
      FirewallRule,
      FirewallRule,
    ]
    const [base, moved, fewer] = [set([a, b, c, d]), set([b, c, d, a]), set([c, d, a])]
    const merged = { rules: fewer, conflicts: [] }
    expect(mergeRules({ base, mine: moved, theirs: fewer })).toEqual(merged)
    expect(mergeRules({ base, mine: fewer, theirs: moved })).toEqual(merged)
  })

  test('that add the same rule add it as often as one of them does', () => {
    const [one, another] = [rule({ label: 'x' }), rule({ label: 'y', ports: '81' })]
    const merged = (mine: FirewallRule[], theirs: FirewallRule[]) =>
      mergeRules({ base: set([ssh]), mine: set([ssh, ...mine]), theirs: set([ssh, ...theirs]) })
    const together = { rules: set([ssh, one, one, another]), conflicts: [] }
    expect(merged([one, one], [one, another])).toEqual(together)
    expect(merged([one, another], [one, one])).toEqual(together)
    expect(merged([another], [another])).toEqual({ rules: set([ssh, another]), conflicts: [] })
  })

  test('in an unclear order keep that of mine, with rules of theirs behind their predecessors', () => {
    const labeled = (label: string) => rule({ label })
    const order = (nodes: [string, number | undefined, number | undefined][]) =>
      mineFirst(
        nodes.map(([label, own, theirs]) => ({ rule: labeled(label), base: undefined, mine: own, theirs })),
      ).map((node) => node.rule.label)
    expect(
      order([
        ['b', 1, undefined],
        ['a', 0, 0],
        ['x', undefined, 1],
      ]),
    ).toEqual(['a', 'x', 'b'])
    expect(
      order([
        ['a', 0, 1],
        ['b', 1, 2],
        ['x', undefined, 0],
        ['y', undefined, 3],
      ]),
    ).toEqual(['x', 'a', 'b', 'y'])
    expect(
      order([
        ['a', 0, 0],
        ['y', undefined, 2],
        ['x', undefined, 1],
      ]),
    ).toEqual(['a', 'x', 'y'])
    expect(
      order([
        ['a', 0, undefined],
        ['x', undefined, 0],
      ]),
    ).toEqual(['x', 'a'])
  })
})
