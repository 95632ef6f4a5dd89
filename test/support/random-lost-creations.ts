/**
 * Creates volumes whose answer may be lost, while other administrators use the same label and clocks are wrong. skyctl
 * must never adopt another administrator's volume, and never create two (reliability.md, class N).
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from './clock'
import fc from './fast-check'
import { type Fate, type Loss, lossyProxy } from './lossy-proxy'
import { runSkyctl, testClock } from './run'
import { environmentOf, openTestSandbox } from './sandbox'

const body = { size: 40, region: 'us-east', tags: ['db'] }

/** A volume of another administrator with the same label, which differs in one field. */
const rival = fc.oneof(
  fc
    .integer({ min: 10, max: 500 })
    .filter((size) => size !== body.size)
    .map((size) => ({ ...body, size })),
  fc.constantFrom('eu-west', 'us-ord').map((region) => ({ ...body, region })),
  fc.constantFrom([], ['db', 'other'], ['other']).map((tags) => ({ ...body, tags })),
)

const json =
  (status: number, body: string): Loss['reply'] =>
  (outgoing) =>
    void outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)

const page: Loss['reply'] = (outgoing) =>
  void outgoing.writeHead(404, { 'content-type': 'text/html' }).end('<html>404 Not Found</html>')

/** A valid answer of the API about another volume. */
const another = JSON.stringify({
  ...{ id: 999_999, label: 'another', status: 'active', region: 'eu-west', size: 10, tags: [], compute_id: null },
  ...{ created: '2026-01-01T00:00:00', updated: '2026-01-01T00:00:00', filesystem_path: '/dev/disk/by-id/another' },
})

/** Replies of the test: whether the request reaches the service, and what replaces its answer. */
const replies: Readonly<Record<string, Loss>> = {
  'done, its answer cut': { done: true, reply: json(200, '{"id": 7, "la') },
  'done, its answer empty': { done: true, reply: json(200, '') },
  'done, answered about another': { done: true, reply: json(200, another) },
  'not done, answered about another': { done: false, reply: json(200, another) },
  'not done, a page for 404': { done: false, reply: page },
}

const fates = ['none', 'answer lost', 'request lost', 'done, then 503', ...Object.keys(replies)]

const situation = fc.record({
  /** The local clock less that of the service, in milliseconds. */
  skew: fc.integer({ min: -600_000, max: 600_000 }),
  fate: fc.constantFrom(...fates),
  before: fc.array(fc.oneof(rival, fc.constant(body)), { maxLength: 2 }),
  meanwhile: fc.array(rival, { maxLength: 2 }),
  /** Time between the lookup and the request by the service's clock, in milliseconds. */
  passing: fc.constantFrom(0, 300, 999, 1500),
})

/** Number of runs by outcome. */
export interface OutcomeCounts {
  answered: number
  adopted: number
  unknown: number
  /** Refused by somebody in front of the API. */
  foreign: number
}

type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never

/** Plays `runs` random situations on one sandbox. Throws for the first one that ends wrongly. */
export async function playAdoptions({ runs, seed }: { runs: number; seed?: number }): Promise<OutcomeCounts> {
  const counts = { answered: 0, adopted: 0, unknown: 0, foreign: 0 }
  const stage = await openStage()
  try {
    const property = fc.asyncProperty(situation, async (one) => {
      counts[await play(one, stage)] += 1
    })
    await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) })
    return counts
  } finally {
    await stage.close()
  }
}

type Stage = Awaited<ReturnType<typeof openStage>>

async function openStage() {
  const home = mkdtempSync(join(tmpdir(), 'skyctl-test-'))
  const service = manualClock()
  const sandbox = await openTestSandbox({ clock: service })
  const proxy = await lossyProxy(sandbox.baseUrl)
  let count = 0
  return {
    service,
    proxy,
    world: sandbox.world,
    nextLabel: () => `label-${++count}`,
    create: (label: string, skew: number) =>
      runSkyctl(
        `volumes create --label ${label} --size 40 --region us-east --tag db --allow-duplicate --json --retries 0`,
        {
          clock: testClock(manualClock(service.now() + skew)),
          env: { ...environmentOf(sandbox, home), SKYCTL_BASE_URL: proxy.baseUrl },
        },
      ),
    async close() {
      await proxy.close()
      await sandbox.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function play({ skew, fate, before, meanwhile, passing }: Situation, stage: Stage): Promise<keyof OutcomeCounts> {
  const { world, service, proxy } = stage
  const label = stage.nextLabel()
  for (const volume of before) world.volume({ ...volume, label })
  service.advance(passing)
  const request = proxy.hold('POST', '/volumes', replies[fate] ?? (fate as Fate))
  const running = stage.create(label, skew)
  await request.arrived
  for (const volume of meanwhile) world.volume({ ...volume, label })
  const labelled = () => world.volumes.all().filter((one) => one.label === label)
  const others = new Set(labelled().map(({ id }) => id))
  request.release()
  const { exit, stdout, stderr } = await running
  const ours = labelled().filter(({ id }) => !others.has(id))
  const isDone = fate !== 'request lost' && !fate.startsWith('not done')
  assert.equal(ours.length, isDone ? 1 : 0, 'the volume is created once, or not at all')
  if (fate === 'not done, a page for 404') {
    assert.deepEqual({ exit, stdout }, { exit: 8, stdout: '' })
    return 'foreign'
  }
  if (isDone) {
    // skyctl can prove the outcome, so it must not be unknown.
    assert.equal(exit, 0, stderr)
    assert.equal(JSON.parse(stdout).id, ours[0]?.id, 'it adopts its own volume')
    return fate === 'none' ? 'answered' : 'adopted'
  }
  assert.deepEqual({ exit, stdout }, { exit: 11, stdout: '' })
  for (const id of others)
    assert.ok(stderr.includes(`(${id}) `), `the message has each candidate with the reason: ${stderr}`)
  return 'unknown'
}
