/** Estimates of the memory of JSON texts, with the measured costs of V8. */
import { describe, expect, test } from 'vitest'
import { expectBounded, isTooDeep, LimitExceeded, TooDeep } from '../../src/data/memory-limits'

const [object, value, string] = [56, 16, 24]

describe('A text', () => {
  test.for([
    ['{}', object],
    ['[]', object],
    ['7', 0],
    ['true', 0],
    ['"abc"', string + 4],
    [String.raw`"a\"b"`, string + 5],
    [String.raw`["\\", "]"]`, object + string + 3 + value + string + 2],
    [String.raw`["\\\"[[", 7]`, object + string + 7 + value],
    ['[1, 2, 3]', object + 2 * value],
    ['[{}, {}]', object + value + 2 * object],
    ['{"a": 1, "b": [2]}', object + 2 * (string + 2) + value + object],
    ['"it ends', string + 8],
  ] as const)('%j takes %i bytes', ([text, bytes]) => {
    expect(() => expectBounded(text, bytes)).not.toThrow()
    if (bytes > 0) expect(() => expectBounded(text, bytes - 1)).toThrow(LimitExceeded)
  })

  test('that takes too much is named with the limit', () => {
    expect(() => expectBounded(`[${'{},'.repeat(20_000)}{}]`, 2 ** 20)).toThrow(
      'its contents take over 1 MiB of memory',
    )
  })

  test('can have 500 levels', () => {
    const most = Number.POSITIVE_INFINITY
    expect(() => expectBounded('['.repeat(500), most)).not.toThrow()
    expect(() => expectBounded('[]'.repeat(600), most)).not.toThrow()
    expect(() => expectBounded('{"a":'.repeat(501), most)).toThrow(TooDeep)
    expect(() => expectBounded('['.repeat(501), most)).toThrow('it is nested over 500 levels deep')
  })
})

test('A value is too deep if it has one more level than allowed', () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? 1 : levels % 2 ? [nested(levels - 1)] : { a: nested(levels - 1) }
  expect(isTooDeep(nested(500))).toBe(false)
  expect(isTooDeep(nested(501))).toBe(true)
  expect(isTooDeep([1, [[2]], 3], 2)).toBe(true)
  expect(isTooDeep([1, [2], 3], 2)).toBe(false)
  expect(isTooDeep(null, 0)).toBe(false)
})
