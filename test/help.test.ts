/** Every help page: its layout, and whether it is true. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountFileExample } from '../src/commands/account-file/account-file-example'
import { topics } from '../src/commands/help/topics'
import { program } from '../src/commands/index'
import type { Command, Flag, Input } from '../src/engine/command'
import { type CommandNode, loadTree, withDescendants } from '../src/engine/command-nodes'
import { globalFlags, groupTopics } from '../src/engine/flags'
import { parseArguments } from '../src/engine/parser'
import { flagText } from '../src/engine/spelled-option'
import { outputOf } from '../src/generate/schemas/outputs'
import { nothing } from '../src/generate/schemas/own'
import { continuedCommand } from '../src/output/continued-command'
import { reflow } from '../src/output/wrap'
import { runSkyctl, test as withSandbox } from './support/skyctl'

const tree = await loadTree(program)
const nodes = withDescendants(tree)
const commands = nodes.flatMap((node) => (node.command ? [{ node, command: node.command }] : []))
const name = ({ words }: CommandNode) => ['skyctl', ...words].join(' ')

/** Runs `skyctl … --help` and returns its stdout. */
function helpOf({ words }: CommandNode, ...more: string[]): Promise<string> {
  const line = [...words, '--help', ...more]
  return cached(`shell ${line.join(' ')}`, () => stdoutOf(line))
}

const pages = new Map<string, Promise<string>>()

/** Makes each page once, because several tests read it. */
function cached(key: string, make: () => Promise<string>): Promise<string> {
  const page = pages.get(key) ?? make()
  pages.set(key, page)
  return page
}

async function stdoutOf(line: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await runSkyctl(line)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return stdout
}

/** Returns the flags that a page documents, from the beginnings of its lines. */
function documented(page: string): string[] {
  const lines = page.matchAll(/^ {2}(?:-\w, )?--(\[no-\])?([\w-]+)(?: <[^>]+>)?(?= {2}|$)/gm)
  return [...lines].flatMap(([, both, flag]) => [`--${flag}`, ...(both ? [`--no-${flag}`] : [])])
}

function spellings({ name, negative }: Flag): string[] {
  return [...(negative === 'only' ? [] : [`--${name}`]), ...(negative ? [`--no-${name}`] : [])]
}

function flagNamed(spelling: string, { flags }: Command): Flag | undefined {
  const name = spelling.replace(/^--(no-)?/, '')
  return [...flags, ...globalFlags].find((flag) => flag.name === name || `--${flag.name}` === spelling)
}

/** Parses a line without running the command. */
async function parse(line: readonly string[]): Promise<Input | undefined> {
  const { call } = await parseArguments(line, program, { columns: 80 })
  return call?.input
}

/** Returns the page of `skyctl … --help` for a terminal with this many columns. */
function pageOf({ words }: CommandNode, columns: number, ...more: string[]): Promise<string> {
  const line = [...words, '--help', ...more]
  const parsed = () => parseArguments(line, program, { columns })
  return cached(`${columns} ${line.join(' ')}`, async () => (await parsed()).text)
}

/** Text for copying: examples continue with a backslash, and YAML is never wrapped. */
const code = /(?<=, as YAML or JSON:\n|\nExamples:\n)(?: {2}.*\n)+/g

/** Returns the lines that are too long and have a blank at which they can be wrapped. */
function tooLong(page: string, columns: number): string[] {
  return page.split('\n').filter((line) => line.length > columns && /\S \S/.test(line))
}

/** Returns the words of a page without continuation backslashes and comment signs. */
function wordsOf(page: string): string[] {
  return page.split(/\s+/).filter((word) => !['\\', '#'].includes(word))
}

describe('help', () => {
  test.for(nodes.map((node) => [name(node), node] as const))('for %s fits 80 columns', async ([, node]) => {
    for (const page of [await helpOf(node), await helpOf(node, '--all')])
      expect(page.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('for exit-codes has every code with its meaning (interface.md, Errors)', async () => {
    const { stdout } = await runSkyctl(['help', 'exit-codes'])
    const meanings = [
      [0, 'success'],
      [1, 'internal error'],
      [2, 'usage or validation'],
      [3, 'not signed in'],
      [4, 'not allowed'],
      [5, 'the API has no such object'],
      [5, 'no context has this name'],
      [6, 'refused by the API'],
      [6, 'an object with this label exists'],
      [6, 'the current state of the object'],
      [6, 'somebody else changed it'],
      [6, 'an address that must stay allowed'],
      [6, 'it has the tag "protected"'],
      [7, 'rate limited'],
      [8, 'network, timeout, 5xx'],
      [8, 'is not the API'],
      [9, 'several targets'],
      [10, 'a wait timed out'],
      [11, 'outcome unknown'],
      [12, 'a local file or disk'],
      [12, 'too much data for the memory limit'],
      [13, 'a comparison or check failed'],
      [130, 'interrupted'],
      [143, 'terminated'],
    ] as const
    // Numbers are right-aligned in a column of three.
    const rows = [...stdout.matchAll(/^ {2}(?=[ \d]{3} {2}\S) *(\d+) {2}(.*)$/gm)].map(([, code, text]) => [
      Number(code),
      text,
    ])
    expect(rows).toEqual(meanings.map(([code, text]) => [code, expect.stringContaining(text)]))
  })

  test.for(Object.keys(topics))('for the topic %s fits 80 columns', async (topic) => {
    const { exit, stdout } = await runSkyctl(['help', topic])
    expect({ exit, long: stdout.split('\n').filter((line) => line.length > 80) }).toEqual({ exit: 0, long: [] })
  })

  test.for(nodes.map((node) => [name(node), node] as const))(
    'for %s has the same words on 40 columns, none broken',
    async ([, node]) => {
      for (const more of [[], ['--all']]) {
        const page = await pageOf(node, 40, ...more)
        expect(tooLong(page.replaceAll(code, ''), 40)).toEqual([])
        expect(wordsOf(page)).toEqual(wordsOf(await helpOf(node, ...more)))
      }
    },
  )

  test.for(nodes.map((node) => [name(node), node] as const))(
    'for %s fits 60 columns, and breaks no command in brackets',
    async ([, node]) => {
      const page = await pageOf(node, 60)
      expect(page.split('\n').filter((line) => line.length > 60 || /\(skyctl(?: [^)]*)?$/.test(line))).toEqual([])
    },
  )

  test.for(Object.keys(topics))(
    'for the topic %s has the same words on a terminal of 40 columns, none broken',
    async (topic, { expect }) => {
      const { stdout } = await runSkyctl(['help', topic])
      const page = reflow(stdout, 40)
      expect(tooLong(page, 40)).toEqual([])
      expect(wordsOf(page)).toEqual(wordsOf(stdout))
    },
  )

  test('for the root documents the global flags', async () => {
    const flags = globalFlags.flatMap(spellings)
    expect(documented(await helpOf(tree, '--all')).sort()).toEqual([...flags, '--help', '--version'].sort())
  })

  test('is printed by skyctl without arguments', async () => {
    expect((await runSkyctl([])).stdout).toBe((await runSkyctl(['--help'])).stdout)
  })

  test.for(commands.map(({ node }) => [name(node), node] as const))(
    'with the words of a command prints its page: %s',
    async ([, node]) => {
      expect((await runSkyctl(['help', ...node.words])).stdout).toBe(await helpOf(node))
    },
  )

  test.for([
    ['help', '--help'],
    ['--color never help', '--help'],
    ['volumes help', 'volumes --help'],
    ['volume help add', 'volumes create --help'],
    ['profile help tfa setup', 'profile tfa setup --help'],
    ['--quiet profile tfa help setup', 'profile tfa setup --help'],
    ['--quiet help volumes create', 'volumes create --help'],
    ['volumes create -h', 'volumes create --help'],
    ['volumes create -h --all', 'volumes create --help --all'],
    ['volumes create --all --help', 'volumes create --help --all'],
    ['volumes --all create --help', 'volumes --help --all'],
    ['help volumes create --all', 'volumes create --help --all'],
    ['help --all volumes create', 'volumes create --help --all'],
    ['volumes help create --all', 'volumes create --help --all'],
    ['--yes help volumes create --all', 'volumes create --help --all'],
    ['help --all', '--help --all'],
  ])('by "%s" equals that by "%s"', async ([line = '', same = '']) => {
    const page = await runSkyctl(same)
    expect(page.exit).toBe(0)
    expect(await runSkyctl(line)).toEqual(page)
  })

  test.for([
    ['help volumes lst', 'unknown command "lst" for skyctl volumes. Did you mean "skyctl volumes list"?'],
    ['volumes lst --help', 'unknown command "lst" for skyctl volumes. Did you mean "skyctl volumes list"?'],
    ['volumes help lst', 'unknown command "lst" for skyctl volumes. Did you mean "skyctl volumes list"?'],
    [
      'profile help tfa setpu',
      'unknown command "setpu" for skyctl profile tfa. Did you mean "skyctl profile tfa setup"?',
    ],
    ['help exit', 'unknown command "exit". Did you mean "skyctl help exit-codes"?'],
  ])('with an unknown word is rejected: %s', async ([line = '', message]) => {
    expect(await runSkyctl(line)).toEqual({ exit: 2, stdout: '', stderr: `skyctl: ${message}\n` })
  })
})

describe('the length of help', () => {
  const linesOf = async (node: CommandNode) => (await pageOf(node, 80)).trimEnd().split('\n').length

  test('is at most 40 lines for the root', async () => {
    expect(await linesOf(tree)).toBeLessThanOrEqual(40)
  })

  test.for(nodes.filter((node) => node !== tree).map((node) => [name(node), node] as const))(
    'is at most 30 lines for %s',
    async ([, node]) => {
      const page = await pageOf(node, 80)
      expect(page.trimEnd().split('\n').length, page).toBeLessThanOrEqual(30)
    },
  )
})

describe('shared flags', () => {
  const grouped = commands.flatMap(({ node, command: { flags } }) =>
    flags.flatMap(({ group, hidden, ...flag }) => (group && !hidden ? [{ node, group, flag }] : [])),
  )
  const common = grouped.filter(({ flag }) => !flag.rare)

  test.for(common.map((one) => [name(one.node), one.flag.name, one] as const))(
    'are on one line of a page, with their topic: %s --%s',
    async ([, , { node, group, flag }]) => {
      const lines = (await pageOf(node, 200)).split('\n')
      const [line = '', ...others] = lines.filter((line) => line.startsWith(`${group.replace(' flags', '')}: `))
      expect(others).toEqual([])
      expect(line).toContain(`(skyctl help ${groupTopics[group]})`)
      for (const spelling of spellings(flag)) expect(line.split(' ')).toContain(spelling)
    },
  )

  test('are explained in their topic', () => {
    for (const { group, flag } of grouped) {
      const topic = groupTopics[group]
      for (const spelling of spellings(flag)) expect(topics[topic], `${spelling} in ${topic}`).toContain(spelling)
    }
    for (const spelling of globalFlags.flatMap(spellings))
      expect(topics[groupTopics['Global flags']]).toContain(spelling)
  })

  test('are absent if a command prints no data', async () => {
    const silent = commands.filter(({ node }) => outputOf(node) === nothing)
    expect(silent.map(({ node }) => name(node))).toEqual(expect.arrayContaining(['skyctl context delete']))
    for (const { node, command } of silent) {
      expect([name(node), command.flags.filter(({ group, hidden }) => group === 'Output flags' && !hidden)]).toEqual([
        name(node),
        [],
      ])
      for (const more of [[], ['--all']]) expect(await helpOf(node, ...more)).not.toMatch(/Output|--columns|--query/)
    }
  })

  test('have a full list only with --help: --all alone is an unknown flag', async () => {
    expect(await runSkyctl('volumes list --all')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('unknown flag "--all"'),
    })
  })
})

describe('a rare flag', () => {
  const rare = commands.flatMap(({ node, command: { flags } }) =>
    flags.flatMap((flag) => (flag.rare && !flag.hidden ? [{ node, flag }] : [])),
  )

  test.for(rare.map((one) => [name(one.node), one.flag.name, one] as const))(
    'is only in --help --all and the reference: %s --%s',
    async ([, , { node, flag }]) => {
      const [page, whole] = [await pageOf(node, 200), await pageOf(node, 200, '--all')]
      const reference = readFileSync(`docs/reference/${node.words[0]}.md`, 'utf8')
      const index = readFileSync('docs/reference/README.md', 'utf8')
      for (const spelling of spellings(flag)) {
        expect(page.split(/[ \n]/)).not.toContain(spelling)
        expect(documented(whole)).toContain(spelling)
        expect(reference + index).toContain(spelling)
      }
    },
  )

  test('is one that only few users need', () => {
    const names = new Set(rare.flatMap(({ flag }) => spellings(flag)))
    expect([...names]).toEqual(expect.arrayContaining(['--raw', '--page', '--page-size', '--no-validate', '--family']))
    const unlisted = commands.filter(({ command }) =>
      command.flags.some((flag) => names.has(`--no-${flag.name}`) && flag.name === 'validate' && !flag.rare),
    )
    expect(unlisted).toEqual([])
  })
})

describe('a help topic', () => {
  test('exists if a page or a topic refers to it', async () => {
    const existing = [...Object.keys(topics), ...tree.children.flatMap(({ words }) => words), 'find']
    const pages = await Promise.all(nodes.flatMap((node) => [pageOf(node, 200), pageOf(node, 200, '--all')]))
    const texts = [...pages, ...Object.values(topics)].map((text) => text.replaceAll(/\s+/g, ' '))
    const referred = texts.flatMap((text) =>
      [...text.matchAll(/(?:skyctl |")help ([a-z][\w-]*)/g)].map(([, topic]) => topic),
    )
    expect(referred.length).toBeGreaterThan(200)
    expect(referred.filter((topic = '') => !existing.includes(topic))).toEqual([])
  })

  test('is listed by the root help and completed', async () => {
    const list = /Topics \(skyctl help TOPIC\): ([^.]*?)\n*$/.exec(await helpOf(tree))?.[1]?.split(/,\s+/)
    expect(list).toEqual(Object.keys(topics))
    const values = commands.find(({ node }) => node.words[0] === 'help')?.command.arguments?.[0]?.values
    expect(values).toEqual([...Object.keys(topics), 'find'])
  })
})

describe('the page of a command', () => {
  /** Returns a page as one line. */
  const flat = async (line: string) => (await runSkyctl(`${line} --help`)).stdout.replaceAll(/\s+/g, ' ')

  test.for([
    ['volumes list', 'Scopes: volumes:read_only'],
    ['volumes create', 'Scopes: volumes:read_write; the user needs the grant add_volumes'],
    ['volumes clone', 'Scopes: volumes:read_write; the user needs the grant add_volumes'],
    ['volumes detach', 'Scopes: volumes:read_write and computes:read_write'],
    [
      'firewalls create',
      'Scopes: firewall:read_write; the user needs the grant add_firewalls, and read_write grants on the services to protect',
    ],
    [
      'volumes attach',
      'Scopes: volumes:read_write and computes:read_write; the user needs read_write access to the volume and the compute instance',
    ],
    ['profile view', 'Scopes: none; any token will do'],
    ['profile tfa setup', 'Scopes: account:read_write'],
    ['regions list', 'Scopes: none; no token is needed'],
    ['ipv6 ranges view', 'Scopes: ips:read'],
    ['tokens rotate', 'Scopes: account:read_write'],
  ])('%s names the required scopes: %s', async ([line = '', scopes]) => {
    expect(await flat(line)).toContain(` ${scopes} `)
  })

  test.for(commands.filter(({ command }) => command.operations).map(({ node }) => [name(node), node] as const))(
    '%s has a line of scopes',
    async ([, node]) => {
      expect(await helpOf(node)).toMatch(/^Scopes: (none|[a-z]+:read(_only|_write)?)/m)
    },
  )

  test.for([
    ['ips allocate', 'Either --public or --private is required'],
    ['firewalls devices add', 'Either --compute-id or --balancer-id is required'],
    ['ipv6 ranges create', 'Either --compute-id or --route-target is required, and not both'],
    ['ips rdns', 'Either a name or --reset is required'],
    ['ips share', 'Either addresses or --none are required'],
    ['profile sshkeys add', 'Either --file or --ssh-key is required'],
    ['firewalls rules add', 'Inbound rules need --from, outbound ones --to'],
    ['volumes create', 'Either --region or --compute-id is required'],
  ])('%s explains which of several flags are required', async ([line = '', text]) => {
    expect(await flat(line)).toContain(text)
  })

  const required = commands.flatMap(({ node, command }) => {
    const [operation, ...more] = command.operations ?? []
    const entries = more.length === 0 ? Object.entries(operation?.body?.entries ?? {}) : []
    return entries.flatMap(([key, { type }]) => {
      const flag = command.flags.find(({ name }) => name === key.replaceAll('_', '-'))
      return type === 'optional' || type === 'strict_object' || !flag ? [] : [{ name: name(node), flag, command }]
    })
  })

  test.for(required)('$name marks --$flag.name as required', ({ flag, command: { details } }) => {
    const { name } = flag
    const alternative = new RegExp(`Either .*--${name}\\b.* is required`).test(details ?? '')
    expect({ alternative, marked: flagText(flag).includes('(required') }).toEqual({ alternative, marked: !alternative })
  })
})

describe('the file example in help', () => {
  const readers: Record<string, string> = {
    'firewalls create': 'firewalls create --label form --file -',
    'firewalls update': 'firewalls update edge --body -',
    'firewalls rules update': 'firewalls rules update edge --file -',
    'firewalls rules diff': 'firewalls rules diff edge --file -',
    // An editor gets the same rules, and its result is read like a file.
    'firewalls rules edit': 'firewalls rules update edge --file -',
    plan: 'plan -',
    // plan reads the same file as apply.
    apply: 'plan -',
    validate: 'validate -',
  }
  const withoutDryRun = ['firewalls rules diff', 'plan', 'apply', 'validate']
  const forms = commands.flatMap(({ node, command }) =>
    command.form ? [[node.words.join(' '), command.form] as const] : [],
  )

  test('exists for every command that reads such a file', () => {
    expect(forms.map(([line]) => line).sort()).toEqual(Object.keys(readers).sort())
  })

  withSandbox.for(forms)(
    'is accepted by: skyctl %s',
    async ([line, { title, text, topic }], { skyctl, world, home, env }) => {
      expect((await runSkyctl(`${line} --help --all`)).stdout).toContain(text.replaceAll(/^/gm, '  '))
      expect(topics[topic]).toContain(text.replaceAll(/^/gm, '  '))
      expect((await runSkyctl(`${line} --help`)).stdout).toContain(`${title}: skyctl help ${topic}\n`)
      world.network.firewall({ label: 'edge' })
      mkdirSync(join(home, '.ssh'))
      writeFileSync(join(home, '.ssh/id.pub'), world.profile.sshkeys.get(1)?.ssh_key ?? '')
      const { exit, stderr } = await skyctl(`${readers[line]}${withoutDryRun.includes(line) ? '' : ' --dry-run'}`, {
        stdin: text,
        env: { ...env, HOME: home },
      })
      expect({ exit, stderr: stderr.match(/is required|must be/gi) }).toEqual({ exit: 0, stderr: null })
    },
  )
})

interface Shape {
  properties?: Record<string, Shape>
  additionalProperties?: Shape | false
  anyOf?: Shape[]
}

/** Returns the keys of a file except those of firewall rules and tests, which other commands show. */
function keysIn({ properties = {}, additionalProperties, anyOf = [] }: Shape): string[] {
  const inner = [...anyOf, ...(additionalProperties ? [additionalProperties] : [])]
  const own = Object.entries(properties).flatMap(([key, shape]) => [
    key,
    ...(['rules', 'tests'].includes(key) ? [] : keysIn(shape)),
  ])
  return [...own, ...inner.flatMap(keysIn)]
}

test('the example of an account file has every key that such a file may have', () => {
  const keys = keysIn(JSON.parse(readFileSync('docs/account.schema.json', 'utf8')))
  expect(keys).toEqual(expect.arrayContaining(['owner', 'size', 'balancers', 'ssh_key', 'timezone']))
  expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(accountFileExample.text))).toEqual([])
})

describe('help find', () => {
  /** Returns the lines that help find prints, best first. */
  const find = async (text: string) => {
    const { exit, stdout, stderr } = await runSkyctl(`help find ${text} --quiet`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    return stdout.trimEnd().split('\n')
  }

  test.for([
    ['a name', 'resize', 'skyctl volumes resize'],
    ['an alias', 'describe volume', 'skyctl volumes view'],
    ['a summary', 'reverse dns', 'skyctl ips rdns'],
    ['an example', 'older than 30 days', "skyctl volumes list --filter compute_id=none --filter 'created>30d'"],
    ['a topic', 'exit codes', 'skyctl help exit-codes'],
    ['a word of a topic', 'NO_PROXY', 'skyctl help environment'],
    ['the plural for the singular', 'Regions Availability', 'skyctl regions availability'],
  ])('finds a page by %s: %s', async ([, text = '', best]) => {
    expect((await find(text))[0]).toBe(best)
  })

  test('lists only pages that have all words', async () => {
    const lines = await find('volume resize')
    expect(lines).toContain('skyctl volumes resize')
    expect(await find('volume')).toContain('skyctl volumes detach')
    expect(lines).not.toContain('skyctl volumes detach')
  })

  test.for([
    ['what is open to the internet', 'skyctl overview'],
    ['open ssh for 30 minutes', 'skyctl firewalls open web --port 22 --from 198.51.100.7 --for 30m'],
    ['see what is exposed', 'skyctl overview'],
    ['how do I resize zzzzzz', 'skyctl volumes resize'],
  ])('answers a question of several words: %s', async ([question, best]) => {
    const { exit, stdout } = await runSkyctl(`help find ${question} --quiet`)
    expect({ exit, best: stdout.split('\n')[0] }).toEqual({ exit: 0, best })
  })

  test('warns if no page has all words, and lists the few with the most of them', async () => {
    const { exit, stdout, stderr } = await runSkyctl('help find resize volume zzzzzz --quiet')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: 'skyctl: warning: no page has all of "resize volume zzzzzz"; these have some of the words\n',
    })
    expect(stdout.split('\n')).toEqual((await find('resize volume')).slice(0, 8).concat(''))
  })

  test('prints records with the command and its summary', async () => {
    expect(JSON.parse((await runSkyctl('help find rdns --limit 1 --json')).stdout)).toEqual([
      {
        command: 'skyctl ips rdns',
        summary: 'Set the reverse DNS of an address',
      },
    ])
    const { stdout } = await runSkyctl('help find reverse dns -o csv --columns command --limit 1')
    expect(stdout).toBe('command\nskyctl ips rdns\n')
  })

  test.for([
    ['volme', 'no help has "volme". Did you mean "volume"?'],
    ['zzzzzz qqqqqq', 'no help has "zzzzzz qqqqqq". Try another word, or see skyctl --help'],
  ])('ends with exit code 5 and similar words if nothing matches: %s', async ([text, message]) => {
    expect(await runSkyctl(`help find ${text}`)).toEqual({ exit: 5, stdout: '', stderr: `skyctl: ${message}\n` })
  })

  test('rejects an empty search', async () => {
    expect(await runSkyctl('help find')).toMatchObject({ exit: 2, stdout: '' })
  })
})

describe('the documentation of', () => {
  test.for(commands.map((one) => [name(one.node), one] as const))(
    '%s lists exactly the flags that it accepts',
    async ([, { node, command }]) => {
      const shown = command.flags.filter(({ hidden }) => !hidden)
      // A command may have its own form of a global flag.
      const all = new Set([...shown, ...globalFlags].flatMap(spellings))
      expect(documented(await helpOf(node, '--all')).sort()).toEqual([...all, '--help'].sort())
      const flags = command.flags.flatMap(spellings)
      const { arguments: positionals = [] } = command
      const values = positionals.map(() => '1')
      const words = positionals.flatMap(({ passthrough }) => (passthrough ? ['--', '1'] : ['1']))
      for (const spelling of [...flags, ...globalFlags.flatMap(spellings)]) {
        const flag = flagNamed(spelling, command)
        const value = flag?.value === undefined || spelling.startsWith('--no-') ? [] : ['1']
        const input = await parse([...node.words, spelling, ...value, ...words])
        expect(input?.flags, spelling).toHaveProperty([flag?.name ?? spelling])
        expect(input?.arguments).toEqual(values)
      }
    },
  )

  test.for(commands.map((one) => [name(one.node), one] as const))('%s has an example', ([, { command }]) => {
    expect(command.examples ?? []).not.toEqual([])
  })

  test.for(commands.flatMap(({ command }) => (command.examples ?? []).map(({ line }) => line)))(
    'an example stays the same line on a narrow terminal: %s',
    (line) => {
      expect(continuedCommand(line, 30).replaceAll(/ \\\n */g, ' ')).toBe(line)
    },
  )
})
