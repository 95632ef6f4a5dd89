/** Changes by others while `apply` asks: a step relies on what the plan has shown (state.md, For teams). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ruleSet, ssh } from '../support/firewall-rules'
import type { World } from '../support/sandbox'
import { test as base, keys } from '../support/terminal'

interface Asked {
  /** Applies a file, and lets somebody act before the question is answered with yes. */
  applyAfter(act: () => void, text: string, flags?: string): Promise<{ exit: number; text: string }>
  /** Returns the requests that changed something. */
  changes(): string[]
}

const test = base.extend<Asked>({
  applyAfter: async ({ terminal, home }, use) =>
    use(async (act, text, flags = '') => {
      writeFileSync(join(home, 'account.yaml'), text)
      const { until, type, end } = terminal(`apply account.yaml ${flags}`, { cwd: home, columns: 200, rows: 60 })
      await until('(y/N)')
      act()
      type(`y${keys.enter}`)
      const { exit, screen } = await end
      return { exit, text: screen.join(' ').replaceAll(/\s+/g, ' ') }
    }),
  changes: async ({ world }, use) =>
    use(() => world.requests().flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]))),
})

const setStatus = ({ network: { firewalls } }: World, id: number, status: 'enabled' | 'disabled') => {
  const firewall = firewalls.get(id)
  if (firewall) firewalls.put({ ...firewall, status })
}

const unassign = ({ network }: World, firewall: number, compute: number) => {
  for (const { id, entity } of network.devicesOf(firewall)) if (entity === compute) network.devices.delete(id)
}

const attachTo = ({ volumes }: World, id: number, compute_id: number | null) => {
  const volume = volumes.get(id)
  if (volume) volumes.put({ ...volume, compute_id })
}

describe('No service loses its protection in a way that the plan does not show', () => {
  const handover = `firewalls:
  web: { devices: { computes: [1001] } }
  spare: { devices: { computes: [1002] } }
volumes: { data-1: { tags: [x] } }
`

  test.for<[string, (world: World) => void, string]>([
    ['was disabled', (world) => setStatus(world, 4005, 'disabled'), 'was disabled since the plan was made'],
    ['was deleted', ({ network }) => void network.firewalls.delete(4005), 'was deleted since the plan was made'],
  ])(
    'to a firewall that %s: it stays where it was, and the rest is applied',
    async ([, act, reason], { applyAfter, world, changes }) => {
      const { exit, text } = await applyAfter(() => act(world), handover)
      expect({ exit, changes: changes() }).toEqual({ exit: 9, changes: ['PUT /volumes/3001'] })
      expect(text).toContain(`firewall "spare" (4005) ${reason}`)
      expect(world.network.devicesOf(4001).map(({ entity }) => entity)).toEqual([1001, 1002, 2001])
    },
  )

  test('to a firewall that is enabled for it, but has lost it', async ({ applyAfter, world, changes }) => {
    const { id } = world.network.firewall({ label: 'next', status: 'disabled', rules: ruleSet(ssh) })
    for (const compute of [1001, 1002]) world.network.device(id, 'compute', compute)
    const { exit, text } = await applyAfter(
      () => unassign(world, id, 1002),
      'firewalls: { web: { status: disabled }, next: { status: enabled } }',
    )
    expect({ exit, changes: changes() }).toEqual({ exit: 6, changes: [] })
    expect(text).toContain(`firewall "next" (${id}) was removed from compute 1002 since the plan was made`)
  })

  test('with a firewall that is disabled, but has got it meanwhile', async ({ applyAfter, world, changes }) => {
    const { exit, text } = await applyAfter(
      () => world.network.device(4005, 'compute', 1009),
      'firewalls: { spare: { status: disabled, tags: [x] } }',
    )
    expect({ exit, changes: changes() }).toEqual({ exit: 6, changes: [] })
    expect(text).toContain('firewall "spare" (4005): it was assigned to compute 1009 since the plan was made')
  })

  test('with a firewall that hands others over', async ({ applyAfter, world, changes }) => {
    const { id } = world.network.firewall({ label: 'next', status: 'disabled', rules: ruleSet(ssh) })
    for (const compute of [1001, 1002]) world.network.device(id, 'compute', compute)
    const { exit, text } = await applyAfter(
      () => world.network.device(4001, 'compute', 1009),
      'firewalls: { web: { status: disabled }, next: { status: enabled } }',
    )
    expect({ exit, changes: changes() }).toEqual({ exit: 6, changes: [] })
    expect(text).toContain('firewall "web" (4001) was assigned to compute 1009 since the plan was made')
  })

  test('by a disabled firewall that was enabled meanwhile', async ({ applyAfter, world, changes }) => {
    const { id } = world.network.firewall({ label: 'off', status: 'disabled', rules: ruleSet(ssh) })
    world.network.device(id, 'compute', 1009)
    const { exit, text } = await applyAfter(
      () => setStatus(world, id, 'enabled'),
      'firewalls: { off: { devices: { computes: [] } } }',
    )
    expect({ exit, changes: changes() }).toEqual({ exit: 6, changes: [] })
    expect(text).toContain('it was enabled, and protects compute 1009, since the plan was made')
  })
})

describe('A volume that somebody has attached to another instance', () => {
  test.for(['1002', 'null'])('is not detached from it: compute_id %s', async (to, { applyAfter, world, changes }) => {
    const { exit, text } = await applyAfter(
      () => attachTo(world, 3001, 1004),
      `volumes: { data-1: { compute_id: ${to} } }`,
    )
    expect({ exit, changes: changes() }).toEqual({ exit: 6, changes: [] })
    expect(text).toContain('volume "data-1" (3001): it was attached to compute instance 1004 since the plan was made')
  })

  test('stays there if the file names that instance', async ({ applyAfter, world, changes }) => {
    const { exit } = await applyAfter(() => attachTo(world, 3001, 1002), 'volumes: { data-1: { compute_id: 1002 } }')
    expect({ exit, changes: changes() }).toEqual({ exit: 0, changes: [] })
  })

  test('is attached where the file names it if somebody has detached it', async ({ applyAfter, world, changes }) => {
    const { exit } = await applyAfter(() => attachTo(world, 3001, null), 'volumes: { data-1: { compute_id: 1002 } }')
    expect({ exit, changes: changes() }).toEqual({ exit: 0, changes: ['POST /volumes/3001/attach'] })
  })
})

describe('Tags that somebody adds', () => {
  const tag = ({ volumes, network: { firewalls } }: World) => {
    const [volume, firewall] = [volumes.get(3001), firewalls.get(4001)]
    if (volume) volumes.put({ ...volume, tags: [...volume.tags, 'theirs'] })
    if (firewall) firewalls.put({ ...firewall, tags: [...firewall.tags, 'theirs'] })
  }
  const tagsIn = ({ volumes, network: { firewalls } }: World) => [volumes.get(3001)?.tags, firewalls.get(4001)?.tags]

  test('stay if the file has no list of tags', async ({ applyAfter, world }) => {
    const text = 'owner: team\nvolumes: { data-1: {} }\nfirewalls: { web: { protect: true } }\n'
    const [volume = [], firewall = []] = tagsIn(world)
    const { exit } = await applyAfter(() => tag(world), text, '--adopt')
    expect({ exit, tags: tagsIn(world) }).toEqual({
      exit: 0,
      tags: [
        [...volume, 'theirs', 'team'],
        [...firewall, 'theirs', 'team', 'protected'],
      ],
    })
  })

  test('stay if the file ends the protection of its object', async ({ applyAfter, world, skyctl }) => {
    await skyctl('volumes update data-1 --add-tag protected')
    const { exit } = await applyAfter(() => tag(world), 'volumes: { data-1: { protect: false } }')
    expect({ exit, tags: tagsIn(world)[0] }).toEqual({ exit: 0, tags: ['production', 'theirs'] })
  })

  test('are removed if the file has the list of all tags', async ({ applyAfter, world }) => {
    const { exit } = await applyAfter(() => tag(world), 'volumes: { data-1: { tags: [ours] } }')
    expect({ exit, tags: tagsIn(world)[0] }).toEqual({ exit: 0, tags: ['ours'] })
  })
})

describe('A removal that somebody else has made', () => {
  test('is neither a change of the apply nor undone', async ({ applyAfter, world, skyctl }) => {
    const { exit, text } = await applyAfter(
      () => unassign(world, 4001, 1002),
      'firewalls: { web: { devices: { computes: [1001] } } }',
    )
    expect({ exit, text }).toEqual({ exit: 0, text: expect.not.stringContaining('Undo with') })
    expect(JSON.parse((await skyctl('history list --json')).stdout)).toMatchObject([{ outcome: 'failed', undo: null }])
  })
})
