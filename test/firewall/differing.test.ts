/** Which rules of two lists can make a difference. */
import { expect, test } from 'vitest'
import { differing } from '../../src/firewall/compare'
import { ruleThat as rule } from '../support/firewall-rules'

const [a, b, c, d] = [rule({ ports: '1' }), rule({ ports: '2' }), rule({ ports: '3' }), rule({ ports: '4' })]
const side = (rules: Parameters<typeof differing>[0]['rules'], policy = 'DROP') => ({ policy, rules })

test.for([
  ['none of the same', [a, b], [a, b], []],
  ['none of none', [], [], []],
  ['one that is changed', [a, b, c], [a, d, c], [b, d]],
  ['one that is removed', [a, b, c], [a, c], [b]],
  ['one that is added', [a, c], [a, b, c], [b]],
  ['the only one', [], [a], [a]],
  ['the first', [a, b, c, d], [b, c, d], [a]],
  ['the last', [a, b, c], [a, b, c, d], [d]],
  ['one that is there twice', [a], [a, a], [a]],
  ['all between two that changed places', [a, b, c, d], [a, c, b, d], [b, c, c, b]],
  ['all between the first change and the last', [a, b, c], [d, b, a], [a, b, c, d, b, a]],
  ['none that is called otherwise', [a, b], [a, { ...b, label: 'other', description: 'of the office' }], []],
  [
    'one that says the same otherwise',
    [{ ...a, ports: '1, 2' }],
    [{ ...a, ports: '1,2' }],
    [
      { ...a, ports: '1, 2' },
      { ...a, ports: '1,2' },
    ],
  ],
] as const)('%s', ([, one, other, found]) => {
  expect(differing(side(one), side(other))).toEqual(found)
})

test('all there is where the policy is another', () => {
  expect(differing(side([a], 'ACCEPT'), side([a]))).toBeUndefined()
})
