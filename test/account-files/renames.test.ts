/** Renames with `was` in plan, apply, saved plans and undo, and with lost answers (state.md). */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'
import { untilDone } from '../support/account-stage'
import { ruleSet, ssh } from '../support/firewall-rules'
import { type Fate, lossyProxy } from '../support/lossy-proxy'

const data = 'volumes:\n  pgdata:\n    was: data-1\n    size: 50\n'

describe('a renamed object', () => {
  test('is shown with both labels, and keeps its id, data and rules', async ({ skyctl, file, world }) => {
    const { id } = world.network.firewall({ label: 'old-web', rules: ruleSet(ssh) })
    const path = file('a.yaml', `${data}firewalls:\n  new-web: { was: old-web }\n`)
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ volume "pgdata" (3001)
    renamed from "data-1"
    mount entries with its path break: /dev/disk/by-id/scsi-0Cloud_Volume_data-1
    size: 40 GiB -> 50 GiB
    starts billing: 10 GiB more, for good: it cannot shrink again
~ firewall "new-web" (${id})
    renamed from "old-web"
2 to update; 0 unchanged
`)
    const { volumes, network } = world
    const counts = [volumes.all().length, network.firewalls.all().length]
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(volumes.get(3001)).toMatchObject({ label: 'pgdata', size: 50, compute_id: 1001 })
    expect(network.firewalls.get(id)).toMatchObject({ label: 'new-web', rules: ruleSet(ssh) })
    expect([volumes.all().length, network.firewalls.all().length]).toEqual(counts)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0, stderr: 'No changes; 2 unchanged\n' })
  })

  test('has a step of its own in the JSON', async ({ skyctl, file }) => {
    const { stdout } = await skyctl(`plan ${file('a.yaml', 'volumes: { pgdata: { was: data-1 } }')} --json`)
    expect(JSON.parse(stdout).objects).toMatchObject([
      {
        ...{ kind: 'volumes', name: 'pgdata', id: 3001, action: 'update', was: 'data-1', changed: [] },
        steps: [
          {
            action: 'rename',
            changes: ['renamed from "data-1"', expect.stringContaining('mount entries')],
            consequences: [],
            command: ['skyctl', 'volumes', 'update', '3001'],
            body: { label: 'pgdata' },
          },
        ],
      },
    ])
  })

  test('takes a service from another firewall under its new label', async ({ skyctl, file, world }) => {
    world.compute({ id: 7001, region: 'us-east' })
    const [from, to] = ['holder', 'taker'].map((label) => world.network.firewall({ label, rules: ruleSet(ssh) }).id)
    world.network.device(from ?? 0, 'compute', 7001)
    const path = file(
      'a.yaml',
      'firewalls:\n  front: { was: taker, devices: { computes: [7001] } }\n  back: { was: holder, devices: { computes: [] } }\n',
    )
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const protecting = world.network.devicesOf(to ?? 0).map(({ entity }) => entity)
    expect({ protecting, label: world.network.firewalls.get(to ?? 0)?.label }).toEqual({
      protecting: [7001],
      label: 'front',
    })
  })

  test('is applied from a saved plan, unless somebody has renamed it', async ({ skyctl, file, home, world }) => {
    const plan = join(home, 'plan.json')
    const path = file('a.yaml', data)
    expect(await skyctl(`plan ${path} --out ${plan}`)).toMatchObject({ exit: 0 })
    const volume = world.volumes.get(3001)
    if (!volume) throw new Error('the example has no volume')
    world.volumes.put({ ...volume, label: 'pgdata' })
    expect(await skyctl(`apply ${plan} --yes`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('the account has changed since the plan was made: volume "pgdata" (3001)'),
    })
    world.volumes.put(volume)
    expect(await skyctl(`apply ${plan} --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3001)).toMatchObject({ label: 'pgdata', size: 50 })
  })

  test.for<Fate>(['answer lost', 'request lost', 'unavailable', 'done, then 503'])(
    'is renamed once, even if apply runs again after failed requests: %s',
    async (fate, { skyctl, file, sandbox, world }) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      for (const _attempt of [1, 2, 3]) proxy.lose('PUT', '/volumes/3001', fate)
      const path = file('a.yaml', data)
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const count = world.volumes.all().length
      expect(await untilDone(() => skyctl(`apply ${path} --yes`, { env }), 3)).toMatchObject({ exit: 0 })
      await proxy.close()
      expect(world.volumes.get(3001)).toMatchObject({ label: 'pgdata', size: 50 })
      expect(world.volumes.all()).toHaveLength(count)
    },
  )

  test('gets its former label again when the apply is undone', async ({ skyctl, file, world }) => {
    const { stderr } = await skyctl(`apply ${file('a.yaml', 'volumes: { pgdata: { was: data-1 } }')} --yes`)
    const [, id] = /history undo --apply (\w+)/.exec(stderr) ?? []
    expect(await skyctl(`history undo --apply ${id} --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3001)?.label).toBe('data-1')
  })
})

test('a plan suggests "was" for a new volume that looks like one that --prune deletes', async ({
  skyctl,
  file,
  world,
}) => {
  const { id } = world.volume({ label: 'postgres', size: 30, tags: ['team'] })
  const path = file('a.yaml', 'owner: team\nvolumes:\n  pgdata: { size: 30, region: us-east }\n')
  expect((await skyctl(`plan ${path} --prune`)).stdout).toContain(
    `\n  volume "pgdata": it looks like volume "postgres" (${id}), which is in no file. To rename that one instead, add to its entry: was: "postgres" (${path}:3)\n`,
  )
})

test('apply deletes nothing while a former label names nothing', async ({ skyctl, file, world }) => {
  const { id } = world.volume({ label: 'postgres', size: 30, tags: ['team'] })
  const path = file('a.yaml', 'owner: team\nvolumes:\n  pgdata: { was: long-gone, region: us-east }\n')
  expect((await skyctl(`plan ${path}`)).stdout).toContain(
    `\n  volume "pgdata": no volume has the label "long-gone" of its "was", so this is a new volume (${path}:3)\n`,
  )
  const count = world.volumes.all().length
  expect(await skyctl(`apply ${path} --prune --yes`)).toMatchObject({
    exit: 5,
    stderr: expect.stringContaining(
      `${path}:3:13: volumes.pgdata.was: No volume has the label "long-gone", and the plan deletes volume "postgres" (${id}). Correct "was", or remove it`,
    ),
  })
  expect([world.volumes.all().length, world.volumes.get(id)?.label]).toEqual([count, 'postgres'])
})

describe('a plan for an exported file in which a key was renamed', () => {
  interface Case {
    kind: string
    noun: string
    old: string
    id: number
    command: string
  }
  const cases: readonly Case[] = [
    { kind: 'volumes', noun: 'volume', old: 'backup', id: 3004, command: 'volumes view 3004' },
    { kind: 'volumes', noun: 'volume', old: 'media', id: 3005, command: 'volumes view 3005' },
    { kind: 'firewalls', noun: 'firewall', old: 'web-strict', id: 4002, command: 'firewalls view 4002' },
    { kind: 'firewalls', noun: 'firewall', old: 'spare', id: 4005, command: 'firewalls view 4005' },
    { kind: 'sshkeys', noun: 'SSH key', old: 'desktop', id: 2, command: 'profile sshkeys view 2' },
  ]

  test.for(cases)(
    'names the object with the former label, and "was" renames it: $kind $old',
    async ({ kind, noun, old, id, command }, { skyctl, file }) => {
      const { stdout: exported } = await skyctl('export')
      const renamed = exported.replace(`\n  ${old}:\n`, '\n  archive:\n')
      const path = file('a.yaml', renamed)
      const line = renamed.split('\n').indexOf('  archive:') + 1
      const text = `it looks like ${noun} "${old}" (${id}), which is in no file. To rename that one instead, add to its entry: was: "${old}" (${path}:${line})`
      const plan = await skyctl(`plan ${path}`)
      expect(plan).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining(`\n  ${noun} "archive": ${text}\n1 to create`),
      })
      const { notes } = JSON.parse((await skyctl(`plan ${path} --json`)).stdout)
      expect(notes).toEqual([{ kind, noun, name: 'archive', text }])
      expect((await skyctl(`plan ${path} -o markdown`)).stdout).toContain(`\n${noun} "archive": ${text}\n`)
      expect((await skyctl(`plan ${path} -o html`)).stdout).toContain('which is in no file. To rename that one instead')

      file('a.yaml', renamed.replace('\n  archive:\n', `\n  archive:\n    was: "${old}"\n`))
      const { stdout, stderr } = await skyctl(`plan ${path}`)
      expect(stdout + stderr).toMatch(/\n1 to update; \d+ unchanged\n$/)
      expect(stdout).toContain(`~ ${noun} "archive" (${id})\n    renamed from "${old}"\n`)
      expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
      expect(JSON.parse((await skyctl(`${command} --json`)).stdout)).toMatchObject({ id, label: 'archive' })
    },
  )

  const entry = 'size: 500, region: us-ord, tags: [backup]'
  test.for<[what: string, file: string]>([
    ['is in the file', `archive: { ${entry} }, backup: {}`],
    ['has another size', `archive: { ${entry.replace('500', '400')} }`],
    ['is in another region', `archive: { ${entry.replace('us-ord', 'us-east')} }`],
    ['has other tags', `archive: { ${entry.replace('backup', 'copies')} }`],
    ['was attached in the file', `archive: { ${entry}, compute_id: 1003 }`],
    ['is renamed by another entry', `archive: { ${entry} }, copies: { was: backup }`],
  ])('names no object that %s', async ([, volumes], { skyctl, file }) => {
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', `volumes: { ${volumes} }`)}`)
    expect(exit).toBe(0)
    expect(stdout).toContain('+ volume "archive"')
    expect(stdout).not.toContain('looks like')
  })
})
