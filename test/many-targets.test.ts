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

/** Commands for many firewalls, and the requests for each of them besides the look-up. */
const ofFirewalls = [
  ['openings, by label', 'firewalls openings NAMES', []],
  ['close', 'firewalls close NAMES --yes', ['GET rules']],
  ['close --dry-run', 'firewalls close NAMES --dry-run', ['GET rules']],
  [
    'rules add',
    'firewalls rules add NAMES inbound --action accept --protocol tcp --port 8443 --from 192.0.2.0/24 --yes',
    ['GET rules', 'GET rules', 'PUT rules', 'GET rules'],
  ],
] as const

test.for(ofFirewalls)('twelve firewalls are looked up in one list: %s', async ([, line, each], { skyctl, world }) => {
  const labels = Array.from({ length: 12 }, (_, index) => `many-${index}`)
  for (const label of labels) world.network.firewall({ label })
  const before = world.requests().length
  const { exit, stderr } = await skyctl(line.replace('NAMES', labels.join(' ')))
  expect(exit, stderr).toBe(0)
  const sent = world
    .requests()
    .slice(before)
    .map(({ method, path }) => `${method} ${path.replace(/\?.*/, '').replace(/^.*\/firewalls\/?(\d+\/)?/, '')}`)
  expect(sent.sort()).toEqual(['GET ', ...labels.flatMap(() => each)].sort())
})

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
