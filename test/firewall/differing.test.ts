/** Rules of two lists that can treat traffic differently. */
import { describe, expect, test } from 'vitest'
import { differing } from '../../src/firewall/compare'
import { ruleThat as rule } from '../support/firewall-rules'

const [a, b, c, d] = [rule({ ports: '1' }), rule({ ports: '2' }), rule({ ports: '3' }), rule({ ports: '4' })]
const side = (rules: Parameters<typeof differing>[0]['rules'], policy = 'DROP') => ({ policy, rules })

describe('The differing rules are', () => {
  test.for([
    ['none of equal lists', [a, b], [a, b], []],
    ['none of empty lists', [], [], []],
    ['a changed rule', [a, b, c], [a, d, c], [b, d]],
    ['a removed rule', [a, b, c], [a, c], [b]],
    ['an added rule', [a, c], [a, b, c], [b]],
    ['the only rule', [], [a], [a]],
    ['the first rule', [a, b, c, d], [b, c, d], [a]],
    ['the last rule', [a, b, c], [a, b, c, d], [d]],
    ['a duplicated rule', [a], [a, a], [a]],
    ['all rules between two that were swapped', [a, b, c, d], [a, c, b, d], [b, c, c, b]],
    ['all rules between the first change and the last', [a, b, c], [d, b, a], [a, b, c, d, b, a]],
    [
      'no rule with only another label or description',
      [a, b],
      [a, { ...b, label: 'other', description: 'of the office' }],
      [],
    ],
    [
      'a rule in another form',
      [{ ...a, ports: '1, 2' }],
      [{ ...a, ports: '1,2' }],
      [
        { ...a, ports: '1, 2' },
        { ...a, ports: '1,2' },
      ],
    ],
  ] as const)('%s', ([, one, other, expected]) => {
    expect(differing(side(one), side(other))).toEqual(expected)
  })

  test('undefined, which means all rules, if the policy differs', () => {
    expect(differing(side([a], 'ACCEPT'), side([a]))).toBeUndefined()
  })
})
