/**
 * Counts the instructions of a program: unlike time, they hardly depend on other processes. `perf` counts them if the
 * processor's counters can be read (seldom in virtual machines); valgrind can anywhere, at a fiftieth of the speed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Counters by name: the words before a command that write the count to a file, and the count's pattern there. */
const counters = [
  { name: 'perf', words: (file) => ['-e', 'instructions:u', '-x', ',', '-o', file, '--'], argv: ['perf', 'stat'] },
  {
    name: 'valgrind',
    words: (file) => ['--callgrind-out-file=/dev/null', `--log-file=${file}`],
    argv: ['valgrind', '--tool=callgrind'],
  },
]
const count = /(?:^|Collected : )(\d+)(?:,,instructions:u|$)/m

/** @returns the first counter that works here, with its `name`; undefined if none does */
export const counterHere = () =>
  counters.find((counter) => countWith(counter, { argv: ['true'], env: process.env }) > 0)

/**
 * Runs V8 without threads and randomness, so that a count is repeatable. Node uses its own compiled code only with
 * default flags and this one: `--single-threaded` and `--hash-seed` would make it compile `net` and `stream`. The cache
 * of skyctl also depends on the flags: a run before the counted one fills it.
 */
const steady = ['--predictable']

/**
 * @param {{ argv: string[], env: object, input?: string, silent?: boolean }} variant runs a program of Node
 * @returns {number} its instructions in user mode, in the second of two runs
 */
export function instructionsOf({ argv: [node, ...words], ...variant }, counter) {
  const run = { ...variant, argv: [node, ...steady, ...words] }
  spawnSync(run.argv[0], run.argv.slice(1), { env: run.env, input: run.input ?? '' })
  return countWith(counter, run)
}

function countWith({ argv: [program, ...words], words: wordsFor }, { argv, env, input = '', silent }) {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-count-'))
  try {
    const file = join(folder, 'count')
    const { error } = spawnSync(program, [...words, ...wordsFor(file), ...argv], {
      ...{ env, input, maxBuffer: 2 ** 30 },
      ...(silent && { stdio: ['pipe', 'ignore', 'ignore'] }),
    })
    return error ? Number.NaN : Number(count.exec(readFileSync(file, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
