/**
 * Questions to measure, as data. Each has command lines of skyctl with their limits, and peers to compare with; the
 * base is bare node. docs/performance.md explains why each is measured.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import outline from '../build/outline.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const launcher = join(root, 'bin/skyctl.js')
const executable = join(root, `executable/${process.platform}-${process.arch}/skyctl`)

const base = { name: 'node -e 0', words: ['-e', '0'], prints: (text) => text === '' }
const some = (text) => text.length > 0
const isVersion = (text) => text === `${manifest.version}\n`
/** @returns a check that the output is a JSON list of so many items */
export const items = (count) => (text) => JSON.parse(text).length === count
/** @returns a check that the output has so many lines */
export const lines = (count) => (text) => text.split('\n').length === count + 1
/** @returns a check that the output is a table of so many rows, below its header */
const rows = (count) => lines(count + 1)

/** Returns every group and subgroup: `firewalls`, `firewalls rules`. */
const groups = (places, above = '') =>
  Object.values(places)
    .filter(({ commands }) => commands)
    .flatMap(({ name, commands }) => [`${above}${name}`, ...groups(commands, `${above}${name} `)])

const nameOf = ({ line, cold, silent, executable }) =>
  `${executable ? 'executable' : 'skyctl'} ${line}${cold ? ', no code cache' : ''}${silent ? ', to /dev/null' : ''}`

/** Peers. One that is not installed is left out. */
const peer = (command, line, prints = some) => ({ command, line, prints })
const linode = (count) => peer('linode-cli', 'volumes list --json --all-rows --page-size 100', items(count))
const hcloud = (count) => peer('hcloud', 'volume list -o json', items(count))
const curl = peer('curl', '-s URL/volumes?page_size=100', (text) => JSON.parse(text).data.length === 100)

const page = 'volumes list --page-size 100'
const remoteList = `${page} --json`
const ids = Array.from({ length: 1000 }, (_, index) => `${1000 + index}\n`).join('')

/**
 * - `holds`: limits of a line (goals.mjs, and instructions.mjs)
 * - `why`: measured causes of a missed goal
 * - `gate`: measured on every change
 * - `server`: options of the fake service (server.mjs)
 * - `sandbox`: number of volumes in the context `sandbox`
 * - `cold`: without the code cache, which the check of the output has filled for the others
 * - `silent`: stdout and stderr are /dev/null instead of pipes
 * - `input`: stdin
 * - `executable`: runs the executable, if it is built
 */
export const questions = [
  {
    title: 'P1 · the version',
    rounds: 15,
    gate: true,
    ours: [{ line: '--version', holds: { ratio: 1.05, instructions: 1.03 }, prints: isVersion }],
    peers: [peer('hcloud', 'version'), peer('gh', '--version'), peer('linode-cli', '--version')],
  },
  {
    title: 'P2 · help, of every group and subgroup',
    why: [
      'every group reads the same files (test/startup.test.ts) and takes 1.36 times the instructions of node on Node 20, and 1.30 on Node 26, so other differences come from the machine. A nested group takes 0.5 million more. Before main.js had 128 KiB, V8 collected garbage on Node 26 in the help of nested groups, of firewalls and of profile (1.1 ms; 1.32 times the instructions).',
    ],
    rounds: 15,
    gate: true,
    ours: [
      ...['', ...groups(outline)].map((group) => ({
        line: `${group} --help`.trimStart(),
        // Every group reads the same files.
        holds: { ratio: 1.4, ...(group === 'volumes' && { instructions: 1.36 }) },
        prints: (text) => text.startsWith(`Usage: skyctl ${group}`.trimEnd()),
      })),
      { line: 'volumes --help', silent: true, holds: { ratio: 1.4, instructions: 1.36 }, prints: some },
    ],
    peers: [peer('hcloud', '--help'), peer('gh', '--help'), peer('linode-cli', '--help')],
  },
  {
    title: 'P3, P4, P7 · a page of 100 volumes, localhost',
    why: [
      'without the cache, V8 compiles 420 KB of sources, a third of them of undici: of the 255 million instructions above bare node, 140 read and compile sources (callgrind, Node 20).',
      "a table takes 7 to 10 million instructions more than JSON, which takes 128 above bare node's 91 (Node 20): 1.3 for its file and the column of ids, and 0.95 to 1.3 for each of the other six columns. That is about 10,000 a cell in functions that V8 still interprets, and no function stands out; no package and no other file is loaded.",
      "the goal for memory is for Node 20. Bare node takes 38 MB there, and 41 to 42 on 22, 24 and 26. Of the 13 MB that a list adds on Node 20, 7 are pages of Node's own program, for sockets, streams and WebAssembly, 5 V8's heap, and 1 memory outside it (bench/notes.md, Memory of lists).",
    ],
    rounds: 15,
    gate: true,
    server: { rows: 100 },
    ours: [
      {
        line: remoteList,
        holds: { ratio: 2.3, instructions: 2.4, memory: 50, over: { 'linode-cli': 0.27 } },
        prints: items(100),
      },
      { line: remoteList, cold: true, holds: { ratio: 3.1, reached: 3.35, instructions: 3.8 }, prints: items(100) },
      { line: page, holds: { ratio: 2.3, instructions: 2.49 }, prints: rows(100) },
      { line: remoteList, silent: true, holds: { ratio: 2.3, instructions: 2.4 }, prints: items(100) },
      { line: page, silent: true, holds: { ratio: 2.3 }, prints: rows(100) },
    ],
    peers: [linode(100), hcloud(100), curl],
  },
  {
    title: 'P4 · 10,000 rows, localhost',
    why: [
      'drawing the table takes 39 ms (CPU profile, Node 20). The rest is the garbage collector, 40 of the 250 ms of a table: column widths need all rows, so all records stay in memory, and V8 copies them.',
      'reading and checking 10,000 records takes two thirds of the time of JSON, as for -q. V8 gets faster with more rows: with 100,000, a row takes 9 µs (bench/scale.mjs).',
    ],
    rounds: 15,
    server: { rows: 10_000 },
    ours: [
      { line: 'volumes list --limit 1 --json', prints: items(1) },
      { line: 'volumes list -q', prints: lines(10_000) },
      { line: 'volumes list', holds: { cpuOver: ['volumes list -q', 60] }, prints: rows(10_000) },
      // 10 µs a row.
      {
        line: 'volumes list --json',
        holds: { cpuOver: ['volumes list --limit 1 --json', 100] },
        prints: items(10_000),
      },
    ],
  },
  {
    title: 'P13 · 10,000 rows as YAML, localhost',
    rounds: 5,
    server: { rows: 10_000 },
    ours: [
      { line: 'volumes list --json', prints: items(10_000) },
      { line: 'volumes list -o yaml', holds: { cpuTimes: ['volumes list --json', 6] }, prints: some },
    ],
  },
  {
    title: 'P10 · 100,000 rows of 500 bytes, localhost',
    rounds: 1,
    server: { rows: 100_000, rowBytes: 500 },
    ours: [
      ...['-o ndjson', '-o csv', '-o tsv'].map((flags) => ({ flags, memory: 100 })),
      ...['--json', '-o yaml', '-o table', '-q', '--sort size --json', '--query sort_by(@,&size)[].id --json'].map(
        (flags) => ({ flags, memory: 450 }),
      ),
    ].map(({ flags, memory }) => ({ line: `volumes list ${flags}`, holds: { memory }, prints: some })),
  },
  {
    title: 'P7 · 100,000 rows, localhost',
    why: [
      "memory of NDJSON is constant. Single runs on Node 24 and 26 reach 107 to 115 MB, with medians of 91 and 93: on 26, pages of Node's own program are 7 MB more than on Node 20 (bench/notes.md, Memory of lists).",
      'JSON keeps its text until the last page, because skyctl prints nothing if a page fails.',
    ],
    rounds: 5,
    server: { rows: 100_000 },
    ours: [
      { line: 'volumes list --json', holds: { memory: 450 }, prints: items(100_000) },
      { line: `${page} -o ndjson`, holds: { memory: 100 }, prints: lines(100_000) },
    ],
  },
  ...[10, 40].map((pages) => ({
    title: `P5, P7 · ${pages} pages, 50 ms a request, plain HTTP`,
    why: [
      'the goal is for Node 20. On Node 22, 24 and 26, bare node takes 3 to 4 MB more, and its own program 5 to 7 MB more for the same list, partly compilers for hot functions. Without these, a list takes 62 to 68 MB, but 15 to 32 % more CPU time (bench/notes.md, Memory of lists).',
    ],
    rounds: 5,
    server: { rows: pages * 100, latency: 50 },
    ours: [
      {
        line: remoteList,
        holds: pages === 40 && { memory: 62, over: { 'linode-cli': 0.2, hcloud: 0.22 } },
        prints: items(pages * 100),
      },
    ],
    peers: [linode(pages * 100), hcloud(pages * 100)],
  })),
  {
    title: 'P6 · 40 pages over TLS, 50 ms a round trip',
    rounds: 5,
    server: { rows: 4000, latency: 50, tls: true },
    ours: [{ line: remoteList, holds: { over: { 'linode-cli': 0.11 } }, prints: items(4000) }],
    peers: [linode(4000)],
  },
  {
    title: 'Bulk · 1,000 volumes deleted, 50 ms a request',
    why: [
      '1,010 requests of 50 ms, 16 in flight, take 3.2 s. Of the CPU time, a fifth is undici writing to the socket and reading, a tenth the history (CPU profile).',
    ],
    rounds: 3,
    server: { rows: 1000, latency: 50 },
    // 1,000 requests of 50 ms, 16 in flight, take 3.13 s.
    ours: [{ line: 'volumes delete - --yes --json', input: ids, holds: { ms: 4000 }, prints: items(1000) }],
  },
  {
    title: 'P11 · the context sandbox',
    why: [
      "it also loads the server of Node and the rules of the service: 1.33 times the instructions of a remote list. Of the difference, a twelfth is Node's modules cluster and dns, which a server loads to listen. From Node 22 on, listening also compares the address with Node's pattern of IPv6 addresses (isIpv6LinkLocal in net.js), and V8 compiles that: 12 of the 67 million on Node 26. Without it, the ratio is 1.27. No public method listens on one address without it.",
    ],
    rounds: 15,
    gate: true,
    server: { rows: 100 },
    sandbox: 100,
    ours: [
      { line: remoteList, prints: items(100) },
      {
        line: `--context sandbox ${remoteList}`,
        holds: { over: { [nameOf({ line: remoteList })]: 1.3 }, instructions: 3.21 },
        prints: items(100),
      },
    ],
  },
  {
    title: 'P11 · the context sandbox with 2,000 volumes',
    rounds: 15,
    server: { rows: 2000 },
    sandbox: 2000,
    ours: [
      { line: `${remoteList} --page 1`, prints: items(100) },
      {
        line: `--context sandbox ${remoteList} --page 1`,
        holds: { over: { [nameOf({ line: `${remoteList} --page 1` })]: 1.3 } },
        prints: items(100),
      },
    ],
  },
  {
    title: 'P12 · one executable',
    rounds: 15,
    server: { rows: 100 },
    ours: [
      { line: '--version', executable: true, holds: { over: { 'hcloud version': 1.05 } }, prints: isVersion },
      { line: remoteList, executable: true, holds: { over: { 'hcloud volume': 2.5 } }, prints: items(100) },
    ],
    peers: [peer('hcloud', 'version'), hcloud(100)],
  },
]

/** The command lines of a question for `measure`, with its base first. */
export function variantsOf({ ours, peers = [] }, { url = '', env, node }) {
  // With --context, skyctl would warn that these are not used.
  const { SKYCTL_BASE_URL, SKYCTL_TOKEN, ...local } = env
  return [
    { ...base, argv: [node, ...base.words], env },
    ...ours
      .filter((one) => !one.executable || existsSync(executable))
      .map((one) => ({
        ...one,
        name: nameOf(one),
        argv: [...(one.executable ? [executable] : [node, launcher]), ...one.line.split(' ')],
        env: { ...(one.line.startsWith('--context') ? local : env), ...(one.cold && { SKYCTL_CODE_CACHE: '0' }) },
      })),
    ...peers.map(({ command, line, prints }) => ({
      name: `${command} ${line.split(' URL')[0]}`,
      argv: [command, ...line.replace('URL', url).split(' ')],
      env,
      prints,
      peer: true,
    })),
  ]
}
