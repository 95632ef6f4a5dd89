/** Requests of commands with 100 targets; `bench/many.mjs` compares them with another build. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { withPages } from './support/looked-up-pages'
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

/** Lines with twelve targets that exist no more, and their exit codes. */
const ofAbsent = [
  ['volumes delete - -y --if-present', 'GET /volumes', 0],
  ['volumes detach - -y', 'GET /volumes', 9],
  ['volumes view -', 'GET /volumes', 9],
  ['volumes wait - --for deleted', 'GET /volumes', 0],
  ['tokens view -', 'GET /profile/tokens', 9],
] as const

test.for(ofAbsent)(
  'twelve labels are absent if the list lacks them twice: %s',
  async ([line, list, exit], { skyctl, world }) => {
    world.volume({ label: 'absent-a' })
    const stdin = Array.from({ length: 12 }, (_, index) => `absent-${index}\n`).join('')
    const { stderr, ...rest } = await skyctl(line, { stdin })
    expect(rest.exit, stderr).toBe(exit)
    expect(world.requests().map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([list, list])
    if (line === 'volumes view -') expect(stderr).toContain('volume "absent-11" not found. Did you mean "absent-a"?')
  },
)

test('twelve labels are looked up by themselves if a record of the list lacks its label', async ({
  skyctl,
  world,
  meanwhile,
}) => {
  world.volume()
  await meanwhile(
    withPages<{ id: number; label?: string }>((page) => ({
      ...page,
      data: page.data.map(({ label: _, ...record }) => record),
    })),
  )
  const stdin = Array.from({ length: 12 }, (_, index) => `absent-${index}\n`).join('')
  const { exit, stderr } = await skyctl('volumes delete - -y --if-present', { stdin })
  expect(exit).toBe(9)
  expect(stderr).toContain('volume "absent-0" not found, but the answer lacks the label of volume')
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
