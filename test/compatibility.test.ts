/**
 * Files of other versions (docs/compatibility.md): files of older versions, kept in `files-of-VERSION`, and files of
 * newer ones. `node bench/versions.mjs` tries two versions in one home.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { digestOf } from '../src/commands/account-file/saved-plan'
import { backupsIn, editBackup } from './support/backups'
import { test as base, type Options } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const readJson = (path: string) => json(readFileSync(path, 'utf8'))

const olderFolders = readdirSync(import.meta.dirname).filter((name) => name.startsWith('files-of-'))
const kindsIn = (folder: string) => Object.keys(readJson(join(import.meta.dirname, folder, 'written.json')))

// The texts of steps may differ, which makes a saved plan fail.
const failedPlan = 'refused, exit 6: skyctl: the steps differ from the saved plan'

base.for(olderFolders)('each kind of file in %s works with this version', { timeout: 300_000 }, async (folder) => {
  const source = join('test', folder)
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/versions.mjs', '--kept', source], {
    cwd: dirname(import.meta.dirname),
  }).catch((error) => error)
  const outcomes = kindsIn(folder).map((kind) => `${kind} | ${source} | works\n`)
  const report = stdout.replace(new RegExp(`^(saved plan \\| .* \\| )${failedPlan}.*`, 'm'), '$1works')
  expect(report).toBe(`${outcomes.join('')}${outcomes.length} tried, 0 faults\n`)
})

describe('docs/compatibility.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/compatibility.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))

  base('has a row for each kind of file in files-of-VERSION', () => {
    expect(cells.map(([, kind]) => kind)).toEqual(expect.arrayContaining(olderFolders.flatMap(kindsIn)))
  })

  base('supports Node.js versions from "engines" on, until six months after their end of life', () => {
    const lines = cells.filter(([, line = '']) => /^\d/.test(line))
    const { engines } = readJson(join(import.meta.dirname, '../package.json'))
    expect(engines.node).toMatch(new RegExp(`^>=${lines[0]?.[1]}\\.`))
    for (const [, , end = '', until = ''] of lines) {
      const month = new Date(`${end.slice(0, 7)}-01T00:00:00Z`)
      month.setUTCMonth(month.getUTCMonth() + 6)
      expect(until.slice(0, 7)).toBe(month.toISOString().slice(0, 7))
    }
  })
})

interface Fixtures {
  /** Writes a private file below the home; returns its path. */
  put(name: string, content: unknown): string
  /** Runs a line in the sandbox of the state folder. */
  inSandbox(line: string): ReturnType<typeof import('./support/skyctl').runSkyctl>
}

const newerTest = base.extend<Fixtures>({
  put: async ({ home }, use) =>
    use((name, content) => {
      const path = join(home, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content)}\n`, { mode: 0o600 })
      return path
    }),
  inSandbox: async ({ skyctl }, use) => {
    const options: Options = { env: { SKYCTL_CONTEXT: 'sandbox', SKYCTL_BASE_URL: undefined, SKYCTL_TOKEN: undefined } }
    await use((line) => skyctl(line, options))
  },
})

const noCredentials = { SKYCTL_BASE_URL: undefined, SKYCTL_TOKEN: undefined }
const isNewer = 'was written by a newer version of skyctl'

describe('contexts of a newer version', () => {
  const prod = { base_url: 'https://api.example.net/v4', token: 'facade00', later: { deep: [1] } }
  const contexts = { later: true, current: 'prod', contexts: { prod: { ...prod, defaults: { later: 'x' } } } }

  newerTest('keep their unknown keys in a change by this version', async ({ put, skyctl }) => {
    const path = put('config/contexts.json', contexts)
    expect((await skyctl('context update prod --region eu-west', { env: noCredentials })).exit).toBe(0)
    expect((await skyctl('context rename prod main', { env: noCredentials })).exit).toBe(0)
    expect(readJson(path)).toEqual({
      later: true,
      current: 'main',
      contexts: { main: { ...prod, defaults: { later: 'x', region: 'eu-west' } } },
    })
  })

  newerTest.for(['context list', 'context update prod --region eu-west', 'volumes list'])(
    'in a higher format make "%s" fail, and stay unchanged, as does their backup',
    async (line, { put, skyctl, home }) => {
      const files = ['config/contexts.json', 'config/contexts.json.bak']
      const [path = ''] = files.map((name) => put(name, { format_version: 2, accounts: [] }))
      const { exit, stderr } = await skyctl(line, { env: noCredentials })
      expect({ exit, stderr }).toEqual({
        exit: 12,
        stderr: `skyctl: ${path} ${isNewer}. Update skyctl, or set SKYCTL_CONFIG_DIR to another folder\n`,
      })
      expect(files.map((name) => readJson(join(home, name)).format_version)).toEqual([2, 2])
      expect(readdirSync(join(home, 'config'))).toEqual(['contexts.json', 'contexts.json.bak'])
    },
  )

  newerTest(
    'in a higher format as backup of a damaged file stay unchanged, as does that file',
    async ({ put, skyctl, home }) => {
      const [path, backup] = [
        put('config/contexts.json', 'x'),
        put('config/contexts.json.bak', { format_version: 2, accounts: [] }),
      ]
      for (const line of ['context list', 'context update prod --region eu-west']) {
        const { exit, stderr } = await skyctl(line, { env: noCredentials })
        expect({ exit, stderr }).toEqual({ exit: 12, stderr: expect.stringContaining(`${backup} ${isNewer}`) })
      }
      expect({ text: readFileSync(path, 'utf8'), format: readJson(backup).format_version }).toEqual({
        text: 'x',
        format: 2,
      })
      expect(readdirSync(join(home, 'config'))).toEqual(['contexts.json', 'contexts.json.bak'])
    },
  )

  newerTest('in a higher format are not needed with a base URL and a token', async ({ put, skyctl }) => {
    put('config/contexts.json', { format_version: 2 })
    expect(await skyctl('regions view us-east -q')).toMatchObject({ exit: 0, stdout: 'us-east\n' })
  })
})

describe('a sandbox world of a newer version', () => {
  const header = (version: number) => `{"skyctl_sandbox":${version},"mark":"0123456789abcdef"}\n`
  const file = 'state/sandbox.json'

  newerTest.for([header(4), header(10), '{"skyctl_sandbox":4,"more":{}}\n'])(
    'in a higher format is refused and stays unchanged: %j',
    async (content, { put, inSandbox }) => {
      const path = put(file, content)
      const { exit, stderr } = await inSandbox('volumes list')
      expect({ exit, stderr }).toEqual({
        exit: 12,
        stderr: `skyctl: ${path} ${isNewer}. Update skyctl, or name another file, or set SKYCTL_STATE_DIR\n`,
      })
      expect(readFileSync(path, 'utf8')).toBe(content)
    },
  )

  newerTest('keeps records of unknown tables and unknown fields', async ({ put, inSandbox, home }) => {
    await inSandbox('volumes list')
    const databases = { last_id: 5, records: [{ id: 1, label: 'kept' }] }
    const text = readFileSync(join(home, file), 'utf8').replaceAll('"label":"data-2"', '"label":"data-2","later":7')
    const world = JSON.parse(text)
    // The mark comes first: it tells this document from the earlier one.
    put(file, JSON.stringify({ ...world, mark: '0123456789abcdef', tables: { ...world.tables, databases } }))
    expect((await inSandbox('volumes update data-2 --tag changed')).exit).toBe(0)
    const { tables } = JSON.parse(readFileSync(join(home, file), 'utf8'))
    expect(tables.databases).toEqual(databases)
    const volume = tables.volumes.records.find(({ id }: { id: number }) => id === 3002)
    expect(volume).toMatchObject({ later: 7, tags: ['changed'] })
  })

  newerTest('is refused as a seed file with unknown keys, with advice', async ({ put, skyctl }) => {
    const path = put('world.json', { databases: [] })
    const { exit, stderr } = await skyctl(`sandbox start --seed ${path}`)
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringMatching(
        /not a sandbox world: databases: .*If a newer version of skyctl printed this one, update/,
      ),
    })
  })
})

describe('a journal of a newer version', () => {
  const header = {
    skyctl_journal: 1,
    command: 'delete: DELETE /volumes/{volumeId}',
    account: 'sandbox 1 owner',
    inputs: { targets: ['3002', '3004'], body: {} },
  }
  const resume = (path: string) => `volumes delete 3002 3004 --yes --resume ${path}`

  newerTest('is resumed despite unknown fields', async ({ put, inSandbox }) => {
    const lines = [
      { ...header, later: 1 },
      { target: 1, state: 'done', answer: {}, later: 2 },
    ]
    const path = put('x.journal', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect((await inSandbox(resume(path))).exit).toBe(0)
    const remainingIds = json((await inSandbox('volumes list --json')).stdout).map(({ id }: { id: number }) => id)
    expect({ done: remainingIds.includes(3002), resumed: !remainingIds.includes(3004) }).toEqual({
      done: true,
      resumed: true,
    })
  })

  newerTest('in a higher format is refused and stays unchanged', async ({ put, inSandbox }) => {
    const path = put('x.journal', { ...header, skyctl_journal: 2 })
    const before = readFileSync(path, 'utf8')
    const { exit, stderr } = await inSandbox(resume(path))
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: `skyctl: ${path} ${isNewer}. Update skyctl, or resume it with that version\n`,
    })
    expect(readFileSync(path, 'utf8')).toBe(before)
  })
})

describe('a saved plan of a newer version', () => {
  newerTest.for<[string, object, string]>([
    ['a higher format', { format_version: 3 }, 'was saved by a newer version of skyctl'],
    [
      'an unknown kind',
      { wanted: { databases: { x: {} } } },
      'has databases, which this version of skyctl does not know',
    ],
  ])('with %s is refused before anything is sent', async ([, change, reason], { put, skyctl, world, home }) => {
    const out = join(home, 'plan.json')
    const accountFile = put('wanted.yaml', 'volumes: { fresh: { region: us-east } }')
    expect((await skyctl(`plan ${accountFile} --out ${out}`)).exit).toBe(0)
    const plan = { ...readJson(out), ...change }
    put('plan.json', { ...plan, digest: digestOf(plan) })
    const { exit, stderr } = await skyctl(`apply ${out} --yes`)
    expect({ exit, stderr, sent: world.requests('POST') }).toEqual({
      exit: 2,
      stderr: `skyctl: ${out} ${reason}. Save it again: skyctl plan FILE --out plan.json, or update skyctl\n`,
      sent: [],
    })
  })

  newerTest(
    'with other texts of steps fails because of its version or a change of the account',
    async ({ put, skyctl, world, home }) => {
      const out = join(home, 'plan.json')
      await skyctl(`plan ${put('wanted.yaml', 'volumes: { fresh: { region: us-east } }')} --out ${out}`)
      const plan = json(readFileSync(out, 'utf8').replaceAll('until it is deleted', 'until deleted'))
      const older = { ...plan, skyctl: '0.0.9' }
      put('plan.json', { ...older, digest: digestOf(older) })
      const { exit, stderr } = await skyctl(`apply ${out} --yes`)
      expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 6, sent: [] })
      expect(stderr).toContain(
        'another version of skyctl saved it, or the account has changed: volume "fresh". Plan again',
      )
    },
  )
})

newerTest.for<[string, string, string]>([
  ['account', 'plan FILE', 'databases: {}'],
  ['account', 'plan FILE', 'volumes: { fresh: { region: us-east, later: 1 } }'],
  ['rules', 'firewalls rules diff web --file FILE', 'later: []'],
  [
    'rules',
    'firewalls rules diff web --file FILE',
    'inbound: [{ action: accept, protocol: icmp, from: [anywhere], later: 1 }]',
  ],
])(
  'an input file (%s) of a newer version is refused for its unknown key (%s: %s)',
  async ([, line, text], { put, skyctl }) => {
    const { exit, stderr } = await skyctl(line.replace('FILE', put('newer.yaml', text)))
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(/databases|later/) })
  },
)

describe('the history of a newer version', () => {
  const request = {
    time: '2026-01-01T00:00:00.000Z',
    context: 'sandbox',
    service: 'sandbox',
    user: { uid: 1, username: 'owner' },
  }
  const update = { ...request, command: 'volumes update', method: 'PUT', path: '/volumes/{volumeId}', later: 1 }
  const at = (entry: string, id: number) => ({
    ...update,
    entry,
    path_parameters: { volumeId: id },
    before: { tags: [] },
  })
  const lines = [
    at('a', 3001),
    { entry: 'a', ended: request.time, outcome: 'ok', later: 1 },
    // Without a method: an unknown kind of change.
    { ...request, entry: 'b', batch: [{ path: '/volumes/3003' }] },
    { entry: 'b', ended: request.time, outcome: 'partly' },
    { note: 'a line without a request' },
    at('c', 3002),
    { entry: 'c', ended: request.time, outcome: 'ok' },
  ]
  const text = lines.map((line) => `\n${JSON.stringify(line)}\n`).join('')
  const warning =
    'skyctl: warning: 1 change is missing here: a newer version of skyctl recorded what this one cannot read. Update skyctl\n'

  newerTest(
    'is listed without unreadable changes, which keep their numbers and are counted in a warning',
    async ({ put, inSandbox, home }) => {
      put('state/history/1.ndjson', text)
      const { exit, stdout, stderr } = await inSandbox('history list --json')
      const listed = json(stdout).map(({ number, id }: Record<string, unknown>) => [number, String(id)])
      expect({ exit, listed }).toEqual({
        exit: 0,
        listed: [
          [3, '3002'],
          [1, '3001'],
        ],
      })
      expect(json(stderr).warning.message).toBe(warning.slice('skyctl: warning: '.length, -1))
      expect(readFileSync(join(home, 'state/history/1.ndjson'), 'utf8')).toBe(text)
    },
  )

  newerTest('cannot undo an unreadable change, and undoes no other one by its number', async ({ put, inSandbox }) => {
    put('state/history/1.ndjson', text)
    const { exit, stderr } = await inSandbox('history undo 2 --yes')
    expect({ exit, stderr }).toEqual({
      exit: 5,
      stderr: `${warning}skyctl: change 2 is not in the history. See skyctl history list\n`,
    })
  })
})

describe('a rule backup of a newer version', () => {
  const remove = 'firewalls rules remove web inbound label:accept-ping --yes'

  newerTest('restores the rules despite unknown fields', async ({ inSandbox, home }) => {
    expect((await inSandbox(remove)).exit).toBe(0)
    editBackup(home, (backup) => ({ ...backup, later: { deep: 1 } }))
    expect((await inSandbox('firewalls rules undo web --yes')).exit).toBe(0)
    expect((await inSandbox('firewalls rules list web --json')).stdout).toContain('accept-ping')
  })

  newerTest('in a higher format is refused and stays unchanged', async ({ inSandbox, home }) => {
    expect((await inSandbox(remove)).exit).toBe(0)
    editBackup(home, (backup) => ({ ...backup, format_version: 2 }))
    const { exit, stderr } = await inSandbox('firewalls rules undo web --yes')
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringMatching(
        /^skyctl: the backup of the rules of firewall \d+ was written by a newer version of skyctl\. Update skyctl, or restore the rules by hand\n$/,
      ),
    })
    expect(backupsIn(home)).toMatchObject([{ format_version: 2 }])
  })
})

describe('background records of a newer version', () => {
  newerTest('in a higher format are named in a warning and kept', async ({ put, inSandbox }) => {
    const record = put('state/watches/0123456789abcdef.ndjson', { format_version: 2, later: [] })
    const { exit, stderr } = await inSandbox('regions view us-east -q')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `skyctl: warning: skipped a record of a change to undo: ${record} ${isNewer}. Update skyctl, or run a command of that version\n`,
    })
    expect(existsSync(record)).toBe(true)
  })
})
