/** Parts of objects in the history, and their comparison with current objects (interface.md, history). */
import { describe, expect, test } from 'vitest'
import { hashState, isSameState, partOf } from '../../../src/account/history/compare-states'

describe('The recorded part of an answer', () => {
  const answer = { id: 1, label: 'data', tags: ['a'], size: undefined }

  test('has the replaced fields, with null for missing ones', () => {
    const before = { tags: ['b'], size: 20, region: null }
    expect(partOf(answer, { before })).toStrictEqual({ tags: ['a'], size: null, region: null })
  })

  test('is the whole answer if everything was replaced', () => {
    expect(partOf(answer, { before: { label: 'old' }, whole: true })).toBe(answer)
  })
})

describe('Two parts are equal', () => {
  test.for<[Record<string, unknown>, Record<string, unknown>]>([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [
      { a: 1, b: 2, c: 3 },
      { c: 3, a: 1, b: 2 },
    ],
    [{ outer: { a: 1, b: { c: 2, d: 3 } } }, { outer: { b: { d: 3, c: 2 }, a: 1 } }],
    [{ a: null }, { a: null }],
  ])('with their fields in any order: %j', ([one, other]) => {
    for (const whole of [true, undefined] as const) expect(isSameState(one, other, whole)).toBe(true)
  })

  test.for<[Record<string, unknown>, Record<string, unknown>]>([
    [{ tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
    [{ tags: ['c', 'a', 'b'] }, { tags: ['b', 'c', 'a'] }],
    [{ ids: [2, 10] }, { ids: [10, 2] }],
    [{ tags: [] }, { tags: null }],
  ])('with a list in another order, unless everything was replaced: %j and %j', ([one, other]) => {
    expect(isSameState(one, other, undefined)).toBe(true)
    expect(isSameState(one, other, true)).toBe(false)
  })

  test.for<[unknown, unknown]>([
    ['a', 'b'],
    [1, 2],
    [1, null],
    [null, {}],
    [true, false],
    [['a'], ['a', 'a']],
    [['a'], []],
    [['a'], null],
    [{ inner: 1 }, { inner: 2 }],
    [{ inner: 1 }, { other: 1 }],
    [{ inner: ['a', 'b'] }, { inner: ['b', 'a'] }],
    [[{ a: 1 }], [{ a: 2 }]],
  ])('but not with %j and %j if everything was replaced', ([one, other]) => {
    expect(isSameState({ f: one }, { f: other }, true)).toBe(false)
  })

  test.for<[unknown, unknown]>([
    ['a', 'b'],
    ['a', ['a']],
    [null, ''],
    [['a'], ['b']],
    [['a'], ['a', 'a']],
    [[], ['']],
    [{ a: 1 }, { a: 2 }],
  ])('but not with %j and %j', ([one, other]) => {
    expect(isSameState({ f: one }, { f: other }, undefined)).toBe(false)
  })

  test('if their integers are exactly equal', () => {
    expect(isSameState({ a: 2n ** 60n }, { a: 2n ** 60n }, undefined)).toBe(true)
    expect(isSameState({ a: 2n ** 60n }, { a: 2n ** 60n + 1n }, undefined)).toBe(false)
    expect(isSameState({ a: [2n ** 60n] }, { a: [2n ** 60n] }, true)).toBe(true)
  })

  test('only if both have the same fields', () => {
    expect(isSameState({ a: 1 }, { a: 1, b: null }, undefined)).toBe(false)
  })

  test('by a hash that is the same in all versions', () => {
    // Fields are sorted before hashing; lists too, unless everything was replaced. Older files have these hashes.
    expect(hashState({ tags: ['b', 'a'], label: 'x', ids: [] }, undefined)).toBe('e67a7fd43043dea585d81685549338be')
    expect(hashState({ tags: ['b', 'a'], label: 'x', ids: [] }, true)).toBe('19cbfee0199b1e7f342cf41450dcbae7')
  })
})
