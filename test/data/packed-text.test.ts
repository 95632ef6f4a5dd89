/** Packed long texts, which behave like strings. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonByEntries } from '../../src/data/json-pieces'
import { memoryBudget } from '../../src/data/memory-limits'
import { includes, linesOf, PackedText, partsOf, TextCollector } from '../../src/data/packed-text'
import { yamlParserByEntries } from '../../src/data/yaml-pieces'

/** Returns the text in blocks of this number of characters. */
function packed(text: string, length: number): PackedText {
  const whole = new PackedText()
  const characters = [...text]
  for (let at = 0; at < characters.length; at += length) {
    const block = characters.slice(at, at + length).join('')
    whole.add(Buffer.from(block), block.length)
  }
  return whole
}

const anyText = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\r', ' ', ':', 'é', '€', '😀', '\ufeff') })
const blockLength = fc.integer({ min: 1, max: 9 })

describe('A packed text', () => {
  test('has the same parts, lines and substrings as its string', () => {
    fc.assert(
      fc.property(anyText, blockLength, fc.nat(30), fc.nat(30), (text, length, start, end) => {
        const long = packed(text, length)
        expect([long.length, String(long)]).toEqual([text.length, text])
        const [parts, lines] = [[...partsOf(long)], [...linesOf(long)]]
        expect(parts.map(({ at, text: part }) => text.startsWith(part, at))).toEqual(parts.map(() => true))
        expect(lines.map((one) => one.text).join('')).toBe(text)
        expect(lines.slice(0, -1).every((one) => one.text.endsWith('\n'))).toBe(true)
        expect(lines.every((one) => text.startsWith(one.text, one.at))).toBe(true)
        const word = text.slice(start, start + 4)
        if (word !== '') expect(includes(long, word)).toBe(true)
        expect(includes(long, 'b')).toBe(false)
        if (isWhole(text, start) && isWhole(text, end))
          expect(long.slice(start, end)).toBe(text.slice(start, Math.max(start, end)))
      }),
    )
  })

  test('is parsed as JSON like its string', () => {
    const few = { maxKeys: 3 }
    const field = fc.oneof(fc.string(), fc.integer(), fc.constant([]), fc.constant({ a: [null] }))
    const entries = fc.dictionary(fc.string(), fc.dictionary(fc.string(), field, few), few)
    const sign = fc.constantFrom('', ',', '"', '}', ']', ':', 'x', '"a":1,')
    fc.assert(
      fc.property(entries, fc.nat(), sign, blockLength, (value, place, more, length) => {
        const json = JSON.stringify(value, null, 1)
        const at = place % (json.length + 1)
        const text = json.slice(0, at) + more + json.slice(at)
        const read = (one: string | PackedText) => outcome(() => jsonByEntries(one, memoryBudget(2 ** 20), 1))
        if (isWhole(text, at)) expect(read(packed(text, length))).toEqual(read(text))
      }),
    )
  })

  test('reports duplicate keys of JSON with their lines', () => {
    const text = '{"volumes":{\n"a":{"size":1},\n"b":{\n"tags":[],\n"tags":[]},\n"a":{}},\n"volumes":{"c":{}}}'
    const { repeated } = jsonByEntries(packed(text, 5), memoryBudget(2 ** 20), 1) ?? {}
    expect(repeated).toEqual([
      { key: 'tags', line: 5, first: 4 },
      { key: 'a', line: 6, first: 2 },
      { key: 'volumes', line: 7, first: 1 },
    ])
  })

  test('is parsed as YAML like its string, with the same lines', async () => {
    const parse = await yamlParserByEntries({ most: 1000, mostOfAnEntry: 1000, long: 1 })
    const line = fc.constantFrom(
      'volumes:',
      'firewalls: # all',
      '  a:',
      '  b: { size: 080 }',
      '    size: 20',
      '# x',
      '',
      ' c: d',
    )
    const texts = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(texts, blockLength, (text, length) => {
        const read = (one: string | PackedText) =>
          outcome(() => {
            const { value, repeated, lineOf, writtenAs } = parse(one)
            const path = ['volumes', 'b', 'size']
            return { value, repeated, lines: [lineOf(['volumes']), lineOf(path)], written: writtenAs(path) }
          })
        expect(read(packed(text, length))).toEqual(read(text))
      }),
    )
  })
})

const isWhole = (text: string, at: number) => !/[\udc00-\udfff]/.test(text.charAt(at))

function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? [error.constructor.name, error.message] : error
  }
}

describe('Collected bytes', () => {
  const collected = (bytes: Buffer, length = 65_536) => {
    const collector = new TextCollector()
    for (let at = 0; at < bytes.length; at += length) collector.add(bytes.subarray(at, at + length))
    return collector.text()
  }

  test.for([
    ['lines', 'Zürich: €\n'.repeat(300_000)],
    ['a single line', '€'.repeat(1_000_001)],
    ['a few characters', 'Zürich'],
  ])('are decoded as UTF-8 without the byte order mark at the beginning: %s', ([, text = '']) => {
    expect(String(collected(Buffer.from(`\ufeff${text}\ufeff`))) === `${text}\ufeff`).toBe(true)
  })

  test.for([0, 1_500_000, 2_999_999])('are rejected if they are not UTF-8 at byte %i', (at) => {
    const bytes = Buffer.alloc(3_000_000, 'a\n')
    bytes[at] = 0xff
    expect(() => collected(bytes)).toThrow(TypeError)
  })
})
