/** JSON in both directions: integers stay exact, names stay names. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatJson, holdsLongNumber, parsedWithin, parseJson } from '../../src/data/json'
import { jsonByEntries } from '../../src/data/json-pieces'
import { LimitExceeded, memoryBudget, NumberTooLarge } from '../../src/data/memory-limits'

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

describe('a long text that is parsed entry by entry', () => {
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

  test('has the value that it has as a whole', () => {
    fc.assert(
      fc.property(entries, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        // An empty object has no entry, and is left to the parser of whole texts.
        const hasEmpty = [value, ...Object.values(value)].some((one) => JSON.stringify(one) === '{}')
        expect(read(text)).toEqual(hasEmpty ? undefined : parsedWithin(text).value)
      }),
    )
  })

  test('is read only if it is JSON', () => {
    const broken = fc.tuple(entries, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', 'x', '{'))
    fc.assert(
      fc.property(broken, ([value, at, sign]) => {
        const text = JSON.stringify(value)
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + sign + text.slice(place + 1)
        const found = orUndefined(changed)
        if (found !== undefined) expect(found).toEqual(parsedWithin(changed).value)
      }),
    )
  })

  test('may have any number of names, but not any amount of memory', () => {
    const named = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`name-${at}`, { size: 20 }]))
    const text = JSON.stringify({ volumes: named })
    expect(Object.keys(read(text, 2 ** 24)?.volumes ?? {})).toHaveLength(30_000)
    expect(() => read(text)).toThrow(LimitExceeded)
  })
})
