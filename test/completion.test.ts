/** Completion in the shells themselves. bash is required; zsh and fish are tested if they are installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { environmentFolder } from '../src/account/name-cache'
import { faultServer, reply, silence } from './support/fault-server'
import { usEast } from './support/records'
import { isInstalled, needs, offers, offersOfBash, offersOfEach, type Shell } from './support/shells'
import { runSkyctl, test as testOnSandbox } from './support/skyctl'

const hostile = [
  'my vol',
  "it's",
  '"q"',
  '$(touch pwned)',
  '`touch pwned`',
  'a;b&c|d>e',
  'x!y\\z',
  'a:b',
  '77',
  '-v',
  'ä é',
]
let home: string
let env: Record<string, string>
let trace: string
let namesFolder: string

/**
 * Returns the part of a word that completion inserts: bash replaces the text after the last break, zsh the text after
 * our prefix.
 */
function insertedText(shell: Shell, line: string, word: string): string {
  if (shell === 'fish') return word
  const last = line.slice(line.lastIndexOf(' ') + 1)
  const [prefix = ''] = (shell === 'bash' ? /^.*[:=]/ : /^(.*[=,]|label:)/).exec(last) ?? []
  return word.slice(prefix.length).replaceAll('*', '\\*')
}

const script = (shell: Shell) => join(home, `skyctl.${shell}`)
const tab = (shell: Shell, line: string, extraEnv: Record<string, string> = {}) =>
  offers(shell, script(shell), line, { ...env, ...extraEnv })
const bash = (line: string, more: Record<string, string> = {}) => tab('bash', line, more)
const bashWords = (...words: string[]) => offersOfBash(script('bash'), ['skyctl', ...words], env)
const runs = () => (existsSync(trace) ? readFileSync(trace, 'utf8').trim().split('\n') : [])

async function skyctl(words: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await runSkyctl(words, { env })
  expect({ exit, stderr }).toMatchObject({ exit: 0 })
  return stdout
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'skyctl-completion-'))
  trace = join(home, 'trace')
  namesFolder = join(home, 'cache/skyctl/names/sandbox')
  mkdirSync(join(home, 'cache/skyctl'), { recursive: true })
  mkdirSync(join(home, 'bin'))
  // Cache folder of the scripts on macOS.
  mkdirSync(join(home, 'Library/Caches'), { recursive: true })
  symlinkSync(join(home, 'cache/skyctl'), join(home, 'Library/Caches/skyctl'))
  // Replaces skyctl: records its arguments, and prints one name.
  writeFileSync(join(home, 'bin/skyctl'), `#!/bin/sh\necho "$@" >>'${trace}'\nprintf 'fresh\\t900\\n'\n`)
  chmodSync(join(home, 'bin/skyctl'), 0o755)
  env = {
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    LC_ALL: 'C.UTF-8',
    XDG_CACHE_HOME: join(home, 'cache'),
    SKYCTL_STATE_DIR: join(home, 'state'),
    SKYCTL_CONFIG_DIR: join(home, 'config'),
    SKYCTL_CONTEXT: 'sandbox',
  }
  for (const label of hostile) {
    await skyctl(['volumes', 'create', `--label=${label}`, '--region', 'us-east'])
  }
  for (const kind of ['volumes', 'regions', 'contexts']) await skyctl(['completion', 'values', kind])
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    writeFileSync(script(shell), await skyctl(['completion', shell]))
})

beforeEach(() => rmSync(trace, { force: true }))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Completions of a line. */
const rules: readonly [rule: string, line: string, offers: string[]][] = [
  ['the groups', 'skyctl vo', ['volumes']],
  ['the commands of a group', 'skyctl volumes de', ['delete', 'detach']],
  ['no alias if a name fits', 'skyctl volumes r', ['resize']],
  ['an alias if only it fits', 'skyctl volumes rem', ['remove']],
  ['flags after an alias', 'skyctl volume ls --so', ['--sort']],
  ['long flags', 'skyctl volumes delete --re', ['--resume', '--retries']],
  ['a flag once', 'skyctl volumes delete --resume file --re', ['--retries']],
  ['a flag once, also by its short name', 'skyctl -o json --out', []],
  ['a flag once, also in snake_case', 'skyctl volumes create --compute_id 5 --compute-i', []],
  ['no flag in snake_case', 'skyctl volumes create --compute_i', []],
  ['a list flag again', 'skyctl volumes create --tag a --ta', ['--tag']],
  ['another name of a flag if it fits', 'skyctl volumes list --form', ['--format']],
  ['the negative of a flag', 'skyctl volumes attach --no-p', ['--no-persist-across-boots']],
  ['choices', 'skyctl -o t', ['table', 'tsv']],
  ['choices of a flag of the command', 'skyctl volumes wait --for de', ['deleted', 'detached']],
  ['regions', 'skyctl volumes create --region us-e', ['us-east']],
  ['contexts', 'skyctl --context s', ['sandbox']],
  ['arguments that are choices', 'skyctl api P', ['POST', 'PUT']],
  ['regions as arguments', 'skyctl regions view us-east us-o', ['us-ord']],
  ['nothing after the last argument', 'skyctl regions availability us-east us-o', []],
  ['targets after --', 'skyctl volumes delete -- a:', ['a:b']],
  ['the words of a command after help', 'skyctl help volumes cre', ['create']],
  ['topics after help', 'skyctl help exit', ['exit-codes']],
  ['nothing after an unknown word', 'skyctl foo ', []],
  ['nothing for a free value', 'skyctl volumes create --label ', []],
  ['fields as columns', 'skyctl volumes list --columns comp', ['compute_id', 'compute_label']],
  ['all columns by one word', 'skyctl volumes list --columns al', ['all']],
  ['columns by their other flag', 'skyctl firewalls list --format upd', ['updated']],
  ['columns of a changed object', 'skyctl volumes resize data --columns filesy', ['filesystem_path']],
  ['columns of a deleted object', 'skyctl volumes delete data --columns filesy', ['filesystem_path']],
  ['fields within fields', 'skyctl firewalls devices list web --columns entity.t', ['entity.type']],
  ['a second column after a comma', 'skyctl volumes list --columns id,lab', ['id,label']],
  ['fields to sort by', 'skyctl volumes list --sort si', ['size']],
  ['fields to filter by', 'skyctl volumes list --filter si', ['size=']],
  ['no field of other records', 'skyctl volumes list --filter rdns', []],
  ['scopes', 'skyctl tokens create --label a --scope volumes:', ['volumes:read_only', 'volumes:read_write']],
  ['a second scope', 'skyctl tokens create --scope *,vpc:', ['*,vpc:read_only', '*,vpc:read_write']],
  ['choices that are numbers', 'skyctl ipv6 ranges create --prefix-length ', ['56', '64']],
  [
    'values of a flag after a target with the name of a value',
    'skyctl volumes delete us-east --context s',
    ['sandbox'],
  ],
]

const filters: readonly [input: string, offers: string[]][] = [
  ['status=', ['status=active', 'status=creating', 'status=resizing']],
  ['status!=a', ['status!=active']],
  ['region=us-e', ['region=us-east']],
  ['compute_id=', ['compute_id=none']],
  ['label=', []],
  ['nothing=', []],
]

const filterLine = (filter: string) => `skyctl volumes list --filter ${filter}`

describe.each(['bash', 'zsh', 'fish'] as const)('%s offers', (shell) => {
  beforeEach((context) => needs(shell, context))

  let offersByLine: ReadonlyMap<string, string[]>

  beforeAll(async () => {
    if (!isInstalled(shell)) return
    const lines = [...rules.map(([, line]) => line), ...filters.map(([input]) => filterLine(input))]
    const each = await offersOfEach(shell, script(shell), lines, env)
    offersByLine = new Map(lines.map((line, index) => [line, each[index] ?? []]))
  })

  test.each(rules)('%s', (_rule, line, expected) => {
    expect(offersByLine.get(line)?.toSorted()).toEqual(expected.map((text) => insertedText(shell, line, text)))
  })

  test.each(filters)('values of a field after --filter %s', (input, expected) => {
    const line = filterLine(input)
    expect(offersByLine.get(line)?.toSorted()).toEqual(expected.map((text) => insertedText(shell, line, text)))
  })

  test('true and false for a boolean field', async () => {
    const line = 'skyctl ips list --filter public='
    expect((await tab(shell, line)).sort()).toEqual(
      ['public=false', 'public=true'].map((text) => insertedText(shell, line, text)),
    )
  })

  test('scopes that a token can carry', async () => {
    const line = 'skyctl tokens create --scope ips:'
    const scopes = ['ips:read', 'ips:read_only', 'ips:read_write']
    expect((await tab(shell, line)).sort()).toEqual(scopes.map((scope) => insertedText(shell, line, scope)))
  })

  test('commands for the scopes of a new token', async () => {
    const commandNames = await tab(shell, 'skyctl tokens create --scopes-for volumes')
    expect(commandNames).toContain(shell === 'fish' ? 'volumes create' : 'volumes\\ create')
    expect(commandNames.filter((text) => !text.startsWith('volumes'))).toEqual([])
  })

  test('labels after label:, and no id', async () => {
    writeFileSync(join(namesFolder, 'firewalls'), '34\twin\nlabel:77\t33\nweb\t31\nwide\t32\n')
    const line = 'skyctl firewalls view label:'
    const all = ['label:77', 'label:web', 'label:wide']
    expect((await tab(shell, line)).sort()).toEqual(all.map((text) => insertedText(shell, line, text)))
    expect(await tab(shell, `${line}we`)).toEqual([insertedText(shell, line, 'label:web')])
  })

  test('no target twice, by any name', async () => {
    writeFileSync(join(namesFolder, 'firewalls'), 'label:77\t33\nweb\t31\nwide\t32\n')
    expect(await tab(shell, 'skyctl firewalls delete web w')).toEqual(['wide'])
    expect(await tab(shell, 'skyctl firewalls delete 31 label:wide w')).toEqual([])
    expect(await tab(shell, 'skyctl firewalls delete id:32 w')).toEqual(['web'])
    expect(await tab(shell, 'skyctl firewalls delete web 3')).toEqual(expect.not.arrayContaining(['31']))
    expect((await tab(shell, 'skyctl firewalls delete web -- ')).length).toBe(2)
  })

  test('compute instances and balancers', async () => {
    writeFileSync(join(namesFolder, 'computes'), 'mail-1\t5001\nmail-2\t5002\n')
    writeFileSync(join(namesFolder, 'balancers'), 'front-1\t2001\n')
    expect(await tab(shell, 'skyctl volumes attach data --compute-id mail-2')).toEqual(['mail-2'])
    expect((await tab(shell, 'skyctl ips list --compute-id 50')).sort()).toEqual(['5001', '5002'])
    expect(await tab(shell, 'skyctl firewalls devices add web --balancer-id f')).toEqual(['front-1'])
    const line = 'skyctl firewalls create --compute-id mail-1,mail-2'
    expect(await tab(shell, line)).toEqual([insertedText(shell, line, 'mail-1,mail-2')])
    expect(runs()).toEqual([])
  })

  describe('rules', () => {
    const remove = 'skyctl firewalls rules remove'

    beforeAll(() => {
      const sides = ['web inbound ', '31 inbound ']
      const lines = sides.flatMap((side) => ['2\tACCEPT TCP 80', 'ssh\t1', 'web\t3'].map((name) => side + name))
      const others = ['web outbound dns\t1', 'web-2 inbound smtp\t1', 'webX inbound smtp\t1']
      const sorted = [...lines, ...others].map((line) => Buffer.from(`${line}\n`)).sort(Buffer.compare)
      writeFileSync(join(namesFolder, 'rules'), Buffer.concat(sorted))
    })

    test.each([
      ['of the firewall and the direction', `${remove} web inbound `, ['2', 'ssh', 'web']],
      ['of a firewall by its id', `${remove} 31 inbound s`, ['ssh']],
      ['of a firewall after label:', `${remove} label:web outbound `, ['dns']],
      ['by number', `${remove} web inbound 1`, ['1']],
      ['by label after label:', `${remove} web inbound label:s`, ['label:ssh']],
      ['not again', `${remove} web inbound ssh `, ['2', 'web']],
      ['not again after their number', `${remove} web inbound 1 `, ['2', 'web']],
      ['for rules move', 'skyctl firewalls rules move web inbound s', ['ssh']],
      ['of no other firewall', `${remove} we inbound `, []],
      ['of no firewall with a similar name', `${remove} web-2 inbound s`, ['smtp']],
    ])('%s', async (_rule, line, expected) => {
      expect((await tab(shell, line)).sort()).toEqual(expected.map((text) => insertedText(shell, line, text)))
      expect(runs()).toEqual([])
    })

    test('nothing at first if no rules are cached', async () => {
      rmSync(join(namesFolder, 'rules'))
      expect(await tab(shell, `${remove} web inbound `)).toEqual([])
      await vi.waitFor(() => expect(runs()).toEqual(['completion values rules --timeout 30s']), 10_000)
    })
  })

  test('cached names of the account in the environment, without starting a process', async () => {
    const account = {
      SKYCTL_CONTEXT: '',
      SKYCTL_BASE_URL: "https://api.example.net/it's/v4",
      SKYCTL_TOKEN: `${'t0 "$`\\'}ken-0123456789`,
    }
    const folder = environmentFolder(account.SKYCTL_BASE_URL, account.SKYCTL_TOKEN.slice(0, 16))
    mkdirSync(join(namesFolder, '..', String(folder)), { recursive: true })
    writeFileSync(join(namesFolder, '..', String(folder), 'volumes'), 'of-account\t1\n')
    expect(await tab(shell, 'skyctl volumes view of-', account)).toEqual(['of-account'])
    expect(await tab(shell, 'skyctl volumes view ', { ...account, SKYCTL_TOKEN: 'another' })).toEqual(['fresh'])
    expect(await tab(shell, 'skyctl volumes view of-', { ...account, SKYCTL_CONTEXT: 'sandbox' })).toEqual([])
    mkdirSync(join(namesFolder, '../prod'), { recursive: true })
    writeFileSync(join(namesFolder, '../prod/volumes'), 'of-prod\t1\n')
    expect(await tab(shell, 'skyctl --context prod volumes view of-', account)).toEqual(['of-prod'])
    writeFileSync(join(namesFolder, '../.current'), 'sandbox\n')
    expect(await tab(shell, 'skyctl volumes view of-', account)).toEqual(['of-account'])
  })

  test('ids only after a digit', async () => {
    const ids: string[] = JSON.parse(await skyctl(['volumes', 'list', '--json'])).map(
      ({ id }: { id: number }) => `${id}`,
    )
    const [first = ''] = ids
    const begin = first.slice(0, 2)
    expect((await tab(shell, `skyctl volumes view ${begin}`)).sort()).toEqual(ids.filter((id) => id.startsWith(begin)))
    expect(await tab(shell, 'skyctl volumes view ')).not.toContain(first)
  })

  test('files for a flag that takes a file', async () => {
    writeFileSync(join(home, 'a body.json'), '{}')
    const quoted = shell === 'fish' ? 'a body.json' : 'a\\ body.json'
    const paths = await tab(shell, `skyctl volumes create --body ${home}/a`)
    expect(paths.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual([quoted])
  })

  test('values after "="', async () => {
    const values = await tab(shell, 'skyctl volumes create --region=us-e')
    expect(values).toEqual([shell === 'fish' ? '--region=us-east' : 'us-east'])
  })

  test('cached names without starting a process', async () => {
    for (const line of ['skyctl volumes view ', 'skyctl regions view ', 'skyctl --context ']) await tab(shell, line)
    expect(runs()).toEqual([])
  })

  test('hostile labels without running them', async () => {
    const labels = await tab(shell, 'skyctl volumes view ')
    expect(labels.length).toBeGreaterThanOrEqual(hostile.length)
    expect(existsSync('pwned') || existsSync(join(home, 'pwned'))).toBe(false)
  })

  test('requested names if none are cached', async () => {
    const other = { XDG_CACHE_HOME: join(home, 'none'), HOME: join(home, 'none') }
    expect(await tab(shell, 'skyctl volumes view ', other)).toEqual(['fresh'])
    expect(runs()).toEqual(['completion values volumes --timeout 2s'])
  })

  test('names of the context in the line', async () => {
    mkdirSync(join(namesFolder, '../prod'), { recursive: true })
    writeFileSync(join(namesFolder, '../prod/volumes'), 'of-prod\t1\n')
    expect(await tab(shell, 'skyctl --context prod volumes view of-')).toEqual(['of-prod'])
    expect(await tab(shell, 'skyctl volumes view of-')).toEqual([])
    expect(await tab(shell, 'skyctl volumes view --context=prod of-')).toEqual(['of-prod'])
  })

  test('names of the current context', async () => {
    writeFileSync(join(namesFolder, '../.current'), 'acme%20corp\n')
    mkdirSync(join(namesFolder, '../acme%20corp'), { recursive: true })
    writeFileSync(join(namesFolder, '../acme%20corp/volumes'), 'of-acme\t1\n')
    expect(await tab(shell, 'skyctl volumes view of-', { SKYCTL_CONTEXT: '' })).toEqual(['of-acme'])
    expect(runs()).toEqual([])
  })

  test.each(['.current', 'prod/volumes'])('fresh names at once if the cache has a FIFO: %s', async (name) => {
    mkdirSync(join(namesFolder, '../prod'), { recursive: true })
    const path = join(namesFolder, '..', name)
    rmSync(path, { force: true })
    if (name !== '.current') writeFileSync(join(namesFolder, '../.current'), 'prod\n')
    execFileSync('mkfifo', [path])
    try {
      expect(await tab(shell, 'skyctl volumes view ', { SKYCTL_CONTEXT: '' })).toEqual(['fresh'])
    } finally {
      rmSync(path)
    }
  })

  test('no cached names of a context whose name is a path', async () => {
    await tab(shell, 'skyctl --context ../sandbox volumes view ')
    expect(runs()).toEqual(['completion values volumes --context ../sandbox --timeout 2s'])
  })

  test.each(['SKYCTL_TOKEN', 'SKYCTL_TOKEN_FILE', 'SKYCTL_BASE_URL'])(
    'no cached names if %s sets another account',
    async (variable) => {
      const other = { [variable]: 'https://example.net/v4', SKYCTL_CONTEXT: 'prod' }
      expect(await tab(shell, 'skyctl volumes view ', other)).toEqual(['fresh'])
      expect(await tab(shell, 'skyctl volumes view f', { ...other, SKYCTL_CONTEXT: 'sandbox' })).toEqual([])
    },
  )

  test('nothing while a base URL is set in the line', async () => {
    expect(await tab(shell, 'skyctl --base-url https://example.net/v4 volumes view ')).toEqual([])
    expect(runs()).toEqual([])
  })

  test('old names at once, and refreshes them in the background', async () => {
    const file = join(namesFolder, 'regions')
    const old = new Date(Date.now() - 10 * 60_000)
    utimesSync(file, old, old)
    expect(await tab(shell, 'skyctl regions view us-e')).toEqual(['us-east'])
    await vi.waitFor(() => expect(runs()).toEqual(['completion values regions --timeout 30s']), 10_000)
    await tab(shell, 'skyctl regions view us-e')
    expect(runs()).toHaveLength(1)
  })
})

describe('bash completes', () => {
  test.each([
    ['my\\ ', 'my\\ vol'],
    ['"my ', 'my vol'],
    ['"\\$', '\\$(touch pwned)'],
    ["'$", '$(touch pwned)'],
    ["'it", "it'\\''s"],
    ['"x', 'x"\'!\'"y\\\\z'],
    ['\\`', '\\`touch\\ pwned\\`'],
    ['my" v', ' vol'],
    ['a\\;', 'a\\;b\\&c\\|d\\>e'],
  ])('%s with its own kind of quote: %s', async (word, expected) => {
    expect(await bashWords('volumes', 'view', word)).toEqual([expected])
  })

  test('a label that looks like an id or a flag, with label:', async () => {
    expect(await bashWords('volumes', 'view', 'label', ':', '')).toEqual(expect.arrayContaining(['77', '-v', 'a:b']))
    expect(await bashWords('volumes', 'view', '')).toEqual(expect.arrayContaining(['label:77', 'label:-v', 'a:b']))
  })

  test('with text that the shell reads as the label', async () => {
    const words = await bash('skyctl volumes view ')
    const { stdout } = spawnSync('bash', ['-c', `printf '%s\\n' ${words.join(' ')}`], { encoding: 'utf8' })
    const labels = hostile.map((label) => (label === '77' || label === '-v' ? `label:${label}` : label))
    expect(stdout.trimEnd().split('\n')).toEqual(expect.arrayContaining(labels))
  })
})

describe('in an interactive bash, Tab', () => {
  let terminal: IPty
  let output: string

  async function type(text: string, until: string): Promise<void> {
    output = ''
    terminal.write(text)
    await vi.waitFor(() => expect(output.replaceAll('\u0007', '')).toContain(until), 10_000)
  }

  beforeEach(async () => {
    // Disables colours and brackets of readline, so that the line can be read back.
    writeFileSync(join(home, '.inputrc'), 'set enable-bracketed-paste off\nset show-all-if-ambiguous on\n')
    terminal = spawn('bash', ['--norc', '--noprofile', '-i'], {
      env: { ...env, PS1: '> ', TERM: 'dumb', INPUTRC: join(home, '.inputrc') },
      cwd: home,
      cols: 200,
    })
    output = ''
    terminal.onData((data) => {
      output += data
    })
    await type(`source ${script('bash')}; echo rea""dy\r`, 'ready')
    return () => terminal.kill()
  })

  test.each([
    ['skyctl volumes view my', 'my\\ vol '],
    ['skyctl volumes view "my', '"my vol" '],
    ['skyctl volumes view a:', 'a:b '],
    ['skyctl volumes view label:7', 'label:77 '],
    ['skyctl volumes create --region=us-ea', '--region=us-east '],
    ['skyctl volumes create --regi', '--region '],
    ['X=1 skyctl --context san', 'sandbox '],
  ])('completes %s to %s', async (line, expected) => {
    await type(`${line}\t`, expected)
  })
})

describe('skyctl completion', () => {
  testOnSandbox('prints one JSON document with --json, and a script otherwise', async ({ skyctl }) => {
    const plain = await skyctl('completion bash', { env: { SKYCTL_OUTPUT: 'json' } })
    const { stdout } = await skyctl('completion bash --json')
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: plain.stdout })
    expect(plain).toMatchObject({ exit: 0, stderr: '' })
  })

  testOnSandbox('explains the installation in its help', async ({ skyctl }) => {
    const { stdout } = await skyctl('completion fish --help')
    const install =
      'mkdir -p ~/.config/fish/completions && skyctl completion fish > ~/.config/fish/completions/skyctl.fish'
    expect(stdout.replaceAll(/ \\\n */g, ' ')).toContain(install)
  })

  testOnSandbox('hides the command for the scripts', async ({ skyctl }) => {
    expect((await skyctl('completion --help')).stdout).not.toContain('values')
  })
})

describe('skyctl completion values', () => {
  testOnSandbox(
    'prints and caches names in byte order, by which the bash script searches',
    async ({ skyctl, world, home }) => {
      for (const label of ['ärger', 'Zebra', 'data 10', 'data-1', '\u{1f409}', '\uff5a']) world.volume({ label })
      const { stdout } = await skyctl('completion values volumes')
      const lines = stdout.split('\n').filter((line) => line !== '')
      const sorted = spawnSync('sort', { input: stdout, env: { LC_ALL: 'C' }, encoding: 'utf8' }).stdout
      expect(stdout).toBe(sorted)
      expect(lines.length).toBeGreaterThan(10)
      const [folder = ''] = readdirSync(join(home, 'cache/skyctl/names')).filter((name) => name.startsWith('.env'))
      expect(readFileSync(join(home, 'cache/skyctl/names', folder, 'volumes'), 'utf8')).toBe(sorted)
    },
  )

  testOnSandbox('identifies a volume by its id if its label is ambiguous or hostile', async ({ skyctl }) => {
    const { stdout: first } = await skyctl('volumes create --label twin --region us-east --quiet')
    const { stdout: second } = await skyctl('volumes create --label twin --region us-east --allow-duplicate --quiet')
    const { stdout: third } = await skyctl([
      'volumes',
      'create',
      '--label',
      'a\u202eb',
      '--region',
      'us-east',
      '--quiet',
    ])
    const { stdout } = await skyctl('completion values volumes')
    expect(stdout).toContain(`${first.trim()}\ttwin\n`)
    expect(stdout).toContain(`${second.trim()}\ttwin\n`)
    expect(stdout).toContain(`${third.trim()}\ta\\u202eb\n`)
  })

  testOnSandbox('omits regions with invisible or control characters', async ({ skyctl }) => {
    const ids = ['us-east', 'a\u202eb', 'c\u001b[2Jd', 'e\u200bf', 'g\u009bh', 'i\nj', 'k\tl', 'm\u{e0041}n', '']
    const data = ids.map((id) => ({ ...usEast, id, label: 'La\u202ebel\u001b[31m' }))
    const server = await faultServer(reply(200, { data, page: 1, pages: 1, results: data.length }))
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    const note = String.raw`La\u202ebel\x1b[31m`
    expect((await skyctl('completion values regions', { env })).stdout).toBe(`us-east\t${note}\n`)
    const { stdout } = await skyctl('completion values regions --json', { env })
    expect(stdout).toMatch(/^[\x20-\x7e]*\n$/)
    expect(JSON.parse(stdout)).toHaveLength(data.length)
  })

  testOnSandbox.for(['prod', 'acme corp', '..', '.current', 'current'])(
    'caches the names of the context %j where bash looks',
    async (name, { sandbox, home, env: { SKYCTL_CONFIG_DIR, XDG_CACHE_HOME } }) => {
      const contexts = { [name]: { base_url: sandbox.baseUrl, token: sandbox.ownerToken } }
      mkdirSync(join(home, 'config'), { mode: 0o700 })
      writeFileSync(join(home, 'config/contexts.json'), JSON.stringify({ current: name, contexts }), { mode: 0o600 })
      const ownEnv = { ...env, HOME: home, SKYCTL_CONTEXT: '', SKYCTL_CONFIG_DIR, XDG_CACHE_HOME } as typeof env
      mkdirSync(join(home, 'cache/skyctl'), { recursive: true })
      mkdirSync(join(home, 'Library/Caches'), { recursive: true })
      symlinkSync(join(home, 'cache/skyctl'), join(home, 'Library/Caches/skyctl'))
      expect(await runSkyctl('completion values regions', { env: ownEnv })).toMatchObject({ exit: 0, stderr: '' })
      expect(await bash('skyctl regions view us-e', ownEnv)).toEqual(['us-east'])
      expect(runs()).toEqual([])
      expect(readdirSync(join(home, 'cache/skyctl'))).toEqual(['names'])
    },
  )

  testOnSandbox(
    'caches names of the account in the environment by its base URL and token',
    async ({ skyctl, home, env }) => {
      expect((await skyctl('completion values volumes')).exit).toBe(0)
      const folder = environmentFolder(env.SKYCTL_BASE_URL, env.SKYCTL_TOKEN?.slice(0, 16))
      expect(readdirSync(join(home, 'cache/skyctl/names'))).toEqual([folder])
      expect(folder).not.toContain(env.SKYCTL_TOKEN?.slice(0, 4))
      const shared = { ...env, HOME: home, PATH: process.env.PATH }
      mkdirSync(join(home, 'Library/Caches'), { recursive: true })
      symlinkSync(join(home, 'cache/skyctl'), join(home, 'Library/Caches/skyctl'))
      expect(await bash('skyctl volumes view data-2', { ...shared, SKYCTL_CONTEXT: '' } as typeof env)).toEqual([
        'data-2',
      ])
      const none = await skyctl(`completion values volumes --base-url ${env.SKYCTL_BASE_URL}`, {
        env: { SKYCTL_BASE_URL: '' },
      })
      expect(none.exit).toBe(0)
      expect(readdirSync(join(home, 'cache/skyctl/names'))).toEqual([folder])
    },
  )

  testOnSandbox('collects instances from volumes and firewall devices', async ({ skyctl, world }) => {
    for (const [id, label] of [
      [5001, 'mail-1'],
      [5002, 'mail-2'],
      [5003, 'a,b'],
      [5004, 'none-1'],
    ] as const)
      world.compute({ id, label })
    world.volume({ compute_id: 5001 })
    world.volume({ compute_id: 5001 })
    const firewall = world.network.firewall().id
    world.network.device(firewall, 'compute', 5002)
    world.network.device(firewall, 'compute', 5003)
    world.network.device(firewall, 'balancer', 2002)
    const computes = (await skyctl('completion values computes')).stdout.split('\n')
    expect(computes).toEqual(expect.arrayContaining(['mail-1\t5001', 'mail-2\t5002', '5003\ta,b']))
    expect(computes.join()).not.toContain('none-1')
    expect((await skyctl('completion values balancers')).stdout).toContain('front-2\t2002\n')
  })

  testOnSandbox('collects instances of addresses by id', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.compute({ id: 5002, label: 'mail-2' })
    world.volume({ compute_id: 5001 })
    world.network.address({ address: '203.0.113.201', compute_id: 5001 })
    world.network.address({ address: '203.0.113.202', compute_id: 5002 })
    const lines = (await skyctl('completion values computes')).stdout.split('\n')
    expect(lines.filter((line) => line.includes('500'))).toEqual(['5002', 'mail-1\t5001'])
  })

  testOnSandbox('collects instances if the token may only read addresses', async ({ skyctl, world }) => {
    world.compute({ id: 5002, label: 'mail-2' })
    world.network.address({ address: '203.0.113.202', compute_id: 5002 })
    const token = await world.token('ips:read_only')
    const { exit, stdout } = await skyctl('completion values computes', { env: { SKYCTL_TOKEN: token } })
    expect(exit).toBe(0)
    expect(stdout.split('\n')).toContain('5002')
  })

  testOnSandbox('has the rules of a firewall by its label and its id', async ({ skyctl, world }) => {
    const rule = { action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: ['0.0.0.0/0'] } }
    const inbound = [
      { ...rule, ports: '22', label: 'ssh-in' },
      { ...rule, ports: '80', label: 'twin' },
      { ...rule, ports: '443', label: 'twin' },
      { ...rule, ports: '25' },
    ]
    const rules = { inbound, inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { id } = world.network.firewall({ label: 'edge-1', rules })
    const lines = (await skyctl('completion values rules')).stdout.split('\n')
    const names = ['2\ttwin', '3\ttwin', '4\tACCEPT TCP 25 from 0.0.0.0/0', 'ssh-in\t1']
    for (const firewall of ['edge-1', id]) {
      const start = `${firewall} inbound `
      expect(lines.filter((line) => line.startsWith(start))).toEqual(names.map((name) => start + name))
      expect(lines.filter((line) => line.startsWith(`${firewall} outbound `))).toEqual([])
    }
  })

  testOnSandbox('marks rules as outdated after a change of a firewall', async ({ skyctl, home }) => {
    const ownOptions = { env: { SKYCTL_CONTEXT: 'sandbox' } }
    const file = join(home, 'cache/skyctl/names/sandbox/rules')
    await skyctl('completion values firewalls', ownOptions)
    expect(statSync(file).mtimeMs).toBeGreaterThan(0)
    const line = 'firewalls rules add spare inbound --action drop --protocol udp --ipv4 192.0.2.0/24 --yes'
    expect(await skyctl(line, ownOptions)).toMatchObject({ exit: 0 })
    expect(statSync(file).mtimeMs).toBe(0)
  })

  testOnSandbox('reads the devices of at most 50 firewalls', async ({ skyctl, world }) => {
    for (let count = 0; count < 120; count += 1) world.network.firewall()
    expect(await skyctl('completion values computes')).toMatchObject({ exit: 0 })
    expect(world.requests().filter(({ path }) => path.includes('/devices')).length).toBe(50)
  })

  testOnSandbox('collects instances when volumes are read', async ({ skyctl, world, home, env }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ compute_id: 5001 })
    await skyctl('completion values volumes')
    const folder = String(environmentFolder(env.SKYCTL_BASE_URL, env.SKYCTL_TOKEN?.slice(0, 16)))
    const file = join(home, 'cache/skyctl/names', folder, 'computes')
    expect(readFileSync(file, 'utf8')).toContain('mail-1\t5001\n')
    // Outdated, so that the next Tab reads the other lists as well.
    expect(statSync(file).mtimeMs).toBe(0)
    writeFileSync(file, 'mail-1\t1\nother\t5001\nstays\t7\n')
    await skyctl('completion values volumes')
    expect(readFileSync(file, 'utf8')).toMatch(/^mail-1\t5001\n/m)
    expect(readFileSync(file, 'utf8')).toMatch(/^stays\t7\n/m)
    expect(readFileSync(file, 'utf8')).not.toContain('other')
  })

  testOnSandbox.for([
    ['volumes', 'volumes create --label fresh --region us-east'],
    ['volumes', 'volumes update data-2 --label fresh'],
    ['volumes', 'volumes delete data-2 --yes'],
    ['firewalls', 'firewalls delete spare --yes'],
  ])('drops the labels of %s after "%s"', async ([kind = '', line = ''], { skyctl, home }) => {
    const ownOptions = { env: { SKYCTL_CONTEXT: 'sandbox' } }
    const file = join(home, 'cache/skyctl/names/sandbox', kind)
    await skyctl(`completion values ${kind}`, ownOptions)
    expect(existsSync(file)).toBe(true)
    expect(await skyctl(line, ownOptions)).toMatchObject({ exit: 0 })
    expect(existsSync(file)).toBe(false)
  })

  testOnSandbox('keeps the labels of a kind after a change of other fields', async ({ skyctl, home }) => {
    const ownOptions = { env: { SKYCTL_CONTEXT: 'sandbox' } }
    await skyctl('completion values firewalls', ownOptions)
    expect(await skyctl('firewalls update spare --tags moved', ownOptions)).toMatchObject({ exit: 0 })
    expect(readFileSync(join(home, 'cache/skyctl/names/sandbox/firewalls'), 'utf8')).toMatch(/^spare\t/m)
  })

  testOnSandbox('limits all requests together by --timeout', async ({ skyctl }) => {
    const server = await faultServer(silence)
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect(await skyctl('completion values computes --timeout 2s', { env })).toEqual({
      exit: 8,
      stdout: '',
      stderr: 'skyctl: timed out while reading names\n',
    })
  })

  testOnSandbox('stops waiting once the names have arrived', async ({ skyctl, clock }) => {
    const sleeps: { milliseconds: number; ended: boolean }[] = []
    const sleep = (milliseconds: number, signal: AbortSignal | undefined) =>
      new Promise<void>((_, reject) => {
        const one = { milliseconds, ended: false }
        sleeps.push(one)
        signal?.addEventListener('abort', () => {
          one.ended = true
          reject(signal.reason)
        })
      })
    const { exit } = await skyctl('completion values regions --timeout 2s', { clock: { ...clock, sleep } })
    expect([exit, sleeps]).toEqual([0, [{ milliseconds: 2000, ended: true }]])
  })
})
