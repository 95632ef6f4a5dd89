/** Quotes of written YAML: a text stays a text in every reader. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { formatYaml } from '../../src/data/yaml-writer'
import fc, { runs } from '../support/fast-check'
import { otherTypes, packageReadings, readings } from '../support/yaml-readers'

/** Formats a text as a value, without the key. */
const written = async (text: string) => (await formatYaml({ key: text }, String)).slice('key: '.length, -1)

/** Formats a value in brackets and braces. */
const compact = (value: unknown) => formatYaml(value, String, { isCompact: true })

describe('A text is written in quotes', () => {
  test.for<[rule: string, texts: string[]]>([
    ['null, in any case for psych', ['', '~', 'null', 'Null', 'nULL']],
    ['booleans, in any case for psych', ['true', 'tRUE', 'False', 'yes', 'yES', 'No', 'on', 'oFF', 'y', 'N']],
    ['the default value and the merge key of YAML 1.1', ['=', '<<']],
    ['integers', ['0', '-1', '+1', '007', '08', '12345678901234567890']],
    ['integers with separators, commas for psych', ['1_000', '1,000', '-1,000,000', '0_7', '0,7']],
    ['integers to other bases', ['0x1F', '0o17', '0b11', '-0x1f', '0x_f', '0b1,1']],
    ['floats', ['1.', '.5', '-1.5', '1_0.5', '1,0.5', '+.5', '.']],
    ['floats with exponents', ['1e3', '1.5e+3', '12e4567', '1E-3', '.e5', 'e12345', 'E-1', '1.e+3']],
    ['infinity and what is not a number, in any case for psych', ['.inf', '-.INF', '+.iNF', '.nan', '.NaN', '.NAn']],
    ['numbers to the base 60', ['1:30', '190:20:30', '190:20:30.5', '-1:30', '0:0']],
    ['dates', ['2026-01-31', '2026-1-3', '2026-01-31T21:59:43', '2026-01-31t21:59:43.1-05:00', '2026-01-31 21:59:43']],
    ['symbols of psych', [':prod', ':"a"', '::1', '::/0']],
    ['signs at the beginning', ['&a', '*a', '!a', '#a', '%a', '@a', '`a', '|', '>-', '[a]', '{a}', ',', '"a', "'a"]],
    ['signs before a blank or the end', ['-', '- a', '?', '? a', 'a: b', 'a:', 'a #b']],
    ['blanks at the ends, and line breaks', [' a', 'a ', '\ta', 'a\n', 'a\nb']],
    ['signs of a document', ['---', '--- a', '...', '...a']],
  ])('if a reader has another meaning for it: %s', async ([, texts]) => {
    for (const text of texts) expect([text, await written(text)]).toEqual([text, expect.stringMatching(/^(["']).*\1$/)])
  })

  test.for<[rule: string, texts: string[]]>([
    ['signs that end a text in brackets', ['a,b', ',a', 'a]', 'a[0]', 'a}', '{a']],
    ['colons, for PyYAML before version 5', ['a:b', '2001:db8::1', 'https://api.example.net']],
    ['question marks, for the readers that take them for a key', ['a?b', '?a']],
    ['the types of values', ['007', 'nULL', '1,000', '2026-01-31', '12e4567']],
  ])('in brackets and braces, if a reader has another meaning for it: %s', async ([, texts]) => {
    for (const text of texts) {
      const quoted = JSON.stringify(text)
      expect(await compact([text])).toBe(`[${quoted}]\n`)
      expect(await compact([{ [text]: text }])).toBe(`- { ${quoted}: ${quoted} }\n`)
      expect(await compact({ [text]: [text] })).toBe(`{ ${quoted}: [${quoted}] }\n`)
    }
  })

  test('with the tag of texts, if psych would merge the value of the key', async () => {
    expect(await formatYaml({ '<<': { a: '<<' } }, String)).toBe('!!str "<<":\n  a: "<<"\n')
    expect(await compact({ '<<': ['a'] })).toBe('{ !!str "<<": [a] }\n')
  })

  test('if it has several lines, on one line with escapes', async () => {
    expect(await written('a\n "b"')).toBe('"a\\n \\"b\\""')
  })

  test('in single quotes if it has only double ones', async () => {
    expect([await written('"a"'), await written(`"it's"`)]).toEqual([`'"a"'`, `"\\"it's\\""`])
  })
})

test.for([
  ...['us-east', '/dev/disk', 'Data One', 'é: a'.slice(0, 1), '日本語', 'web-1', 'a,b', 'a:b', 'a#b', '-a', '?a', '$a'],
  ...['192.0.2.1', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32', '10.0.0.0/8', 'tcp/22', '80-90', '1a', '3 GiB'],
  ...['2026-01-31-backup', 'none', 'yes-man', 'x1', "it's", '1.2.3', '08:00-09:00'],
])('A text is written without quotes if all readers take it for a text: %s', async (text) => {
  expect(await written(text)).toBe(text)
})

test('A text of signs, digits and letters of numbers stays a text in every reader', async () => {
  const part = fc.constantFrom(...'0127:.,_-+eExob '.split(''), 'inf', 'nan', 'yes', 'NULL', '2026-01-31', 'T10:11:12')
  const texts = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  const property = fc.asyncProperty(texts, async (text) => {
    for (const isCompact of [false, true]) {
      const document = await formatYaml({ [text]: [text] }, String, { isCompact })
      for (const reading of [...readings(document), ...packageReadings(document)])
        expect(reading, document).toEqual({ [text]: [text] })
    }
    if (!/^["']/.test(await written(text))) expect([text, otherTypes(text)]).toEqual([text, []])
  })
  await fc.assert(property, { numRuns: runs(2000) })
})

test('The campaign of other YAML readers finds no other value in 200 random texts', async ({ skip }) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/yaml-readers.mjs', '1', '200'])
  expect(stdout).toMatch(/^seed 1, 200 texts, .*: 0 differences$/m)
  const [missing] = /(?<=^NOT TRIED: ).*$/m.exec(stdout) ?? []
  skip(missing !== undefined, missing)
})
