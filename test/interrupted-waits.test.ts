/** Interruptions of many changes that are waited for. */
import { expect } from 'vitest'
import { test } from './support/skyctl'

test('An interruption of many waits counts what was created, and nothing else', async ({ skyctl, world, clock }) => {
  const labels = Array.from({ length: 30 }, (_, index) => `new-${index}`)
  const createdCount = () => world.volumes.all().filter(({ label }) => labels.includes(label)).length
  let interrupt = () => {}
  const sleep: typeof clock.sleep = async (milliseconds, signal) => {
    if (createdCount() > 0) interrupt()
    await clock.sleep(milliseconds, signal)
  }
  const { exit, stderr } = await skyctl('volumes create --body - --wait --concurrency 2', {
    stdin: labels.map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n'),
    clock: { ...clock, sleep },
    onSignal(handler) {
      interrupt = () => handler('SIGINT')
      return () => {}
    },
  })
  expect({ exit, isWhole: createdCount() < labels.length }, stderr).toEqual({ exit: 130, isWhole: true })
  expect(stderr).toContain(`: ${createdCount()} of ${labels.length} created`)
})
