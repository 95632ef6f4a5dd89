import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { wantsDocument, wantsScreen } from '../../src/output/print'
import { checkQuery, runQuery } from '../../src/output/query'
import { sortBy } from '../../src/output/sort'
import { listText, recordText, view } from './text-printer'

const problemOf = async (work: () => Promise<void>) => {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Problem ? error : undefined
  }
}

/** Returns what a shell makes of a word. */
const inShell = (word: string) => execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })

const records = [
  { id: 1, label: 'data', size: 20, tags: ['a'] },
  { id: 9007199254740993n, label: 'logs', size: 40, tags: [] },
]

describe('--query', () => {
  test.for([
    ['[?size>100].id', "Write numbers in backquotes: --query '[?size>`100`].id', or use --filter 'size>100'"],
    ['[?size == 20]', "Write numbers in backquotes: --query '[?size ==`20`]', or use --filter size=20"],
    ['[?a.b>=-1.5]', "Write numbers in backquotes: --query '[?a.b>=`-1.5`]'"],
    ['.[].label', "JMESPath has no leading dot: --query '[].label'"],
    ['.', 'JMESPath has no leading dot: --query @'],
    ['[?label==`data-1`]', `Write texts in single quotes: --query "[?label=='data-1']"`],
    [
      '[?label==`data-1`] | [?size>`20`]',
      "Write texts in single quotes: --query '[?label=='\\''data-1'\\''] | [?size>`20`]'",
    ],
    ["contains(label, `it's`)", `Write texts in single quotes: --query 'contains(label, '\\''it\\'\\''s'\\'')'`],
    ['[?size>', undefined],
    ['[?label==100 and id]', undefined],
  ] as const)('in another query language is rejected with its fix as a hint: %s', async ([query, hint]) => {
    const problem = await problemOf(() => checkQuery(query))
    expect({ code: problem?.code, hint: problem?.details.hint }).toEqual({ code: 'usage', hint })
    const [, fix] = / --query (.*?)(?:, or use .*)?$/.exec(hint ?? '') ?? []
    if (fix !== undefined) await checkQuery(inShell(fix))
  })

  test.for([
    [[{ label: 'a' }], 'data[].label', 'the document is a list. Begin the query with "[]", such as \'[].label\''],
    [{ id: 1 }, '[?id>`0`]', 'the document is one object, not a list. Begin the query with a key of it'],
    [{ checks: [{ name: 'a' }] }, 'name', '"name" is below "checks". Write checks[].name'],
    [{ rules: { inbound: [] } }, 'inbound[0]', '"inbound" is below "rules". Write rules.inbound'],
    [{ compute_id: null }, 'compute_id', undefined],
    [[{ label: 'a' }], "[?label=='b'] | [0]", undefined],
    [{ id: 1 }, 'other', undefined],
    [null, 'label', undefined],
  ] as const)(
    'warns if the document does not have the form that the query expects: %j, %s',
    async ([document, query, reason]) => {
      const warnings: string[] = []
      expect(await runQuery(document, query, async (text) => void warnings.push(text))).toBeNull()
      expect(warnings).toEqual(reason === undefined ? [] : [`the query found nothing: ${reason}`])
    },
  )

  test.for([
    ['[?label=="data-1"]', 'data-1', "[?label=='data-1']"],
    ['[?label!="data-1"].id', 'data-1', "[?label!='data-1'].id"],
    ['[?starts_with(label, "da") && size > `1`]', 'da', "[?starts_with(label, 'da') && size > `1`]"],
    ['[].tags[?@=="web"]', 'web', "[].tags[?@=='web']"],
  ] as const)('warns of a text in double quotes, which names a field: %s', async ([query, name, fix]) => {
    const warnings: string[] = []
    await runQuery(records, query, async (text) => void warnings.push(text)).catch(() => undefined)
    const [warning = '', word = ''] = warnings[0]?.split('Write texts in single quotes: --query ') ?? []
    expect(warning).toBe(`"${name}" names a field, and no record has it. `)
    expect(inShell(word)).toBe(fix)
  })

  test.for([
    '[?label=="size"]',
    '[]."data-1"',
    '[].{"data-1": id}',
    `[?label=='"data-1"']`,
    '"data-1"',
    '[].[id, "data-1"]',
  ])('does not warn of a name that may be a field: %s', async (query) => {
    const warnings: string[] = []
    await runQuery(records, query, async (text) => void warnings.push(text))
    expect(warnings.filter((text) => text.includes('names a field'))).toEqual([])
  })

  test('works on the document that --json prints', async () => {
    expect(JSON.parse(await listText(records, { format: 'json', query: '[?size>`20`].label' }))).toEqual(['logs'])
    expect(JSON.parse(await recordText(records[0], { format: 'json', query: 'tags[0]' }))).toBe('a')
    expect(JSON.parse(await listText(records, { format: 'json', query: '[0]', chosen: ['id'] }))).toEqual({ id: 1 })
  })

  test('is applied after the sort', async () => {
    expect(await listText(records, { format: 'json', sort: [sortBy('-size')], query: '[0].label' })).toBe('"logs"\n')
  })

  test('prints one text raw as TSV', async () => {
    expect(await listText(records, { format: 'tsv', query: '[0].label' })).toBe('data\n')
    expect(await recordText({ label: 'a\nb' }, { format: 'tsv', query: 'label' })).toBe('a\nb\n')
    expect(await recordText({ label: 'a\x1b' }, { format: 'tsv', query: 'label', terminal: true })).toBe('a\\x1b\n')
  })

  test('prints a row of TSV on one line, whatever its cells contain', async () => {
    const odd = [{ label: 'a\tb', note: 'c\nd\re\\f' }]
    expect(await listText(odd, { format: 'tsv', query: '[].[label, note]' })).toBe('a\\tb\tc\\nd\\re\\\\f\n')
  })

  test('prints one text as a cell of CSV', async () => {
    expect(await listText(records, { format: 'csv', query: '[0].label' })).toBe('data\n')
    expect(await recordText({ label: 'a,"b"' }, { format: 'csv', query: 'label' })).toBe('"a,""b"""\n')
  })

  test('prints lists as lines and lists of lists as rows in CSV and TSV', async () => {
    expect(await listText(records, { format: 'tsv', query: '[].label' })).toBe('data\nlogs\n')
    expect(await listText(records, { format: 'tsv', query: '[].[id, label]' })).toBe(
      '1\tdata\n9007199254740993\tlogs\n',
    )
    expect(await listText(records, { format: 'csv', query: '[].{name: label, size: size}' })).toBe(
      'name,size\ndata,20\nlogs,40\n',
    )
  })

  test('prints a list of objects as a table, and anything else as JSON', async () => {
    expect(await listText(records, { query: '[].{name: label, size: size}' })).toBe(
      'NAME  SIZE\ndata    20\nlogs    40\n',
    )
    expect(await listText(records, { query: 'length(@)' })).toBe('2\n')
    expect(await listText(records, { query: '[0].tags' })).toBe('[\n  "a"\n]\n')
  })

  test('works on the document of a command that otherwise prints a screen', () => {
    expect([view(), view({ query: '@' })].map(wantsScreen)).toEqual([true, false])
    expect([view(), view({ query: '@' })].map(wantsDocument)).toEqual([false, true])
  })

  test('prints a line for each item of a list as NDJSON', async () => {
    expect(await listText(records, { format: 'ndjson', query: '[].size' })).toBe('20\n40\n')
    expect(await listText(records, { format: 'ndjson', query: 'length(@)' })).toBe('2\n')
    expect(await listText(records, { format: 'ndjson', query: '[0].{n: label, s: size}' })).toBe(
      '{"n":"data","s":20}\n',
    )
    expect(await listText(records, { format: 'ndjson', query: '[?size>`99`]' })).toBe('')
    expect(await recordText(records[0], { format: 'ndjson', query: 'tags' })).toBe('"a"\n')
  })

  test('finds only keys that the API has sent', async () => {
    expect(await recordText({ a: 1 }, { format: 'json', query: '[toString, __proto__, constructor]' })).toBe(
      '[\n  null,\n  null,\n  null\n]\n',
    )
  })

  test.each([
    ['foo bar', 5],
    ['[0', 3],
    ['a.b.', 5],
    ['a # b', 3],
    ['a == `{b`', 6],
    ['sort_by(@, &id) | | x', 19],
    ['', 1],
    ['#', 1],
  ])('is rejected with the position of the error: %j', async (query, position) => {
    await expect(checkQuery(query)).rejects.toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining(`query "${query}" at position ${position}: `),
      }),
    )
  })

  test('is rejected before it runs with a suggestion for an unknown function', async () => {
    await expect(checkQuery('[0].{n: lenght(@)}')).rejects.toThrow('unknown function lenght(). Did you mean "length"?')
  })

  test.for([
    ['unknown(@)', 'unknown'],
    ['[?a(@)]', 'a'],
    ['map(&nothing(@), @)', 'nothing'],
    ['{n: [length(@), first(@)]}', 'first'],
    ['[::2] | absent(@)', 'absent'],
  ] as const)('is rejected with the name of its unknown function: %j', async ([query, name]) => {
    await expect(checkQuery(query)).rejects.toThrow(`unknown function ${name}()`)
  })

  test('accepts any literal, including null and one that looks like a function', async () => {
    expect(await recordText(records[0], { format: 'json', query: 'absent == `null`' })).toBe('true\n')
    const query = '`{"type":"Function","name":"x"}`.name'
    expect(await recordText(records[0], { format: 'json', query })).toBe('"x"\n')
    expect(await listText(records, { format: 'json', query: '[::2].id' })).toBe('[\n  1\n]\n')
  })

  test('is rejected if it does not fit the data', async () => {
    await expect(listText(records, { query: 'sum([].label)' })).rejects.toMatchObject({ code: 'usage' })
    await expect(listText(records, { query: '[].lower(id)' })).rejects.toMatchObject({ code: 'usage' })
  })

  test.each(['['.repeat(100_000), '('.repeat(400), `${'a.'.repeat(50_000)}!`])(
    'is rejected if it is huge',
    async (query) => {
      await expect(checkQuery(query)).rejects.toThrow(expect.objectContaining({ code: 'usage' }))
    },
  )
})
