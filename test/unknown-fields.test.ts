/** Fields that a service sends and the catalogue does not have: they can be shown, sorted and filtered. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { completeProfile, completeRecord, usEast } from './support/records'
import { type Fixtures, type Result, test } from './support/skyctl'

const extended = [
  {
    id: 1,
    label: 'one',
    size: 20,
    iops: 900,
    tier: 'fast',
    backed_up: true,
    limits: { burst: 5, note: null },
    old: null,
  },
  { id: 2, label: 'two', size: 40, iops: 3000, tier: 'slow', backed_up: false, limits: { burst: 40 }, old: null },
  { id: 3, label: 'three', size: 40, iops: null, tier: 'none', backed_up: null, limits: { burst: 7 }, old: null },
]

const envelope = (data: readonly object[]) => ({
  data: data.map(completeRecord),
  page: 1,
  pages: 1,
  results: data.length,
})

interface AskOptions extends Pick<Fixtures, 'skyctl'> {
  body?: unknown
}

async function run(line: string, { skyctl, body = envelope(extended) }: AskOptions): Promise<Result> {
  const { env } = await faultServer(reply(200, body))
  return skyctl(line, { env })
}

const formats = ['table', 'csv', 'tsv', 'json', 'ndjson', 'yaml'] as const

describe('--columns accepts a field that only the records have', () => {
  test.for<[format: (typeof formats)[number], text: string]>([
    ['table', 'ID  IOPS  LIMITS.BURST\n 1   900             5\n 2  3000            40\n 3     -             7\n'],
    ['csv', 'id,iops,limits.burst\n1,900,5\n2,3000,40\n3,,7\n'],
    ['tsv', 'id\tiops\tlimits.burst\n1\t900\t5\n2\t3000\t40\n3\t\t7\n'],
    [
      'ndjson',
      '{"id":1,"iops":900,"limits.burst":5}\n{"id":2,"iops":3000,"limits.burst":40}\n{"id":3,"iops":null,"limits.burst":7}\n',
    ],
    [
      'yaml',
      '- id: 1\n  iops: 900\n  limits.burst: 5\n- id: 2\n  iops: 3000\n  limits.burst: 40\n- id: 3\n  iops: null\n  limits.burst: 7\n',
    ],
  ])('of a list, as %s', async ([format, text], { skyctl }) => {
    const line = `volumes list --columns id,iops,limits.burst -o ${format}`
    expect(await run(line, { skyctl })).toEqual({ exit: 0, stdout: text, stderr: '' })
  })

  test('as JSON, with structures unchanged', async ({ skyctl }) => {
    const { stdout } = await run('volumes list --columns limits,iops --json', { skyctl })
    expect(JSON.parse(stdout)).toEqual(extended.map(({ limits, iops }) => ({ limits, iops })))
  })

  test('of one record', async ({ skyctl }) => {
    const body = completeRecord(extended[0] ?? {})
    expect(await run('volumes view 1 --columns limits.burst,tier -o csv', { skyctl, body })).toEqual({
      exit: 0,
      stdout: 'limits.burst,tier\n5,fast\n',
      stderr: '',
    })
    expect((await run('volumes view 1 --columns label,tier', { skyctl, body })).stdout).toBe(
      'label  one\ntier   fast\n',
    )
    expect(
      (
        await run('profile view --columns plan -o tsv --no-headers', {
          skyctl,
          body: { ...completeProfile, plan: 'pro' },
        })
      ).stdout,
    ).toBe('pro\n')
    expect(
      (await run('regions view us-east --columns zone --json', { skyctl, body: { ...usEast, zone: 3 } })).stdout,
    ).toBe('{\n  "zone": 3\n}\n')
  })

  test('of several targets, of which one has it', async ({ skyctl }) => {
    const { env } = await faultServer((socket, heard) => {
      const record = extended.find(({ id }) => heard.path.includes(`/volumes/${id}`))
      reply(200, completeRecord(record?.id === 1 ? { id: 1 } : (record ?? {})))(socket, heard)
    })
    const line = 'volumes view 1 2 --columns id,iops -o csv'
    expect(await skyctl(line, { env })).toEqual({ exit: 0, stdout: 'id,iops\n1,\n2,3000\n', stderr: '' })
    const misspelled = await skyctl('volumes view 1 2 --columns id,iosp -o csv', { env })
    expect(misspelled).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('Did you mean "iops"?') })
  })

  test.for(formats)(
    'and rejects one that no record has, with the nearest name and an empty stdout: %s',
    async (format, { skyctl }) => {
      for (const line of [
        'volumes list --columns id,iosp',
        'volumes list --sort -iosp',
        'volumes list --filter iosp>5',
      ]) {
        const { exit, stdout, stderr } = await run(`${line} -o ${format}`, { skyctl })
        expect({ line, exit, stdout }).toEqual({ line, exit: 2, stdout: '' })
        expect(stderr).toContain('unknown field')
        expect(stderr).toMatch(/Did you mean \\?"iops\\?"/)
      }
      expect((await run('volumes list --filter compute-id=1', { skyctl })).stderr).toContain(
        'Did you mean "compute_id"?',
      )
      const body = completeRecord(extended[0] ?? {})
      const { exit, stdout, stderr } = await run(`volumes view 1 --columns limits.bust -o ${format}`, { skyctl, body })
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(stderr).toMatch(/Did you mean \\?"limits.burst\\?"/)
    },
  )

  test('even if few records have it, and the list continues', async ({ skyctl }) => {
    const { exit, stdout } = await run('volumes list --columns note --limit 1 -o csv', {
      skyctl,
      body: envelope([{ id: 1 }, { id: 2, note: 'x' }]),
    })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'note\n\n' })
  })
})

describe('without records to check,', () => {
  test.for(['--columns iops', '--sort iops', '--filter iops=5'])(
    '%s causes a warning, and the list is empty',
    async (flag, { skyctl }) => {
      const { exit, stdout, stderr } = await run(`volumes list ${flag} -o ndjson`, { skyctl, body: envelope([]) })
      expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
      expect(JSON.parse(stderr).warning.message).toContain(
        '"iops" is not a known field, and there is no record to check',
      )
    },
  )

  test('a misspelled name causes a warning, too', async ({ skyctl }) => {
    const { stdout, stderr } = await run('volumes list --columns lable -o json', { skyctl, body: envelope([]) })
    expect(stdout).toBe('[]\n')
    expect(stderr).toContain('Did you mean \\"label\\"?')
  })

  test('a field of null causes a warning, too', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await run('volumes list --columns old.since -o csv', { skyctl })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'old.since\n\n\n\n' })
    expect(stderr).toContain('no value above it')
  })
})

describe('--columns all shows unknown fields', () => {
  test.for(['csv', 'tsv', 'json', 'ndjson', 'table'])(
    'as %s, even if only a later record has one',
    async (format, { skyctl }) => {
      const { exit, stdout } = await run(`volumes list --columns all -o ${format}`, {
        skyctl,
        body: envelope([...extended, { id: 4, late: 'here' }]),
      })
      expect(exit).toBe(0)
      for (const field of ['id', 'filesystem_path', 'iops', 'tier', 'limits.burst', 'limits.note', 'late'])
        expect(stdout.toLowerCase()).toContain(field)
      expect(stdout).toContain('here')
      expect(stdout).toContain('3000')
    },
  )

  test('with one heading for each, on all pages', async ({ skyctl }) => {
    const { env } = await faultServer((socket, heard) => {
      const page = Number(new URL(heard.path, 'http://x').searchParams.get('page'))
      const record = page === 1 ? { id: 1, label: 'one' } : { id: 2, late: 'x' }
      reply(200, { data: [completeRecord({ computes: [], ...record })], page, pages: 2, results: 2 })(socket, heard)
    })
    const { stdout } = await skyctl('vlans list --columns id,all -o csv', { env })
    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    expect(head.split(',').filter((name) => name === 'late')).toEqual(['late'])
    expect(rows.map((row) => row.split(',').length)).toEqual([head, head].map((text) => text.split(',').length))
    const lines = (await skyctl('vlans list --columns all -o ndjson', { env })).stdout.trimEnd().split('\n')
    expect(lines.map((text) => JSON.parse(text).late)).toEqual([undefined, 'x'])
  })

  test('of one record, also after a change', async ({ skyctl }) => {
    const body = completeRecord(extended[0] ?? {})
    expect((await run('volumes view 1 --columns all', { skyctl, body })).stdout).toMatch(/^limits\.burst +5$/m)
    const line = 'volumes update 1 --label x --allow-duplicate --columns all -o csv'
    expect((await run(line, { skyctl, body })).stdout).toContain('limits.burst')
  })
})

describe('a change', () => {
  test('accepts known columns only, because its response comes too late to reject one', async ({ skyctl }) => {
    const { received, env } = await faultServer(reply(200, extended[0]))
    const { exit, stdout, stderr } = await skyctl('volumes update 1 --label x --columns iops', { env })
    expect({ exit, stdout, received }).toEqual({ exit: 2, stdout: '', received: [] })
    expect(stderr).toContain('unknown field "iops"')
  })
})

describe('--sort', () => {
  test.for<[flag: string, ids: string]>([
    ['iops', '1\n2\n3\n'],
    ['-iops', '2\n1\n3\n'],
    ['tier', '1\n3\n2\n'],
    ['limits.burst', '1\n3\n2\n'],
  ])('%s sorts by the values of the records', async ([field, ids], { skyctl }) => {
    expect(await run(`volumes list --sort ${field} -q`, { skyctl })).toEqual({ exit: 0, stdout: ids, stderr: '' })
  })
})

describe('--filter', () => {
  test.for<[filter: string, ids: string]>([
    ['iops>=900', '1\n2\n'],
    ['iops>1000', '2\n'],
    ['iops=900.0', '1\n'],
    ['iops!=900', '2\n3\n'],
    ['iops=none', '3\n'],
    ['iops!=none', '1\n2\n'],
    ['tier=fast', '1\n'],
    ['tier~L', '2\n'],
    ['tier="none"', '3\n'],
    ['backed_up=yes', '1\n'],
    ['backed_up!=true', '2\n3\n'],
    ['limits.burst<10', '1\n3\n'],
    ['limits~40', '2\n'],
    ['limits.note=none', '1\n2\n3\n'],
    ['old=x', ''],
    ['compute_label=none', '1\n2\n3\n'],
    ['old!=x', '1\n2\n3\n'],
  ])('%s compares by the type of the value', async ([filter, ids], { skyctl }) => {
    const { received, env } = await faultServer(reply(200, envelope(extended)))
    expect(await skyctl(['volumes', 'list', '-q', '--filter', filter], { env })).toEqual({
      exit: 0,
      stdout: ids,
      stderr: '',
    })
    expect(received.map(({ headers }) => headers['x-filter'])).toEqual([undefined])
  })

  test.for<[filter: string, spelling: string]>([
    ['iops=fast', 'iops is a number, and "fast" is not. Write iops=40'],
    ['iops~9', 'iops is a number, which ~ cannot compare'],
    ['tier>a', 'tier is a text, which > cannot compare'],
    ['backed_up=maybe', 'backed_up is true or false'],
    ['backed_up<true', 'backed_up is true or false, which < cannot compare'],
    ['limits=5', 'limits is a structure, which = cannot compare'],
    ['iops=null', 'Write iops=none'],
    ['iops>', 'Write iops>40'],
    ['marks>1', 'marks is a list'],
  ])('%s is rejected, because it cannot be compared with the values', async ([filter, spelling], { skyctl }) => {
    const body = envelope(extended.map((record) => ({ ...record, marks: [1, 2] })))
    const { env } = await faultServer(reply(200, body))
    const { exit, stdout, stderr } = await skyctl(['volumes', 'list', '-o', 'csv', '--filter', filter], { env })
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(spelling)
  })

  test('compares a list by its members', async ({ skyctl }) => {
    const body = envelope([
      { id: 1, marks: [1, 2] },
      { id: 2, marks: [3] },
      { id: 3, marks: [] },
    ])
    expect((await run('volumes list -q --filter marks=2', { skyctl, body })).stdout).toBe('1\n')
    expect((await run('volumes list -q --filter marks!=2', { skyctl, body })).stdout).toBe('2\n3\n')
    expect((await run('volumes list -q --filter marks=none', { skyctl, body })).stdout).toBe('3\n')
  })

  test('rejects a type that only a later record has, too', async ({ skyctl }) => {
    const body = envelope([
      { id: 1, note: null },
      { id: 2, note: 'x' },
    ])
    expect(await run('volumes list -o json --filter note>5', { skyctl, body })).toMatchObject({ exit: 2, stdout: '' })
  })

  test('compares integers beyond 2^53 as doubles, and sorts them exactly', async ({ skyctl }) => {
    const { env } = await faultServer(
      reply(
        200,
        JSON.stringify(
          envelope([
            { id: 1, serial: '9007199254740993' },
            { id: 2, serial: '9007199254740992' },
          ]),
        ).replaceAll(/"serial":"(\d+)"/g, '"serial":$1'),
      ),
    )
    expect((await skyctl('volumes list -q --filter serial=9007199254740993', { env })).stdout).toBe('1\n2\n')
    expect((await skyctl('volumes list -q --sort serial', { env })).stdout).toBe('2\n1\n')
  })
})
