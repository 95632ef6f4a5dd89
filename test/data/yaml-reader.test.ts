/** Reader of plain YAML: has the same result as the package, or leaves the text to it. */
import { describe, expect, test } from 'vitest'
import { formatYaml, packageValue, parseYaml } from '../../src/data/yaml'
import { plainValue } from '../../src/data/yaml-reader'
import fc, { runs } from '../support/fast-check'

const rests = [
  ...['', 'web', 'null', 'Null', 'true', 'yes', 'on', 'y', 'x: y', 'e5', 'a#b', 'a #b', '# c', '&a', '*a', '!t', '|'],
  ...['>'],
  ...['0', '12', '-3', '08', '1_000', '0x1f', '1e3', '.5', '.inf', '1:30', '2026-01-31', '123456789012345678', '-0'],
  ...['"a b"', '"12"', '"a\\n"', '"a" b', "'a'", '"#"', '"', '[]', '{}', '[a]', '{ a: b }', '- x', '-', '--- ', '...'],
  ...['198.51.100.7', '198.51.100.0/24', '2001:db8::/32', '::/0', '1:2:3/4', 'fe80::1', '80, 443', 'a.b/c-d_e', '/x'],
  ...['Ä'],
]
const keys = ['a', 'b', 'web-1', 'x.y', '_c', 'null', 'yes', 'true', '__proto__', 'constructor', '"q"', '1', '-']

/** A line with a random indent, item, key and value. `odd` ones are rarely plain. */
const lineOf = (odd: boolean) =>
  fc
    .tuple(
      fc.constantFrom('', '', '', '  ', '  ', '    ', odd ? ' ' : '  '),
      fc.constantFrom('', '', '', '- ', ...(odd ? ['-  ', '- - '] : [])),
      odd ? fc.option(fc.constantFrom(...keys)) : fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { freq: 6 }),
      fc.constantFrom(': ', ...(odd ? [':', ':  '] : [])),
      fc.constantFrom(...(odd ? rests : ['', '', 'web', '12', 'null', '198.51.100.0/24', '"a b"'])),
    )
    .map(([indent, item, key, colon, rest]) => `${indent}${item}${key === null ? '' : key + colon}${rest}`)
const comment = fc.constantFrom('', '# note', '   # note', '\t', 'a: b\r')
const lines = fc.oneof(
  { weight: 12, arbitrary: lineOf(false) },
  { weight: 2, arbitrary: lineOf(true) },
  { weight: 1, arbitrary: comment },
)
const texts = fc.array(lines, { minLength: 1, maxLength: 5 }).map((all) => all.join('\n'))

async function expectAsPackage(text: string): Promise<boolean> {
  const read = plainValue(text)
  if (!read) return false
  const { value, repeated } = await packageValue(text)
  expect({ text, value: read.value, repeated: [] }).toEqual({ text, value, repeated })
  return true
}

describe('The reader of plain YAML', () => {
  test('reads any text like the package, or not at all', async () => {
    let reads = 0
    const property = fc.asyncProperty(texts, async (text) => {
      if (await expectAsPackage(text)) reads += 1
    })
    await fc.assert(property, { numRuns: runs(2000) })
    expect(reads).toBeGreaterThan(runs(2000) / 100)
  })

  test('reads the output of the writer for records of words, numbers and networks', async () => {
    const word = fc.stringMatching(/^[a-z]{3,6}-[a-z\d]{1,4}$/)
    const value = fc.oneof(
      ...[
        word,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom('80', '203.0.113.0/24', '2001:db8::/32'),
      ],
      fc.array(word, { maxLength: 3 }),
      fc.array(fc.dictionary(word, word, { minKeys: 1 }), { maxLength: 2 }),
    )
    const records = fc.dictionary(word, fc.dictionary(word, value), { minKeys: 1 })
    const property = fc.asyncProperty(records, async (record) => {
      expect(plainValue(await formatYaml(record, String))).toEqual({ value: record })
    })
    await fc.assert(property, { numRuns: runs(200) })
  })

  test('leaves the positions of values to the package', async () => {
    const { lineOf, writtenAs } = await parseYaml('a:\n  # note\n  b: 12\n  c:\n    - web\n')
    expect([lineOf(['a', 'b']), lineOf(['a', 'c', '0']), lineOf(['d']), writtenAs(['a', 'b'])]).toEqual([
      ...[3, 5, undefined, '12'],
    ])
  })
})
