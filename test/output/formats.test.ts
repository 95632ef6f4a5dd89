import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { parseJson } from '../../src/data/json'
import { Problem } from '../../src/errors'
import { problemRecord } from '../../src/errors/failures'
import { formatNames, formats } from '../../src/output/formats'
import { printList, type View } from '../../src/output/print'
import { sortBy } from '../../src/output/sort'
import fc, { anyCharacter } from '../support/fast-check'
import { listText, memorySink, pages, recordsText, recordText, view } from './text-printer'

const data = { id: 1, label: 'data', status: 'active', resolvers: { ipv4: 'a' }, more: true }
const huge = { id: 9007199254740993n, label: 'huge' }

describe('JSON', () => {
  const json = { format: 'json' } as const

  test('is one array of whole records, with keys in the order of the API', async () => {
    expect(await listText([{ label: 'x', id: 1 }], json)).toBe('[\n  {\n    "label": "x",\n    "id": 1\n  }\n]\n')
  })

  test('is an empty array for no records', async () => {
    expect(await listText([], json)).toBe('[]\n')
  })

  test('is one object for one record, and an array for several', async () => {
    expect(JSON.parse(await recordText(data, json))).toEqual(data)
    expect(JSON.parse(await recordsText([data], json))).toEqual([data])
  })

  test('keeps integers beyond 2^53 exact', async () => {
    expect(await parseJson(await listText([huge], json))).toEqual([huge])
    expect(await listText([huge], { format: 'ndjson' })).toBe('{"id":9007199254740993,"label":"huge"}\n')
  })

  test('has only the chosen fields, with their paths as keys', async () => {
    expect(JSON.parse(await listText([data], { ...json, chosen: ['resolvers.ipv4', 'id', 'gone'] }))).toEqual([
      { 'resolvers.ipv4': 'a', id: 1, gone: null },
    ])
  })

  test('keeps keys that every object inherits', async () => {
    const record = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}')
    expect(await listText([record], { format: 'ndjson' })).toBe('{"__proto__":1,"constructor":2,"toString":3}\n')
    const chosen = ['__proto__', 'toString']
    expect(await listText([record], { format: 'ndjson', chosen })).toBe('{"__proto__":1,"toString":3}\n')
  })
})

describe('a list that is printed page by page', () => {
  test.each(formatNames.filter((name) => formats[name].writer.streams))(
    '%s requests a page only after the previous one is written',
    async (format) => {
      const order: string[] = []
      async function* requestPages(): AsyncGenerator<unknown[]> {
        for (const page of [1, 2]) {
          order.push(`request ${page}`)
          yield [{ id: page }]
        }
      }
      const write = async () => {
        await new Promise(setImmediate)
        order.push('write')
      }
      await printList(requestPages(), view({ format }), { write, isTTY: false, columns: 0, wasClosed: false })
      expect(order).toEqual(['request 1', 'write', 'request 2', 'write'])
    },
  )

  test('returns the number of its records', async () => {
    for (const format of formatNames) {
      expect(await printList(pages([data], [], [data, data]), view({ format }), memorySink().sink)).toBe(3)
    }
  })

  test.each(['json', 'yaml'] as const)(
    '%s is written as a whole: a short list at once, a long one in parts',
    async (format) => {
      const written: number[] = []
      const write = async (text: string) => {
        written.push(text.length)
      }
      const sink = { write, isTTY: false, columns: 0, wasClosed: false }
      await printList(pages([{ id: 1 }], [{ id: 2 }]), view({ format }), sink)
      expect(written).toHaveLength(1)
      const wide = { text: 'x'.repeat(40_000) }
      written.length = 0
      await printList(pages([wide], [wide], [wide]), view({ format }), sink)
      expect(written.map((length) => Math.floor(length / 40_000))).toEqual([1, 1, 1])
      written.length = 0
      await printList(pages(), view({ format, quiet: 'id', atOnce: true }), sink)
      expect(written).toEqual([])
    },
  )

  test('ndjson is written at once for each page', async () => {
    const written: string[] = []
    const write = async (text: string) => void written.push(text)
    const sink = { write, isTTY: false, columns: 0, wasClosed: false }
    const page = Array.from({ length: 500 }, (_, id) => [id, 'x'])
    await printList(pages(page, [], page), view({ format: 'ndjson' }), sink)
    expect(written).toEqual(Array(2).fill(page.map((record) => `${JSON.stringify(record)}\n`).join('')))
  })

  test('prints its headings once, with the first page', async () => {
    const { sink, text } = memorySink()
    await printList(pages([data], [data]), view({ format: 'csv', chosen: ['id'] }), sink)
    expect(text()).toBe('id\n1\n1\n')
  })
})

/** Parses RFC 4180 with newlines, character by character and independently of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (quoted && char === '"' && text.charAt(index + 1) === '"') {
      cell += '"'
      index += 1
    } else if (char === '"') quoted = !quoted
    else if (!quoted && (char === ',' || char === '\n')) {
      row.push(cell)
      cell = ''
      if (char === '\n') {
        rows.push(row)
        row = []
      }
    } else cell += char
  }
  return rows
}

describe('CSV and TSV', () => {
  const columns = [{ path: 'a' }, { path: 'b' }]
  const cell = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\t', '=', '\\', 'x') }),
  )
  const record = fc.record({ a: cell, b: cell })

  test('CSV is read back unchanged by a parser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record), async (records) => {
        const text = await listText(records, { format: 'csv', columns, raw: true })
        expect(parseCsv(text)).toEqual([['a', 'b'], ...records.map(({ a, b }) => [a, b])])
      }),
    )
  })

  test('CSV quotes values with a separator, a quote or a line break', async () => {
    const text = await listText([{ a: 'x,y"z', b: 'x\ry' }], { format: 'csv', columns, headers: false })
    expect(text).toBe('"x,y""z","x\ry"\n')
  })

  test('TSV has one line for each record, and is read back unchanged', async () => {
    const escapes: Record<string, string> = { '\\t': '\t', '\\n': '\n', '\\r': '\r', '\\\\': '\\' }
    await fc.assert(
      fc.asyncProperty(fc.array(record), async (records) => {
        const text = await listText(records, { format: 'tsv', columns, raw: true, headers: false })
        const rows = text
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split('\t'))
        const read = rows.map((row) => row.map((field) => field.replace(/\\[tnr\\]/g, (pair) => escapes[pair] ?? pair)))
        expect(read).toEqual(records.map(({ a, b }) => [a, b]))
      }),
    )
  })

  test('has its headings even without records, unless they are off', async () => {
    expect(await listText([], { format: 'csv', columns })).toBe('a,b\n')
    expect(await listText([], { format: 'csv', columns, headers: false })).toBe('')
  })

  test.each(['=1+1', '+1', '-1', '@x', '-\n1', '\tx', '\rx'])(
    'marks a text that a spreadsheet may run: %j',
    async (a) => {
      const csv = (raw: boolean) => listText([{ a }], { format: 'csv', columns: [{ path: 'a' }], headers: false, raw })
      expect(parseCsv(await csv(false))).toEqual([[`'${a}`]])
      expect(parseCsv(await csv(true))).toEqual([[a]])
    },
  )

  test.each(['-', '=', '+', '@', 'a=1', ' =1', "'=1"])('does not mark a text that none runs: %j', async (a) => {
    expect(await listText([{ a }], { format: 'csv', columns: [{ path: 'a' }], headers: false })).toBe(`${a}\n`)
  })

  test('does not mark numbers', async () => {
    expect(await listText([{ a: -5, b: -9007199254740993n }], { format: 'csv', columns, headers: false })).toBe(
      '-5,-9007199254740993\n',
    )
  })

  test('writes nothing for null, and JSON for lists and objects', async () => {
    expect(await listText([{ a: null, b: ['x', { y: 1 }] }], { format: 'tsv', columns, headers: false })).toBe(
      '\t["x",{"y":1}]\n',
    )
  })

  test('cannot control a terminal', async () => {
    expect(
      await listText([{ a: '\x1b[2J', b: 'x\ny' }], { format: 'csv', columns, headers: false, terminal: true }),
    ).toBe('\\x1b[2J,x\\ny\n')
  })
})

describe('YAML', () => {
  test('keeps integers beyond 2^53 exact and lists empty', async () => {
    expect(await recordText(huge, { format: 'yaml' })).toBe('id: 9007199254740993\nlabel: huge\n')
    expect(await listText([], { format: 'yaml' })).toBe('[]\n')
  })

  test('cannot control a terminal', async () => {
    const label = '\x1b[2J\x9b\u202e\u200b\u{e0041}'
    const yaml = await recordText({ label, [label]: 1 }, { format: 'yaml' })
    expect(yaml).toMatch(/^[\x20-\x7e\n]*$/)
    expect(parseYaml(yaml)).toEqual({ label, [label]: 1 })
  })
})

describe('--quiet', () => {
  test('prints one field, a line each, for one record and for many', async () => {
    expect(await listText([data, huge], { quiet: 'id' })).toBe('1\n9007199254740993\n')
    expect(await recordText(data, { quiet: 'label' })).toBe('data\n')
    expect(await listText([], { quiet: 'id' })).toBe('')
  })

  test('prints a value with line breaks on one line', async () => {
    expect(await recordText({ label: 'a\nb' }, { quiet: 'label' })).toBe('a\\nb\n')
  })

  test('prints nothing for a record without the field', async () => {
    expect(await recordText({}, { quiet: 'id' })).toBe('')
  })
})

test('--sort follows a dotted path, over all pages', async () => {
  const { sink, text } = memorySink()
  const records = pages([{ a: { b: 2 } }], [{ a: { b: 1 } }])
  await printList(records, view({ format: 'ndjson', sort: [sortBy('a.b')] }), sink)
  expect(text()).toBe('{"a":{"b":1}}\n{"a":{"b":2}}\n')
})

describe('a list that fails in the middle', () => {
  async function* failing(): AsyncGenerator<unknown[]> {
    yield [{ id: 1 }, { id: 2 }]
    throw new Problem('unavailable', 'page 3 is lost', { retryable: true })
  }
  const failureOf = async (changes: Partial<View>) => {
    const { sink, text } = memorySink()
    const failure = await printList(failing(), view(changes), sink).catch((error: unknown) => error)
    return { failure, printed: text() }
  }

  test.each(['ndjson', 'csv', 'tsv'] as const)('reports that its output is incomplete: %s', async (format) => {
    const { failure, printed } = await failureOf({ format })
    expect(printed).toContain('2')
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: 'page 3 is lost; the output is incomplete: it ends after 2 records',
      details: { incomplete: true, retryable: true },
    })
    expect(problemRecord(failure as Problem)).toMatchObject({ incomplete: true })
  })

  test.each<Partial<View>>([
    { format: 'table' },
    { format: 'json' },
    { format: 'yaml' },
    { quiet: 'id', atOnce: true },
  ])('prints nothing: %j', async (changes) => {
    const { failure, printed } = await failureOf(changes)
    expect({ printed, failure }).toEqual({
      printed: '',
      failure: expect.objectContaining({ message: 'page 3 is lost' }),
    })
  })
})

describe('a long list', () => {
  const noise = (id: number) => createHash('sha256').update(String(id)).digest('hex')
  const large = Array.from({ length: 4200 }, (_, id) => ({
    id: 9007199254740993n + BigInt(id),
    size: (id * 7919) % 1009,
    label: id % 3 === 0 ? `é "${noise(id)}"` : noise(id),
    status: id % 5 === 0 ? null : 'a',
    tags: id % 2 === 0 ? [noise(-id)] : [],
    [id === 4100 ? 'late' : 'early']: true,
  }))
  const inParts = (count = 500) => {
    const starts = Array.from({ length: Math.ceil(large.length / count) }, (_, part) => part * count)
    return pages(...starts.map((start) => large.slice(start, start + count)))
  }
  const print = async (changes: Partial<View>) => {
    const { sink, text } = memorySink()
    expect(await printList(inParts(), view(changes), sink)).toBe(changes.limit ?? large.length)
    return text()
  }
  const jsonOf = (records: readonly unknown[]) => {
    const marked = JSON.stringify(records, (_, value) => (typeof value === 'bigint' ? `<${value}>` : value), 2)
    return `${marked.replaceAll(/"<(\d+)>"/g, '$1')}\n`
  }
  const bySize = [...large].sort((a, b) => b.size - a.size)

  test('is JSON of all its records', async () => {
    expect((await print({ format: 'json' })) === jsonOf(large)).toBe(true)
  })

  test('is sorted stably and up to its limit', async () => {
    const sort = [sortBy('-size')]
    expect((await print({ format: 'json', sort })) === jsonOf(bySize)).toBe(true)
    const ids = bySize.slice(0, 2000).map(({ id }) => `${id}\n`)
    expect((await print({ quiet: 'id', atOnce: true, sort, limit: 2000 })) === ids.join('')).toBe(true)
  })

  test('is a table of all its records', async () => {
    const lines = (await print({ format: 'table', chosen: ['id', 'status', 'size', 'label', 'tags'] })).split('\n')
    const expected = large.map(
      ({ id, status, size, label, tags }) =>
        `${id}  ${(status ?? '-').padEnd(6)}  ${String(size).padStart(4)}  ${label.padEnd(68)}  ${tags[0] ?? '-'}`,
    )
    const heading = `${'ID'.padStart(16)}  STATUS  SIZE  ${'LABEL'.padEnd(68)}  TAGS`
    expect(lines.slice(0, 2)).toEqual([heading, expected[0]])
    expect(lines.join('\n') === `${[heading, ...expected].join('\n')}\n`).toBe(true)
  })

  test('has a heading with all fields, including those of its last page only', async () => {
    const csv = await print({ format: 'csv', chosen: ['id'], others: 1 })
    expect(csv.slice(0, csv.indexOf('\n'))).toBe('id,size,label,status,tags,early,late')
    expect(csv.split('\n')).toHaveLength(4202)
  })

  test.each([
    ...['length(@)', '[].label', '[*].{id: id, n: size}', '[?size > `500`].id', '[?size > `1000`] | [0].label'],
    ...['sum([].size) / length(@)', '{n: length(@), late: [?late].id, tags: length([].tags[])}', '[][]', '@[*].tags[]'],
    ...['length([?status == null]) > `3`', '[].tags | length(@)', 'max_by(@, &size).size', '[0]', '[-1].id', '[:3].id'],
    ...['reverse(@)[:2].size', '[?size == max($[].size)] | length(@)', 'let $n = length(@) in $n', 'label', '@', '[]'],
    ...['not_null(label, length(@))', '!late', 'length(@) == `0` && [].id || `1`', 'map(&size, @)[0]', 'keys([0])'],
  ])('has one query result, whatever its pages: %s', async (query) => {
    const some = large.slice(0, 1000).concat(large.slice(4100, 4101))
    const { runQuery } = await import('../../src/output/query')
    const whole = (await runQuery(some, query)) as unknown
    const value = { format: 'json' } as const
    for (const parts of [[some], [some.slice(0, 1), some.slice(1, 700), [], some.slice(700)]]) {
      const { sink, text } = memorySink()
      await printList(pages(...parts), view({ ...value, query }), sink)
      const { writer } = formats.json
      expect(text()).toBe(await writer.value(whole, view()))
    }
  })

  test('is one document, whatever its pages', async () => {
    const records = Array.from({ length: 2500 }, (_, id) => ({
      id,
      label: `é${id}`,
      big: 9007199254740993n,
      list: [id, {}],
    }))
    const whole = JSON.stringify(records, (_, value) => (typeof value === 'bigint' ? Number(value) : value), 2)
    const { sink, text } = memorySink()
    await printList(
      pages(records.slice(0, 1), [], records.slice(1, 1200), records.slice(1200)),
      view({ format: 'json' }),
      sink,
    )
    expect(text().replaceAll('9007199254740993', '9007199254740992')).toBe(`${whole}\n`)
    expect(await recordsText(records, { format: 'json' })).toBe(text())
    expect(await listText([], { format: 'json' })).toBe('[]\n')
    expect(await listText([], { format: 'yaml' })).toBe('[]\n')
  })

  test('is a table with columns as wide as its widest row, wherever that is', async () => {
    const records = Array.from({ length: 1050 }, (_, id) => ({
      id,
      label: id === 1040 ? 'the-widest-of-all' : 'x',
      status: 'a',
    }))
    const lines = (await listText(records)).trimEnd().split('\n')
    expect(lines).toHaveLength(1051)
    const places = new Set(lines.map((line) => line.search(/\S+$/)))
    expect(places.size).toBe(1)
  })
})
