/** Tables, colours and escaped texts on a terminal. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { completeProfile, completeRecord } from '../support/records'
import { keys, test } from '../support/terminal'

/** ECMA-48: SGR. */
const colored = /\x1b\[[\d;]*m/

describe('A table', () => {
  test('has a line for each record if it fits', async ({ terminal }) => {
    const { screen } = await terminal('volumes list --limit 2').end
    expect(screen).toEqual([
      '  ID  LABEL   STATUS  SIZE (GiB)  REGION   COMPUTE_ID  COMPUTE_LABEL  TAGS',
      '3001  data-1  active          40  us-east        1001  web-1          production',
      '3002  data-2  active          20  us-east           -  -              -',
    ])
  })

  test('truncates long values with an ellipsis', async ({ terminal }) => {
    const { screen } = await terminal('regions list --limit 1').end
    expect(screen).toEqual([
      'ID            LABEL        COUNTRY  STATUS  CAPABILITIES',
      expect.stringMatching(/^ap-northeast {2}Tokyo 2, JP {2}jp {7}ok {6}.*…$/),
    ])
    expect(screen[1]?.length).toBeLessThanOrEqual(80)
  })

  test('of chosen columns has a line for each field on a narrow terminal', async ({ terminal }) => {
    const columns = 'id,label,status,size,region,compute_id,compute_label'
    const { screen } = await terminal(`volumes list --limit 2 --columns ${columns}`, { columns: 40 }).end
    expect(screen.slice(0, 2)).toEqual(['id             3001', 'label          data-1'])
    expect(screen).toHaveLength(2 * 7 + 1)
  })

  test.for([1, 2, 500])('is complete on a terminal with %i columns', async (columns, { terminal }) => {
    const { exit, screen } = await terminal('volumes list', { columns }).end
    expect(exit).toBe(0)
    for (const label of ['data-1', 'moving']) expect(screen.join('')).toMatch(new RegExp([...label].join('\\s*')))
  })

  test('has the width of the terminal, not of COLUMNS', async ({ terminal }) => {
    const plain = await terminal('regions list').end
    for (const COLUMNS of ['1', '1000000', 'wide']) {
      expect(await terminal('regions list', { env: { COLUMNS } }).end).toEqual(plain)
    }
  })

  test('is complete and without colour in a pipe', async ({ shellTerminal }) => {
    const { end, raw } = shellTerminal('skyctl regions list --limit 1 | cat', { columns: 500 })
    expect((await end).screen[1]).toMatch(/Metadata/)
    expect(raw()).not.toMatch(colored)
  })
})

describe('skyctl draws only ASCII', () => {
  const line = 'regions list --limit 1'
  const beyond = /[^\x00-\x7f]/

  test.for<Record<string, string | undefined>>([{ LC_ALL: 'C' }, { LANG: 'de_DE.ISO-8859-1' }])(
    'in the locale of %j',
    async (env, { terminal }) => {
      const { end, raw } = terminal(line, { env: { ...env } })
      const { screen } = await end
      expect(screen[1]).toMatch(/\.\.\.$/)
      expect(screen[1]?.length).toBeLessThanOrEqual(80)
      expect(raw()).not.toMatch(beyond)
    },
  )

  test('except for labels, which stay unchanged', async ({ terminal, world }) => {
    world.volume({ label: 'größe-東京' })
    const { screen } = await terminal('volumes list', { env: { LC_ALL: 'C' } }).end
    expect(screen.join('\n')).toContain('größe-東京')
  })

  test('except for files that check the terminal first, and the HTML page', () => {
    const root = join(import.meta.dirname, '../../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const drawing = files.filter((file) => beyond.test(withoutComments(readFileSync(join(root, file), 'utf8'))))
    // Schemas describe JSON for programs; texts of the sandbox are those of a service.
    const others = /^(generate\/schemas|sandbox)\//
    expect(drawing.filter((file) => !others.test(file)).sort()).toEqual([
      'cli/prompts/style.ts',
      'commands/flows/qr.ts',
      'output/page.ts',
      'output/width.ts',
    ])
  })

  const withoutComments = (source: string) => source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
})

describe('Colour', () => {
  test.for<[expected: boolean, line: string, env: Record<string, string>]>([
    [true, 'skyctl volumes list', {}],
    [false, 'skyctl volumes list', { NO_COLOR: '1' }],
    [false, 'skyctl volumes list --color never', {}],
    [false, 'skyctl volumes list | cat', {}],
    [true, 'skyctl volumes list | cat', { FORCE_COLOR: '1' }],
    [true, 'skyctl volumes list --color always | cat', {}],
    [false, 'skyctl volumes list --json', {}],
  ])('is %s for "%s" with %j', async ([expected, line, env], { shellTerminal }) => {
    const { end, raw } = shellTerminal(line, { env })
    expect(await end).toMatchObject({ exit: 0 })
    expect(colored.test(raw())).toBe(expected)
  })

  test('has no meaning of its own', async ({ terminal }) => {
    const plain = await terminal('volumes list --color never').end
    expect(await terminal('volumes list').end).toEqual(plain)
  })
})

/** Sequences that move the cursor, change the terminal or make it type. */
const hostile = [
  '\x1b[2J\x1b[H',
  '\x1b[1A\x1b[2K',
  '\x1b[31m',
  '\x1b]0;title\x07',
  '\x1b]52;c;cm0gLXJm\x07',
  '\x1b[6n',
  '\x1bc',
  '\x1b[?1049h',
  '\x9b2J',
  '\x08\x08\x08\x7f',
  '\r',
  '\n',
  '\u202e',
]

/** Sequences of prompts: erase a line, move up, down or to a column, show or hide the cursor; and line ends. */
const allowed = /\x1b\[(2K|\d*[ABG]|\?25[hl])|\r\n/g
const hostileBytes = /[\0-\x1f\x7f-\x9f\u202e]/

describe('Text from the API', () => {
  async function serviceWith(text: string) {
    const volume = completeRecord({
      id: 7,
      label: `a${text}b`,
      size: 20,
      region: text,
      status: text,
      compute_label: text,
      tags: [text],
    })
    const refused = { errors: [{ field: `label${text}`, reason: `No${text}, no` }] }
    const { host } = await faultServer((socket, request) => {
      const page = { data: [volume], page: 1, pages: 1, results: 1 }
      const answer =
        request.method === 'GET' ? reply(200, /volumes\/7/.test(request.path) ? volume : page) : reply(400, refused)
      answer(socket, request)
    })
    return { SKYCTL_BASE_URL: `http://${host}/v4` }
  }

  test('is escaped as the default of a question', async ({ terminal }) => {
    const profile = { ...completeProfile, username: `me${hostile.join('')}` }
    const none = { data: [], page: 1, pages: 1, results: 0 }
    const { host } = await faultServer((socket, request) =>
      reply(200, request.path.includes('/regions') ? none : profile)(socket, request),
    )
    const { until, type, end, raw } = terminal(`auth login --base-url http://${host}/v4`, {
      env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, NO_COLOR: '1' },
    })
    await until('? Token')
    type(`abc${keys.enter}`)
    await until('? Name of the context')
    type(`mine${keys.enter}`)
    expect(await end).toMatchObject({ exit: 0 })
    expect(raw().replaceAll(allowed, '')).not.toMatch(hostileBytes)
  })

  test('is escaped in questions, and so are names from local files', async ({ home, sandbox, terminal }) => {
    const name = `a${hostile.join('')}b`
    // An earlier version allowed such names.
    const contexts = { [name]: { base_url: sandbox.baseUrl, token: sandbox.ownerToken } }
    mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, 'config', 'contexts.json'), JSON.stringify({ contexts }), { mode: 0o600 })
    const { until, type, end, raw } = terminal(['context', 'delete', name, '--color', 'never'], { columns: 500 })
    expect((await until('(y/N)')).join('')).toContain(String.raw`Delete the context "a\x1b[2J`)
    type(keys.enter)
    await end
    expect(raw().replaceAll(allowed, '')).not.toMatch(hostileBytes)
  })

  test('is escaped in all formats, errors and questions', async ({ shellTerminal }) => {
    const env = await serviceWith(hostile.join(''))
    const { until, type, end, raw, answered } = shellTerminal(
      [
        'echo above',
        'skyctl volumes list --color never',
        'skyctl volumes list -o csv',
        'skyctl volumes view 7 --color never',
        'skyctl volumes list -o yaml',
        'skyctl volumes list --json',
        'skyctl volumes update 7 --label x',
        'skyctl volumes update 7 --label x --json',
        'skyctl volumes delete 7 --color never',
        'echo below',
      ].join('; '),
      // Without colour, which progress might have.
      { env: { ...env, NO_COLOR: '1' }, columns: 120, rows: 200 },
    )
    await until('(y/N)')
    type(keys.enter)
    const { screen } = await end
    expect([screen[0], screen.at(-1)]).toEqual(['above', 'below'])
    expect(answered()).toBe('')
    expect(raw().replaceAll(allowed, '')).not.toMatch(hostileBytes)
    expect(screen.join(' ')).toContain(String.raw`Delete volume "a\x1b[2J\x1b[H\x1b[1A`)
  })

  const rows = 'skyctl volumes list -o'

  test.for([
    `${rows} csv`,
    `${rows} tsv`,
    `${rows} tsv --query '[].tags'`,
    `${rows} csv --query '[].{"label": label, "tags": tags}'`,
    'skyctl volumes view 7 -o tsv',
    'skyctl volumes view 7 -o csv',
  ])('is escaped in rows on a terminal, also without a known width: %s', async (line, { shellTerminal }) => {
    const env = await serviceWith([...hostile, '\u200b', '\u2066', '\ufeff'].join(''))
    const { end, raw } = shellTerminal(`${line}; stty cols 0 rows 0; ${line}`, { env, columns: 500 })
    await end
    expect(raw().split('\\x1b[2J').length).toBeGreaterThan(2)
    expect(raw().replaceAll(/\r\n|\t/g, '')).not.toMatch(/[\0-\x1f\x7f-\x9f\u200b\u202e\u2066\ufeff]/)
  })

  test('is unchanged in rows to a pipe', async ({ shell }) => {
    const env = await serviceWith('\x1b[2J\u202e\u200b')
    for (const format of ['csv', 'tsv']) {
      const { stdout } = await shell(`${rows} ${format} --columns label --no-headers | cat`, { env })
      expect(stdout).toBe('a\x1b[2J\u202e\u200bb\n')
    }
  })
})
