/**
 * Counts the instructions of a program: unlike time, they hardly depend on what else the machine does. `perf` counts
 * them where the processor's counters may be read (seldom in virtual machines), valgrind anywhere, at a fiftieth of the speed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names of counters, each with the words before a command, which write their count into a file, and its pattern there. */
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
export const counterHere = () => counters.find((counter) => counted(counter, { argv: ['true'], env: process.env }) > 0)

/**
 * V8 without threads and chance, so that a count is repeatable. Node's own compiled code is only used under the usual flags,
 * and this one: `--single-threaded` and `--hash-seed` would make it compile `net` and `stream`. The cache of skyctl
 * depends on the flags, too: a run before the one that counts fills it.
 */
const steady = ['--predictable']

/**
 * @param {{ argv: string[], env: object, input?: string, silent?: boolean }} variant runs a program of Node
 * @returns {number} its instructions in user mode, in the second of two runs
 */
export function instructionsOf({ argv: [node, ...words], ...variant }, counter) {
  const run = { ...variant, argv: [node, ...steady, ...words] }
  spawnSync(run.argv[0], run.argv.slice(1), { env: run.env, input: run.input ?? '' })
  return counted(counter, run)
}

function counted({ argv: [program, ...words], words: wordsFor }, { argv, env, input = '', silent }) {
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
