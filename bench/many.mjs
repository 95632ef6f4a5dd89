/**
 * Commands with many targets, compared with another build of skyctl:
 *
 *     node bench/many.mjs [--base PATH] [--rounds 3] [--counts]
 *
 * It counts the requests for 100 targets, and times `apply` of 100 and 500 new volumes, whose volumes take one to three
 * seconds until they are active, and 1,000 deletions by id at 50 ms a request. PATH is the `bin/skyctl.js` of the other
 * build; both run in turns against a service of this process. `--counts` leaves out the times, which are also wrong on a
 * busy machine: compare the CPU time. Ends with 1 if a goal is missed (P17 and P18 in docs/performance.md).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import build from '../build/build.mjs'
import { loadSources } from './sources.mjs'

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    counts: { type: 'boolean', default: false },
  },
})
const own = { name: 'this build', program: join(import.meta.dirname, '../bin/skyctl.js') }
const builds = [own, ...(values.base ? [{ name: 'base', program: values.base }] : [])]
const rounds = Number(values.rounds)
const times = [
  { name: '`apply` of 100 new volumes', count: 100, goal: 0.25, rounds, run: runApply },
  { name: '`apply` of 500 new volumes', count: 500, goal: 0.1, rounds: 1, run: runApply },
  { name: '1,000 deletions by id', count: 1000, goal: 0.55, rounds, run: runDeletions },
]

await build()
const { openTestSandbox, environmentOf, manyTargets, arrangeTargets, volumeNames } = await loadSources(
  'test/support/sandbox.ts',
  'test/support/many-targets.ts',
)
console.log(`Node ${process.versions.node}`)
await printCounts()
if (!values.counts) await printTimes()

async function printCounts() {
  console.log(`\n| 100 targets | goal | ${builds.map(({ name }) => name).join(' | ')} |`)
  console.log(`| --- | --: | ${builds.map(() => '--:').join(' | ')} |`)
  for (const command of manyTargets) {
    const counts = []
    for (const { program } of builds) counts.push((await run(program, command, 100)).requests / 100)
    if (counts[0] > command.goal) process.exitCode = 1
    console.log(`| ${[command.name, command.goal, ...counts.map((count) => count.toFixed(2))].join(' | ')} |`)
  }
}

async function printTimes() {
  console.log('\n|  | goal | ratio | seconds | CPU | peak MB |\n| --- | --: | --: | --- | --- | --- |')
  for (const { name, count, goal, rounds: most, run: runOne } of times) {
    const results = builds.map(() => [])
    for (let round = 0; round < most; round += 1) {
      for (const [index, { program }] of builds.entries()) results[index].push(await runOne(program, count))
    }
    const medians = (key) => results.map((runs) => median(runs.map((one) => one[key])))
    const texts = (key, digits) =>
      medians(key)
        .map((one) => one.toFixed(digits))
        .join(', ')
    const [own, other] = medians('seconds')
    const ratio = other === undefined ? undefined : own / other
    if (ratio > goal) process.exitCode = 1
    const figures = [ratio?.toFixed(3) ?? '–', texts('seconds', 1), texts('cpu', 1), texts('memory', 0)]
    console.log(`| ${[name, goal, ...figures].join(' | ')} |`)
  }
}

/** Applies a file with so many new volumes. */
function runApply(program, count) {
  const command = manyTargets.find(({ line }) => line.startsWith('apply'))
  return run(program, command, count)
}

/** Deletes so many volumes by id; each answer takes 50 ms. */
async function runDeletions(program, count) {
  const server = spawn(process.execPath, [
    join(import.meta.dirname, 'server.mjs'),
    JSON.stringify({ rows: count, latency: 50 }),
  ])
  try {
    const [port] = await once(server.stdout, 'data')
    const address = { SKYCTL_BASE_URL: `http://127.0.0.1:${String(port).trim()}/v4`, SKYCTL_TOKEN: 'x'.repeat(64) }
    const ids = Array.from({ length: count }, (_, index) => `${1000 + index}\n`).join('')
    return await measured(program, { line: 'volumes delete - --yes --json', stdin: ids, env: () => address })
  } finally {
    server.kill()
  }
}

/** Runs a command in a fresh sandbox. */
async function run(program, { line, stdin, ...before }, count) {
  const sandbox = await openTestSandbox({ rateLimit: false })
  try {
    const names = volumeNames(count)
    const ids = arrangeTargets(sandbox.world, names, before)
    const env = (home) => environmentOf(sandbox, home)
    const figures = await measured(program, { line, stdin: stdin(names, ids), env })
    return { ...figures, requests: sandbox.world.requests().length }
  } finally {
    await sandbox.close()
  }
}

/** Measures a run with a home of its own, for which `env` returns variables; throws if it does not succeed. */
async function measured(program, { line, stdin, env }) {
  const home = mkdtempSync(join(tmpdir(), 'skyctl-many-'))
  try {
    const own = { ...env(home), PATH: process.env.PATH, HOME: home }
    const begin = performance.now()
    const child = spawn(process.execPath, [program, ...line.split(' ')], {
      env: own,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child.stdin.end(stdin)
    const errors = []
    child.stderr.on('data', (chunk) => errors.push(chunk))
    const end = watchProcess(child.pid)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${program} ${line} ended with ${code}: ${Buffer.concat(errors)}`)
    return { seconds: (performance.now() - begin) / 1000, ...end() }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Returns a function that ends the watch and returns the peak memory in MB and the CPU seconds; NaN except on Linux. */
function watchProcess(pid) {
  let [memory, cpu] = [Number.NaN, Number.NaN]
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      if (kilobytes) memory = Number(kilobytes) / 1024
      // The fields after the name in parentheses, in hundredths of a second (proc(5)).
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
      cpu = (Number(fields[11]) + Number(fields[12])) / 100
    } catch {
      // It has ended.
    }
  }, 20)
  return () => {
    clearInterval(timer)
    return { memory, cpu }
  }
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1]
}
