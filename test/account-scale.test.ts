/** Number and concurrency of requests for accounts of 700 objects. */
import { expect } from 'vitest'
import { test } from './support/account-files'
import { ruleSet, ruleThat } from './support/firewall-rules'
import { openProxy } from './support/proxy'
import type { World } from './support/sandbox'

/** Releases requests in rounds: once more than `most` wait, or no further one arrives. */
async function inRounds(baseUrl: string, limit: number) {
  const counts = { requests: 0, rounds: 0, atOnce: 0, changesAtOnce: 0 }
  let waiting: { method: string; go(): void }[] = []
  let idle: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    clearTimeout(idle)
    counts.rounds += 1
    counts.atOnce = Math.max(counts.atOnce, waiting.length)
    const changes = waiting.filter(({ method }) => method !== 'GET')
    counts.changesAtOnce = Math.max(counts.changesAtOnce, changes.length)
    for (const { go } of waiting) go()
    waiting = []
  }
  const proxy = await openProxy(baseUrl, {
    before: ({ method }) =>
      new Promise<void>((resolve) => {
        counts.requests += 1
        waiting.push({ method, go: resolve })
        clearTimeout(idle)
        // Waits only briefly for one too many; a round released too early only adds a round.
        if (waiting.length > limit) release()
        else idle = setTimeout(release, 50)
      }),
  })
  return { ...proxy, counts }
}

test('apply creates 64 volumes at most 8 at a time, over five times as fast as in sequence', {
  timeout: 300_000,
}, async ({ skyctl, file, sandbox, world }) => {
  const before = world.volumes.size
  const volumes = Array.from({ length: 64 }, (_, index) => [`new-${index}`, { size: 20, region: 'us-east' }])
  const path = file('a.json', JSON.stringify({ volumes: Object.fromEntries(volumes) }))
  const { baseUrl, counts, close } = await inRounds(sandbox.baseUrl, 8)
  expect(await skyctl(`apply ${path} --yes`, { env: { SKYCTL_BASE_URL: baseUrl } })).toMatchObject({ exit: 0 })
  await close()
  expect(world.volumes.size - before).toBe(64)
  expect(world.requests('POST')).toHaveLength(64)
  // What waits for volumes reads the list beside them.
  expect(counts.changesAtOnce).toBe(8)
  expect(counts.atOnce).toBeLessThanOrEqual(9)
  expect(counts.rounds).toBeLessThan(counts.requests / 5)
})

test('--concurrency 1 serializes all requests, including reads', async ({ skyctl, file, sandbox, world }) => {
  const path = file('a.yaml', 'volumes: { a: { region: us-east }, b: { region: us-east } }\nfirewalls: { web: {} }\n')
  const { baseUrl, counts, close } = await inRounds(sandbox.baseUrl, 1)
  const env = { SKYCTL_BASE_URL: baseUrl }
  expect(await skyctl(`apply ${path} --yes --concurrency 1`, { env })).toMatchObject({ exit: 0 })
  await close()
  expect(world.requests('POST')).toHaveLength(2)
  expect(counts.atOnce).toBe(1)
})

const rules = Array.from({ length: 5 }, (_, index) =>
  ruleThat({ label: `rule-${index}`, ports: String(1000 + index), ipv4: ['198.51.100.0/24', '203.0.113.0/24'] }),
)

/** Old enough that no list is read twice for them, as lists with new objects are. */
const created = '2025-10-07T10:00:00'

function fill(world: World, { volumes, firewalls }: { volumes: number; firewalls: number }): void {
  for (let index = 0; index < volumes; index += 1) world.volume({ label: `v-${index}`, tags: ['a'], created })
  for (let index = 0; index < firewalls; index += 1) {
    const { id } = world.network.firewall({ label: `fw-${index}`, rules: ruleSet(...rules) as never, created })
    world.network.device(id, 'compute', world.compute({ id: 8000 + index }).id)
  }
}

test('plan reads each list of an account of 500 volumes and 200 firewalls once', {
  timeout: 300_000,
}, async ({ skyctl, file, sandbox, world }) => {
  fill(world, { volumes: 500, firewalls: 200 })
  const { stdout } = await skyctl('export volumes firewalls')
  const { baseUrl, counts, close } = await inRounds(sandbox.baseUrl, 16)
  const sent = world.requests().length
  const {
    exit,
    stderr,
    stdout: planned,
  } = await skyctl(`plan ${file('a.yaml', stdout)}`, {
    env: { SKYCTL_BASE_URL: baseUrl },
  })
  await close()
  expect({ exit, stderr, planned }).toEqual({
    exit: 0,
    stderr: '',
    planned: expect.stringMatching(/^No changes; 71\d /),
  })
  const paths = world
    .requests()
    .slice(sent)
    .map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  const devices = paths.filter((path) => path.includes('/devices'))
  expect(devices).toHaveLength(world.network.firewalls.size)
  // Pages of 100 or more volumes, firewalls and addresses.
  expect(paths.length - devices.length).toBeLessThanOrEqual(12)
  expect(counts.atOnce).toBeLessThanOrEqual(16)
  expect(counts.rounds).toBeLessThan(25)
})

test('plan reports the line of a problem in a large file', async ({ skyctl, file, problems, world }) => {
  fill(world, { volumes: 200, firewalls: 40 })
  const { stdout } = await skyctl('export volumes firewalls')
  const line = stdout.split('\n').indexOf('  v-77:') + 2
  const broken = stdout.replace('  v-77:\n    size: 20', '  v-77:\n    size: 10')
  const { exit, stderr } = await skyctl(`plan ${file('a.yaml', broken)}`)
  expect({ exit, problems: problems(stderr) }).toEqual({
    exit: 6,
    problems: [`a.yaml:${line}: volumes.v-77.size: It has 20 GiB, and a volume cannot shrink`],
  })
})
