/** Columns name fields of records: checked by the compiler, and here over all commands. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { describe, expect, expectTypeOf } from 'vitest'
import { type AnswerRecord, fieldPaths } from '../src/catalogue/operation'
import { regions } from '../src/catalogue/regions'
import type { volumes } from '../src/catalogue/volumes'
import { program } from '../src/commands/index'
import { type CommandNode, loadTree, withDescendants } from '../src/engine/command-nodes'
import type { List } from '../src/engine/list-definition'
import type { Column, columnsFor, FieldPath } from '../src/output/column'
import { textWidth } from '../src/output/width'
import { faultServer, reply } from './support/fault-server'
import { samples } from './support/samples'
import { type Fixtures, test } from './support/skyctl'

type Region = AnswerRecord<typeof regions.list>
type Specs = Parameters<typeof columnsFor<AnswerRecord<typeof volumes.list>>>[0]
type RegionPath = 'id' | 'label' | 'country' | 'capabilities' | 'status' | 'resolvers.ipv4' | 'resolvers.ipv6'

describe('the compiler', () => {
  test('knows the fields of an answer by path, like --columns, and no others', () => {
    expectTypeOf<FieldPath<Region>>().toEqualTypeOf<RegionPath>()
    const paths: RegionPath[] = ['id', 'label', 'country', 'capabilities', 'status', 'resolvers.ipv4', 'resolvers.ipv6']
    expect(fieldPaths(regions.list)).toEqual(paths)
  })

  test('knows the fields of lists, optional answers and unions', () => {
    expectTypeOf<FieldPath<AnswerRecord<typeof regions.regionAvailability>>>().toEqualTypeOf<
      'region' | 'plan' | 'available'
    >()
    expectTypeOf<FieldPath<{ one?: { two: string[] } | null; none: object }>>().toEqualTypeOf<'one.two' | 'none'>()
    expectTypeOf<FieldPath<{ kind: 'a'; a: number } | { kind: 'b'; b: number }>>().toEqualTypeOf<'kind'>()
  })

  test('rejects a misspelt column, a column of other records, and an unknown key', () => {
    expectTypeOf<'label'>().toExtend<Specs[number]>()
    expectTypeOf<'lable'>().not.toExtend<Specs[number]>()
    expectTypeOf<'resolvers.ipv4'>().not.toExtend<Specs[number]>()
    expectTypeOf<Column<'lable'>>().not.toExtend<Specs[number]>()
    expectTypeOf<List<AnswerRecord<typeof volumes.list>>['columns']>().not.toExtend<List<Region>['columns']>()
    expectTypeOf<'plan'>().not.toExtend<List<Region>['key']>()
  })
})

const nodes = withDescendants(await loadTree(program))
const readers = nodes.filter(
  ({ words, command }) =>
    ['list', 'view'].includes(words.at(-1) ?? '') && command?.flags.some(({ name }) => name === 'columns'),
)

/** Returns the command line with the first object of each argument's list. */
async function lineFor({ words, command }: CommandNode, skyctl: Fixtures['skyctl']): Promise<string> {
  if (words.at(-1) === 'openings') return words.join(' ')
  const first = async (list: string) => (await skyctl(`${list} --quiet --limit 1`)).stdout.trim()
  const group = words.slice(0, -1).join(' ')
  const targets: string[] = []
  for (const { name } of command?.arguments ?? []) {
    const list = name === 'firewall' ? 'firewalls list' : [group, 'list', ...targets].join(' ')
    targets.push(await first(list))
  }
  return [...words, ...targets].join(' ')
}

describe('all columns of a command are fields of its answer', () => {
  test.for(readers.map((node) => [node.words.join(' '), node] as const))('%s', async ([, node], { skyctl }) => {
    if (node.words[0] === 'history') await skyctl('volumes update data-2 --tag x')
    const commandLine = await lineFor(node, skyctl)
    const [defaultColumns, allColumns] = [
      await skyctl(`${commandLine} -o csv`),
      await skyctl(`${commandLine} -o csv --columns all`),
    ]
    expect([defaultColumns, allColumns]).toMatchObject([{ exit: 0 }, { exit: 0 }])
    const [names, fields] = [defaultColumns, allColumns].map(({ stdout }) => stdout.split('\n', 1)[0]?.split(',') ?? [])
    expect(names).not.toEqual([''])
    expect(fields).toEqual(expect.arrayContaining(names ?? []))
  })
})

/** Returns a value with labels of 32 characters, and addresses of 39. */
function lengthen(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lengthen(one, key))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, lengthen(one, inner)]))
  }
  if (typeof value !== 'string') return value
  if (/label|username|rdns/.test(key)) return value.padEnd(32, '-of-the-account')
  return isIP(value)
    ? `2001:db8:1234:5678:9abc:def0:${createHash('md5').update(value).digest('hex').slice(0, 4)}:fedc`
    : value
}

describe('a list fits a terminal of 80 columns', () => {
  const lists = nodes.filter(({ command }) => command?.flags.some(({ name }) => name === 'sort'))

  /** Expects a heading, a line for each record, and no line that the terminal would wrap. */
  function expectTable(stdout: string): void {
    const [heading = '', ...rows] = stdout.trimEnd().split('\n')
    expect(heading.replace('(GiB)', '')).toMatch(/^ *[A-Z_]+( +[A-Z_]+)+ *$/)
    expect(rows.length).toBeGreaterThan(0)
    expect([heading, ...rows].filter((row) => textWidth(row) > 80)).toEqual([])
    expect(rows.filter((row) => row === '')).toEqual([])
  }

  async function prepare({ words }: CommandNode, fixtures: Fixtures): Promise<void> {
    if (words[0] === 'history') await fixtures.skyctl('volumes update data-2 --tag x')
    if (words.at(-1) === 'openings') await samples['firewalls openings']?.arrange?.(fixtures)
  }

  test.for(lists.map((node) => [node.words.join(' '), node] as const))(
    '%s',
    async ([name, node], { skyctl, world, clock }) => {
      await prepare(node, { skyctl, world, clock } as Fixtures)
      const context = name.startsWith('sandbox') && { SKYCTL_CONTEXT: 'sandbox' }
      const options = { columns: 80, env: { NO_COLOR: '1', ...context } }
      if (name === 'sandbox outbox')
        await skyctl('profile phone send --iso-code DE --phone-number 15112345678', options)
      const { exit, stdout } = await skyctl(await lineFor(node, skyctl), options)
      expect(exit).toBe(0)
      expectTable(stdout)
    },
  )

  const listsOfApi = lists.filter(({ command, words }) => command?.operations && words[0] !== 'context')

  test.for(listsOfApi.map((node) => [node.words.join(' '), node] as const))(
    '%s with long labels and addresses',
    async ([, node], { skyctl, env, world, clock }) => {
      await prepare(node, { skyctl, world, clock } as Fixtures)
      const server = await faultServer(async (socket, { path, headers }) => {
        const url = new URL(path, env.SKYCTL_BASE_URL)
        const answer = await fetch(url, { headers: { authorization: headers.authorization ?? '' } })
        reply(answer.status, lengthen(await answer.json()))(socket, { path, headers, method: 'GET', body: '' })
      })
      const commandLine = await lineFor(node, skyctl)
      const longEnv = { NO_COLOR: '1', SKYCTL_BASE_URL: `http://${server.host}/v4` }
      const { exit, stdout, stderr } = await skyctl(commandLine, { columns: 80, env: longEnv })
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      expectTable(stdout)
    },
  )

  test('context list, with long names and addresses', async ({ skyctl, home }) => {
    const name = 'production-of-the-whole-company-1'
    const context = { base_url: 'https://api.cloud.example.com/a/long/path/v4', token: 'x', user: 'somebody-else' }
    const defaults = { region: 'ap-northeast', output: 'yaml', keep_open: ['tcp/22@203.0.113.0/24'] }
    mkdirSync(join(home, 'config'), { mode: 0o700 })
    const contexts = { [name]: { ...context, defaults }, staging: context }
    writeFileSync(join(home, 'config/contexts.json'), JSON.stringify({ contexts }), { mode: 0o600 })
    const { stdout } = await skyctl('context list', { columns: 80, env: { NO_COLOR: '1' } })
    expectTable(stdout)
    expect(stdout).toMatch(new RegExp(`^${name} +false +https://`, 'm'))
    const all = await skyctl('context list --columns all --json')
    expect(all.stdout).toContain('"defaults.keep_open"')
  })

  test('history list, with several accounts and applies', async ({ skyctl, home }) => {
    const accounts = [
      { context: 'production-of-the-company', apply: 'a-1', user: { uid: 1, username: 'owner-of-the-account' } },
      { context: 'staging', apply: 'a-2', user: { uid: 2, username: 'somebody-else' } },
    ]
    const request = {
      method: 'PUT',
      path: '/volumes/{volumeId}',
      path_parameters: { volumeId: 3002 },
      label: 'l'.repeat(32),
    }
    const lines = accounts.flatMap((account, index) => {
      const [entry, time] = [`entry-${index}`, '2026-11-01T00:00:00.000Z']
      const begun = { entry, time, service: 'sandbox', command: 'firewalls rules update', ...account, ...request }
      return [begun, { entry, ended: time, outcome: 'failed', code: 'rate_limited' }]
    })
    mkdirSync(join(home, 'state/history'), { recursive: true, mode: 0o700 })
    const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('')
    writeFileSync(join(home, 'state/history/1.ndjson'), text, { mode: 0o600 })
    const { stdout } = await skyctl('history list', { columns: 80, env: { NO_COLOR: '1' } })
    expectTable(stdout)
    expect(stdout).toMatch(/^NO +TIME +COMMAND +OBJECT +OUTCOME/)
    const note = 'Too narrow for context, username and apply: see --columns number,label,context,username,apply'
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(note)
  })
})

test('--columns and --sort take the headings that a table prints', async ({ skyctl }) => {
  const headed = await skyctl("volumes list --columns 'LABEL,SIZE (GiB),Tags' --sort -SIZE -o csv")
  expect(headed).toEqual(await skyctl('volumes list --columns label,size,tags --sort -size -o csv'))
  expect(headed).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^label,size,tags\nbackup,500,/) })
  // Addresses sort by their value, also by their heading.
  const addresses = await skyctl('ips list --sort ADDRESS --columns ADDRESS --no-headers -o tsv')
  expect(addresses).toEqual(await skyctl('ips list --sort address --columns address --no-headers -o tsv'))
})
