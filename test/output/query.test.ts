import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { wantsDocument, wantsScreen } from '../../src/output/output-kind'
import { checkQuery, runQuery } from '../../src/output/query'
import { sortBy } from '../../src/output/sort'
import { listed, one, view } from './printed'

const problemOf = (work: () => void) => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Problem ? error : undefined
  }
}

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
    ['[?size>', undefined],
    ['[?label==100 and id]', undefined],
  ] as const)('of another language has its fix as a hint: %s', ([query, hint]) => {
    const problem = problemOf(() => checkQuery(query))
    expect({ code: problem?.code, hint: problem?.details.hint }).toEqual({ code: 'usage', hint })
    const [, fixed] = /--query '?([^']*)'?/.exec(hint ?? '') ?? []
    if (fixed !== undefined) expect(() => checkQuery(fixed)).not.toThrow()
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
  ] as const)('warns if %j has not the form that %s begins with', async ([document, query, reason]) => {
    const warnings: string[] = []
    expect(await runQuery(document, query, async (text) => void warnings.push(text))).toBeNull()
    expect(warnings).toEqual(reason === undefined ? [] : [`the query found nothing: ${reason}`])
  })

  test('works on what --json prints', async () => {
    expect(JSON.parse(await listed(records, { format: 'json', query: '[?size>`20`].label' }))).toEqual(['logs'])
    expect(JSON.parse(await one(records[0], { format: 'json', query: 'tags[0]' }))).toBe('a')
    expect(JSON.parse(await listed(records, { format: 'json', query: '[0]', chosen: ['id'] }))).toEqual({ id: 1 })
  })

  test('comes after the sort', async () => {
    expect(await listed(records, { format: 'json', sort: [sortBy('-size')], query: '[0].label' })).toBe('"logs"\n')
  })

  test('prints one text raw as TSV', async () => {
    expect(await listed(records, { format: 'tsv', query: '[0].label' })).toBe('data\n')
    expect(await one({ label: 'a\nb' }, { format: 'tsv', query: 'label' })).toBe('a\nb\n')
    expect(await one({ label: 'a\x1b' }, { format: 'tsv', query: 'label', terminal: true })).toBe('a\\x1b\n')
  })

  test('prints a cell of TSV on its line, whatever it holds', async () => {
    const odd = [{ label: 'a\tb', note: 'c\nd\re\\f' }]
    expect(await listed(odd, { format: 'tsv', query: '[].[label, note]' })).toBe('a\\tb\tc\\nd\\re\\\\f\n')
  })

  test('prints one text as CSV as a cell would stand there', async () => {
    expect(await listed(records, { format: 'csv', query: '[0].label' })).toBe('data\n')
    expect(await one({ label: 'a,"b"' }, { format: 'csv', query: 'label' })).toBe('"a,""b"""\n')
  })

  test('prints lists as lines and lists of lists as rows in CSV and TSV', async () => {
    expect(await listed(records, { format: 'tsv', query: '[].label' })).toBe('data\nlogs\n')
    expect(await listed(records, { format: 'tsv', query: '[].[id, label]' })).toBe('1\tdata\n9007199254740993\tlogs\n')
    expect(await listed(records, { format: 'csv', query: '[].{name: label, size: size}' })).toBe(
      'name,size\ndata,20\nlogs,40\n',
    )
  })

  test('prints a list of objects as a table, and anything else as JSON', async () => {
    expect(await listed(records, { query: '[].{name: label, size: size}' })).toBe(
      'NAME  SIZE\ndata    20\nlogs    40\n',
    )
    expect(await listed(records, { query: 'length(@)' })).toBe('2\n')
    expect(await listed(records, { query: '[0].tags' })).toBe('[\n  "a"\n]\n')
  })

  test('works on the document of a command that otherwise prints a screen', () => {
    expect([view(), view({ query: '@' })].map(wantsScreen)).toEqual([true, false])
    expect([view(), view({ query: '@' })].map(wantsDocument)).toEqual([false, true])
  })

  test('prints a line for each item of a list as NDJSON', async () => {
    expect(await listed(records, { format: 'ndjson', query: '[].size' })).toBe('20\n40\n')
    expect(await listed(records, { format: 'ndjson', query: 'length(@)' })).toBe('2\n')
    expect(await listed(records, { format: 'ndjson', query: '[0].{n: label, s: size}' })).toBe('{"n":"data","s":20}\n')
    expect(await listed(records, { format: 'ndjson', query: '[?size>`99`]' })).toBe('')
    expect(await one(records[0], { format: 'ndjson', query: 'tags' })).toBe('"a"\n')
  })

  test('finds nothing that the service did not send', async () => {
    expect(await one({ a: 1 }, { format: 'json', query: '[toString, __proto__, constructor]' })).toBe(
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
  ])('tells where %j is wrong', (query, position) => {
    expect(() => checkQuery(query)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining(`query "${query}" at position ${position}: `),
      }),
    )
  })

  test('names the nearest function for one that is not known, before anything runs', () => {
    expect(() => checkQuery('[0].{n: lenght(@)}')).toThrow('unknown function lenght(). Did you mean "length"?')
  })

  test.for([
    ['unknown(@)', 'unknown'],
    ['[?a(@)]', 'a'],
    ['map(&nothing(@), @)', 'nothing'],
    ['{n: [length(@), first(@)]}', 'first'],
    ['[::2] | absent(@)', 'absent'],
  ] as const)('finds the function of %j that is not known', ([query, name]) => {
    expect(() => checkQuery(query)).toThrow(`unknown function ${name}()`)
  })

  test('takes a literal for what it is, null and one that looks like a function', async () => {
    expect(await one(records[0], { format: 'json', query: 'absent == `null`' })).toBe('true\n')
    const query = '`{"type":"Function","name":"x"}`.name'
    expect(await one(records[0], { format: 'json', query })).toBe('"x"\n')
    expect(await listed(records, { format: 'json', query: '[::2].id' })).toBe('[\n  1\n]\n')
  })

  test('refuses what does not fit the data', async () => {
    await expect(listed(records, { query: 'sum([].label)' })).rejects.toMatchObject({ code: 'usage' })
    await expect(listed(records, { query: '[].lower(id)' })).rejects.toMatchObject({ code: 'usage' })
  })

  test.each(['['.repeat(100_000), '('.repeat(400), `${'a.'.repeat(50_000)}!`])(
    'gives up soon on a monster',
    (query) => {
      expect(() => checkQuery(query)).toThrow(expect.objectContaining({ code: 'usage' }))
    },
  )
})
