/** Parser and writer of JSON, with exact integers and any keys. */
import { describe, expect, test } from 'vitest'
import { formatJson, holdsLongNumber, parseJson } from '../../src/data/json'
import { LimitExceeded, NumberTooLarge } from '../../src/data/memory-limits'

describe('An integer', () => {
  test.for(['9007199254740993', '-9007199254740993', '123456789012345678901234567890'])(
    'stays exact: %s',
    async (digits) => {
      const text = `{"id":${digits},"small":1,"half":0.5}`
      expect(await formatJson(await parseJson(text), 0)).toBe(text)
    },
  )

  test('within 2^53 is a number, also beside a long text', async () => {
    expect(await parseJson('{"id":9007199254740991,"token":"1234567890123456"}')).toEqual({
      id: 9007199254740991,
      token: '1234567890123456',
    })
  })
})

describe.for(['1', '12345678901234567890'])('Beside the number %s', (digits) => {
  test('a key can be __proto__ or constructor', async () => {
    const text = `{"__proto__":{"a":${digits}},"constructor":1,"toString":2}`
    expect(await formatJson(await parseJson(text), 0)).toBe(text)
  })

  test('the last of two equal keys is used', async () => {
    expect(await formatJson(await parseJson(`{"n":${digits},"a":1,"a":2}`), 0)).toBe(`{"n":${digits},"a":2}`)
  })

  test('invalid JSON is a SyntaxError', async () => {
    for (const text of [`{"a":${digits}`, `[${digits},]`, `{'a':${digits}}`, `${digits} x`]) {
      await expect(parseJson(text)).rejects.toThrow(SyntaxError)
    }
  })
})

test('A text over a limit is rejected before it is parsed', async () => {
  const expectError = (text: string, kind: typeof LimitExceeded | typeof NumberTooLarge = LimitExceeded) =>
    expect(parseJson(text)).rejects.toBeInstanceOf(kind)
  await expectError('['.repeat(501) + ']'.repeat(501))
  await expectError(`[${'{},'.repeat(300_000)}0]`)
  await expectError(`[${'9'.repeat(401)}]`, NumberTooLarge)
  await expectError('[1e999]', NumberTooLarge)
})

test('A text that only seems to exceed a limit is parsed, or is invalid JSON', async () => {
  expect(await parseJson(`["${'['.repeat(1000)}", "1e999", "\\"${'9'.repeat(500)}"]`)).toHaveLength(3)
  expect(await parseJson('{"a":-9007199254740993,"1234567890123456789":"1234567890123456789"}')).toEqual({
    a: -9007199254740993n,
    '1234567890123456789': '1234567890123456789',
  })
  for (const text of ['0e0000 1e999', '{1234567890123456789: 1}', '[01234567890123456789]', '1234567890123456789a'])
    await expect(parseJson(text)).rejects.toBeInstanceOf(SyntaxError)
})

test.for([
  ['{"id":1234567890123456}', true],
  ['{"id":123456789012345}', false],
  ['{"id":"abcdefghijklmnopqrstuvwxyz"}', false],
  ['{"label":"1234567890123456"}', false],
  ['[1, -12345678901234567]', true],
  ['{"ratio":0.12345678901234567}', false],
  ['[1e999]', true],
  ['{"hash":"51e4120"}', false],
] as const)('The text %s may have an integer over 2^53: %s', ([text, isPossible]) => {
  expect(holdsLongNumber(text)).toBe(isPossible)
})
