/** Pauses of planned requests for the rate limit, and of those that it refuses. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, vi } from 'vitest'
import { bodies, creations, test } from './support/rate-limit'

describe('Creations do not wait for what is there already', () => {
  test.beforeEach(({ world }) => {
    for (let index = 2; index < 70; index += 1) world.volume({ label: `v${index}`, region: 'us-east', size: 20 })
  })

  test.for(['--concurrency 1', ''])('%s', async (flag, { skyctl, world, clock, passed }) => {
    // The clock moves only if nothing ends the pause before.
    const sleep: typeof clock.sleep = async (milliseconds, signal) => {
      await setTimeout(200, undefined, { signal })
      clock.advance(milliseconds)
    }
    const line = `volumes create --if-absent --body - ${flag}`
    const { exit, stderr } = await skyctl(line, { stdin: bodies(80), clock: { ...clock, sleep } })
    expect({ exit, sent: creations(world).length }, stderr).toEqual({ exit: 0, sent: 12 })
    // A pause before each would take a minute.
    expect(passed()).toBeLessThan(15)
  })
})

test('A creation has its whole time after the rate limit has refused it for longer', async ({
  skyctl,
  meanwhile,
  world,
  clock,
  passed,
}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const sleep: typeof clock.sleep = async (milliseconds, signal) => {
      await clock.sleep(milliseconds, signal)
      vi.advanceTimersByTime(milliseconds)
    }
    const refusal = { errors: [{ reason: 'Too many requests' }] }
    await meanwhile({
      refuse: ({ method }) => (method === 'POST' && passed() < 200 ? refusal : undefined),
      refusal: 429,
    })
    const line = 'volumes create --label one --region us-east'
    const { exit, stderr } = await skyctl(line, { clock: { ...clock, sleep } })
    expect({ exit, sent: creations(world).length }, stderr).toEqual({ exit: 0, sent: 1 })
    expect(passed()).toBeGreaterThan(200)
  } finally {
    vi.useRealTimers()
  }
})

test('Look-ups of changes count, too: none of them is refused', async ({ skyctl, world, useUp, passed }) => {
  const ids = Array.from({ length: 60 }, (_, index) => world.volume({ label: `v${index}`, region: 'us-east' }).id)
  // Enough for one request each, and not for two.
  useUp(720)
  const { exit, stderr } = await skyctl('volumes update - --add-tag new -v', { stdin: ids.join('\n') })
  expect(exit, stderr).toBe(0)
  expect(stderr).not.toContain('429')
  expect(passed()).toBeGreaterThan(60)
})
