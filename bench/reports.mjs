/**
 * Commands that read 40 firewalls at 50 ms a request, and 1,000 deletions, compared with another build of skyctl:
 *
 *     node bench/reports.mjs --base PATH [--rounds 9]
 *
 * PATH is the `bin/skyctl.js` of the other build; both run in shuffled turns against a sandbox of this process. In one half
 * of the rows the records of firewalls name their services (`entities`), as recorded answers of real services do. Ends with 1
 * if a goal is missed there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import build from '../build/build.mjs'
import { many, rule, rules } from './samples.mjs'
import { loadSources } from './sources.mjs'

const { values } = parseArgs({ options: { base: { type: 'string' }, rounds: { type: 'string', default: '9' } } })
const builds = [join(import.meta.dirname, '../bin/skyctl.js'), ...(values.base ? [values.base] : [])]
const [latencyMs, goal] = [50, 0.7]

await build()
const { openTestSandbox, environmentOf, openProxy } = await loadSources(
  'test/support/sandbox.ts',
  'test/support/proxy.ts',
)
console.log(`Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}\n`)
console.log(
  '| | `entities` | goal | ratio | ratio of minimums | median ms | requests |\n| --- | --- | --: | --: | --: | --- | --- |',
)
for (const isNamed of [false, true]) {
  for (const line of ['audit --json', 'overview --json', 'export', 'plan account.yaml'])
    await compare(line, { isNamed })
}
await compare('volumes delete - --yes', { deletions: 1000 })
await compare('volumes delete - --yes --concurrency 16', { deletions: 1000 })

/** Prints a row about a command. */
async function compare(line, { isNamed = false, deletions = 0 }) {
  const stages = []
  for (const program of builds) stages.push(await openStage(program, line, isNamed))
  const rounds = deletions > 0 ? Math.ceil(Number(values.rounds) / 4) : Number(values.rounds)
  for (let round = 0; round < rounds; round += 1) {
    for (const stage of shuffled(stages)) stage.results.push(await time(stage, line, deletions))
  }
  for (const { close } of stages) await close()
  const times = stages.map(({ results }) => results.map(({ ms }) => ms))
  const [[own, base], [ownLeast, baseLeast]] = [times.map(median), times.map((some) => Math.min(...some))]
  const ratios = [own / base, ownLeast / baseLeast]
  if (isNamed && Math.min(...ratios) > goal) process.exitCode = 1
  const requests = stages.map(({ results }) => results[0].requests)
  const figures = [
    ...ratios.map((one) => one.toFixed(2)),
    `${Math.round(own)}, ${Math.round(base)}`,
    requests.join(', '),
  ]
  console.log(`| ${[`\`${line}\``, isNamed ? 'yes' : 'no', isNamed ? goal : '', ...figures].join(' | ')} |`)
}

/** Opens a sandbox and a home for a build, and fills its cache of compiled code. */
async function openStage(program, line, isNamed) {
  const sandbox = await openTestSandbox({ rateLimit: false, latencyMs })
  const home = mkdtempSync(join(tmpdir(), 'skyctl-reports-'))
  const { world } = sandbox
  arrange(world)
  const proxy = isNamed ? await openProxy(sandbox.baseUrl, { change: (body) => withEntities(body, world) }) : sandbox
  const env = { ...environmentOf({ ...sandbox, baseUrl: proxy.baseUrl }, home), PATH: process.env.PATH, HOME: home }
  const stage = { program, env, home, world, results: [] }
  if (line.startsWith('plan')) writeFileSync(join(home, 'account.yaml'), await run(stage, 'export'))
  for (let warming = 0; warming < 2; warming += 1) await run(stage, line)
  const close = async () => {
    if (isNamed) await proxy.close()
    await sandbox.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 10 })
  }
  return { ...stage, close }
}

async function time(stage, line, deletions) {
  const { world } = stage
  const ids = many(deletions, (index) => world.volumes.add({ label: `old-${index}` }).id)
  const before = world.requests().length
  const begin = performance.now()
  await run(stage, line, ids.join('\n'))
  return { ms: performance.now() - begin, requests: world.requests().length - before }
}

/** Runs a command; resolves to its output, and throws if it does not succeed. */
async function run({ program, env, home }, line, input = '') {
  const child = spawn(process.execPath, [program, ...line.split(' ')], { cwd: home, env })
  child.stdin.end(input)
  const [output, errors] = [[], []]
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => errors.push(chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${line} ended with ${code}: ${Buffer.concat(errors)}`)
  return Buffer.concat(output)
}

function arrange({ network, computes }) {
  for (const index of many(40, (number) => number)) {
    const { id } = network.firewalls.add({ label: `edge-${index}`, rules: { ...rules, inbound: many(5, rule) } })
    const compute = computes.add({ id: 8000 + index, label: `web-${index}`, region: 'us-east' })
    network.addresses.add({ address: `203.0.113.${100 + index}`, compute_id: compute.id })
    network.devices.add({ firewall: id, type: 'compute', entity: compute.id })
  }
}

function withEntities(body, { network, computes }) {
  if (!Array.isArray(body.data)) return body
  const entitiesOf = (id) =>
    network.devices.all().flatMap(({ firewall, type, entity }) => {
      const label = computes.get(entity)?.label ?? null
      return firewall === id ? [{ id: entity, type, label, url: `/v4/${type}/instances/${entity}` }] : []
    })
  return {
    ...body,
    data: body.data.map((record) => (record.rules ? { ...record, entities: entitiesOf(record.id) } : record)),
  }
}

function shuffled(items) {
  return [...items]
    .map((item) => [Math.random(), item])
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1]
}
