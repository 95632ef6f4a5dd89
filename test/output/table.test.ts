import { describe, expect, test } from 'vitest'
import { type Column, columnsFor } from '../../src/output/column'
import { textWidth } from '../../src/output/width'
import fc, { anyCharacter } from '../support/fast-check'
import { listText, recordsText, recordText } from './text-printer'

const data = { id: 1, label: 'data', status: 'active' }
const logs = { id: 200, label: 'logs-of-the-web', status: 'creating' }

function lines(text: string): string[] {
  return text.split('\n').slice(0, -1)
}

describe('a table in a pipe', () => {
  test('has plain columns below upper-case headings, without blanks at the ends of lines', async () => {
    expect(lines(await listText([data, logs]))).toEqual([
      ' ID  LABEL            STATUS',
      '  1  data             active',
      '200  logs-of-the-web  creating',
    ])
  })

  test('has no headings with --no-headers', async () => {
    expect(await listText([data], { headers: false })).toBe('1  data  active\n')
  })

  test('is empty without records', async () => {
    expect(await listText([])).toBe('')
  })

  test.for([1, 199, 200, 201, 400])('has a line for each of %i records and no more', async (count) => {
    const records = Array.from({ length: count }, (_, index) => ({ id: index + 1, label: 'x' }))
    for (const width of [undefined, 80]) {
      const text = await listText(records, { headers: false, chosen: ['id', 'label'], ...(width && { width }) })
      expect(lines(text).map((line) => line.trim())).toEqual(records.map(({ id }) => `${id}  x`))
    }
  })

  test('is never cut', async () => {
    const label = 'x'.repeat(500)
    expect(await listText([{ id: 1, label }], { headers: false })).toBe(`1  ${label}  -\n`)
  })

  test('shows chosen fields in their order, nested ones by their path', async () => {
    const region = { id: 'eu-west', resolvers: { ipv4: '192.0.2.1' } }
    expect(lines(await listText([region], { chosen: ['resolvers.ipv4', 'id'] }))).toEqual([
      'RESOLVERS.IPV4  ID',
      '192.0.2.1       eu-west',
    ])
  })

  const rules = [
    { label: 'ssh', ports: '80, 443', addresses: { ipv4: ['192.0.2.0/24', '198.51.100.7/32'] }, n: 9007199254740993n },
    { label: 'ping', ports: null, addresses: {} },
  ]
  const [ssh = {}, ping = {}] = rules
  const whole =
    'label=ssh, ports="80, 443", addresses.ipv4=[192.0.2.0/24, 198.51.100.7/32], n=9007199254740993; label=ping, ports=-, addresses={}'

  test.for<[string, unknown, string?]>([
    ['a, b', ['a', 'b']],
    ['-', []],
    ['{}', {}],
    ['-', null],
    ['false', false],
    ['ssh, ping', rules, whole],
    ['2 items', [ssh, { ...ping, label: null }], whole.replace('=ping', '=-')],
    ['1 item', [{ n: 1 }], 'n=1'],
    ['2 items', [[1, 2], 3], '[1, 2]; 3'],
    ['region=us-east, keep_open=[tcp/22]', { region: 'us-east', keep_open: ['tcp/22'] }],
    ['note="a, b", list=2 items', { note: 'a, b', list: [{ n: 1 }, { n: 2 }] }, 'note="a, b", list=[{n=1}, {n=2}]'],
  ])('shows nested values as %s, and the view of one record all of them', async ([text, value, one = text]) => {
    const columns = [{ path: 'value' }]
    expect(await listText([{ value }], { columns, headers: false })).toBe(`${text}\n`)
    expect(await recordText({ value }, { columns, headers: false, chosen: ['value'] })).toBe(`${one}\n`)
  })

  test('shows only own keys of records', async () => {
    const columns = [{ path: '__proto__' }, { path: 'constructor' }, { path: 'toString' }, { path: 'a.constructor' }]
    const record = JSON.parse('{"__proto__": "x", "constructor": "y", "a": {}}')
    expect(await listText([record], { columns, headers: false })).toBe('x  y  -  -\n')
  })

  test('shows times as the API sent them', async () => {
    expect(await listText([{ id: '2026-11-15T09:30:00' }], { headers: false, chosen: ['id'] })).toBe(
      '2026-11-15T09:30:00\n',
    )
  })

  test('takes titles and texts from its columns, and escapes them', async () => {
    const columns = [{ path: 'size', heading: 'Size (GiB)', show: (value: unknown) => `${value}\x1b[0m` }]
    expect(await listText([{ size: 20 }], { columns })).toBe('SIZE (GIB)\n20\\x1b[0m\n')
  })
})

describe('a column', () => {
  const records = [
    { label: 'data', size: 40, state: 'up' },
    { label: 'logs', size: 2000, state: 'down' },
  ]

  test.each([0, 80])('has its unit after its heading, and numbers on the right: width %i', async (width) => {
    const columns: Column[] = [{ path: 'size', unit: 'GiB' }, { path: 'label' }]
    expect(lines(await listText(records, { columns, width }))).toEqual([
      'SIZE (GiB)  LABEL',
      '        40  data',
      '      2000  logs',
    ])
    expect(lines(await listText(records, { columns: [...columns].reverse(), width }))).toEqual([
      'LABEL  SIZE (GiB)',
      'data           40',
      'logs         2000',
    ])
  })

  test.each([0, 80])('of numbers is aligned right even if some values are missing: width %i', async (width) => {
    const shown = { columns: [{ path: 'n' }], width, headers: false }
    expect(await listText([{ n: 1 }, { n: 9007199254740993n }, { n: null }, {}], shown)).toBe(
      ['               1', '9007199254740993', '               -', '               -', ''].join('\n'),
    )
    expect(await listText([{ n: 1 }, { n: 'many' }], shown)).toBe('1\nmany\n')
    expect(await listText([{ n: '1' }, { n: '20' }], shown)).toBe('1\n20\n')
  })

  test('of numbers that are shown as text is aligned left', async () => {
    const columns: Column[] = [{ path: 'size', show: (size) => `${size} GiB` }]
    expect(await listText(records, { columns, headers: false })).toBe('40 GiB\n2000 GiB\n')
  })

  test.each([0, 12])('has its unit after the number in a record: width %i', async (width) => {
    const columns: Column[] = [{ path: 'size', unit: 'GiB' }, { path: 'label' }]
    const long = { label: 'a-label-of-some-length', size: 40 }
    expect(await recordText(long, { columns, width })).toBe('label  a-label-of-some-length\nsize   40 GiB\n')
    expect(await recordText({ size: null }, { columns, width })).toBe('size  -\n')
  })

  test('has its unit after the number if a narrow terminal shows each record by itself', async () => {
    const columns: Column[] = [{ path: 'size', unit: 'GiB' }, { path: 'label' }]
    expect(await listText([{ label: 'a-label-of-some-length', size: 40 }], { columns, width: 12 })).toBe(
      'size   40 GiB\nlabel  a-label-of-some-length\n',
    )
  })

  test.each([0, 80])('defines the colours of its values: width %i', async (width) => {
    const columns: Column[] = [{ path: 'state', tone: new Map([['down', 'red']]) }]
    expect(await listText(records, { columns, width, color: true, headers: false })).toBe('up\n\x1b[31mdown\x1b[39m\n')
    expect(await recordText(records[1], { columns, width, color: true, headers: false })).toBe(
      'logs\n2000\n\x1b[31mdown\x1b[39m\n',
    )
  })

  test('has its colours in every row, and no other column has them', async () => {
    const columns = columnsFor<{ status: string; label: string }>(['status', 'label'])
    const text = await listText(Array(3).fill({ status: 'ok', label: 'x' }), {
      columns,
      width: 80,
      color: true,
      headers: false,
    })
    expect(text).toBe('\x1b[32mok\x1b[39m  x\n'.repeat(3))
  })
})

describe('text from the API', () => {
  test('cannot start a line, move the cursor or colour a table', async () => {
    const label = 'a\n\x1b[31m\u202eb'
    for (const width of [0, 15, 200]) {
      expect(await listText([{ id: 1, label, status: 'ok' }], { headers: false, width })).toContain(
        'a\\n\\x1b[31m\\u202eb',
      )
    }
  })

  test('cannot do so in the names of fields', async () => {
    expect(await recordText({ 'a\x1b[2J': 1 })).toBe('a\\x1b[2J  1\n')
  })
})

describe('a table on a terminal', () => {
  test('looks like a table in a pipe if it fits', async () => {
    expect(await listText([data, logs], { width: 80 })).toBe(await listText([data, logs]))
  })

  test('looks like a table in a pipe with many records, too', async () => {
    const records = Array.from({ length: 1001 }, (_, id) => ({ id, label: 'x'.repeat(id % 7), status: 'ok' }))
    expect(await listText(records, { width: 80 })).toBe(await listText(records))
  })

  test('cuts the widest column first, with an ellipsis', async () => {
    const label = 'a-label-of-some-length'
    expect(lines(await listText([{ ...data, label }], { width: 29 }))).toEqual([
      'ID  LABEL              STATUS',
      ' 1  a-label-of-some-…  active',
    ])
  })

  test('cuts a column to ten characters at least, and otherwise shows each record by itself', async () => {
    const record = { id: 1, label: 'a-label-of-some-length' }
    const chosen = ['id', 'label']
    expect(lines(await listText([record], { width: 14, chosen }))).toEqual(['ID  LABEL', ' 1  a-label-o…'])
    expect(lines(await listText([record], { width: 13, chosen }))).toEqual([
      'id     1',
      'label  a-label-of-some-length',
    ])
  })

  test('never cuts the first column, which identifies the records', async () => {
    const range = { range: '2001:db8:114:100::', route_target: '2001:db8:114:0:f03c:91ff:fe00:3e9' }
    const columns = [{ path: 'range' }, { path: 'route_target' }]
    const chosen = columns.map(({ path }) => path)
    const text = (width: number) => listText([range], { columns, chosen, width, headers: false })
    expect(await text(32)).toBe('2001:db8:114:100::  2001:db8:11…\n')
    expect(lines(await text(28))).toEqual(['2001:db8:114:100::', '2001:db8:114:0:f03c:91ff:fe00:3e9'])
  })

  describe('that is too narrow', () => {
    const record = {
      id: 1,
      label: 'a-label-of-some-length',
      created: 'x'.repeat(12),
      tags: 'y'.repeat(14),
      status: 'ok',
    }
    const columns: Column[] = [
      { path: 'id' },
      { path: 'label' },
      { path: 'created', priority: 'low' },
      { path: 'tags' },
      { path: 'status' },
    ]
    const headingsAt = async (width: number) => {
      const [headings = '', , ...note] = lines(await listText([record], { columns, width }))
      return [headings.toLowerCase().split(/ +/).filter(Boolean).join(' '), note.join(' ')]
    }

    test('leaves out columns of low priority, then the others from the right, and names them in the last line', async () => {
      expect(await headingsAt(64)).toEqual(['id label created tags status', ''])
      expect(await headingsAt(63)).toEqual([
        'id label tags status',
        'Too narrow for created: see --columns id,label,created',
      ])
      expect(await headingsAt(45)).toEqual([
        'id label tags status',
        'Too narrow for created: see --columns id,label,created',
      ])
      expect(await headingsAt(40)).toEqual([
        'id label status',
        'Too narrow for created and tags: see --columns id,label,created,tags',
      ])
    })

    test('cuts a column of high priority only after those of low priority are left out', async () => {
      expect(await listText([record], { columns, width: 50 })).toContain(record.label)
      expect(await listText([record], { columns, width: 45 })).toContain('a-label-of-som')
    })

    test('keeps every column that the user chose', async () => {
      const chosen = columns.map(({ path }) => path)
      expect(await listText([record], { columns, chosen, width: 40 })).not.toContain('Too narrow')
      expect(lines(await listText([record], { columns, chosen, width: 40 }))).toHaveLength(5)
    })

    test('never cuts a command, nor a column that is whole', async () => {
      const fix = `skyctl volumes detach ${'data-'.repeat(5)}1`
      const text = await listText([{ ...record, fix }], { columns, chosen: ['id', 'label', 'fix'], width: 70 })
      expect(text).toContain(fix)
      const whole: Column[] = [{ path: 'id' }, { path: 'fix', whole: true, priority: 'high' }, { path: 'label' }]
      const value = 'w'.repeat(30)
      expect(await listText([{ ...record, fix: value }], { columns: whole, width: 50 })).toContain(value)
    })

    test('has no such line in a pipe', async () => {
      expect(await listText([record], { columns })).not.toContain('Too narrow')
    })
  })

  test('never has a line wider than the terminal', async () => {
    const cell = fc.string({
      unit: fc.oneof(fc.constantFrom('東', '🚀', 'e\u0301', '\x1b', ' '), anyCharacter),
    })
    const record = fc.record({ id: fc.maxSafeNat(), label: cell, status: cell })
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 5 }),
        fc.integer({ min: 36, max: 120 }),
        async (records, width) => {
          for (const line of lines(await listText(records, { width })))
            expect(textWidth(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })

  test('has a block for each record, with nothing cut, if the columns do not fit', async () => {
    const label = 'a-label-of-some-length'
    for (const width of [1, 20]) {
      expect(lines(await listText([{ ...data, label }, logs], { width }))).toEqual([
        'id      1',
        `label   ${label}`,
        'status  active',
        '',
        'id      200',
        'label   logs-of-the-web',
        'status  creating',
      ])
    }
  })

  test('survives a width of a million', async () => {
    expect(await listText([data], { width: 1_000_000 })).toBe(await listText([data]))
  })

  test('gives wide characters two columns and combining marks none', async () => {
    const records = ['東京', 'e\u0301t', '🚀', 'ที่', 'ascii'].map((label, id) => ({ id, label, status: 'ok' }))
    const texts = lines(await listText(records, { width: 80, headers: false }))
    expect(texts.map((text) => textWidth(text.slice(0, text.indexOf('ok'))))).toEqual([10, 10, 10, 10, 10])
    // Emoji of Unicode 14 (2021) and 15 (2022).
    const newer = ['🫠', '🫨'].map((label, id) => ({ id, label, status: 'ok' }))
    expect(lines(await listText(newer, { width: 80, headers: false }))).toEqual(['0  🫠  ok', '1  🫨  ok'])
    expect(lines(await listText([...newer, data], { width: 80, headers: false }))[0]).toBe('0  🫠    ok')
  })

  test('shows the age of a time', async () => {
    const at = (created: string) => listText([{ created }], { width: 80, chosen: ['created'], headers: false })
    expect(await at('2026-11-15T09:30:00')).toBe('3 days ago\n')
    expect(await at('2026-11-18 11:31')).toBe('2026-11-18 11:31\n')
  })

  test('colours known states and headings, and has the same text without colour', async () => {
    const colored = await listText([data, { ...data, status: 'outage' }, { ...data, status: 'new' }], {
      width: 80,
      color: true,
    })
    expect(colored).toContain('\x1b[1mSTATUS\x1b[22m\n')
    expect(colored).toContain('\x1b[32mactive\x1b[39m\n')
    expect(colored).toContain('\x1b[31moutage\x1b[39m\n')
    expect(colored).toContain('  new\n')
    const codes = /\x1b\[\d+m/g
    expect((await listText([data, logs], { width: 80, color: true })).replaceAll(codes, '')).toBe(
      await listText([data, logs]),
    )
  })

  test('does not colour a state in a field of another name', async () => {
    expect(await listText([{ id: 1, label: 'active' }], { width: 80, color: true, headers: false })).toBe(
      '1  active  -\n',
    )
  })
})

describe('one record', () => {
  const volume = { id: 1, created: '2026-11-15T09:30:00', resolvers: { ipv4: 'a', ipv6: 'b' }, tags: [], extra: {} }

  test('has one line for each field, with dotted keys for nested objects', async () => {
    expect(lines(await recordText(volume))).toEqual([
      'id              1',
      'created         2026-11-15T09:30:00',
      'resolvers.ipv4  a',
      'resolvers.ipv6  b',
      'tags            -',
      'extra           {}',
    ])
  })

  test('shows a time on a terminal with its zone', async () => {
    const text = await recordText(volume, { width: 80, chosen: ['created'] })
    expect(text).toMatch(/^created {2}2026-11-1\d \d\d:\d\d (UTC|[+-]\d\d:\d\d)\n$/)
  })

  test('shows fields like the columns with their path', async () => {
    const columns = [{ path: 'size', show: (value: unknown) => `${value} GiB` }]
    expect(await recordText({ size: 20, id: 1 }, { columns })).toBe('size  20 GiB\nid    1\n')
  })

  test('is never cut and no word is broken, because it may be a one-time secret', async () => {
    const token = 'f'.repeat(64)
    expect(await recordText({ token }, { width: 20 })).toBe(`token  ${token}\n`)
  })

  test('has a text wrapped at its blanks if the terminal is too narrow for it', async () => {
    const record = { scopes: 'volumes:read_write computes:read_write' }
    expect(await recordText(record, { width: 40 })).toBe('scopes  volumes:read_write\n        computes:read_write\n')
    expect(await recordText(record)).toBe('scopes  volumes:read_write computes:read_write\n')
  })

  test('is not wrapped if it is exactly as wide as the terminal, with or without its heading', async () => {
    const record = { scopes: 'volumes:read_write computes:read_write' }
    expect(await recordText(record, { width: 46 })).toBe('scopes  volumes:read_write computes:read_write\n')
    expect(await recordText(record, { width: 38, headers: false })).toBe('volumes:read_write computes:read_write\n')
    expect(await recordText(record, { width: 37, headers: false })).toBe('volumes:read_write\ncomputes:read_write\n')
  })

  test('is wrapped if each word fits and at least ten columns are left', async () => {
    const long = { scopes: `ips:read_only ${'v'.repeat(20)}` }
    const broken = `ips:read_only\n${'v'.repeat(20)}\n`
    expect(await recordText(long, { width: 20, headers: false })).toBe(broken)
    expect(await recordText(long, { width: 19, headers: false })).toBe(`${long.scopes}\n`)
    const short = { label: 'one two three' }
    expect(await recordText(short, { width: 10, headers: false })).toBe('one two\nthree\n')
    expect(await recordText(short, { width: 9, headers: false })).toBe('one two three\n')
  })

  test('has a list wrapped between its values, on a terminal only', async () => {
    const record = { capabilities: ['Computes', 'Balancers', 'Block Storage', 'Vlans'] }
    expect(await recordText(record, { width: 36 })).toBe(
      'capabilities  Computes, Balancers,\n              Block Storage, Vlans\n',
    )
    expect(await recordText(record)).toBe('capabilities  Computes, Balancers, Block Storage, Vlans\n')
    expect(await recordText({ authorized_keys: [`ssh-ed25519 ${'A'.repeat(30)}`] }, { width: 36 })).toContain(
      `ssh-ed25519 ${'A'.repeat(30)}`,
    )
  })

  test('without headings has only the chosen values', async () => {
    expect(await recordText(volume, { chosen: ['resolvers.ipv4', 'id'], headers: false })).toBe('a\n1\n')
  })

  test('is empty without fields', async () => {
    expect(await recordText({})).toBe('')
  })

  test('is a row of a table if there are several', async () => {
    expect(await recordsText([data, logs])).toBe(await listText([data, logs]))
  })
})
