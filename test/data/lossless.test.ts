/** JSON with exact integers, by lossless-json. */
import { expect, test } from 'vitest'
import { formatLossless, parseLossless } from '../../src/data/lossless'
import { NumberTooLarge } from '../../src/data/memory-limits'

test.for<[string, unknown]>([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['-12345678901234567890', -12345678901234567890n],
  ['7', 7],
  ['-7', -7],
  ['1.5', 1.5],
  ['1234567890123456.5', 1234567890123456.5],
  ['1e21', 1e21],
  ['-1E+21', -1e21],
  ['{"a":1,"a":{"b":12345678901234567890}}', { a: { b: 12345678901234567890n } }],
  ['{"a":{"b":1},"a":2}', { a: 2 }],
  ['[null,"12345678901234567890",true]', [null, '12345678901234567890', true]],
])('JSON is parsed with exact integers: %s is %s', ([text, value]) => {
  expect(parseLossless(text)).toEqual(value)
})

test('Invalid JSON is a SyntaxError', () => {
  for (const text of ['', '{', '[1,]', '01', '12345678901234567890x'])
    expect(() => parseLossless(text)).toThrow(SyntaxError)
})

test.for([
  ['9'.repeat(401), 'it holds a number of over 400 digits'],
  [`${'9'.repeat(390)}.0`, 'it holds a number that is too large'],
  ['1e309', 'it holds a number that is too large'],
  ['-1E+309', 'it holds a number that is too large'],
] as const)('The number %s is rejected: %s', ([text, reason]) => {
  expect(() => parseLossless(`[1, ${text}]`)).toThrow(NumberTooLarge)
  expect(() => parseLossless(text)).toThrow(reason)
})

test('Numbers within the limits are parsed', () => {
  expect(parseLossless(`["1e309", ${'9'.repeat(400)}, 1e308, 1e+5, 1e-309]`)).toEqual([
    ...['1e309', BigInt('9'.repeat(400)), 1e308, 1e5, 1e-309],
  ])
})

test('Integers are written as digits, with any indent', () => {
  const value = { a: [12345678901234567890n, 1.5, 'x'] }
  expect(formatLossless(value, 0)).toBe('{"a":[12345678901234567890,1.5,"x"]}')
  expect(formatLossless(value, 2)).toBe('{\n  "a": [\n    12345678901234567890,\n    1.5,\n    "x"\n  ]\n}')
})
