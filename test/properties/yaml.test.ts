/** Text survives YAML: another parser reads the same code points (reliability.md). */

import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../src/data/yaml'
import { yamlText } from '../../src/output/documents'
import fc, { anyCharacter, runs } from '../support/fast-check'
import { hostileInLines } from '../support/hostile-text'
import { readings } from '../support/yaml-readers'

/** Converts a value through JSON: objects of every parser are equal, and `__proto__` is a key. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function expectPreserved(value: unknown, forms: readonly boolean[] = [false, true]): Promise<void> {
  const expected = plain(value)
  for (const isCompact of forms) {
    const document = await yamlText(value, { isCompact })
    for (const reading of readings(document)) expect(plain(reading), document).toEqual(expected)
    expect(hostileInLines(document), document).toEqual([])
  }
}

const typeLike = [
  ...['yes', 'No', 'on', 'OFF', 'y', 'N', 'true', 'FALSE', 'null', 'NULL', '~', '', '=', '<<', '.', '..', '...', '---'],
  ...['0', '-1', '+1', '007', '08', '0x1F', '0o17', '0b11', '1_000', '1.', '.5', '1e3', '+.inf', '.NaN', '1:30'],
  ...['190:20:30.5', 'e12345', 'E-123456', 'e+1234567'],
  ...['2026-01-31', '2026-1-3', '2026-01-31t21:59:43.10-05:00', '2026-01-31 21:59:43', '12345678901234567890'],
  ...['- a', '? a', ': a', 'a: b', 'a:', 'a #b', '#a', '&a', '*a', '!a', '!!int', '%a', '@a', '`a', '|', '>-', '[a]'],
  ...['{a}', ','],
  ...['"', "'", '"a"', "'a'", '\\', '\\n', '\\u200d', ' a', 'a ', ' ', '\t', '\n', ' \n', '\n ', 'a\n', 'a\n\n', '\na'],
  ...['a\n b \n'],
  ...['a\n---\nb', 'a\n...\nb', 'a\n# b', 'a\r\nb', 'a\rb', 'a\u0085b', 'a\u2028b', '\ufeffa', 'a\ufeff', 'a\0b'],
  ...['a\u007f'],
  ...['👨\u200d💻', '❤\ufe0f', '🏴\u{e0067}\u{e007f}', 'a\u202eb', '\u2066a', '\ud83d', '\ude00\ud83d', '\uffff'],
  ...['\u{1fffe}', '\u{10ffff}'],
  ...['__proto__', 'constructor', 'toString', 'x'.repeat(2000), `${'é '.repeat(1000)}\u200b`],
]

const anyText = fc.oneof(
  fc.constantFrom(...typeLike),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      ...'\n\n -#:ab\t\r"\'|>.\\'.split(''),
      '\u200d',
      '👨',
      '\u202e',
      '\u0085',
      '\ud83d',
      '\ude00',
      '\ufeff',
    ),
  }),
  fc.array(fc.constantFrom(...typeLike), { maxLength: 3 }).map((parts) => parts.join('')),
)

describe('formatted YAML, parsed by another parser as YAML 1.1 and 1.2', () => {
  test.for(typeLike)('keeps %j as a value, as a key and in a list', async (text) => {
    await expectPreserved(text)
    await expectPreserved({ labels: { [text]: { label: text, tags: [text, 'a', text] } } })
  })

  test('keeps every code point, alone and between others, and escapes those hostile to terminals', async () => {
    const perDocument = 0x4000
    for (let start = 0; start < 0x110000; start += perDocument) {
      const points = Array.from({ length: perDocument }, (_, at) => String.fromCodePoint(start + at))
      const texts = runsOf(points, runLengthAt(start))
      await expectPreserved(
        Object.fromEntries(
          texts.flatMap((text) => [
            [text, `a${text}b`],
            [`${text}.`, text],
          ]),
        ),
        // Both forms write a text alike, so each is read in one of them.
        [start % (2 * perDocument) === 0],
      )
    }
  }, 120_000)

  const anyValue = fc.oneof(
    anyText,
    fc.array(anyText, { maxLength: 4 }),
    fc.dictionary(
      anyText,
      fc.oneof(
        anyText,
        fc.array(anyText, { maxLength: 20 }),
        fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText, { maxLength: 3 })), { maxKeys: 3 }),
        fc.array(fc.dictionary(anyText, anyText, { maxKeys: 3 }), { maxLength: 3 }),
      ),
      { maxKeys: 4 },
    ),
  )

  test('keeps random mixtures as values and keys', async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, (value) => expectPreserved(value)),
      { numRuns: runs(200) },
    )
  }, 120_000)

  test('is parsed by our own parser to the same value', async () => {
    const holds = async (value: unknown) => {
      for (const isCompact of [false, true])
        expect(plain((await parseYaml(await yamlText(value, { isCompact }))).value)).toEqual(plain(value))
    }
    await fc.assert(fc.asyncProperty(anyValue, holds), { numRuns: runs(200) })
  }, 120_000)
})

/**
 * Number of neighbouring code points to test in one text. More of them are alike among ideographs, in the second plane,
 * and beyond it, except for the tag characters from U+E0000.
 */
function runLengthAt(point: number): number {
  const ideographs = 0x4000
  if ((point < 0x10000 && point !== ideographs) || (point >= 0xe0000 && point < 0xe4000)) return 1
  return point < 0x20000 ? 16 : 256
}

function runsOf(points: readonly string[], length: number): string[] {
  return Array.from({ length: points.length / length }, (_, at) =>
    points.slice(at * length, (at + 1) * length).join(''),
  )
}
