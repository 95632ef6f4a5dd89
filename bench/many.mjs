/**
 * Commands with many targets, compared with another build of skyctl:
 *
 *     node bench/many.mjs [--base PATH] [--rounds 3] [--counts]
 *
 * It counts the requests for 100 targets, and times `apply` of 100 and 500 new volumes, whose volumes take one to three
 * seconds until they are active. PATH is the `bin/skyctl.js` of the other build; both run in turns against a sandbox of
 * this process. `--counts` leaves out the times. Ends with 1 if a goal is missed (P17 and P18 in docs/performance.md).
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
const times = [
  { count: 100, goal: 0.25, rounds: Number(values.rounds) },
  { count: 500, goal: 0.1, rounds: 1 },
]

await build()
const { openTestSandbox, environmentOf, manyTargets, arrangeVolumes, volumeNames } = await loadSources(
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
  console.log('\n| `apply` of new volumes | goal | ratio | seconds | peak MB |\n| --: | --: | --: | --- | --- |')
  const command = manyTargets.find(({ line }) => line.startsWith('apply'))
  for (const { count, goal, rounds } of times) {
    const results = builds.map(() => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { program }] of builds.entries()) results[index].push(await run(program, command, count))
    }
    const seconds = results.map((runs) => median(runs.map((one) => one.seconds)))
    const memory = results.map((runs) => median(runs.map((one) => one.memory)).toFixed(0))
    const ratio = seconds.length > 1 ? seconds[0] / seconds[1] : undefined
    if (ratio > goal) process.exitCode = 1
    const figures = [ratio?.toFixed(3) ?? '–', seconds.map((one) => one.toFixed(1)).join(', '), memory.join(', ')]
    console.log(`| ${[count, goal, ...figures].join(' | ')} |`)
  }
}

/** Runs a command in a fresh sandbox; throws if it does not succeed. */
async function run(program, { line, stdin, status }, count) {
  const sandbox = await openTestSandbox({ rateLimit: false })
  const home = mkdtempSync(join(tmpdir(), 'skyctl-many-'))
  try {
    const names = volumeNames(count)
    const ids = arrangeVolumes(sandbox.world, names, status)
    const env = { ...environmentOf(sandbox, home), PATH: process.env.PATH, HOME: home }
    const begin = performance.now()
    const child = spawn(process.execPath, [program, ...line.split(' ')], { env, stdio: ['pipe', 'ignore', 'pipe'] })
    child.stdin.end(stdin(names, ids))
    const errors = []
    child.stderr.on('data', (chunk) => errors.push(chunk))
    const peak = watchMemory(child.pid)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${program} ${line} ended with ${code}: ${Buffer.concat(errors)}`)
    const seconds = (performance.now() - begin) / 1000
    return { seconds, memory: peak(), requests: sandbox.world.requests().length }
  } finally {
    await sandbox.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Returns a function that ends the watch and returns the peak memory in MB; NaN except on Linux. */
function watchMemory(pid) {
  let peak = Number.NaN
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      if (kilobytes) peak = Number(kilobytes) / 1024
    } catch {
      // It has ended.
    }
  }, 20)
  return () => {
    clearInterval(timer)
    return peak
  }
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1]
}
