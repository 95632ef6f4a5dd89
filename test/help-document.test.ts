/** Help as JSON: it has the same content as the pages, and matches the program. */
import { describe, expect } from 'vitest'
import { version } from '../package.json'
import type { CommandPage, HelpDocument } from '../src/commands/help/document-schema'
import { program } from '../src/commands/index'
import type { Flag } from '../src/engine/command'
import { type CommandNode, loadTree, withDescendants } from '../src/engine/command-nodes'
import { globalFlags } from '../src/engine/flags'
import { exitCodes } from '../src/errors'
import { twoOf } from './support/fast-check'
import { unreachableUrl } from './support/nonexistent'
import { commands, samples } from './support/samples'
import { runSkyctl, test } from './support/skyctl'

const tree = await loadTree(program)
const nodes = withDescendants(tree)

async function documentOf(line: string, env = {}): Promise<HelpDocument> {
  const { exit, stdout, stderr } = await runSkyctl(line, { env })
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return JSON.parse(stdout)
}

function pagesIn(page: CommandPage): CommandPage[] {
  return [page, ...page.commands.flatMap(pagesIn)]
}

const whole = await documentOf('help --json')
const pages = new Map(pagesIn(whole.command).map((page) => [page.command, page]))
const lineOf = ({ words }: Pick<CommandNode, 'words'>) => ['skyctl', ...words].join(' ')

describe('skyctl help --json', () => {
  test('has every visible group and command, in the order of the pages', () => {
    expect([...pages.keys()]).toEqual(nodes.map(lineOf))
    expect(pages.has('skyctl completion values')).toBe(false)
  })

  test('has its format, the version, every exit code and every variable', () => {
    expect(whole).toMatchObject({ format_version: 1, version })
    const codes = Object.fromEntries(whole.exit_codes.map(({ code, exit_code }) => [code, exit_code]))
    expect(codes).toEqual({ null: 0, ...exitCodes })
    const names = whole.environment.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['SKYCTL_TOKEN', 'SKYCTL_BASE_URL', 'SKYCTL_CONTEXT', 'SKYCTL_OUTPUT']),
    )
    expect(whole.environment.filter(({ description }) => description === '')).toEqual([])
  })

  test.for(['--help --json', '--json --help', 'help --json', 'help -o json', '--json help', '-h -ojson'])(
    'is printed by: skyctl %s',
    async (line) => expect(await documentOf(line)).toEqual(whole),
  )

  test('is selected by SKYCTL_OUTPUT, too, except on a terminal', async () => {
    const env = { SKYCTL_OUTPUT: 'json' }
    expect(await documentOf('--help', env)).toEqual(whole)
    for (const line of ['--help', 'help', 'volumes list --help', 'help exit-codes']) {
      expect((await runSkyctl(line, { env, columns: 80 })).stdout, line).toMatch(/^(Usage|Exit codes)/)
    }
    expect(await documentOf('help volumes --output json', env)).toMatchObject({ command: { name: 'volumes' } })
  })

  test('is one line as NDJSON', async () => {
    const { stdout } = await runSkyctl('volumes --help -o ndjson')
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout).command).toEqual(pages.get('skyctl volumes'))
  })

  test('does not apply to --version: it prints JSON of its own', async () => {
    expect(await runSkyctl('--version --json')).toEqual({ exit: 0, stdout: `{"version":"${version}"}\n`, stderr: '' })
  })
})

describe('help --json of a group or command', () => {
  test.for([
    ['volumes create --help --json', 'skyctl volumes create'],
    ['volume add --json -h', 'skyctl volumes create'],
    ['help volumes create --json', 'skyctl volumes create'],
    ['help --json volumes create', 'skyctl volumes create'],
    ['volumes help create --json', 'skyctl volumes create'],
    ['firewalls rules --help --json', 'skyctl firewalls rules'],
    ['help --help --json', 'skyctl help'],
  ] as const)('is its part of the whole document: %s', async ([line, name]) => {
    expect(await documentOf(line)).toEqual({ ...whole, command: pages.get(name) })
  })

  test('exists for a hidden command', async () => {
    const { command } = await documentOf('completion values --help --json')
    expect(command).toMatchObject({
      command: 'skyctl completion values',
      arguments: [{ name: 'kind', required: true }],
    })
  })
})

describe.for(nodes.flatMap((node) => (node.command ? [[lineOf(node), node] as const] : [])))('%s', ([line, node]) => {
  const page = pages.get(line)

  test('has in JSON the flags of its page, with their descriptions', async () => {
    const { stdout } = await runSkyctl([...node.words, '--help', '--all'], {})
    const text = stdout.replaceAll(/\s+/g, ' ')
    const shown = [...stdout.matchAll(/^ {2}(?:-\w, )?--(\[no-\])?([\w-]+)(?: <[^>]+>)?(?= {2}|$)/gm)]
    const own = page?.flags ?? []
    // A command may have its own form of a global flag.
    const isOwn = ({ name }: { name: string | null }) => own.some((flag) => flag.name === name)
    const flags = [...own, ...whole.global_flags.filter((flag) => !isOwn(flag))]
    const names = new Set(flags.flatMap(({ name, negation }) => [name, negation].filter((one) => one !== null)))
    expect([...names, '--help'].sort()).toEqual(
      shown.flatMap(([, no, name]) => [`--${name}`, ...(no ? [`--no-${name}`] : [])]).sort(),
    )
    for (const flag of flags) {
      const repeated = flag.repeatable ? [' (repeatable)', ' (repeatable, or a,b)'] : ['']
      const rest = `${flag.required ? ' (required)' : ''}${flag.default ? ` (default ${flag.default})` : ''}`
      expect(
        repeated.map((part) => `${flag.description}${part}${rest}`).some((sentence) => text.includes(sentence)),
      ).toBe(true)
    }
  })

  test('has in JSON values only for flags that take some', () => {
    for (const flag of page?.flags ?? []) {
      if (flag.type === 'boolean')
        expect(flag).toMatchObject({ value: null, values: null, default: null, repeatable: false })
      else expect(flag.value).not.toBeNull()
      if (flag.required) expect(flag.default).toBeNull()
    }
  })
})

const isHiddenOutput = ({ group, hidden }: Flag) => group === 'Output flags' && hidden
describe.for(commands.filter(({ command }) => command.flags.some(isHiddenOutput)))('skyctl $path', ({ path }) => {
  test('hides its output flags, because it prints no data', async ({ skyctl, sandbox, world, env, home, clock }) => {
    const { arrange, line, stdin = '' } = samples[path] ?? { line: '' }
    await arrange?.({ skyctl, sandbox, world, env, home, clock })
    const input = stdin.replace('TOKEN', sandbox.ownerToken)
    expect(await skyctl(`${path} ${line}`, { stdin: input })).toMatchObject({ exit: 0, stdout: '' })
  })
})

describe('help --json', () => {
  const flagOf = (line: string, name: string) => {
    const flags = [...(pages.get(line)?.flags ?? []), ...whole.global_flags]
    return flags.find((flag) => flag.name === name || flag.negation === name)
  }

  test('has the type, values, default and variable of each flag', () => {
    expect(flagOf('skyctl volumes create', '--size')).toMatchObject({ type: 'integer', value: 'GiB', required: false })
    expect(flagOf('skyctl volumes create', '--label')).toMatchObject({ type: 'string', required: true })
    expect(flagOf('skyctl volumes create', '--region')).toMatchObject({ completes: 'regions', values: null })
    expect(flagOf('skyctl volumes create', '--tag')).toMatchObject({
      repeatable: true,
      commas: true,
      aliases: ['--tags'],
    })
    expect(flagOf('skyctl volumes list', '--sort')).toMatchObject({ repeatable: true, commas: true })
    expect(flagOf('skyctl volumes list', '--no-headers')).toMatchObject({
      name: null,
      type: 'boolean',
      group: 'Output flags',
      topic: 'output',
    })
    expect(flagOf('skyctl volumes create', '--wait')).toMatchObject({ group: 'Wait flags', topic: 'wait' })
    expect(flagOf('skyctl volumes create', '--label')).toMatchObject({ group: null, topic: null })
    expect(flagOf('skyctl auth logout', '--columns')).toBeUndefined()
    expect(flagOf('skyctl volumes wait', '--for')).toMatchObject({ default: 'active' })
    expect(flagOf('skyctl', '--output')).toMatchObject({
      short: '-o',
      values: ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv'],
      environment: 'SKYCTL_OUTPUT',
    })
    expect(flagOf('skyctl', '--timeout')).toMatchObject({ default: '2m' })
    expect(flagOf('skyctl', '--json')).toMatchObject({ environment: null })
    expect(whole.global_flags).toHaveLength(globalFlags.length)
  })

  test('has the operation ids and scopes of each command', () => {
    const { operations, scopes } = pages.get('skyctl ips assign') ?? {}
    expect(operations?.map(({ id }) => id)).toEqual(['ips_assign', 'ips_assignIpv4'])
    expect(scopes).toEqual(['ips:read_write', 'computes:read_write'])
    for (const { operations } of pages.values()) expect(operations.filter(({ id }) => id === '')).toEqual([])
  })
})

const signIns = [{}, { SKYCTL_TOKEN: 'unknown' }, { SKYCTL_TOKEN: undefined }]
/** Returns a sign-in state, a different one each turn. */
const signInAt = (turn: number) => signIns[turn % signIns.length] ?? {}
const otherFlags = [
  '--no-such-flag',
  '--context nobody',
  `--base-url ${unreachableUrl}/v4 --retries 0`,
  '--columns nothing',
]
const shown = commands.filter(({ command }) => !command.hidden)

describe.for(shown.map((one, index) => ({ ...one, index })))('$path', ({ path, command, index }) => {
  const listedCodes = pages.get(`skyctl ${path}`)?.exit_codes ?? []

  // Runs the command in each sign-in state without another flag, and with two other flags in one state each; the next
  // command gets other flags.
  test('ends with an exit code that its help lists', async ({ skyctl }) => {
    const variants = twoOf(otherFlags, index).map((flags, turn) => [flags, signInAt(index + turn)] as const)
    for (const [flags, env] of [...signIns.map((env) => ['', env] as const), ...variants]) {
      const { exit } = await skyctl(`${path} ${samples[path]?.line} ${flags}`, { env, stdin: samples[path]?.stdin })
      expect(listedCodes, flags).toContain(exit)
    }
  })

  test('lists exit codes 9, 10 and 11 only for several targets, waits and changes', () => {
    const has = (name: string) => command.flags.some((flag) => flag.name === name)
    const several = command.arguments?.some(({ many }) => many) && has('concurrency')
    const changes = command.operations?.some(({ method }) => method !== 'GET')
    expect({ 9: listedCodes.includes(9), 10: listedCodes.includes(10), 11: listedCodes.includes(11) }).toEqual({
      9: several === true,
      10: has('wait') || /^apply$| wait$/.test(path),
      11: changes === true || ['api', 'history undo'].includes(path),
    })
  })
})
