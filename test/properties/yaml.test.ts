/** Text survives YAML: another parser reads the same code points (reliability.md). */

import { describe, expect, test } from 'vitest'
import * as yaml from 'yaml'
import { packageYaml, parseYaml, typeTest } from '../../src/data/yaml'
import { plainYaml } from '../../src/data/yaml-writer'
import { yamlText } from '../../src/output/documents'
import { escapeYaml } from '../../src/rules/escape'
import fc, { runs } from '../support/fast-check'
import { isHostile } from '../support/hostile-text'
import { readings } from '../support/yaml-reader'

/** Converts a value through JSON: objects of every parser are equal, and `__proto__` is a key. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function expectPreserved(value: unknown): Promise<void> {
  const document = await yamlText(value)
  const expected = plain(value)
  for (const reading of readings(document)) expect(plain(reading), document).toEqual(expected)
  expect([...document.replaceAll('\n', '')].filter(isHostile), document).toEqual([])
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
  fc.string({ unit: 'binary' }),
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
      )
    }
  }, 120_000)

  const anyValue = fc.oneof(
    anyText,
    fc.array(anyText, { maxLength: 4 }),
    fc.dictionary(
      anyText,
      fc.oneof(anyText, fc.array(anyText, { maxLength: 3 }), fc.dictionary(anyText, anyText, { maxKeys: 3 })),
      { maxKeys: 4 },
    ),
  )

  test('keeps random mixtures as values and keys', async () => {
    await fc.assert(fc.asyncProperty(anyValue, expectPreserved), { numRuns: runs(200) })
  }, 120_000)

  test('is parsed by our own parser to the same value', async () => {
    const holds = async (value: unknown) => {
      expect(plain((await parseYaml(await yamlText(value))).value)).toEqual(plain(value))
    }
    await fc.assert(fc.asyncProperty(anyValue, holds), { numRuns: runs(200) })
  }, 120_000)
})

/** Formats a value with the writer of plain YAML and with the package. */
function formatBoth(value: unknown, commentOf?: (path: readonly string[]) => string | undefined) {
  const plain = plainYaml(value, { escapeText: escapeYaml, isTyped: typeTest(yaml), commentOf })
  return { plain, byPackage: packageYaml(value, { escapeText: escapeYaml, commentOf, yaml }) }
}

function expectAlike(value: unknown, commentOf?: (path: readonly string[]) => string | undefined): void {
  const { plain, byPackage } = formatBoth(value, commentOf)
  expect(plain).toBe(byPackage)
}

describe('the writer of plain YAML', () => {
  const longest = 'k'.repeat(1024)

  test.for([
    ...typeLike.filter((text) => text.length < 1024),
    ...['e5', '1e5', '.e5', '%', '---', '--- a', '---a', '...', '...a', '..a', '%a', '?', '-', '?a', '-a', ':a', 'a:b'],
    ...['a,b', '{}', '[]'],
    ...[`"`, `'`, `"'`, `it's`, `say "a"`, `"a"`, `'a'`, `"it's"`, `: "`, `- "a"`, `- 'a'`],
    ...['192.0.2.1', '2001:db8::1', '10:20', '1:2:3', 'us-east', '/dev/disk', 'Data One', 'é', '日本語', 'é: a'],
  ])('writes %j as the package does, as a key, a value, in lists and nested', (text) => {
    expectAlike([text, [text], { [text]: text }])
    expectAlike({ [text]: text, labels: { [text]: { [text]: [text, { [text]: text }] } }, [`${text}.`]: [] })
  })

  test.for([
    ...[[], {}, [[]], [{}], { a: [] }, { a: {} }, [[[]]], { a: { b: {} } }, [{ a: [[], {}] }]],
    ...[[0, -0, 1.5, 1e21, 1e-7, 5e-324, 2 ** 53, 12345678901234567890n, -9007199254740993n, true, false, null]],
    ...[{ 1: 'a', '-1': 'b', '': 'c', null: null, true: true, '1.5': 1 }, [[1, [2, [3]], []], [[{ a: 1, b: [2] }]]]],
    ...[{ a: undefined }, { a: undefined, b: 1 }, [{ a: 1, b: undefined }]],
  ])('writes a document as the package does: %#', (value) => expectAlike(value))

  test('writes a key of 1,024 characters as the package does', () => expectAlike({ [longest]: { [longest]: 1 } }))

  const scalar = fc.oneof(
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
  )
  // Short enough, even escaped, for a key without `?`.
  const key = anyText.filter(({ length }) => length < 150)
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }))

  test('writes random trees as the package does if nothing is escaped', () => {
    const holds = (value: unknown) => {
      const plain = plainYaml(value, { escapeText: String, isTyped: typeTest(yaml) })
      if (plain !== undefined)
        expect(plain).toBe(packageYaml(value, { escapeText: String, commentOf: undefined, yaml }))
    }
    fc.assert(fc.property(tree, holds), { numRuns: runs(1000) })
  }, 120_000)

  test('writes random trees as the package does', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const { plain, byPackage } = formatBoth(value)
        if (plain !== undefined) expect(plain).toBe(byPackage)
        else expect(typeof value !== 'object' || value === null).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  }, 120_000)

  test('writes comments in the same places as the package', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'c', 'list'), { maxLength: 3 })
    const comment = fc.constantFrom('why', 'is: "this"', '# two', 'é')
    const small = fc
      .letrec<{ tree: unknown }>((tie) => ({
        tree: fc.oneof(
          { depthSize: 'small' },
          fc.constantFrom('a', 1, null),
          fc.array(tie('tree'), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom('a', 'b', 'c', 'list'), tie('tree'), { maxKeys: 4 }),
        ),
      }))
      .tree.filter((value) => typeof value === 'object' && value !== null)
    const holds = (value: unknown, paths: readonly string[][], text: string) => {
      const at = new Set(paths.map((path) => path.join()))
      expectAlike(value, (path) => (at.has(path.join()) ? text : undefined))
    }
    fc.assert(fc.property(small, fc.array(path, { maxLength: 4 }), comment, holds), { numRuns: runs(2000) })
  }, 120_000)

  test.for([
    ['a text alone', 'a'],
    ['a key that is too long', { [`${longest}k`]: 1 }],
    ['a date', { at: new Date(0) }],
    ['a number that is not finite', [Number.NaN]],
    ['a gap in a list', [undefined]],
  ])('leaves %s to the package', async ([, value]) => {
    const { plain, byPackage } = formatBoth(value)
    expect(plain).toBeUndefined()
    expect(await yamlText(value)).toBe(escapeYaml(byPackage))
  })
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
