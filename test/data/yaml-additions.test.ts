/** Additions of entries to a YAML text, whose other lines stay unchanged. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../src/data/yaml'
import { withEntries, type YamlEntry } from '../../src/data/yaml-additions'
import { formatYaml } from '../../src/data/yaml-writer'
import { runs } from '../support/fast-check'

type Style = 'block' | 'braces' | 'empty braces' | 'null' | 'no value' | 'none'

interface Parent {
  name: string
  style: Style
  indent: number
  names: string[]
}

const parents = fc.tuple(
  ...['volumes', 'firewalls', 'rdns'].map((name) =>
    fc.record<Parent>({
      name: fc.constant(name),
      style: fc.constantFrom('block', 'braces', 'empty braces', 'null', 'no value', 'none'),
      indent: fc.constantFrom(1, 2, 4),
      names: fc.uniqueArray(fc.constantFrom('a', 'b-1', '"c: d"', "'e'", '192.0.2.7'), { minLength: 1, maxLength: 3 }),
    }),
  ),
)

/** Writes a parent in a style of a person, with comments. */
function textOf({ name, style, indent, names }: Parent): string {
  const blanks = ' '.repeat(indent)
  if (style === 'none') return ''
  if (style === 'block') {
    const entries = names.map((one) => `${blanks}# about ${name}\n${blanks}${one}: { size: 40 } # keep\n`)
    return `# the ${name}\n${name}: # all\n${entries.join('\n')}${blanks}# below\n\n`
  }
  const value = { braces: `{ ${names.map((one) => `${one}: 1`).join(', ')} }`, 'empty braces': '{}', null: 'null' }
  return style === 'no value' ? `${name}: # none\n` : `${name}: ${value[style]} # so far\n`
}

const entry = { size: 60, text: 'a: b # c', list: [1, null], none: {} }

async function additionsFor(text: string): Promise<YamlEntry[]> {
  const { value } = await parseYaml(text)
  const additions: YamlEntry[] = []
  for (const path of [['volumes', 'new'], ['volumes', '7'], ['rdns', '2001:db8::1'], ['profile']]) {
    const nested = path.reduceRight<unknown>((below, key) => ({ [key]: below }), entry)
    const whole = await formatYaml(nested, String)
    additions.push({
      path,
      json: JSON.stringify(entry, null, 2),
      text: path.length === 1 ? whole : whole.slice(whole.indexOf('\n') + 1),
    })
  }
  expect(value === null || Object(value).profile === undefined).toBe(true)
  return additions
}

function merge(value: unknown, additions: readonly YamlEntry[]): Record<string, unknown> {
  const all: Record<string, unknown> = { ...Object(value) }
  for (const { path } of additions) {
    const [parent = '', name] = path
    all[parent] = name === undefined ? entry : { ...Object(all[parent]), [name]: entry }
  }
  return all
}

/** Lines that must stay unchanged: not those of parents without a value or in braces, which get entries. */
const unchangedLines = (text: string) => text.split(/\r?\n/).filter((line) => line !== '' && !/^\w+: [{n]/.test(line))

describe('Entries that are added to a text', () => {
  test('leave all other lines unchanged', async () => {
    const texts = fc.tuple(parents, fc.boolean(), fc.boolean()).map(([all, ends, windows]) => {
      const text = `# mine\nowner: me\n${all.map(textOf).join('')}`
      const ended = ends ? text : text.trimEnd()
      return windows ? ended.replaceAll('\n', '\r\n') : ended
    })
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const additions = await additionsFor(text)
        const result = await withEntries(text, additions)
        const { value, repeated } = await parseYaml(result)
        expect({ value, repeated }).toEqual({ value: merge((await parseYaml(text)).value, additions), repeated: [] })
        const lines = unchangedLines(result)
        let at = -1
        for (const line of unchangedLines(text)) {
          at = lines.indexOf(line, at + 1)
          expect({ line, isThere: at >= 0 }).toEqual({ line, isThere: true })
        }
        expect(/[^\r]\n/.test(result)).toBe(!text.includes('\r\n'))
      }),
      { numRuns: runs(300) },
    )
  })

  test.for([
    ['', '\n'],
    ['# only a comment\n', '# only a comment\n'],
    ['{ owner: me }', '{ owner: me, volumes: { "new": {'],
    ['{ owner: me, volumes: { a: {}, } }\n', '{ owner: me, volumes: { a: {}, "new": { "size": 60'],
    ['---\nowner: me\n', '---\nowner: me\n'],
  ] as const)('can be added to a file in another form: %j', async ([text, begin]) => {
    const additions = (await additionsFor(text)).slice(0, 1)
    const result = await withEntries(text, additions)
    expect((await parseYaml(result)).value).toEqual(merge((await parseYaml(text)).value, additions))
    expect(result.startsWith(begin.trim())).toBe(true)
  })
})
