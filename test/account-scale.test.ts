/** Accounts of 700 objects: how many requests are made, and how many at the same time (state.md, What shows that it holds). */
import { expect } from 'vitest'
import { test } from './support/account-files'
import { between } from './support/between'
import { ruleSet, ruleThat } from './support/firewall-rules'
import type { World } from './support/sandbox'

/** Lets requests on in rounds: all that wait, once there are as many as may be or no more come. */
async function inRounds(baseUrl: string, most: number) {
  const counts = { requests: 0, rounds: 0, atOnce: 0 }
  let waiting: (() => void)[] = []
  let idle: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    clearTimeout(idle)
    counts.rounds += 1
    counts.atOnce = Math.max(counts.atOnce, waiting.length)
    for (const go of waiting) go()
    waiting = []
  }
  const proxy = await between(baseUrl, {
    before: () =>
      new Promise<void>((resolve) => {
        counts.requests += 1
        waiting.push(resolve)
        clearTimeout(idle)
        // One more than there may be is not waited for; a round that is let on too early only makes one more of them.
        if (waiting.length > most) release()
        else idle = setTimeout(release, 50)
      }),
  })
  return { ...proxy, counts }
}

test('64 new volumes are made at most 8 at a time, in less than a fifth of the time of one after another', {
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
  expect(counts.atOnce).toBe(8)
  expect(counts.rounds).toBeLessThan(counts.requests / 5)
})

test('--concurrency 1 does one after another, the reading as well', async ({ skyctl, file, sandbox, world }) => {
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

function fill(world: World, { volumes, firewalls }: { volumes: number; firewalls: number }): void {
  for (let index = 0; index < volumes; index += 1) world.volume({ label: `v-${index}`, tags: ['a'] })
  for (let index = 0; index < firewalls; index += 1) {
    const { id } = world.network.firewall({ label: `fw-${index}`, rules: ruleSet(...rules) as never })
    world.network.device(id, 'compute', world.compute({ id: 8000 + index }).id)
  }
}

test('500 volumes and 200 firewalls are exported and planned, with one request for each list', {
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
  // Pages of 100 or more of volumes, firewalls and addresses.
  expect(paths.length - devices.length).toBeLessThanOrEqual(12)
  expect(counts.atOnce).toBeLessThanOrEqual(16)
  expect(counts.rounds).toBeLessThan(25)
})

test('what is wrong in a large file has its line', async ({ skyctl, file, problems, world }) => {
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
