/** Long YAML texts, parsed entry by entry with the same results as at once. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TextPlace } from '../../src/data/source-nodes'
import { type ParsedYaml, YamlError, yamlParser } from '../../src/data/yaml'
import { yamlParserByEntries } from '../../src/data/yaml-pieces'
import { runs } from '../support/fast-check'

const limits = { most: 10_000, mostOfAnEntry: 10_000, long: 10 }

/** Values in forms of several lines, also without an indent. */
const value = fc.constantFrom(
  ...[' 40', ' { size: 40, tags: [a,\n b] }', '\n    size: 080 # note\n    tags:\n    - a\n\n    # end', ' "a\nb: c"'],
  ...[" 'a\n  b: c'"],
  ...[' |\n    b: c\n\n    d', ' >-\n      text', '', ' null', ' &one [a]', ' *one', ' {', ' [a, {b: c}]', ' a: b'],
  ...['\n  - a'],
)
const key = fc.constantFrom('a', 'b-1', '"c: d"', "'e'", '192.0.2.7', '? x', 'f g', '<<')
const entry = fc.tuple(key, value, fc.constantFrom('', '# about\n', '\n', '  # inner\n'))

const section = fc
  .record({
    key: fc.constantFrom('volumes', 'firewalls', 'rdns', '"quoted"', '- list'),
    head: fc.constantFrom('', ' ', ' # all', ' {}', ' 7', ' &anchor'),
    indent: fc.constantFrom(1, 2, 3),
    entries: fc.array(entry, { maxLength: 4 }),
  })
  .map(({ key, head, indent, entries }) => {
    const blanks = ' '.repeat(indent)
    return `${key}:${head}\n${entries.map(([name, value, after]) => `${blanks}${name}:${value}\n${after}`).join('')}`
  })

const text = fc
  .tuple(
    fc.constantFrom('', '# ours\n', '---\n', '\n'),
    fc.array(section, { maxLength: 3 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([begin, sections, isWindows, ends]) => {
    const all = `${begin}${sections.join('')}`
    const ended = ends ? all : all.trimEnd()
    return isWindows ? ended.replaceAll('\n', '\r\n') : ended
  })

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))]
}

const position = (place: TextPlace | undefined) => place && [place.line, place.column]

/** Parses a text, and returns its value with the places of all parts, or its error. */
function parseResult(parse: (text: string) => ParsedYaml, text: string): unknown {
  try {
    const { value, repeated, placeOf } = parse(text)
    const places = pathsIn(value)
      .slice(1)
      .map((path) => [path, position(placeOf(path))])
    // Positions are ambiguous if two entries have one key.
    const faults = repeated.map(({ key, line, first }) => [key, line, first]).sort()
    return { value, repeated: faults, places: faults.length > 0 ? [] : places }
  } catch (error) {
    if (error instanceof YamlError) return [error.message, error.line]
    throw error
  }
}

describe('A text that is parsed entry by entry', () => {
  test('has the same values, places and errors as if parsed at once', { timeout: 60_000 }, async () => {
    const [whole, byEntries] = [await yamlParser(), await yamlParserByEntries(limits)]
    fc.assert(
      fc.property(text, (text) => {
        expect(parseResult(byEntries, text)).toEqual(parseResult(whole, text))
      }),
      { numRuns: runs(500) },
    )
  })

  test('has a limit for all lines and one for each entry', async () => {
    const parse = await yamlParserByEntries({ most: 100, mostOfAnEntry: 50, long: 10 })
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `    k${index}: 1\n`).join('')
    const entries = (count: number, each: number) =>
      `all:\n${Array.from({ length: count }, (_, index) => `  e${index}:\n${lines(each)}`).join('')}`
    expect(Object.keys(Object(parse(entries(4, 10)).value).all)).toHaveLength(4)
    const withComment = entries(4, 10).replace('  e0', '  # the first one, as in an export\n  e0')
    expect(Object.keys(Object(parse(withComment).value).all)).toHaveLength(4)
    expect(() => parse(entries(1, 30))).toThrow('it holds over 50 lines and values')
    expect(() => parse(entries(8, 10))).toThrow('it holds over 100 lines and values')
  })
})
