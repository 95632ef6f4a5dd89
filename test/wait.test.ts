/** Ends of a wait (interface.md, Safety): the state is reached, the time is over, or the object is gone. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { busy } from './support/lossy-proxy'
import { completeRecord } from './support/records'
import { type Fixtures, test } from './support/skyctl'

const hour = 3_600_000

/** Returns a clock on which something happens at the first pause. */
const clockWith = (clock: Fixtures['clock'], happens: () => void): Pick<Fixtures, 'clock'> => ({
  clock: {
    ...clock,
    async sleep(milliseconds, signal) {
      happens()
      await clock.sleep(milliseconds, signal)
    },
  },
})

describe('an object that is deleted during a wait', () => {
  test.for(['active', 'attached', 'detached'])(
    'is reported as gone if another state is expected: %s',
    async (state, { skyctl, world, clock }) => {
      const { id } = world.volume({ status: 'resizing', compute_id: state === 'detached' ? world.compute().id : null })
      const options = clockWith(clock, () => world.volumes.delete(id))
      const { exit, stdout, stderr } = await skyctl(`volumes wait ${id} --for ${state} -o yaml`, options)
      expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' })
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: volume ${id} no longer exists`)
    },
  )

  test('ends --for deleted with success', async ({ skyctl, world, clock }) => {
    const { id } = world.volume()
    const options = clockWith(clock, () => world.volumes.delete(id))
    expect(await skyctl(`volumes wait ${id} --for deleted --json`, options)).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('is an error after its creation, and is not printed', async ({ skyctl, world, clock }) => {
    const options = clockWith(clock, () => {
      for (const { id, label } of world.volumes.all()) if (label === 'brief') world.volumes.delete(id)
    })
    const { exit, stdout, stderr } = await skyctl(
      'volumes create --label brief --region us-east --wait --json',
      options,
    )
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ code: 'not_found', retryable: false, created: { kind: 'volume', label: 'brief' } })
    expect(error.message).toBe(`volume ${error.created.id} no longer exists`)
  })
})

describe('Several targets', () => {
  const arrange = (world: Fixtures['world']) =>
    ['v1', 'v2', 'v3'].map((label) => world.volume({ label, compute_id: null }).id)
  const line = 'volumes wait v1 v2 v3 --for attached --wait-timeout 2s --concurrency 1'
  const lastError = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

  test('share one time limit, and each is looked at', async ({ skyctl, world, clock }) => {
    const ids = arrange(world)
    const began = clock.now()
    const { exit, stderr } = await skyctl(`${line} --json`)
    expect({ exit, waited: clock.now() - began }).toEqual({ exit: 10, waited: 2000 })
    const { code, failures, retryable } = lastError(stderr)
    expect({ code, failures: failures.length, retryable }).toEqual({
      ...{ code: 'wait_timed_out', failures: 3, retryable: true },
    })
    const reads = ids.map((id) => world.requests('GET').filter(({ path }) => path === `/volumes/${id}`).length)
    expect(Math.min(...reads)).toBeGreaterThan(0)
  })

  test.for(['attached', 'deleted'])(
    'have the ids of existing objects in their records: --for %s',
    async (state, { skyctl, world }) => {
      const [id] = arrange(world)
      const { stdout } = await skyctl(`volumes wait v1 none --for ${state} --wait-timeout 1s --json`)
      const records = JSON.parse(stdout).map(({ id, label, ok }: Record<string, unknown>) => ({ id, label, ok }))
      expect(records).toEqual([
        { id, label: 'v1', ok: false },
        { id: null, label: 'none', ok: state === 'deleted' },
      ])
    },
  )

  test('end with 10 if all that failed timed out, with 9 if another failed in another way', async ({
    skyctl,
    world,
  }) => {
    arrange(world)
    world.volume({ label: 'v4', compute_id: world.compute().id })
    const timedOut = await skyctl(line.replace('v3', 'v3 v4'))
    expect({ exit: timedOut.exit, last: timedOut.stderr.trimEnd().split('\n').at(-1) }).toEqual({
      exit: 10,
      last: '1 of 4 awaited',
    })
    expect((await skyctl(line.replace('v3', 'v3 99999'))).exit).toBe(9)
  })
})

describe('A wait leaves its place to the next target', () => {
  const labels = ['a', 'b', 'c']

  test.for([
    {
      line: 'volumes create --body - --wait --concurrency 1',
      stdin: labels.map((label) => `${JSON.stringify({ label, region: 'us-east' })}\n`).join(''),
    },
    {
      line: 'apply - --yes --concurrency 1',
      stdin: `defaults: { region: us-east }\nvolumes: { ${labels.map((label) => `${label}: { size: 20 }`).join(', ')} }`,
    },
  ])('with --concurrency 1: $line', async ({ line, stdin }, { skyctl, world, clock }) => {
    world.transitionMs = 30_000
    const began = clock.now()
    const { exit, stderr } = await skyctl(line, { stdin })
    expect(exit, stderr).toBe(0)
    // One after the other takes three times as long.
    expect(clock.now() - began).toBeLessThan(60_000)
    const created = world.volumes.all().filter(({ label }) => labels.includes(label))
    expect(created.map(({ label, status }) => `${label} ${status}`).sort()).toEqual([
      'a active',
      'b active',
      'c active',
    ])
  })

  test('also while it waits for an object that is busy', async ({ skyctl, world, lossy }) => {
    const [first, second] = [world.volume({ compute_id: 1001 }), world.volume({ compute_id: 1002 })]
    for (const _ of [1, 2, 3]) lossy.lose('POST', `/volumes/${first.id}/detach`, { done: false, reply: busy })
    const { exit, stderr } = await skyctl(`volumes detach ${first.id} ${second.id} --yes --concurrency 1`)
    expect(exit, stderr).toBe(0)
    const detached = world.requests('POST').filter(({ path }) => path.endsWith('/detach'))
    expect(detached.map(({ path }) => path)).toEqual([second, first].map(({ id }) => `/volumes/${id}/detach`))
  })
})

describe('A service that asks to wait', () => {
  const active = (status: string) => reply(200, completeRecord({ id: 7, label: 'data', status }))
  const line = 'volumes wait id:7 --retries 0'

  test.for<[string, string]>([
    ['seconds', '90'],
    ['a date', 'Thu, 15 Jan 2026 12:01:30 GMT'],
    ['a date of RFC 850', 'Thursday, 15-Jan-26 12:01:30 GMT'],
    ['a date of asctime', 'Thu Jan 15 12:01:30 2026'],
  ])('is asked again after that time, in %s', async ([, after], { skyctl, clock }) => {
    const began = clock.now()
    const later = { 'retry-after': after, date: 'Thu, 15 Jan 2026 12:00:00 GMT' }
    const scripts = [active('creating'), reply(503, '', later), active('active')]
    const { env, received } = await faultServer(scripts)
    expect(await skyctl(line, { env })).toMatchObject({ exit: 0 })
    expect({ waited: clock.now() - began, requests: received.length }).toEqual({ waited: 90_500, requests: 3 })
  })

  test('for longer than the time that is left is not asked again', async ({ skyctl, clock }) => {
    const began = clock.now()
    const { env, received } = await faultServer([active('creating'), reply(429, '', { 'retry-after': '3600' })])
    const { exit, stderr } = await skyctl(line, { env })
    expect({ exit, waited: clock.now() - began, requests: received.length }).toEqual({
      ...{ exit: 7, waited: 500, requests: 2 },
    })
    expect(stderr).toContain('the service asks to wait 1h')
    expect(stderr).toContain('Continue waiting: skyctl volumes wait 7 --for active')
  })
})

describe.for([
  ['back', -hour],
  ['forward', hour],
] as const)('A wall clock that is set %s by an hour', ([, shift]) => {
  /** Returns a clock whose wall clock is set as soon as this is true. */
  const setWhen = (clock: Fixtures['clock'], isSet: () => boolean): Pick<Fixtures, 'clock'> => ({
    clock: { ...clock, now: () => clock.now() + (isSet() ? shift : 0) },
  })

  test('changes neither the length of a wait nor the time that is shown', async ({ skyctl, world, clock }) => {
    const { id } = world.volume({ compute_id: null })
    const began = clock.now()
    const options = setWhen(clock, () => clock.now() > began)
    const { exit, stderr } = await skyctl(`volumes wait ${id} --for attached --wait-timeout 6s`, options)
    expect({ exit, waited: clock.now() - began }).toEqual({ exit: 10, waited: 6000 })
    expect(stderr).toContain('is not attached after 6s')
  })

  test('does not end the retries of a request', async ({ skyctl, clock }) => {
    const empty = reply(200, { data: [], page: 1, pages: 1, results: 0 })
    const server = await faultServer([reply(503, '', { 'retry-after': '1' }), empty])
    const options = { ...setWhen(clock, () => server.received.length > 0), env: server.env }
    expect(await skyctl('volumes list --json', options)).toMatchObject({ exit: 0, stdout: '[]\n' })
  })
})

test('a wait that times out prints the status and the command to continue', async ({ skyctl, world }) => {
  const { id } = world.volume({ label: 'free', compute_id: null })
  const { exit, stderr } = await skyctl(`volumes wait ${id} --for attached --wait-timeout 3s`)
  const last = stderr.trimEnd().split('\n').at(-1)
  expect({ exit, last }).toEqual({
    exit: 10,
    last:
      `skyctl: volume "free" (${id}) is not attached after 3s; its status is active. ` +
      `Continue waiting: skyctl volumes wait ${id} --for attached`,
  })
})

test('a wait that times out names the context in the command to continue', async ({ skyctl, home }) => {
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_STATE_DIR: home }
  const { exit, stderr } = await skyctl('--context sandbox volumes wait 3002 --for attached --wait-timeout 1s', { env })
  expect(exit).toBe(10)
  expect(stderr).toContain('Continue waiting: skyctl volumes wait 3002 --for attached --context sandbox')
})
