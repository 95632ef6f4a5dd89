/** Parser and writer of JSON, with exact integers and any keys. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatJson, holdsLongNumber, parsedWithin, parseJson } from '../../src/data/json'
import { jsonByEntries } from '../../src/data/json-pieces'
import { LimitExceeded, memoryBudget, NumberTooLarge } from '../../src/data/memory-limits'

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
  await expectError(`{${Array.from({ length: 30_000 }, (_, index) => `"${'k'.repeat(10)}${index}":0`)}}`)
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

test('A short text with ordinary numbers counts four times its length; others are measured', () => {
  const memory = (text: string) => parsedWithin(text).memory
  const textOf = (length: number) => `"${'a'.repeat(length - 2)}"`
  expect(memory('[7, 1e5, 123456789012345]')).toBe(4 * 25)
  expect(memory(textOf(256 * 1024))).toBe(4 * 256 * 1024)
  // 24 bytes, and the characters between the quotes.
  expect(memory(textOf(256 * 1024 + 1))).toBe(24 + 256 * 1024 - 1)
  expect(memory('"1234567890123456"')).toBe(24 + 16)
  expect(memory('"1e100"')).toBe(24 + 5)
})

test.for([
  ['{"id":1234567890123456}', true],
  ['{"id":123456789012345}', false],
  ['{"id":"abcdefghijklmnopqrstuvwxyz"}', false],
] as const)('The text %s may have an integer over 2^53: %s', ([text, isPossible]) => {
  expect(holdsLongNumber(text)).toBe(isPossible)
})

describe('A long text that is parsed entry by entry', () => {
  const read = (text: string, memory = 2 ** 20) => jsonByEntries(text, memoryBudget(memory), 1)?.value
  const orUndefined = (text: string): unknown => {
    try {
      return read(text)
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }
  const entries = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())))

  test('has the same value as if parsed at once', () => {
    fc.assert(
      fc.property(entries, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        // An empty object has no entry: the parser of whole texts reads it.
        const hasEmpty = [value, ...Object.values(value)].some((one) => JSON.stringify(one) === '{}')
        expect(read(text)).toEqual(hasEmpty ? undefined : parsedWithin(text).value)
      }),
    )
  })

  test('is rejected if it is not JSON', () => {
    const broken = fc.tuple(entries, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', 'x', '{'))
    fc.assert(
      fc.property(broken, ([value, at, sign]) => {
        const text = JSON.stringify(value)
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + sign + text.slice(place + 1)
        const result = orUndefined(changed)
        if (result !== undefined) expect(result).toEqual(parsedWithin(changed).value)
      }),
    )
  })

  test('has a memory limit, but no limit of keys', () => {
    const volumes = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`name-${at}`, { size: 20 }]))
    const text = JSON.stringify({ volumes })
    expect(Object.keys(read(text, 2 ** 24)?.volumes ?? {})).toHaveLength(30_000)
    expect(() => read(text)).toThrow(LimitExceeded)
  })
})
