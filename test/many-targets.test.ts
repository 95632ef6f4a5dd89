/** Requests of commands with 100 targets; `bench/many.mjs` compares them with another build. */
import { describe, expect } from 'vitest'
import { arrangeVolumes, manyTargets, volumeNames } from './support/many-targets'
import { test } from './support/skyctl'

const count = 100

describe('100 targets', () => {
  test.for(manyTargets)('need no more requests than before: $name', async (command, { skyctl, world }) => {
    const names = volumeNames(count)
    const ids = arrangeVolumes(world, names, command.status)
    const { exit, stderr } = await skyctl(command.line, { stdin: command.stdin(names, ids) })
    expect(exit, stderr).toBe(0)
    expect(world.requests().length / count).toBeLessThanOrEqual(command.most ?? command.goal)
    expect(world.volumes.all().filter(({ label }) => names.includes(label)).length).toBe(command.left ?? count)
  })
})
