/** Parser and writer of YAML 1.2: values, positions and limits. */
import { describe, expect, test, vi } from 'vitest'
import { LimitExceeded } from '../../src/data/memory-limits'
import { parseYaml, YamlError } from '../../src/data/yaml'
import { formatYaml } from '../../src/data/yaml-writer'

const lines = (...all: readonly string[]) => all.join('\n')
const failure = (text: string) =>
  parseYaml(text).then(
    () => undefined,
    (error: unknown) => error,
  )

const namesAsTyped = { '010': 'a', '1.10': 'b', '1e3': 'c', '0x10': 'd', True: 'e', '~': 'f', '9007199254740993': 'g' }

describe('A document', () => {
  test.for<[string, unknown]>([
    ['7', 7],
    ['-7', -7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['1.5', 1.5],
    ['yes', 'yes'],
    ['true', true],
    ['"7"', '7'],
    ['null', null],
    ['', null],
    ['2026-01-31', '2026-01-31'],
    ['- 1\n- [9007199254740993, {a: 2}]', [1, [9007199254740993n, { a: 2 }]]],
    ['a: {b: 1, c: null}', { a: { b: 1, c: null } }],
    ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['0x1f', 31],
    ['[010, 0, -07, 0.5, 0o7]', ['010', 0, '-07', 0.5, 7]],
    ['[::/0, 22:30, no, 1:2]', ['::/0', '22:30', 'no', '1:2']],
    ['{010: a, 1.10: b, 1e3: c, 0x10: d, True: e, ~: f, 9007199254740993: g}', namesAsTyped],
    ['a: !!set {x, y}\nb: !!timestamp 2026-01-31', { a: { x: null, y: null }, b: '2026-01-31' }],
  ])('is parsed: %j', async ([text, value]) => {
    expect((await parseYaml(text)).value).toEqual(value)
  })

  test('can have a list as a key, without a warning', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    expect((await parseYaml('? [a]\n: 1')).value).toEqual({ '[a]': 1 })
    expect(await parseYaml('? [a]\n: 1\n? [a]\n: 2')).toMatchObject({
      value: { '[a]': 2 },
      repeated: [{ key: '[a]', line: 3, first: 1 }],
    })
    expect(emitWarning).not.toHaveBeenCalled()
    emitWarning.mockRestore()
  })

  test('has a place for each part', async () => {
    const text = lines('# rules', 'inbound:', '  - ports: 080', '    of: {a: 1}', '  -', '    "ports": 0x1f', 'last: x')
    const { placeOf } = await parseYaml(text)
    expect((await parseYaml('007:\n  a: 1')).placeOf(['007', 'a'])).toMatchObject({ line: 2, column: 3 })
    const paths = [
      ['inbound'],
      ['inbound', '0'],
      ['inbound', '0', 'ports'],
      ['inbound', '0', 'of', 'a'],
      ['inbound', '1', 'ports'],
    ]
    expect(paths.map((path) => placeOf(path)?.line)).toEqual([2, 3, 3, 4, 6])
    expect(paths.map((path) => placeOf(path)?.column)).toEqual([1, 5, 5, 10, 5])
    for (const path of [['none'], ['inbound', '2'], ['inbound', '0', 'none']]) expect(placeOf(path)).toBeUndefined()
  })
})

describe('An alias', () => {
  test('has its own line, and below it those of its anchor', async () => {
    const { value, placeOf } = await parseYaml('a: &x\n  b: 1\nc: *x')
    expect(value).toEqual({ a: { b: 1 }, c: { b: 1 } })
    expect([placeOf(['c'])?.line, placeOf(['c', 'b'])?.line]).toEqual([3, 2])
  })

  test('has what its anchor named before it', async () => {
    const { value } = await parseYaml('a: &x 1\nb: &y [*x]\nc: &x 2\nd: *y\ne: *x\n&k f: *k')
    expect(value).toEqual({ a: 1, b: [1], c: 2, d: [1], e: 2, f: 'f' })
  })
})

describe('A duplicate key', () => {
  test.for<[text: string, key: string, line: number, first: number]>([
    ['a: 1\nb: 2\na: 1', 'a', 3, 1],
    ['"a": 1\nb:\n  - c: 2\n    d: 3\n    c: 4', 'c', 5, 3],
    ['{1: a, 1: b}', '1', 1, 1],
    ['1.0: a\n"1.0": b', '1.0', 2, 1],
  ])('is reported with both lines: %j', async ([text, key, line, first]) => {
    expect((await parseYaml(text)).repeated).toEqual([{ key, line, first }])
  })
})

describe('Invalid YAML', () => {
  test.for<[string, string, number | undefined, number | undefined]>([
    ['a: [1\nb: 2', 'Flow sequence in block collection must be sufficiently indented and end with a ]', 2, 1],
    [`${'\n'.repeat(11)}"a`, 'The closing quote is missing', 12, 3],
    ['a: 1\n---\na: 2', 'only one document is allowed, and another begins here. Put it in a file of its own', 2, 1],
    ['c: 1\na: *b', 'A text cannot begin with * unless it is in quotes: "*b"', 2, 4],
    ['- &a\n- b', 'A text cannot begin with & unless it is in quotes: "&a"', 1, 3],
    ['a: !b', 'A text cannot begin with ! unless it is in quotes: "!b"', 1, 4],
  ])('has an error with line and column: %j: %s', async ([text, message, line, column]) => {
    const error = await failure(text)
    expect(error).toBeInstanceOf(YamlError)
    expect(error).toMatchObject({ name: 'YamlError', message, line, column })
  })
})

describe('The size of a document', () => {
  const nested = 'it is nested over 500 levels deep'
  const many = 'it holds over 30000 lines and values'
  const keys = (levels: number, below: string) =>
    lines(
      ...Array.from(
        { length: levels },
        (_, level) => `${' '.repeat(2 * level)}a:${below.replace('\n', `\n${' '.repeat(2 * level)}`)}`,
      ),
    )

  test.for<[string, string, string | undefined]>([
    ['500 brackets', '['.repeat(500) + ']'.repeat(500), undefined],
    ['501 brackets', '['.repeat(501) + ']'.repeat(501), nested],
    ['500 braces', '{a: '.repeat(500) + '}'.repeat(500), undefined],
    ['501 braces', '{a: '.repeat(501) + '}'.repeat(501), nested],
    ['brackets and braces', '[{a: '.repeat(251) + '}]'.repeat(251), nested],
    ['closed brackets', `[${Array(600).fill('[], {}').join(', ')}]`, undefined],
    ['closing brackets in comments', `${lines(...Array(9).fill('# ]}'))}\n${'['.repeat(501)}`, nested],
    ['500 lists on a line, with spaces between them', `${'-   '.repeat(500)}a`, undefined],
    ['501 lists on a line, with spaces between them', `${'-   '.repeat(501)}a`, nested],
    ['500 lists on a line', `${'- '.repeat(500)}a`, undefined],
    ['501 lists on a line', `${'- '.repeat(501)}a`, nested],
    ['more lists than the stack could hold', `${'- '.repeat(20_000)}a`, nested],
    ['500 nested keys', keys(500, ''), undefined],
    ['502 nested keys', keys(502, ''), nested],
    ['250 nested keys, each with a list in its own column', keys(250, '\n-'), undefined],
    ['251 nested keys, each with a list in its own column', keys(251, '\n-'), nested],
    [
      'many keys and lists on one level',
      lines(...Array.from({ length: 600 }, (_, at) => `a${at}:\n- b: 1\n- c: 1`)),
      undefined,
    ],
    [
      'many keys on the fourth level',
      lines('a:', '  b:', '    c:', ...Array.from({ length: 600 }, (_, at) => `      d${at}: 1`)),
      undefined,
    ],
    ['600 lines of one text', lines(...Array(600).fill('- -1')), undefined],
  ])('is limited to 500 levels: %s', async ([, text, message]) => {
    expect(await failure(text)).toEqual(message === undefined ? undefined : new LimitExceeded(message))
  })

  test.for<[string, (count: number) => string, number]>([
    ['commas', (count) => `[${','.repeat(count)}`, 29_999],
    ['lines', (count) => '\n'.repeat(count), 30_000],
    ['colons', (count) => `#${': '.repeat(count)}`, 30_000],
    ['dashes', (count) => `#${'- '.repeat(count)}`, 30_000],
    ['question marks', (count) => `#${'? '.repeat(count)}`, 30_000],
    ['anchors', (count) => `#${'&'.repeat(count)}`, 1000],
    ['aliases', (count) => `#${'*'.repeat(count)}`, 1000],
    ['tags', (count) => `#${'!'.repeat(count)}`, 1000],
    ['directives', (count) => `#${'%'.repeat(count)}`, 30_000],
  ])('is measured by its %s', async ([, text, most]) => {
    expect(await failure(text(most))).not.toMatchObject({ message: many })
    expect(await failure(text(most + 1))).toEqual(new LimitExceeded(many))
  })

  test('does not include signs within texts', async () => {
    const { value } = await parseYaml(`a: ${'x-:?#'.repeat(10_000)}`)
    expect(value).toEqual({ a: 'x-:?#'.repeat(10_000) })
  })

  test('includes expanded aliases', async () => {
    const level = (at: number) => `a${at}: &a${at} [${Array(9).fill(`*a${at - 1}`)}]`
    const text = (levels: number) => lines('a0: &a0 x', ...Array.from({ length: levels }, (_, at) => level(at + 1)))
    expect(await failure(text(2))).toBeUndefined()
    expect(await failure(text(9))).toEqual(new LimitExceeded('its aliases expand to too much data'))
    expect(await failure('a: &a [*a]')).toEqual(new LimitExceeded('it is nested too deep'))
  })
})

describe('Written YAML', () => {
  test('has no anchors and aliases', async () => {
    const same = { a: [1] }
    expect(await formatYaml({ one: same, two: same }, String)).toBe(
      lines('one:', '  a:', '    - 1', 'two:', '  a:', '    - 1', ''),
    )
  })

  test('has a text of any length on one line', async () => {
    const text = 'word '.repeat(100).trim()
    expect(await formatYaml({ text }, String)).toBe(`text: ${text}\n`)
  })

  test('has quotes around escaped texts and keys', async () => {
    const escapeMarks = (text: string) => text.replaceAll('!', '\\x21')
    expect(await formatYaml({ 'a!': 'b!', c: ['d', 1, true, null] }, escapeMarks)).toBe(
      lines('"a\\x21": "b\\x21"', 'c:', '  - d', '  - 1', '  - true', '  - null', ''),
    )
  })

  test('has a text of several lines in quotes on one line', async () => {
    expect(await formatYaml({ text: ` a\n\n b \n${'c'.repeat(60)}\n` }, String)).toBe(
      `text: " a\\n\\n b \\n${'c'.repeat(60)}\\n"\n`,
    )
  })
})
