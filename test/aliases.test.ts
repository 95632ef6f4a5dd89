/** Aliases for users of other command lines of this API family. */
import { describe, expect } from 'vitest'
import { program } from '../src/commands/index'
import type { Command, Input } from '../src/engine/command'
import { loadTree, withDescendants } from '../src/engine/command-nodes'
import { commandAt } from '../src/engine/command-tree'
import { parseArguments } from '../src/engine/parser'
import { completionTable } from '../src/generate/completions'
import { manPages } from '../src/generate/man'
import { referencePages } from '../src/generate/reference'
import { type Result, test } from './support/skyctl'

const add = 'firewalls rules add edge --action accept --protocol tcp --label fresh'

describe('an alias does the same', () => {
  test.for<[alias: string, canonical: string]>([
    ['volumes list --format id,label', 'volumes list --columns id,label'],
    ['volumes list --page_size 25 --no_headers', 'volumes list --page-size 25 --no-headers'],
    ['volumes update 3001 --tags a,b --dry-run', 'volumes update 3001 --tag a --tag b --dry-run'],
    [
      'volumes attach 3002 --compute-id 1001 --no_persist_across_boots --dry-run',
      'volumes attach 3002 --compute-id 1001 --no-persist-across-boots --dry-run',
    ],
    [
      'profile update --authorized_keys "ssh-ed25519 AAAA" --dry-run',
      'profile update --authorized-key "ssh-ed25519 AAAA" --dry-run',
    ],
    [
      'tokens create --label a --scopes volumes:read_only --dry-run',
      'tokens create --label a --scope volumes:read_only --dry-run',
    ],
    [
      'firewalls open edge --ports 22 --from 203.0.113.9 --for 1h --dry-run',
      'firewalls open edge --port 22 --from 203.0.113.9 --for 1h --dry-run',
    ],
    [
      `${add} inbound --ports 22 --ipv4 203.0.113.0/24 --ipv6 2001:db8::/32 --dry-run`,
      `${add} inbound --port 22 --from 203.0.113.0/24 --from 2001:db8::/32 --dry-run`,
    ],
    [`${add} outbound --ipv6 2001:db8::/32 --dry-run`, `${add} outbound --to 2001:db8::/32 --dry-run`],
    [`${add} inbound --ipv4 192.0.2.0/24 --from ::/0 --dry-run`, `${add} inbound --from 192.0.2.0/24,::/0 --dry-run`],
    [`${add} outbound --to Anywhere --dry-run`, `${add} outbound --to 0.0.0.0/0,::/0 --dry-run`],
    [
      'firewalls open edge --port 22 --from anywhere --for 1h --dry-run',
      'firewalls open edge --port 22 --from 0.0.0.0/0,::/0 --for 1h --dry-run',
    ],
    ['firewalls rules replace edge --file - --dry-run', 'firewalls rules update edge --file - --dry-run'],
    ['firewalls create --label new --rules - --dry-run', 'firewalls create --label new --file - --dry-run'],
  ])('%s: %s', async ([alias, canonical], { skyctl, world }) => {
    world.network.firewall({ label: 'edge' })
    const stdin = JSON.stringify({ inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [], outbound: [] })
    const [one, other] = [await skyctl(alias, { stdin }), await skyctl(canonical, { stdin })]
    expect(other).toMatchObject({ exit: 0, stdout: expect.stringMatching(/./) })
    expect(withoutIds(one)).toEqual(withoutIds(other))
  })
})

/** Removes the id of a temporary opening, which is random. */
const withoutIds = ({ stdout, ...result }: Result) => ({ ...result, stdout: stdout.replace(/\(opening .*\)/, '') })

/** Aliases of verbs. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  view: ['get', 'show', 'describe'],
  create: ['add'],
  update: ['set'],
  delete: ['rm', 'remove'],
}
const tree = await loadTree(program)
const commands = withDescendants(tree)
/** Flag names of earlier versions, with their replacements. */
const oldNames: readonly [command: string, old: string, name: string][] = [
  ['firewalls create', '--rules', '--file'],
  ['firewalls open', '--ports', '--port'],
  ['firewalls rules add', '--ports', '--port'],
  ['firewalls rules undo', '--even-if-changed', '--force'],
  ['history undo', '--even-if-changed', '--force'],
  ['profile apps revoke', '--even-if-current', '--force'],
  ['tokens revoke', '--even-if-current', '--force'],
]

/** Flags of earlier versions that do less than their replacements. */
const hiddenFlags = ['firewalls rules add --ipv4', 'firewalls rules add --ipv6', 'tokens rotate --even-if-current']

/** Returns a command with its hidden flags. */
async function wholeCommand(path: string): Promise<Command> {
  const entry = await commandAt(program, path.split(' '))
  if (!entry || 'commands' in entry) throw new Error(`no command ${path}`)
  return entry
}

/** Returns the parser's input for a line. */
async function parseLine(line: string): Promise<Input | undefined> {
  const { call } = await parseArguments(line.split(' '), program, { columns: 80 })
  return call?.input
}

describe('an old flag name', () => {
  test('is in the table of old names', async () => {
    const allCommands = await Promise.all(
      commands.flatMap(({ words, command }) => (command ? [wholeCommand(words.join(' '))] : [])),
    )
    const paths = commands.flatMap(({ words, command }) => (command ? [words.join(' ')] : []))
    const flags = allCommands.flatMap((command, index) => command.flags.map((flag) => ({ path: paths[index], flag })))
    const renamed = flags.flatMap(({ path, flag }) =>
      (flag.oldNames ?? []).map((old) => [path, `--${old}`, `--${flag.name}`]),
    )
    expect(renamed.sort()).toEqual([...oldNames].sort())
    expect(
      flags
        // Each change waits for a busy object, though few wait for anything else.
        .filter(({ flag }) => flag.hidden && flag.group !== 'Output flags' && flag.name !== 'wait-timeout')
        .map(({ path, flag }) => `${path} --${flag.name}`)
        .sort(),
    ).toEqual(hiddenFlags)
  })

  const samples = oldNames.map(([path, old, name]) => ({ path, old, name }))

  test.for(samples)('$path $old is $name, in both spellings', async ({ path, old, name }) => {
    const { arguments: positionals = [], flags } = await wholeCommand(path)
    const words = [path, ...positionals.filter(({ passthrough }) => !passthrough).map(() => 'web')].join(' ')
    const value = flags.find((flag) => `--${flag.name}` === name)?.value ? ' 1' : ''
    const expected = await parseLine(`${words} ${name}${value}`)
    expect(expected?.flags).toHaveProperty([name.slice(2)])
    for (const spelling of [old, old.replaceAll(/(?<=\w)-/g, '_')])
      expect(await parseLine(`${words} ${spelling}${value}`)).toEqual(expected)
  })

  test.for(samples.filter(({ old }) => !old.startsWith('--even')))(
    '$path $old beside $name sets one flag twice',
    async ({ path, old, name }, { skyctl }) => {
      const { exit, stderr } = await skyctl(`${path} ${old} 1 ${name} 2`)
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: `skyctl: ${name} takes one value and is set twice: "1" and "2". Keep one of them\n`,
      })
    },
  )

  test('is missing in help, completion and reference', async ({ skyctl }) => {
    const pages = await Promise.all(
      [...oldNames.map(([path]) => path), 'tokens rotate'].map(async (path) => (await skyctl(`${path} --help`)).stdout),
    )
    const texts = [
      ...pages,
      (await skyctl('help --json')).stdout,
      JSON.stringify(completionTable(tree)),
      ...referencePages(tree).values(),
      ...manPages(tree, { version: '1', date: '2026-01-01' }).values(),
    ]
    const unseen = hiddenFlags.map((line) => line.split(' ').at(-1))
    const old = [...oldNames.map(([, name]) => name), ...unseen]
    const pattern = new RegExp(`(${old.join('|').replaceAll('-', '\\\\?-')})(?![\\w-])`)
    expect(texts.flatMap((text) => pattern.exec(text)?.[0] ?? [])).toEqual([])
  })
})

const verbAliases = commands.flatMap(({ words }) =>
  (verbs[words.at(-1) ?? ''] ?? []).map(
    (alias) => [[...words.slice(0, -1), alias].join(' '), words.join(' ')] as const,
  ),
)
const groups = commands.flatMap(({ words }) => {
  const [group = '', ...more] = words
  return more.length === 1 && group.endsWith('s')
    ? [[`${group.replace(/s$/, '')} ${more}`, words.join(' ')] as const]
    : []
})

test.for([...verbAliases, ...groups])('%s prints the same help as %s', async ([alias, canonical], { skyctl }) => {
  const [one, other] = [await skyctl(`${alias} --help`), await skyctl(`${canonical} --help`)]
  expect(other).toMatchObject({ exit: 0, stdout: expect.stringContaining(`skyctl ${canonical}`) })
  expect(one).toEqual(other)
})
