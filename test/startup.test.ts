/**
 * Files that each command loads (performance.md, "What decides them"), because reading them makes a start slow on any
 * machine.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { env as surroundings } from 'node:process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { version } from '../package.json'
import { program as tree } from '../src/commands/index'
import { loadTree, withDescendants } from '../src/engine/command-nodes'
import { loadsOf } from './support/loads'
import { unreachableUrl } from './support/nonexistent'
import { test } from './support/skyctl'

const launcher = ['skyctl.js']
const program = ['main.js', ...launcher]
/** The files of lists, without those of other groups and commands. */
const lists = ['commands.js', 'list-volumes.js', ...program]
/** Modules that Node itself loads slowly. */
const heavy = /^(fs\/promises|stream|net|https?|http2|tls|child_process)$/
const connected = [...lists, 'request.js', 'undici-parts.js'].sort()

const groups = withDescendants(await loadTree(tree))
  .filter(({ children, words }) => children.length > 0 && words.length > 0)
  .map(({ words }) => [...words])
/** Tries one group in four, because the outline has all; `RUNS=1` tries each. */
const sampleGroups = groups.filter((_, index) => surroundings.RUNS !== undefined || index % 4 === 0)

/** Returns the CPU time of a Node process in milliseconds, including its threads and its end. */
async function cpuOf(argv: readonly string[], env: Record<string, string>): Promise<number> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null'
  const { stderr } = await promisify(execFile)('bash', ['-c', script, 'bash', process.execPath, ...argv], { env })
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number)
  return 1000 * (user + system)
}

describe('the launcher', () => {
  test.for(['--version', '-V'])('answers %s by itself', async (flag) => {
    const { exit, stdout, files, builtins } = await loadsOf([flag])
    expect({ exit, stdout, files, builtins }).toEqual({
      exit: 0,
      stdout: `${version}\n`,
      files: launcher,
      builtins: [],
    })
  })

  test('answers Tab without the program, commander, or another process', async ({ env }) => {
    const { exit, stdout, files, builtins } = await loadsOf(['__complete', 'bash', 'volumes', 'cre'], env)
    expect({ exit, stdout, files }).toEqual({
      exit: 0,
      stdout: ':words \ncreate\n',
      files: ['completion.js', ...launcher],
    })
    expect(builtins).not.toEqual(expect.arrayContaining([expect.stringMatching(heavy)]))
  })
})

describe('help', () => {
  test.for([[], ...sampleGroups])(
    'of the program and each group is in the file that every start loads: %j',
    async (words) => {
      const { exit, files, builtins } = await loadsOf([...words, '--help'])
      expect({ exit, files }).toEqual({ exit: 0, files: program })
      expect(builtins).not.toEqual(expect.arrayContaining([expect.stringMatching(heavy)]))
      expect(builtins).not.toContain('internal/abort_controller')
    },
  )

  test('is a file of at least 128 KiB, which V8 stores apart from young objects', () => {
    expect(statSync(join(import.meta.dirname, '../dist/main.js')).size).toBeGreaterThanOrEqual(128 * 1024)
  })

  test.for([
    ['list', [...lists, 'help.js'].sort()],
    ['create', [...lists, 'catalogue.js', 'changes-volumes.js', 'help.js', 'verbs.js'].sort()],
  ] as const)('of volumes %s also loads its layout, and the description of such commands', async ([verb, expected]) => {
    const { exit, files, builtins } = await loadsOf(['volumes', verb, '--help'])
    expect({ exit, files }).toEqual({ exit: 0, files: expected })
    expect(builtins).not.toEqual(expect.arrayContaining([expect.stringMatching(heavy)]))
  })
})

describe('a command that shows objects', () => {
  /** Groups whose lists have their own modules. */
  test.for([
    'volumes view',
    'firewalls list',
    'firewalls view',
    'ips list',
    'ips view',
    'tokens list',
    'tokens view',
    'profile view',
    'profile logins list',
    'regions list',
    'vlans list',
  ])('loads no code for changes, and none that few commands need: %s', async (line) => {
    const { exit, files } = await loadsOf([...line.split(' '), '--help'])
    expect({ exit, files: files.filter((file) => /^(changes|later|engine)/.test(file)) }).toEqual({
      exit: 0,
      files: [],
    })
  })
})

describe('a list', () => {
  test('as JSON loads only the connection code, less than 401 KB', async ({ env }) => {
    const { exit, files, bytes, builtins } = await loadsOf(['volumes', 'list', '--json'], env)
    expect({ exit, files }).toEqual({ exit: 0, files: connected })
    expect(bytes).toBeLessThan(401_000)
    expect(builtins).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(fs\/promises|https?|http2|tls|child_process)$/)]),
    )
  })

  // It takes 2 to 2.3 times on Node 20 to 26. The minimum of interleaved runs hardly changes under load.
  test('takes less than 3.5 times the CPU time of bare node', { timeout: 60_000 }, async ({ env, home }) => {
    const argv = [join(import.meta.dirname, '../bin/skyctl.js'), 'volumes', 'list', '--json']
    const own = { PATH: surroundings.PATH ?? '', HOME: home, ...env }
    const [node, list]: [number[], number[]] = [[], []]
    // The first run fills the code cache.
    for (const _ of Array(7)) {
      list.push(await cpuOf(argv, own))
      node.push(await cpuOf(['-e', '0'], own))
    }
    expect(Math.min(...list) / Math.min(...node)).toBeLessThan(3.5)
  })

  test('with a filter also loads the filter', async ({ env }) => {
    const { exit, files } = await loadsOf(['volumes', 'list', '--json', '--filter', 'status=active'], env)
    expect({ exit, files }).toEqual({ exit: 0, files: [...connected, 'catalogue.js', 'filter.js'].sort() })
  })

  test('loads no watcher code if there is no watcher', async ({ env }) => {
    const folder = join(env.SKYCTL_STATE_DIR ?? '', 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    expect((await loadsOf(['volumes', 'list', '--json'], env)).files).toEqual(connected)
    writeFileSync(join(folder, 'one'), '', { mode: 0o600 })
    expect((await loadsOf(['volumes', 'list', '--json'], env)).files).not.toEqual(connected)
  })

  test('as a table in a pipe loads neither cli-table3 nor chalk', async ({ env }) => {
    const { exit, files } = await loadsOf(['volumes', 'list'], env)
    expect({ exit, files }).toEqual({ exit: 0, files: [...connected, 'table.js'].sort() })
  })

  // undici's parts and commander are CommonJS, with one function for each module.
  test.for(lists.filter((file) => file !== 'skyctl.js').concat('request.js', 'table.js', 'catalogue.js'))(
    'loads files whose modules have one scope: %s',
    (file) => {
      const text = readFileSync(join(import.meta.dirname, '../dist', file), 'utf8')
      const wrapped = [...text.matchAll(/\w+=__(?:esm|commonJS)\(\{"([^"]+)"/g)].map(([, module]) => module ?? '')
      expect(wrapped.filter((module) => !/\/commander\/|^replaced:/.test(module))).toEqual([])
    },
  )
})

describe('a change', () => {
  test('of a volume loads what changes need, and nothing of other groups and reports', async ({ env }) => {
    const { exit, files, bytes } = await loadsOf(
      ['volumes', 'create', '--label', 'start', '--region', 'us-east', '--json'],
      env,
    )
    const own = ['catalogue.js', 'changes-volumes.js', 'local.js', 'sending.js', 'verbs.js']
    expect({ exit, files }).toEqual({ exit: 0, files: [...connected, ...own].sort() })
    expect(bytes).toBeLessThan(590_000)
    const removal = await loadsOf(['volumes', 'delete', 'start', '--yes'], env)
    expect({ exit: removal.exit, files: removal.files }).toEqual({ exit: 0, files })
  })
})

test.for(['volumes --help', 'volumes list', 'volumes list --json'])(
  'output to /dev/null loads no more of Node than output to a pipe: %s',
  async (line, { env }) => {
    const words = line.split(' ')
    const [piped, silent] = [await loadsOf(words, env), await loadsOf(words, env, { silent: true })]
    expect({ exit: silent.exit, builtins: silent.builtins }).toEqual({ exit: 0, builtins: piped.builtins })
  },
)

describe('the embedded sandbox', () => {
  /** Modules of Node for `fetch`, and other slow ones. A listening server would need `dns` and `cluster`. */
  const web = /undici|^(fs\/promises|timers\/promises|https|http2|tls|crypto|perf_hooks|worker_threads)$/

  test.for([
    ['volumes list', ['catalogue.js', 'sandbox.js']],
    // Elsewhere, it loads the other one to write the names for Tab.
    ['regions list', ['sandbox.js']],
  ] as const)(
    "loads only its two files and Node's server, nothing for the web: %s",
    async ([line, expected], { env }) => {
      const words = [...line.split(' '), '--json']
      const { SKYCTL_STATE_DIR, SKYCTL_CONFIG_DIR } = env
      const embedded = () => loadsOf(words, { SKYCTL_STATE_DIR, SKYCTL_CONFIG_DIR, SKYCTL_CONTEXT: 'sandbox' })
      // The first run of all creates the state file.
      await embedded()
      const [here, elsewhere] = [await embedded(), await loadsOf(words, env)]
      const files = here.files.filter((file) => !elsewhere.files.includes(file))
      const builtins = here.builtins.filter((name) => !elsewhere.builtins.includes(name))
      expect({ exit: here.exit, files }).toEqual({ exit: 0, files: expected })
      // The process exits without waiting for the server or its connections.
      expect({ here: here.atOnce, elsewhere: elsewhere.atOnce }).toEqual({ here: true, elsewhere: true })
      expect(builtins).toContain('http')
      expect(builtins.filter((name) => web.test(name))).toEqual([])
    },
  )
})

test.for([
  ['HTTP', unreachableUrl, []],
  ['SOCKS5', unreachableUrl.replace('http:', 'socks5h:'), ['socks.js']],
] as const)('a proxy loads only its own code: %s', async ([, HTTPS_PROXY, own], { env }) => {
  const proxied = { ...env, SKYCTL_BASE_URL: 'https://service.invalid/v4', HTTPS_PROXY }
  const { exit, files } = await loadsOf(['volumes', 'list', '--json', '--retries', '0'], proxied)
  expect({ exit, files }).toEqual({ exit: 8, files: [...connected, 'network.js', 'proxy.js', ...own].sort() })
})
