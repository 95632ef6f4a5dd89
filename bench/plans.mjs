/**
 * CPU time of `plan --json` by the number of objects: `npm run build && node bench/plans.mjs` prints it for 500 to 4,000
 * objects of each sort, and for a file of 1 MB as JSON and as YAML. Other programs on the machine only add time, so the
 * least of five runs counts. After each sort, it prints the time of an object among 4,000, in times of one among 500: up
 * to 1, the work is linear. With paths of programs as arguments, such as `bin/skyctl.js` of an older build, it measures
 * these side by side instead. Ends with 1 if the first one misses a goal of docs/performance.md, but for YAML, whose
 * package alone takes 0.9 s. test/account-files/plan-scale.test.ts counts steps.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from './measure.mjs'
import { many, rule, rules } from './samples.mjs'

const own = join(import.meta.dirname, '../bin/skyctl.js')
const programs = process.argv.length > 2 ? process.argv.slice(2) : [own]
const home = mkdtempSync(join(tmpdir(), 'skyctl-bench-'))
const plain = { PATH: process.env.PATH, HOME: home }
const [least, most] = [500, 4000]
const usualSizes = [least, 1000, 2000, most]
const rounds = 5

const record = (count, make) => Object.fromEntries(many(count, make))
const compute = (index) => ({ id: 8000 + index, label: `c-${index}`, region: 'us-east', memory: 64 })
const address = (index) => `198.${18 + (index >> 16)}.${(index >> 8) % 256}.${index % 256}`
const publicAddress = (compute_id, place) => ({ address: address(place), type: 'ipv4', region: 'us-east', compute_id })

/** Sorts of objects, each with the world and the file for a number of them, their numbers, and goals for these in ms of CPU. */
const sorts = {
  'moves of addresses': {
    sizes: [least, 1000, 2000, 3000, most],
    goals: { 3000: 1000 },
    world: (count) => ({
      computes: many(count, compute),
      // Each instance keeps its second address.
      addresses: many(2 * count, (index) => publicAddress(8000 + (index % count), index)),
    }),
    file: (count) => ({
      ips: record(count, (index) => [address(index), { compute_id: 8000 + ((index + 1) % count) }]),
    }),
  },
  'names of addresses': {
    world: (count) => ({
      computes: many(count, compute),
      addresses: many(count, (index) => publicAddress(8000 + index, index)),
    }),
    file: (count) => ({ rdns: record(count, (index) => [address(index), `c-${index}.example.org`]) }),
  },
  'new volumes': {
    world: () => ({}),
    file: (count) => ({ volumes: record(count, (index) => [`v-${index}`, { size: 20, region: 'us-east' }]) }),
  },
  'attached volumes': {
    world: (count) => ({
      computes: many(count, compute),
      addresses: many(count, (index) => publicAddress(8000 + index, index)),
      volumes: many(count, (index) => ({ label: `v-${index}`, region: 'us-east' })),
    }),
    file: (count) => ({ volumes: record(count, (index) => [`v-${index}`, { compute_id: 8000 + index }]) }),
  },
  'tagged volumes': {
    world: (count) => ({ volumes: many(count, (index) => ({ label: `v-${index}`, region: 'us-east', tags: ['a'] })) }),
    file: (count) => ({ volumes: record(count, (index) => [`v-${index}`, { tags: ['a', 'b'] }]) }),
  },
  'firewalls with a service': {
    world: (count) => ({
      computes: many(count, compute),
      addresses: many(count, (index) => publicAddress(8000 + index, index)),
    }),
    file: (count) => ({
      firewalls: record(count, (index) => [
        `fw-${index}`,
        { rules: { ...rules, inbound: [rule(index % 250)] }, devices: { computes: [8000 + index] } },
      ]),
    }),
  },
}

/** Runs `work` with the environment of a sandbox that has this world. */
async function withSandbox(world, work) {
  const seed = join(home, 'world.json')
  writeFileSync(seed, JSON.stringify(world))
  const words = [own, 'sandbox', 'start', '--seed', seed, '--port', '0', '--json']
  const service = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env: plain })
  try {
    const [announced] = await once(service.stdout, 'data')
    const { base_url, token } = JSON.parse(announced)
    return await work({ ...plain, SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token })
  } finally {
    service.kill()
    await once(service, 'exit')
  }
}

const planOf = (path, env, prints) =>
  programs.map((program) => ({ name: program, argv: [process.execPath, program, 'plan', path, '--json'], env, prints }))

/** Notes a goal that the first program misses. */
function hold(what, value, goal) {
  if (value <= goal) return
  process.exitCode = 1
  console.error(`${what}: ${value.toFixed(2)}, above the goal of ${goal}`)
}

/** Prints a line for each program; returns the result of each. */
async function printFigures(title, variants) {
  const results = await measure(variants, rounds)
  for (const { name, leastCpu, min, memory } of results) {
    const figures = [leastCpu, min, memory].map((figure) => figure?.toFixed(0) ?? '–')
    console.log(`| ${[title, `\`${name}\``, ...figures].join(' | ')} |`)
  }
  return new Map(results.map((result) => [result.name, result]))
}

/** Prints the figures of a sort, and how much longer an object takes among many than among few. */
async function printSort(name, { world, file, sizes = usualSizes, goals = {} }) {
  const times = new Map()
  for (const count of sizes) {
    const path = join(home, 'account.json')
    writeFileSync(path, JSON.stringify(file(count)))
    const prints = (text) => JSON.parse(text).objects.length === count
    const measured = withSandbox(world(count), (env) => printFigures(`${count} ${name}`, planOf(path, env, prints)))
    times.set(count, await measured)
  }
  for (const [count, goal] of Object.entries(goals))
    hold(`${count} ${name}, ms of CPU`, times.get(Number(count)).get(programs[0]).leastCpu, goal)
  for (const program of programs) {
    const [early, late] = [least, most].map((count) => times.get(count).get(program).leastCpu / count)
    console.log(`| ${name}, each of ${most} / of ${least} | \`${program}\` | ${(late / early).toFixed(2)} | | |`)
    if (program === programs[0]) hold(`${name}, each of ${most} / of ${least}`, late / early, 1)
  }
}

console.log(`load ${loadavg()[0].toFixed(1)}`)
console.log('| plan | program | CPU ms | min ms | peak MB |\n| --- | --- | --: | --: | --: |')
try {
  for (const [name, sort] of Object.entries(sorts)) await printSort(name, sort)
  const full = {
    computes: many(200, compute),
    firewalls: many(200, (index) => ({
      label: `fw-${index}`,
      rules: { ...rules, inbound: many(25, rule) },
      devices: [{ type: 'compute', id: 8000 + index }],
    })),
  }
  await withSandbox(full, async (env) => {
    for (const format of ['json', 'yaml']) {
      const words = [own, 'export', 'firewalls', '-o', format]
      const { stdout } = spawnSync(process.execPath, words, { env, encoding: 'utf8', maxBuffer: 2 ** 30 })
      const path = join(home, `firewalls.${format}`)
      writeFileSync(path, stdout)
      const title = `${(stdout.length / 1e6).toFixed(1)} MB of firewalls as ${format}`
      const plans = planOf(path, env, (text) => JSON.parse(text).objects.length === 0)
      const figures = await printFigures(title, plans)
      if (format === 'json') hold(`${title}, ms`, figures.get(programs[0]).min, 1200)
    }
  })
} finally {
  // A process of its own still writes the code cache.
  rmSync(home, { recursive: true, force: true, maxRetries: 10 })
}
