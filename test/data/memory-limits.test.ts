/** Estimates of the memory of JSON texts and values, with the measured costs of V8. */
import { describe, expect, test } from 'vitest'
import { isTooDeep, LimitExceeded, measure, memoryBudget, memorySize } from '../../src/data/memory-limits'

const [object, array, value, string, shape] = [56, 48, 16, 24, 400]
const budget = (memory = 2 ** 20) => memoryBudget(memory)
const memory = (text: string) => measure(text, budget()).memory

describe('A text', () => {
  test.for([
    ['{}', object],
    ['[]', array],
    ['7', 0],
    ['-7', 0],
    ['true', 0],
    ['""', string],
    ['"abc"', string + 3],
    [String.raw`"a\"b"`, string + 4],
    [String.raw`["\\", "]"]`, array + string + 2 + value + string + 1],
    [String.raw`["\\\"[[", 7]`, array + string + 6 + value],
    ['[1, 2, 3]', array + 2 * value],
    ['[{}, {}]', array + value + 2 * object],
    ['{"ab": 1}', object + shape + 2],
    ['{"a" \t\r\n: "b"}', object + shape + 1 + string + 1],
    ['{"a": 1, "b": 2}', object + 2 * (shape + 1) + value],
    ['[{"a": 1}, {"a": 2}]', array + value + 2 * object + shape + 1],
    ['[{"a": 1, "b": 2}, {"b": 1, "a": 2}]', array + 3 * value + 2 * object + 4 * (shape + 1)],
    ['[{"a": {"b": 1}}, {"b": 1}]', array + value + 3 * object + 2 * (shape + 1)],
    ['[{"a": [], "b": 1}, {"a": 1, "b": 1}]', array + 3 * value + 2 * object + array + 2 * (shape + 1)],
    ['"it ends', string + 7],
  ] as const)('%j takes %i bytes', ([text, bytes]) => {
    expect(memory(text)).toBe(bytes)
  })

  test('counts a shape of objects once in a budget', () => {
    const shared = budget()
    measure('{"a": 1}', shared)
    expect(measure('{"a": 1}', shared).memory).toBe(object)
  })

  test('can take the whole budget', () => {
    expect(measure('[{}]', budget(array + object)).memory).toBe(array + object)
    expect(() => measure('[{}]', budget(array + object - 1))).toThrow(LimitExceeded)
    expect(() => measure(`[${'{},'.repeat(20_000)}{}]`, budget())).toThrow('its contents take over 1 MiB of memory')
  })

  test('can have 500 levels', () => {
    expect(memory('['.repeat(500))).toBe(500 * array)
    expect(() => memory('['.repeat(501))).toThrow('it is nested over 500 levels deep')
    expect(memory('[]'.repeat(600))).toBe(600 * array)
    expect(memory('{}'.repeat(600))).toBe(600 * object)
  })

  test('can have 20,000 different keys', () => {
    const objects = (count: number) => `[${Array.from({ length: count }, (_, index) => `{"${index}":0}`)}]`
    expect(measure(objects(20_000), budget(2 ** 30)).memory).toBeGreaterThan(20_000 * shape)
    expect(() => measure(objects(20_001), budget(2 ** 30))).toThrow('its objects have over 20000 different keys')
  })
})

describe('A number', () => {
  test.for([
    ['1234567890123456', [[0, 16]]],
    ['[-1234567890123456, 7]', [[1, 18]]],
    [
      '[1234567890123456,12345678901234567]',
      [
        [1, 17],
        [18, 35],
      ],
    ],
    ['123456789012345', []],
    ['-12345678901234', []],
    ['1234567890123456.0', []],
    ['1234567890123456e0', []],
    ['0234567890123456', []],
    ['01234567890123456', []],
    ['1234567890123456-7', []],
    ['"1234567890123456"', []],
    ['1234567890123456: 1', []],
  ] as const)('that may exceed a double is found in %s at %j', ([text, places]) => {
    expect(measure(text, budget()).longIntegers).toEqual(places)
  })

  test.for([
    ['9'.repeat(400), undefined],
    ['9'.repeat(401), 'it holds a number of over 400 digits'],
    ['1e308', undefined],
    ['1e+5', undefined],
    [`${'9'.repeat(390)}.0`, 'it holds a number that is too large'],
    ['1e309', 'it holds a number that is too large'],
    ['-1E+309', 'it holds a number that is too large'],
    ['1e-309', undefined],
    [`[1e309, ${'9'.repeat(401)}]`, 'it holds a number that is too large'],
    [`[${'9'.repeat(401)}, 1e309]`, 'it holds a number of over 400 digits'],
    ['"1e309"', undefined],
  ] as const)('%s has the fault: %s', ([text, fault]) => {
    expect(measure(text, budget()).numberFault).toBe(fault)
  })
})

test.for([
  [7, value],
  [null, value],
  ['abc', string + 3],
  [[], array],
  [{}, object],
  [[1, 'a'], array + 2 * value + value + string + 1],
  [{ a: { b: null } }, object + value + object + value + value],
] as const)('The value %j takes %i bytes', ([json, bytes]) => {
  expect(memorySize(json)).toBe(bytes)
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
