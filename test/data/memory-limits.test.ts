/** What a JSON text will come to in memory, told before it is read. The costs are those that V8 was measured to have. */
import { describe, expect, test } from 'vitest'
import { isTooDeep, LimitExceeded, measure, memoryBudget, memorySize } from '../../src/data/memory-limits'

const [object, array, value, string, shape] = [56, 48, 16, 24, 400]
const room = (memory = 2 ** 20) => memoryBudget(memory)
const memory = (text: string) => measure(text, room()).memory

describe('a text', () => {
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
  ] as const)('%j comes to %i bytes', ([text, bytes]) => {
    expect(memory(text)).toBe(bytes)
  })

  test('of a shape that was seen in the same room costs that only once', () => {
    const shared = room()
    measure('{"a": 1}', shared)
    expect(measure('{"a": 1}', shared).memory).toBe(object)
  })

  test('may come to as much as there is room, and not to a byte more', () => {
    expect(measure('[{}]', room(array + object)).memory).toBe(array + object)
    expect(() => measure('[{}]', room(array + object - 1))).toThrow(LimitExceeded)
    expect(() => measure(`[${'{},'.repeat(20_000)}{}]`, room())).toThrow('its contents take over 1 MiB of memory')
  })

  test('may be five hundred levels deep', () => {
    expect(memory('['.repeat(500))).toBe(500 * array)
    expect(() => memory('['.repeat(501))).toThrow('it is nested over 500 levels deep')
    expect(memory('[]'.repeat(600))).toBe(600 * array)
    expect(memory('{}'.repeat(600))).toBe(600 * object)
  })

  test('may have twenty thousand beginnings of objects', () => {
    const objects = (count: number) => `[${Array.from({ length: count }, (_, index) => `{"${index}":0}`)}]`
    expect(measure(objects(20_000), room(2 ** 30)).memory).toBeGreaterThan(20_000 * shape)
    expect(() => measure(objects(20_001), room(2 ** 30))).toThrow('its objects have over 20000 different keys')
  })
})

describe('a number', () => {
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
  ] as const)('that a double may not hold stands in %s at %j', ([text, places]) => {
    expect(measure(text, room()).longIntegers).toEqual(places)
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
  ] as const)('%s is at fault where %s', ([text, fault]) => {
    expect(measure(text, room()).numberFault).toBe(fault)
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
] as const)('the value %j takes %i bytes', ([held, bytes]) => {
  expect(memorySize(held)).toBe(bytes)
})

test('a value is too deep from the level on that is one more than allowed', () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? 1 : levels % 2 ? [nested(levels - 1)] : { a: nested(levels - 1) }
  expect(isTooDeep(nested(500))).toBe(false)
  expect(isTooDeep(nested(501))).toBe(true)
  expect(isTooDeep([1, [[2]], 3], 2)).toBe(true)
  expect(isTooDeep([1, [2], 3], 2)).toBe(false)
  expect(isTooDeep(null, 0)).toBe(false)
})
