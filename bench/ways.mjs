/**
 * Counts how much of `src` one command line walks through: the files that it loads, their lines, and the named
 * functions that it calls. Each file is transpiled by itself, so that V8's coverage knows it, and the command runs
 * against a remote sandbox. `src/sandbox` does not count. `node bench/ways.mjs` exits with 1 if a goal is
 * missed; `--json` prints the counts of what is built.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import build from '../build/build.mjs'

const root = join(import.meta.dirname, '..')

const accountFile = `owner: w
volumes:
  w-1: { size: 20, region: us-east }
  data-2: { size: 40 }
firewalls:
  w-fw:
    rules:
      inbound_policy: DROP
      inbound: [{ label: ssh, action: ACCEPT, protocol: TCP, ports: "22", addresses: { ipv4: [192.0.2.0/24] } }]
      outbound_policy: ACCEPT
      outbound: []
`

const create = 'volumes create --label w-0 --region us-east --wait --json'
const add =
  'firewalls rules add web inbound --action accept --protocol tcp --port 8443 --from 192.0.2.0/24 --label w-rule --yes'

/** Command lines, with the most files, lines and functions that they should need. */
const lines = [
  { name: 'volumes --help', line: 'volumes --help', goal: { files: 35, lines: 3200, functions: 125 } },
  { name: 'volumes list --json', line: 'volumes list --json', goal: { files: 75, lines: 7000, functions: 320 } },
  {
    name: 'volumes list --filter',
    line: 'volumes list --filter region=us-east',
    goal: { files: 85, lines: 8000, functions: 370 },
  },
  { name: 'volumes create --wait', line: create, goal: { files: 100, lines: 9500, functions: 480 } },
  { name: 'firewalls rules add', line: add, goal: { files: 125, lines: 12_000, functions: 620 } },
  {
    name: 'apply of three objects',
    line: 'apply account.yaml --yes',
    goal: { files: 200, lines: 19_500, functions: 950 },
  },
]

/** Runs each line once, in this order, in one account. Resolves to `{ name, goal, exit, stderr, files, lines, functions }`. */
async function countWays() {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-ways-'))
  try {
    const main = transpile(folder)
    writeFileSync(join(folder, 'account.yaml'), accountFile)
    const own = { SKYCTL_CONFIG_DIR: join(folder, 'config'), SKYCTL_STATE_DIR: join(folder, 'state') }
    const env = { PATH: process.env.PATH, HOME: folder, ...own }
    return await withSandbox(env, async (account) => {
      const ways = []
      for (const { name, line, goal } of lines)
        ways.push({ name, goal, ...(await countWay(main, line, { folder, env: { ...env, ...account } })) })
      return ways
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 })
  }
}

/** Writes the sources as CommonJS, a file each; returns the entry point. */
function transpile(folder) {
  const own = (file) => join(folder, file)
  for (const file of execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' }).trim().split('\n')) {
    mkdirSync(dirname(own(file)), { recursive: true })
    if (!file.endsWith('.ts')) copyFileSync(join(root, file), own(file))
    else if (!file.endsWith('.d.ts')) writeFileSync(own(file.replace(/\.ts$/, '.js')), commonJs(file))
  }
  cpSync(join(root, 'build'), own('build'), { recursive: true })
  copyFileSync(join(root, 'package.json'), own('package.json'))
  symlinkSync(join(root, 'node_modules'), own('node_modules'))
  writeFileSync(own('run.js'), "require('./src/main.js').main(process)\n")
  return own('run.js')
}

function commonJs(file) {
  const { code } = transformSync(readFileSync(join(root, file), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': true },
  })
  // A lazy import of a file of ours would not find it without its ending.
  return code.replace(/\bimport\((["'][.#][^"']*["'])\)/g, 'Promise.resolve().then(() => require($1))')
}

async function withSandbox(env, work) {
  const words = ['sandbox', 'start', '--memory', '--port', '0', '--json']
  const sandbox = spawn(process.execPath, [join(root, 'bin/skyctl.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(sandbox, 'exit')
  try {
    const [first] = await once(createInterface(sandbox.stdout), 'line')
    const { base_url, token } = JSON.parse(first)
    return await work({ SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token })
  } finally {
    sandbox.kill()
    await ended
  }
}

async function countWay(main, line, { folder, env }) {
  const coverage = mkdtempSync(join(folder, 'coverage-'))
  const child = spawn(process.execPath, [main, ...line.split(' ')], {
    cwd: folder,
    env: { ...env, NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [[exit], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  const called = calledFunctions(folder, coverage)
  const sizes = [...called.keys()].map((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1)
  return {
    exit,
    stderr,
    files: called.size,
    lines: sizes.reduce((sum, size) => sum + size, 0),
    functions: [...called.values()].reduce((sum, names) => sum + names.size, 0),
  }
}

/** Returns the names of the called functions by source file, which is there if it was loaded. */
function calledFunctions(folder, coverage) {
  const called = new Map()
  for (const report of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, report), 'utf8')).result) {
      if (!url.startsWith('file:')) continue
      const file = relative(folder, fileURLToPath(url)).replace(/\.js$/, '.ts')
      if (!file.startsWith('src/') || file.startsWith('src/sandbox')) continue
      const names = called.get(file) ?? new Set()
      called.set(file, names)
      // Those with two underscores are esbuild's.
      for (const { functionName, ranges } of functions)
        if (functionName && !functionName.startsWith('__') && ranges[0].count > 0) names.add(functionName)
    }
  }
  return called
}

if (process.argv.includes('--json')) console.log(JSON.stringify(await countWays()))
else {
  await build()
  for (const way of await countWays()) print(way)
}

function print({ name, goal, exit, stderr, ...way }) {
  const isMet = exit === 0 && Object.entries(goal).every(([measure, most]) => way[measure] <= most)
  const figures = Object.entries(goal).map(([measure, most]) => `${way[measure]} ${measure} (goal ${most})`)
  const failure = exit === 0 ? '' : `; exit ${exit}: ${stderr}`
  console.log(`${isMet ? 'ok  ' : 'long'} ${name}: ${figures.join(', ')}${failure}`)
  if (!isMet) process.exitCode = 1
}
