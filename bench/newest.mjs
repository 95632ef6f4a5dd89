/**
 * Builds a copy of this working tree with the newest major versions that Node 20 cannot run, and runs the tests of its
 * core, on Node 24. `node bench/newest.mjs` prints the versions, and fails if a step does; `node bench/newest.mjs
 * test/http test/flows` runs these tests.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { nodeOf, versionOf } from './nodes.mjs'

const root = join(import.meta.dirname, '..')

/** Packages whose newest major version needs a later Node than skyctl. */
const packages = ['undici', 'commander', 'conf', 'chalk', 'vitest']
/** The types of Node 20 are too old for vitest. */
const specifiers = [...packages.map((name) => `${name}@latest`), '@types/node@24']

const core = ['http', 'engine', 'config', 'output', 'data', 'rules', 'files', 'process/connection.test.ts']

const chosen = process.argv.slice(2)
const tests = chosen.length > 0 ? chosen : core.map((name) => `test/${name}`)
const node = nodeOf('24')
const folder = mkdtempSync(join(tmpdir(), 'skyctl-newest-'))
try {
  copyWorkingTree()
  console.log(`Node ${versionOf(node)}`)
  process.exitCode = steps().every(succeeds) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function copyWorkingTree() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
}

function steps() {
  return [
    ['npm', 'install', '--no-audit', '--no-fund', '--save-exact', ...specifiers],
    ['npm', 'ls', '--depth=0', ...packages],
    ['npm', 'run', 'types'],
    ['npm', 'run', 'build'],
    ['npx', 'vitest', 'run', ...tests],
  ]
}

/** Runs a step with that Node, which npm and its programs find first. */
function succeeds([program, ...words]) {
  console.log(`\n$ ${program} ${words.join(' ')}`)
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  return spawnSync(program, words, { cwd: folder, env, stdio: 'inherit' }).status === 0
}
