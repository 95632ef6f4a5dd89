import { describe, expect, test } from 'vitest'
import { compareFields } from '../../src/account/label-lookup'
import { nameLines } from '../../src/account/name-cache'

describe('what was asked for of a list stands', () => {
  test.for([
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [
      [1, 2],
      ['2', '1', '1'],
    ],
    [[], []],
    [[], null],
  ] as const)('of %j in %j', ([wanted, actual]) => {
    expect(compareFields({ tags: actual }, { tags: wanted })).toEqual([])
  })

  test.for([
    [['a'], ['a', 'b']],
    [['a', 'b'], ['a']],
    [['a'], ['b']],
    [['a'], null],
    [['a'], 'a'],
    [[], ['a']],
  ] as const)('not of %j in %j', ([wanted, actual]) => {
    expect(compareFields({ tags: actual }, { tags: wanted })).toEqual([{ field: 'tags', wanted, actual }])
  })
})

test('names are kept a line each, with what there is to say of them, by their bytes', () => {
  expect(nameLines([{ name: 'é' }, { name: 'web', note: '12' }, { name: 'db' }])).toBe('db\nweb\t12\né\n')
})
