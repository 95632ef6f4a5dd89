/** What each command loads (performance.md, "What decides them"): a start is slow for what it reads, on any machine. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { env as surroundings } from 'node:process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { version } from '../package.json'
import { loadTree, withDescendants } from '../src/generate/tree'
import { program as tree } from '../src/program'
import { loadsOf } from './support/loads'
import { deadEnd } from './support/nowhere'
import { test } from './support/skyctl'

const launcher = ['skyctl.js']
const program = ['main.js', ...launcher]
/** What lists need, and nothing of other groups and commands. */
const lists = ['commands.js', 'list-volumes.js', ...program]
/** What takes Node itself a while to load. */
const heavy = /^(fs\/promises|stream|net|https?|http2|tls|child_process)$/
const connected = [...lists, 'request.js', 'undici-parts.js'].sort()

const groups = withDescendants(await loadTree(tree))
  .filter(({ children, words }) => children.length > 0 && words.length > 0)
  .map(({ words }) => [...words])
/** One group in four, as the outline has them all; `RUNS=1` tries each. */
const triedGroups = groups.filter((_, index) => surroundings.RUNS !== undefined || index % 4 === 0)

/** Returns the milliseconds of CPU time that a run of Node took, those of its threads and of its end included. */
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
})

describe('help', () => {
  test.for([[], ...triedGroups])(
    'of the program and of each group is in the file that every start reads: %j',
    async (words) => {
      const { exit, files, builtins } = await loadsOf([...words, '--help'])
      expect({ exit, files }).toEqual({ exit: 0, files: program })
      expect(builtins).not.toEqual(expect.arrayContaining([expect.stringMatching(heavy)]))
      expect(builtins).not.toContain('internal/abort_controller')
    },
  )

  test('reads a text of 128 KiB or more, which V8 holds apart from young objects', () => {
    expect(statSync(join(import.meta.dirname, '../dist/main.js')).size).toBeGreaterThanOrEqual(128 * 1024)
  })

  test.for([
    ['list', [...lists, 'help.js'].sort()],
    ['create', [...lists, 'catalogue.js', 'changes-volumes.js', 'help.js', 'verbs.js'].sort()],
  ] as const)('of volumes %s adds its layout, and what describes commands of its kind', async ([verb, expected]) => {
    const { exit, files, builtins } = await loadsOf(['volumes', verb, '--help'])
    expect({ exit, files }).toEqual({ exit: 0, files: expected })
    expect(builtins).not.toEqual(expect.arrayContaining([expect.stringMatching(heavy)]))
  })
})

describe('what shows objects', () => {
  /** Of those groups whose lists have modules of their own. */
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
  ])('takes nothing of what changes them, nor what few commands come to need: %s', async (line) => {
    const { exit, files } = await loadsOf([...line.split(' '), '--help'])
    expect({ exit, files: files.filter((file) => /^(changes|later|engine)/.test(file)) }).toEqual({
      exit: 0,
      files: [],
    })
  })
})

describe('a list', () => {
  test('as JSON takes nothing but the connection, of 421 KB with blanks', async ({ env }) => {
    const { exit, files, bytes, builtins } = await loadsOf(['volumes', 'list', '--json'], env)
    expect({ exit, files }).toEqual({ exit: 0, files: connected })
    expect(bytes).toBeLessThan(421_000)
    expect(builtins).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(fs\/promises|https?|http2|tls|child_process)$/)]),
    )
  })

  // 2 to 2.3 times on Node 20 to 26. Beside other work, the least of interleaved runs hardly differs.
  test('takes less than 3.5 times the CPU time of bare node', { timeout: 60_000 }, async ({ env, home }) => {
    const argv = [join(import.meta.dirname, '../bin/skyctl.js'), 'volumes', 'list', '--json']
    const own = { PATH: surroundings.PATH ?? '', HOME: home, ...env }
    const [node, list]: [number[], number[]] = [[], []]
    // The first fills the code cache.
    for (const _ of Array(7)) {
      list.push(await cpuOf(argv, own))
      node.push(await cpuOf(['-e', '0'], own))
    }
    expect(Math.min(...list) / Math.min(...node)).toBeLessThan(3.5)
  })

  test('with a filter adds what filters', async ({ env }) => {
    const { exit, files } = await loadsOf(['volumes', 'list', '--json', '--filter', 'status=active'], env)
    expect({ exit, files }).toEqual({ exit: 0, files: [...connected, 'catalogue.js', 'filter.js'].sort() })
  })

  test('reads nothing of changes that are watched over, where none is', async ({ env }) => {
    const folder = join(env.SKYCTL_STATE_DIR ?? '', 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    expect((await loadsOf(['volumes', 'list', '--json'], env)).files).toEqual(connected)
    writeFileSync(join(folder, 'one'), '', { mode: 0o600 })
    expect((await loadsOf(['volumes', 'list', '--json'], env)).files).not.toEqual(connected)
  })

  test('as a table that is piped is printed without cli-table3 and chalk', async ({ env }) => {
    const { exit, files } = await loadsOf(['volumes', 'list'], env)
    expect({ exit, files }).toEqual({ exit: 0, files: [...connected, 'table.js'].sort() })
  })

  // undici's parts and commander are CommonJS: each of their modules is a function.
  test.for(lists.filter((file) => file !== 'skyctl.js').concat('request.js', 'table.js', 'catalogue.js'))(
    'reads files whose modules have one scope: %s',
    (file) => {
      const text = readFileSync(join(import.meta.dirname, '../dist', file), 'utf8')
      const wrapped = [...text.matchAll(/\w+=__(?:esm|commonJS)\(\{"([^"]+)"/g)].map(([, module]) => module ?? '')
      expect(wrapped.filter((module) => !/\/commander\/|^replaced:/.test(module))).toEqual([])
    },
  )
})

test.for(['volumes --help', 'volumes list', 'volumes list --json'])(
  'output to /dev/null needs no more of Node than output to a pipe: %s',
  async (line, { env }) => {
    const words = line.split(' ')
    const [piped, silent] = [await loadsOf(words, env), await loadsOf(words, env, { silent: true })]
    expect({ exit: silent.exit, builtins: silent.builtins }).toEqual({ exit: 0, builtins: piped.builtins })
  },
)

describe('the embedded sandbox', () => {
  /** Of Node: what its `fetch` is made of, and what else takes a while. That which listens needs `dns` and `cluster`. */
  const web = /undici|^(fs\/promises|timers\/promises|https|http2|tls|crypto|perf_hooks|worker_threads)$/

  test.for(['volumes list', 'regions list'])(
    'adds its two files and the server of Node, and nothing of the web: %s',
    async (line, { env }) => {
      const words = [...line.split(' '), '--json']
      const { SKYCTL_STATE_DIR, SKYCTL_CONFIG_DIR } = env
      const embedded = () => loadsOf(words, { SKYCTL_STATE_DIR, SKYCTL_CONFIG_DIR, SKYCTL_CONTEXT: 'sandbox' })
      // The first of all writes the world.
      await embedded()
      const [here, elsewhere] = [await embedded(), await loadsOf(words, env)]
      const files = here.files.filter((file) => !elsewhere.files.includes(file))
      const builtins = here.builtins.filter((name) => !elsewhere.builtins.includes(name))
      expect({ exit: here.exit, files }).toEqual({ exit: 0, files: ['catalogue.js', 'sandbox.js'] })
      // Neither the server nor its connections are left, or are closed first.
      expect({ here: here.atOnce, elsewhere: elsewhere.atOnce }).toEqual({ here: true, elsewhere: true })
      expect(builtins).toContain('http')
      expect(builtins.filter((name) => web.test(name))).toEqual([])
    },
  )
})

test('a proxy takes no more than what Node has for it', async ({ env }) => {
  const proxied = { ...env, SKYCTL_BASE_URL: 'https://service.invalid/v4', HTTPS_PROXY: deadEnd }
  const { exit, files } = await loadsOf(['volumes', 'list', '--json', '--retries', '0'], proxied)
  expect({ exit, files }).toEqual({ exit: 8, files: connected })
})
