/** History on a terminal: questions of an undo, and the width of lists. */
import { expect } from 'vitest'
import { ruleSet, ssh, web } from '../support/firewall-rules'
import { keys, test } from '../support/terminal'

test.for([
  { answer: 'y', exit: 0, label: 'data' },
  { answer: '', exit: 6, label: 'other' },
])(
  'An undo shows the difference to the current values and asks: "$answer"',
  async ({ answer, exit, label }, { terminal, skyctl, world }) => {
    world.volume({ id: 7001, label: 'data' })
    await skyctl('volumes update 7001 --label other')
    const { until, type, end } = terminal('history undo 1')
    const screen = await until('(y/N)')
    expect(screen.join('\n')).toContain('changed  label: other -> data')
    expect(screen.join(' ')).toMatch(/Undo the change of .* UTC to volume "other" \(7001\)\?/)
    type(answer + keys.enter)
    expect({ exit: (await end).exit, label: world.volumes.get(7001)?.label }).toEqual({
      exit,
      label,
    })
  },
)

test('The question of an undo warns of later changes', async ({ terminal, skyctl, world }) => {
  const volume = world.volume({ id: 7001, label: 'data' })
  await skyctl('volumes update 7001 --label other')
  world.volumes.put({ ...volume, label: 'third' })
  const { until, type, end } = terminal('history undo 1')
  const shown = (await until('(y/N)')).join(' ').replaceAll(/\s+/g, ' ')
  expect(shown).toContain('was changed since change 1')
  expect(shown).toContain('changed label: third -> data')
  expect(shown).toContain('Changes since then will be lost. Undo the change of')
  type(`y${keys.enter}`)
  expect({ exit: (await end).exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('An undo is refused if the values that it has shown change during its question', async ({
  terminal,
  skyctl,
  world,
}) => {
  const volume = world.volume({ id: 7001, label: 'data', tags: ['a'] })
  await skyctl('volumes update 7001 --tag b')
  const { until, type, end } = terminal('history undo 1', { columns: 200 })
  await until('(y/N)')
  world.volumes.put({ ...volume, tags: ['theirs'] })
  type(`y${keys.enter}`)
  const { exit, screen } = await end
  expect({ exit, tags: world.volumes.get(7001)?.tags }).toEqual({ exit: 6, tags: ['theirs'] })
  expect(screen.join('\n')).toContain('volume "data" (7001) was changed meanwhile, so skyctl keeps it')
})

test('The question of an undo of rules leaves out openings that were closed since', async ({
  terminal,
  skyctl,
  world,
}) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
  await skyctl('firewalls open edge --port 5432 --from 198.51.100.7 --for 1h --yes')
  await skyctl('firewalls rules remove edge inbound label:ssh --yes')
  await skyctl('firewalls close edge --yes')
  const { until, type, end } = terminal('history undo')
  const shown = (await until('(y/N)')).join(' ').replaceAll(/\s+/g, ' ')
  expect(shown).toContain('stays closed: it was open temporarily')
  expect(shown).not.toMatch(/Undoing all|open until|will be lost/)
  type(`y${keys.enter}`)
  expect(await end).toMatchObject({ exit: 0 })
  expect(world.network.firewalls.get(9100)?.rules).toEqual(ruleSet(ssh, web))
})

test('The question of an undo of apply names each object with later changes', async ({ terminal, skyctl, world }) => {
  const volume = world.volume({ id: 7001, label: 'data', tags: ['a'] })
  const { stderr } = await skyctl('apply - --yes', { stdin: 'volumes: { data: { tags: [b] } }' })
  const id = /history undo --apply ([0-9a-f]{8})$/m.exec(stderr)?.[1]
  world.volumes.put({ ...volume, tags: ['third'] })
  const { until, type, end } = terminal(`history undo --apply ${id}`)
  const shown = (await until('(y/N)')).join(' ').replaceAll(/\s+/g, ' ')
  expect(shown).toContain('Volume "data" (7001) was changed since change 1')
  expect(shown).toContain(`Changes since then will be lost. Undo change 1 (volume "data" (7001)) of apply ${id}?`)
  type(`y${keys.enter}`)
  expect({ exit: (await end).exit, tags: world.volumes.get(7001)?.tags }).toEqual({ exit: 0, tags: ['a'] })
})

test.for([80, 40])('A list fits %i columns', async (columns, { terminal, skyctl, world }) => {
  world.volume({ id: 7001, label: 'a-label-of-thirty-two-characters' })
  await skyctl('volumes update 7001 --tag x')
  await skyctl('volumes delete 999999 --yes --force')
  const { exit, screen } = await terminal('history', { columns }).end
  expect(exit).toBe(0)
  const [failed, updated] = columns === 80 ? ['volume 999999', 'volume\\b'] : ['999999', '"a-label']
  expect(screen.join('\n')).toMatch(new RegExp(`${failed} +failed\\n(.|\\n)*${updated}(.|\\n)*ok`))
  expect(Math.max(...screen.map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test('A list with 80 columns shows complete commands, also after an apply', async ({ terminal, skyctl, world }) => {
  world.volume({ id: 7001, label: 'data' })
  await skyctl('apply - --yes', { stdin: 'volumes: { data: { tags: [b] } }' })
  const { screen } = await terminal('history', { columns: 80 }).end
  expect(screen.join('\n')).toMatch(/ {2}apply: volumes update {2,}volume "data" \(7001\) {2,}ok/)
  const wide = await terminal('history', { columns: 120 }).end
  expect(wide.screen.join('\n')).toMatch(/ COMMAND +APPLY +OBJECT /)
})

test('A bare undo says why the last change has no undo, and asks about the one before', async ({
  terminal,
  skyctl,
  world,
}) => {
  world.volume({ id: 7001, label: 'data', size: 40 })
  await skyctl('volumes update 7001 --label other')
  await skyctl('volumes resize 7001 --size 80 --yes')
  const { until, type, end } = terminal('history undo')
  const shown = (await until('(y/N)')).join(' ').replaceAll(/\s+/g, ' ')
  expect(shown).toContain(
    'Change 2 cannot be undone: the API cannot shrink a volume. Create a smaller one, and copy the data',
  )
  expect(shown).toContain('The last one with an automatic undo is 1: volumes update of volume "other" (7001)')
  type(`y${keys.enter}`)
  expect({ exit: (await end).exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('A list says whose changes it has, and how to find those of others', async ({ terminal, skyctl, world }) => {
  world.volume({ id: 7001, label: 'data' })
  await skyctl('volumes update 7001 --label other')
  const shown = (await terminal('history').end).screen.join(' ').replaceAll(/\s+/g, ' ')
  expect(shown).toContain(
    'Changes from this computer, by owner. Those from elsewhere show in a plan: skyctl plan FILE --drift',
  )
  expect((await skyctl('history')).stderr).not.toContain('--drift')
})
