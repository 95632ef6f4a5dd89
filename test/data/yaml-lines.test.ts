/** YAML line by line, with the same results as the package. */
import { describe, expect, test } from 'vitest'
import { yamlParser } from '../../src/data/yaml'
import { nodesOfLines } from '../../src/data/yaml-lines'
import fc, { runs } from '../support/fast-check'

const values = {
  usual: [
    ...[
      'a',
      'b c',
      '22',
      '0',
      'null',
      'true',
      '"22"',
      "'x: y'",
      '"a #b"',
      '198.51.100.0/32',
      '1000-2000, 80',
      '[]',
      '{}',
    ],
    ...[
      '2001:db8::/32',
      '2026-11-29T14:12:14Z',
      'http://x/y',
      '12:30',
      'no',
      'a.b',
      '',
      '',
      '',
      '',
      'a # note',
      '"" # b',
    ],
  ],
  unusual: [
    ...[
      '010',
      '1.5',
      '1.',
      '1e3',
      '1E3',
      '0x1f',
      '0o7',
      'True',
      'NULL',
      '~',
      '-3',
      '+1',
      '.5',
      '.inf',
      '1234567890123456',
    ],
    ...[
      'a: b',
      'a:',
      'a #',
      '#a',
      '&x a',
      '*x',
      '!t a',
      '|',
      '>',
      '-',
      '- a',
      '? a',
      '<<',
      'a  b',
      '"',
      "'",
      '"\\n"',
      '%a',
    ],
    ...[
      '[1]',
      '{a: 1}',
      '---',
      '...',
      'é',
      '\t',
      '"a" b',
      "'a''b'",
      '"a"b',
      ' ',
      '@a',
      '`a',
      '=',
      ', a',
      '"a" #',
      '[]]',
    ],
  ],
}
const key = fc.constantFrom(
  ...['a', 'a', 'b', 'fw-0', '198.51.100.1', '"k"', '"a b"', 'null', '010', 'x/y', '__proto__', 'true', '1.10'],
  ...['<<', 'a b', '? a', 'a:b', "'s'", '-a', '&x a', '*x', '[a]', '- a', '"\\n"', '"a', '2001:db8::1'],
)
const rest = fc.oneof({ arbitrary: fc.constantFrom(...values.usual), weight: 12 }, fc.constantFrom(...values.unusual))
const usualKey = fc.constantFrom('a', 'b', 'c', 'fw-0', '198.51.100.1', '"k"', '"a b"', '010')

/** A line, relative to the column of the one before. */
const line = fc.record({
  step: fc.oneof(
    { arbitrary: fc.constant(0), weight: 6 },
    { arbitrary: fc.constantFrom(2, -2, -4), weight: 6 },
    fc.constantFrom(1, -1, 4),
  ),
  dashes: fc.oneof(
    { arbitrary: fc.constant(''), weight: 5 },
    { arbitrary: fc.constant('- '), weight: 3 },
    fc.constantFrom('- - ', '-  ', '-'),
  ),
  name: fc.oneof(
    { arbitrary: usualKey.map((one) => `${one}:`), weight: 12 },
    { arbitrary: fc.constant(''), weight: 3 },
    key.map((one) => `${one}:`),
  ),
  gap: fc.oneof({ arbitrary: fc.constant(' '), weight: 12 }, fc.constantFrom('', '  ')),
  rest,
  after: fc.oneof(
    { arbitrary: fc.constant(''), weight: 12 },
    fc.constantFrom('\n', '\n# note', '\n    # note', '\n  '),
  ),
})

const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => {
  let column = 0
  return lines
    .map(({ step, dashes, name, gap, rest, after }) => {
      column = Math.max(0, column + step)
      return `${' '.repeat(column)}${dashes}${name}${rest === '' ? '' : gap}${rest}${after}`
    })
    .join('\n')
})

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))]
}

const parse = await yamlParser()

/** Returns all that is known of a text: a comment with a letter that only the package reads does not change it. */
function resultOf(text: string): object {
  const { value, repeated, hasUnusualNumbers, lineOf, writtenAs } = parse(text, (line) => line + 7)
  return {
    value,
    repeated,
    hasUnusualNumbers,
    places: pathsIn(value).map((path) => [path, lineOf(path), writtenAs(path)]),
  }
}

const isByLine = (text: string) => nodesOfLines(text, (line) => line) !== undefined

describe('A text that is read by line', () => {
  test('has the values, lines, written forms and repeated keys of the package', () => {
    let count = 0
    fc.assert(
      fc.property(text, (document) => {
        if (!isByLine(document)) return
        count += 1
        expect(resultOf(document)).toEqual(resultOf(`${document}\n# é`))
      }),
      { numRuns: runs(5000) },
    )
    expect(count).toBeGreaterThan(runs(5000) / 20)
  })

  test.for([
    [
      'an export',
      '# Account\n\nfirewalls:\n  # id 1\n  fw-0:\n    tags: []\n    rules:\n      inbound:\n        - ports: "22"\n',
    ],
    ['a list in the column of its key', 'tags:\n- a\n- b\nsize: 20\n'],
    ['lists of lists', '- - a\n  - b\n- - c\n'],
    ['a key without a value', 'volumes:\n  data:\n  logs:\n    size: 20 # GiB\n'],
    ['a repeated key', 'a: 1\nb:\n  c: 2\na: 3\n'],
  ])('can be %s', ([, document = '']) => {
    expect(isByLine(document)).toBe(true)
    expect(resultOf(document)).toEqual(resultOf(`${document}# é`))
  })

  test.for([
    'a: b\n  c',
    'a: 010',
    'a: &x 1',
    'a: "b\n  c"',
    'a: {b: 1,\n  c: 2}',
    '<<: a',
    'a:\n    b: 1\n  c: 2',
    'a: |\n  b',
    'é: 1',
    '',
    'a',
  ])('is not %j', (document) => expect(isByLine(document)).toBe(false))
})
