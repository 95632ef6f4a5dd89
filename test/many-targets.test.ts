/** Requests of commands with 100 targets; `bench/many.mjs` compares them with another build. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { arrangeTargets, manyTargets, volumeNames } from './support/many-targets'
import { type Fixtures, test } from './support/skyctl'

const count = 100

/** Returns a clock whose waits pass once the service gets no more requests: so look-ups share lists on any machine. */
function patientClock({ clock, world }: Pick<Fixtures, 'clock' | 'world'>): Fixtures['clock'] {
  return {
    ...clock,
    async sleep(milliseconds, signal) {
      for (let before = -1; before !== world.requests().length; await setTimeout(50)) before = world.requests().length
      await clock.sleep(milliseconds, signal)
    },
  }
}

describe('100 targets', () => {
  test.for(manyTargets)('need no more requests than the goal: $name', async (command, { skyctl, world, clock }) => {
    const names = volumeNames(count)
    const ids = arrangeTargets(world, names, command)
    const options = { stdin: command.stdin(names, ids), clock: patientClock({ clock, world }) }
    const { exit, stderr } = await skyctl(command.line, options)
    expect(exit, stderr).toBe(0)
    expect(world.requests().length / count).toBeLessThanOrEqual(command.goal)
    expect(world.volumes.all().filter(({ label }) => names.includes(label)).length).toBe(command.left ?? count)
  })
})
