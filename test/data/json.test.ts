/** JSON in both directions: integers stay exact, names stay names. */
import { describe, expect, test } from 'vitest'
import { formatJson, holdsLongNumber, parsedWithin, parseJson } from '../../src/data/json'
import { LimitExceeded, NumberTooLarge } from '../../src/data/memory-limits'

describe('integers', () => {
  test.for(['9007199254740993', '-9007199254740993', '123456789012345678901234567890'])(
    '%s stays exact',
    async (digits) => {
      const text = `{"id":${digits},"small":1,"half":0.5}`
      expect(await formatJson(await parseJson(text), 0)).toBe(text)
    },
  )

  test('within 2^53 they are numbers, also where a text beside them is long', async () => {
    expect(await parseJson('{"id":9007199254740991,"token":"1234567890123456"}')).toEqual({
      id: 9007199254740991,
      token: '1234567890123456',
    })
  })
})

describe.for(['1', '12345678901234567890'])('beside the number %s', (digits) => {
  test('keys such as __proto__ are names like any other', async () => {
    const text = `{"__proto__":{"a":${digits}},"constructor":1,"toString":2}`
    expect(await formatJson(await parseJson(text), 0)).toBe(text)
  })

  test('the last of two equal keys counts', async () => {
    expect(await formatJson(await parseJson(`{"n":${digits},"a":1,"a":2}`), 0)).toBe(`{"n":${digits},"a":2}`)
  })

  test('what is no JSON is a SyntaxError', async () => {
    for (const text of [`{"a":${digits}`, `[${digits},]`, `{'a':${digits}}`, `${digits} x`]) {
      await expect(parseJson(text)).rejects.toThrow(SyntaxError)
    }
  })
})

test('a text is measured before it is read, and refused where it comes to too much', async () => {
  const refused = (text: string, kind: typeof LimitExceeded | typeof NumberTooLarge = LimitExceeded) =>
    expect(parseJson(text)).rejects.toBeInstanceOf(kind)
  await refused('['.repeat(501) + ']'.repeat(501))
  await refused(`[${'{},'.repeat(300_000)}0]`)
  await refused(`{${Array.from({ length: 30_000 }, (_, index) => `"${'k'.repeat(10)}${index}":0`)}}`)
  await refused(`[${'9'.repeat(401)}]`, NumberTooLarge)
  await refused('[1e999]', NumberTooLarge)
})

test('what only looks like too much is read, or is no JSON', async () => {
  expect(await parseJson(`["${'['.repeat(1000)}", "1e999", "\\"${'9'.repeat(500)}"]`)).toHaveLength(3)
  expect(await parseJson('{"a":-9007199254740993,"1234567890123456789":"1234567890123456789"}')).toEqual({
    a: -9007199254740993n,
    '1234567890123456789': '1234567890123456789',
  })
  for (const text of ['0e0000 1e999', '{1234567890123456789: 1}', '[01234567890123456789]', '1234567890123456789a'])
    await expect(parseJson(text)).rejects.toBeInstanceOf(SyntaxError)
})

test('a text of usual length and usual numbers is taken for four times as much, and any other measured', () => {
  const memory = (text: string) => parsedWithin(text).memory
  const textOf = (length: number) => `"${'a'.repeat(length - 2)}"`
  expect(memory('[7, 1e5, 123456789012345]')).toBe(4 * 25)
  expect(memory(textOf(256 * 1024))).toBe(4 * 256 * 1024)
  // 24 bytes, and what stands between the quotes.
  expect(memory(textOf(256 * 1024 + 1))).toBe(24 + 256 * 1024 - 1)
  expect(memory('"1234567890123456"')).toBe(24 + 16)
  expect(memory('"1e100"')).toBe(24 + 5)
})

test.for([
  ['{"id":1234567890123456}', true],
  ['{"id":123456789012345}', false],
  ['{"id":"abcdefghijklmnopqrstuvwxyz"}', false],
] as const)('%s may hold an integer that is not exact: %s', ([text, may]) => {
  expect(holdsLongNumber(text)).toBe(may)
})
