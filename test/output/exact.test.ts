/** Queries over integers of any length: exact comparisons, and no arithmetic beyond 2^53. */
import { describe, expect, test } from 'vitest'
import {
  type ArithmeticOperator,
  calculate,
  compareNumbers,
  isEqual,
  isJsonNumber,
  narrowed,
} from '../../src/output/exact-functions'
import { runQuery } from '../../src/output/query'

const long = 9007199254740993n
const beyond = 'skyctl does not calculate with integers beyond 2^53'

describe('numbers', () => {
  test.for<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, 1n, true],
    [long, 9007199254740992, false],
    [1, '1', false],
    [null, null, true],
    [null, undefined, false],
    [[1, [2n]], [1n, [2]], true],
    [[1, 2], [1], false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ a: 1, b: { c: 2n } }, { b: { c: 2 }, a: 1n }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ toString: 1 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
  ])('%s and %s are equal: %s', ([one, other, equal]) => {
    expect(isEqual(one, other)).toBe(equal)
    expect(isEqual(other, one)).toBe(equal)
  })

  test.for([
    [1, 2n, -1],
    [2n, 1, 1],
    [1n, 1, 0],
    [long, 9007199254740992, 1],
    [-long, -9007199254740992, -1],
  ] as const)('%s compared with %s is %s', ([one, other, order]) => {
    expect(compareNumbers(one, other)).toBe(order)
  })

  test.for([
    [1, true],
    [1n, true],
    ['1', false],
    [null, false],
  ] as const)('%s is a JSON number: %s', ([value, isNumber]) => {
    expect(isJsonNumber(value)).toBe(isNumber)
  })

  test('are converted from bigint if they stay exact', () => {
    expect(narrowed(9007199254740991n)).toBe(9007199254740991)
    expect(narrowed(-9007199254740991n)).toBe(-9007199254740991)
    expect(narrowed(9007199254740992n)).toBe(9007199254740992n)
  })

  test.for<[number | bigint, ArithmeticOperator, number | bigint, number | bigint]>([
    [1, 'Plus', 2, 3],
    [9007199254740990, 'Plus', 1, 9007199254740991],
    [0.5, 'Plus', 0.25, 0.75],
    [1, 'Minus', 3, -2],
    [1.5, 'Star', 2, 3],
    [1e300, 'Star', 2.5, 2.5e300],
    [1e300, 'Star', 2, 2e300],
    [2, 'Star', 1e300, 2e300],
    [1, 'Divide', 4, 0.25],
    [7, 'Div', 2, 3],
    [-7, 'Div', 2, -4],
    [7, 'Div', -2, -4],
    [-7, 'Div', -2, 3],
    [7, 'Modulo', 4, 3],
  ])('%s %s %s is %s', ([one, operator, other, result]) => {
    expect(calculate(operator, one, other)).toBe(result)
  })

  test.for<[unknown, ArithmeticOperator, unknown, string]>([
    [1, 'Plus', '1', 'not a number'],
    ['1', 'Plus', 1, 'not a number'],
    [1, 'Divide', 0, 'divided by zero'],
    [1, 'Div', 0, 'divided by zero'],
    [1, 'Modulo', 0, 'divided by zero'],
    [long, 'Plus', 1, beyond],
    [0.5, 'Star', long, beyond],
    [9007199254740991, 'Plus', 1, beyond],
    [-9007199254740991, 'Minus', 1, beyond],
    [3037000500, 'Star', 3037000500, beyond],
  ])('%s %s %s throws: %s', ([one, operator, other, message]) => {
    expect(() => calculate(operator, one, other)).toThrow(message)
  })

  test('can be multiplied by zero', () => {
    expect([calculate('Star', 0, 5), calculate('Plus', 0, 0)]).toEqual([0, 0])
  })
})

describe('a query', () => {
  const data = {
    n: [3, long, -1],
    t: ['b', 'ä', 'B'],
    o: [
      { k: 2, v: 'x' },
      { k: 1n, v: 'y' },
      { k: 1, v: 'z' },
    ],
    long,
    x: null,
  }

  test.for<[string, unknown]>([
    ['long == `9007199254740993`', true],
    ['long == `9007199254740992`', false],
    ['long != `9007199254740992`', true],
    ['long != `9007199254740993`', false],
    ['long > `9007199254740992`', true],
    ['long > `9007199254740993`', false],
    ['long >= `9007199254740993`', true],
    ['long >= `9007199254740994`', false],
    ['long < `9007199254740994`', true],
    ['long < `9007199254740993`', false],
    ['long <= `9007199254740993`', true],
    ['long <= `9007199254740992`', false],
    ['t[0] > `1`', null],
    ['`1` < t[0]', null],
    ['n[?@ > `0`]', [3, long]],
    ['abs(long)', long],
    ['abs(`-1`)', 1],
    ['ceil(long)', long],
    ['ceil(`1.2`)', 2],
    ['floor(long)', long],
    ['floor(`1.8`)', 1],
    ['`3` × `2`', 6],
    ['`7` // `2`', 3],
    ['-o[0].k', -2],
    ['sum(`[1, 2]`)', 3],
    ['sum(`[]`)', 0],
    ['avg(`[1, 2]`)', 1.5],
    ['avg(`[]`)', null],
    ['max(n)', long],
    ['min(n)', -1],
    ['max(t)', 'ä'],
    ['min(t)', 'B'],
    ['max(`[]`)', null],
    ['sort(n)', [-1, 3, long]],
    ['sort(t)', ['B', 'b', 'ä']],
    ['max_by(o, &k).v', 'x'],
    ['min_by(o, &k).v', 'y'],
    ['max_by(`[]`, &k)', null],
    ['sort_by(o, &k)[].v', ['y', 'z', 'x']],
    ['sort_by(o, &v)[].k', [2, 1n, 1]],
    ['contains(n, `9007199254740993`)', true],
    ['contains(n, `9007199254740992`)', false],
    ["contains('abc', 'b')", true],
    ["contains('abc', `1`)", null],
    ["contains(t, 'a')", false],
    ['to_array(long)', [long]],
    ['to_array(n)', [3, long, -1]],
    ["to_number('9007199254740993')", long],
    ["to_number('-12')", -12],
    ["to_number('1.5')", 1.5],
    ["to_number('x')", null],
    ['to_number(long)', long],
    ['to_number(t)', null],
    ['to_string(long)', '9007199254740993'],
    ['to_string(n)', '[3,9007199254740993,-1]'],
    ["to_string('a')", 'a'],
    ['to_string(x)', 'null'],
    ['type(long)', 'number'],
    ['type(`1`)', 'number'],
    ['type(x)', 'null'],
    ['type(n)', 'array'],
    ['type(o[0])', 'object'],
    ["type('a')", 'string'],
    ['type(`true`)', 'boolean'],
    ['not_null(x, long)', long],
    ['length(n)', 3],
    ["join('-', t)", 'b-ä-B'],
    ['map(&k, o)', [2, 1n, 1]],
    ['`[9007199254740993, {"a": 9007199254740995}]`', [long, { a: 9007199254740995n }]],
    ['`"9007199254740993"`', '9007199254740993'],
    ['[long, `9007199254740993`, long]', [long, long, long]],
    ['n[?@ == `9007199254740993`] | [0]', long],
  ])('%s is %s', async ([query, result]) => {
    expect(await runQuery(data, query)).toEqual(result)
  })

  test.for([
    ['upper(long)', 'Invalid type: upper() takes no integer'],
    ['length(long)', 'Invalid type: length() takes no integer'],
    ['sum(long)', 'an integer is not an array'],
    ['contains(long, `1`)', 'an integer is not an array'],
    ['sort_by(o, &[k])', 'Invalid type: only numbers, or only texts, can be ordered'],
    ['max_by(`[{"k": 1}, {"k": "a"}]`, &k)', 'Invalid type: only numbers, or only texts, can be ordered'],
    ...[
      'long + `1`',
      'long * `2`',
      'long × `2`',
      'long / `2`',
      'long // `2`',
      'long % `10`',
      '+long',
      '-long',
      'sum(n)',
    ].map((query) => [query, beyond] as const),
    ['avg(n)', beyond],
    ['abs(`-9007199254740993`)', beyond],
    ['`1` / `0`', 'divided by zero'],
    ['long + t[0]', 'not a number'],
    ['long < `9007199254740993e999`', 'it holds a number that is too large'],
  ] as const)('%s is rejected: %s', async ([query, message]) => {
    await expect(runQuery(data, query)).rejects.toMatchObject({
      code: 'usage',
      message: `query "${query}": ${message}`,
    })
  })
})
