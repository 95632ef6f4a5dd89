/**
 * An account of 700 objects as a file, with 50 ms per request: `npm run build && node bench/account.mjs` prints the
 * time of `plan` for YAML and for JSON, and of `apply` for 100 new volumes, 8 at a time and one after another. These
 * figures depend on the machine, so no test has them; test/account-scale.test.ts counts requests instead.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from './measure.mjs'
import { many, rule, rules } from './samples.mjs'

const latency = 50
const program = [process.execPath, join(import.meta.dirname, '../bin/skyctl.js')]
const home = mkdtempSync(join(tmpdir(), 'skyctl-bench-'))

const world = {
  computes: many(200, (index) => ({ id: 8000 + index, label: `c-${index}`, region: 'us-east', memory: 64 })),
  volumes: many(500, (index) => ({ label: `v-${index}`, region: 'us-east', tags: ['a'] })),
  firewalls: many(200, (index) => ({
    label: `fw-${index}`,
    rules: { ...rules, inbound: many(10, rule) },
    devices: [{ type: 'compute', id: 8000 + index }],
  })),
}

writeFileSync(join(home, 'world.json'), JSON.stringify(world))
const flags = ['--seed', join(home, 'world.json'), '--latency', String(latency), '--transition', '0', '--json']
const service = spawn(program[0], [program[1], 'sandbox', 'start', ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { PATH: process.env.PATH, HOME: home },
})
const [announced] = await once(service.stdout, 'data')
const { base_url, token } = JSON.parse(announced)
const env = { PATH: process.env.PATH, HOME: home, SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token }
const skyctl = (...words) => {
  const { status, stdout, stderr } = spawnSync(program[0], [program[1], ...words], { env, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`skyctl ${words.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

console.log(
  `load ${loadavg()[0].toFixed(1)}; 500 volumes, 200 firewalls with 10 rules and a service, ${latency} ms a request`,
)
try {
  const files = ['yaml', 'json'].map((format) => {
    const path = join(home, `account.${format}`)
    writeFileSync(path, skyctl('export', 'volumes', 'firewalls', '-o', format))
    return { format, path }
  })
  const plans = files.map(({ format, path }) => ({
    name: `plan of ${format}`,
    argv: [...program, 'plan', path],
    env,
    prints: (text) => text.startsWith('No changes'),
  }))
  for (const { name, min, median, cpu, memory } of await measure(plans, 5)) {
    const peak = memory === undefined ? '' : `, ${memory.toFixed(0)} MB`
    console.log(
      `${name}: ${min.toFixed(0)} ms at least, ${median.toFixed(0)} in the middle, CPU ${cpu?.toFixed(0)} ms${peak}`,
    )
  }
  const times = [8, 1].map((concurrency) => {
    const volumes = many(100, (index) => [`new-${concurrency}-${index}`, { size: 20, region: 'us-east' }])
    const path = join(home, `new-${concurrency}.json`)
    writeFileSync(path, JSON.stringify({ volumes: Object.fromEntries(volumes) }))
    const begin = performance.now()
    skyctl('apply', path, '--yes', '--timeout', '600s', '--concurrency', String(concurrency))
    return performance.now() - begin
  })
  const [together, alone] = times.map((time) => `${(time / 1000).toFixed(1)} s`)
  console.log(
    `apply of 100 volumes: ${together} with 8 at a time, ${alone} one after another: ${(times[1] / times[0]).toFixed(1)} times`,
  )
} finally {
  service.kill()
  await once(service, 'exit')
  // A process of its own still writes the code cache.
  rmSync(home, { recursive: true, force: true, maxRetries: 10 })
}
