/** What is asked, as data: each question is a base, our command lines with their goals (performance.md), and peers. */
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const launcher = join(import.meta.dirname, '../bin/skyctl.js')
const node = { name: 'node -e 0', words: ['-e', '0'], prints: (text) => text === '' }
const some = (text) => text.length > 0

/** @returns a check that the output is one JSON document of so many items */
const items = (count) => (text) => JSON.parse(text).length === count
/** @returns a check that the output is a table of so many rows below its header */
const lines = (count) => (text) => text.split('\n').length === count + 2

const list = 'volumes list --page-size 100'
const peerList = { command: 'linode-cli', line: 'volumes list --json --all-rows --page-size 100' }

/**
 * `goal` is the greatest ratio to the base; `gate` questions are asked on every change; `cold` is without code cache,
 * which the check of what is printed has filled for the others.
 */
export const questions = [
  {
    title: 'P1 · the version',
    rounds: 15,
    gate: true,
    ours: [{ line: '--version', goal: 1.05, prints: (text) => text === `${manifest.version}\n` }],
    peers: [
      { command: 'hcloud', line: 'version', prints: some },
      { command: 'gh', line: '--version', prints: some },
      { command: 'linode-cli', line: '--version', prints: some },
    ],
  },
  {
    title: 'P2 · help',
    rounds: 15,
    gate: true,
    ours: [
      { line: '--help', goal: 1.4, prints: (text) => text.startsWith('Usage: skyctl') },
      { line: 'volumes --help', goal: 1.4, prints: (text) => text.startsWith('Usage: skyctl volumes') },
    ],
    peers: [
      { command: 'hcloud', line: '--help', prints: some },
      { command: 'gh', line: '--help', prints: some },
      { command: 'linode-cli', line: '--help', prints: some },
    ],
  },
  {
    title: 'P3, P4 · a page of 100 volumes, localhost',
    rounds: 15,
    gate: true,
    server: { rows: 100 },
    ours: [
      { line: `${list} --json`, goal: 2.3, prints: items(100) },
      { line: `${list} --json`, cold: true, goal: 2.9, prints: items(100) },
      { line: list, goal: 2.3, prints: lines(100) },
    ],
    peers: [
      { ...peerList, prints: items(100) },
      { command: 'curl', line: '-s URL/volumes?page_size=100', prints: (text) => JSON.parse(text).data.length === 100 },
    ],
  },
  ...[1000, 10_000].map((rows) => ({
    title: `P4 · a table of ${rows} rows, localhost`,
    rounds: 15,
    server: { rows },
    ours: [
      { line: 'volumes list', prints: lines(rows) },
      { line: 'volumes list --json', prints: items(rows) },
    ],
  })),
  ...[10, 40].map((pages) => ({
    title: `P5 · ${pages} pages, 50 ms a request, plain HTTP`,
    rounds: 5,
    server: { rows: pages * 100, latency: 50 },
    ours: [{ line: `${list} --json`, prints: items(pages * 100) }],
    peers: [{ ...peerList, prints: items(pages * 100) }],
  })),
  {
    title: 'P6 · 40 pages over TLS, 50 ms a round trip',
    rounds: 5,
    server: { rows: 4000, latency: 50, tls: true },
    ours: [{ line: `${list} --json`, prints: items(4000) }],
    peers: [{ ...peerList, prints: items(4000) }],
  },
]

/** The command lines of a question for `measure`, with its base first. */
export function variantsOf({ ours, peers = [] }, { url = '', env }) {
  const own = ours.map(({ line, cold, prints, goal }) => ({
    name: `skyctl ${line}${cold ? ', no code cache' : ''}`,
    words: [launcher, ...line.split(' ')],
    more: cold && { SKYCTL_CODE_CACHE: '0' },
    prints,
    goal,
  }))
  return [
    ...[node, ...own].map(({ words, more, ...one }) => ({
      ...one,
      argv: [process.execPath, ...words],
      env: { ...env, ...more },
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
