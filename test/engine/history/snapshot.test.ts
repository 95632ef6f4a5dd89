/** What the history keeps of an object, and when that still stands (interface.md, history). */
import { describe, expect, test } from 'vitest'
import { hashOfPart, isSamePart, partOf } from '../../../src/account/history/snapshot'

describe('what is kept of an answer', () => {
  const answer = { id: 1, label: 'data', tags: ['a'], size: undefined }

  test('is what was replaced, and null where the answer has none of it', () => {
    const before = { tags: ['b'], size: 20, region: null }
    expect(partOf(answer, { before })).toStrictEqual({ tags: ['a'], size: null, region: null })
  })

  test('is all of it where all was replaced', () => {
    expect(partOf(answer, { before: { label: 'old' }, whole: true })).toBe(answer)
  })
})

describe('two parts say the same', () => {
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
  ])('whatever the order of their fields: %j', ([one, other]) => {
    for (const whole of [true, undefined] as const) expect(isSamePart(one, other, whole)).toBe(true)
  })

  test.for<[Record<string, unknown>, Record<string, unknown>]>([
    [{ tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
    [{ tags: ['c', 'a', 'b'] }, { tags: ['b', 'c', 'a'] }],
    [{ ids: [2, 10] }, { ids: [10, 2] }],
    [{ tags: [] }, { tags: null }],
  ])('of the fields that were replaced also in another order of a list: %j and %j', ([one, other]) => {
    expect(isSamePart(one, other, undefined)).toBe(true)
    expect(isSamePart(one, other, true)).toBe(false)
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
  ])('not with %j and %j, where all was replaced', ([one, other]) => {
    expect(isSamePart({ f: one }, { f: other }, true)).toBe(false)
  })

  test.for<[unknown, unknown]>([
    ['a', 'b'],
    ['a', ['a']],
    [null, ''],
    [['a'], ['b']],
    [['a'], ['a', 'a']],
    [[], ['']],
    [{ a: 1 }, { a: 2 }],
  ])('not with %j and %j', ([one, other]) => {
    expect(isSamePart({ f: one }, { f: other }, undefined)).toBe(false)
  })

  test('of integers to the last digit', () => {
    expect(isSamePart({ a: 2n ** 60n }, { a: 2n ** 60n }, undefined)).toBe(true)
    expect(isSamePart({ a: 2n ** 60n }, { a: 2n ** 60n + 1n }, undefined)).toBe(false)
    expect(isSamePart({ a: [2n ** 60n] }, { a: [2n ** 60n] }, true)).toBe(true)
  })

  test('not where a field is there that the other has not', () => {
    expect(isSamePart({ a: 1 }, { a: 1, b: null }, undefined)).toBe(false)
  })

  test('by a hash that other versions reckon as this one does', () => {
    // In which the fields and the lists stand in order: what was written down is compared with it later.
    expect(hashOfPart({ tags: ['b', 'a'], label: 'x', ids: [] }, undefined)).toBe('e67a7fd43043dea585d81685549338be')
    expect(hashOfPart({ tags: ['b', 'a'], label: 'x', ids: [] }, true)).toBe('19cbfee0199b1e7f342cf41450dcbae7')
  })
})
