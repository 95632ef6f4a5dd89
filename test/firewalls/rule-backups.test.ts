/** Backups of replaced rules: their number, order and account (interface.md, rules undo). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Backup, backupsIn, editBackup } from '../support/backups'
import { ruleSet, ssh } from '../support/firewall-rules'
import { test as base } from '../support/skyctl'

interface BackupFixtures {
  /** Adds a rule with this label to a firewall. */
  change(firewall: number, label: string, env?: Record<string, string | undefined>): Promise<void>
  backups(): Backup[]
}

const test = base.extend<BackupFixtures>({
  change: async ({ skyctl, world }, use) => {
    for (const id of [9100, 9200]) world.network.firewall({ id, label: `edge-${id}`, rules: ruleSet(ssh) as never })
    await use(async (firewall, label, env = {}) => {
      const line = `firewalls rules add ${firewall} inbound --action accept --protocol udp --port 53 --from 192.0.2.0/24`
      expect((await skyctl(`${line} --label ${label}`, { env })).exit).toBe(0)
    })
  },
  backups: async ({ home }, use) => use(() => backupsIn(home)),
})

test('The last twenty backups of each firewall last when the oldest file leaves, in their order', async ({
  change,
  backups,
  home,
  skyctl,
  world,
}) => {
  await change(9200, 'other')
  for (let count = 0; count < 22; count += 1) await change(9100, `rule-${count}`)
  const before = backups()
  expect(before).toHaveLength(23)
  expect((await skyctl('history clear --yes')).exit).toBe(0)
  const folder = join(home, 'state/history')
  const lines = readFileSync(join(folder, '0.ndjson'), 'utf8').trimEnd().split('\n')
  const ids = lines.map((line) => JSON.parse(line).id)
  expect(ids).toEqual([before[0], ...before.slice(-20)].map((backup) => backup?.id))
  expect(readdirSync(folder).sort()).toEqual(['0.ndjson', '2.ndjson'])
  expect((await skyctl('firewalls rules undo 9200 --yes')).exit).toBe(0)
  expect(world.network.firewalls.get(9200)?.rules).toEqual(ruleSet(ssh))
})

test('A dropped backup does not return when its file leaves', async ({ change, skyctl, home }) => {
  await change(9100, 'first')
  await skyctl('firewalls rules update 9100 --file - --yes --no-validate', {
    stdin: JSON.stringify({ inbound: [{ ...ssh, ports: '0' }] }),
  })
  expect((await skyctl('history clear --yes')).exit).toBe(0)
  expect(readFileSync(join(home, 'state/history/0.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(1)
})

describe('The last change', () => {
  const labels = (world: { network: { firewalls: { get(id: number): unknown } } }) =>
    (world.network.firewalls.get(9100) as { rules: { inbound: { label: string }[] } }).rules.inbound.map(
      ({ label }) => label,
    )

  test.for([0, -3_600_000, 1000])(
    'is undone first, even if the clock jumped before it: %i ms',
    async (by, { change, skyctl, clock, world }) => {
      await change(9100, 'first')
      clock.advance(by)
      await change(9100, 'second')
      expect((await skyctl('firewalls rules undo 9100 --yes')).exit).toBe(0)
      expect(labels(world)).toEqual(['ssh', 'first'])
    },
  )

  test('is that of any firewall if none is named', async ({ change, skyctl, world }) => {
    await change(9100, 'first')
    await change(9200, 'second')
    expect((await skyctl('firewalls rules undo --yes')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh', 'first'])
    expect((await skyctl('firewalls rules undo 9100 --yes')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh'])
  })

  test('is not undone if its backup is damaged, and neither is an earlier one', async ({
    change,
    skyctl,
    home,
    world,
  }) => {
    await change(9100, 'first')
    await change(9100, 'second')
    editBackup(home, (backup) => ({ ...backup, before: [] }))
    const { exit, stderr } = await skyctl('firewalls rules undo 9100 --yes')
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: 'skyctl: the backup of the rules of firewall 9100 is damaged\n',
    })
    expect(labels(world)).toEqual(['ssh', 'first', 'second'])
  })

  test('is undone with the history turned off', async ({ change, skyctl, world }) => {
    await change(9100, 'first', { SKYCTL_HISTORY: '0' })
    expect((await skyctl('history list --json')).stdout).toBe('[]\n')
    expect((await skyctl('firewalls rules undo 9100 --yes', { env: { SKYCTL_HISTORY: '0' } })).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh'])
  })
})

test('Backups are per service, whatever the context or the variables that name it', async ({
  change,
  backups,
  skyctl,
  sandbox,
}) => {
  const { ownerToken, baseUrl } = sandbox
  const bare = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  const host = encodeURIComponent(new URL(baseUrl).host)
  await skyctl(`auth login --context lab --with-token --base-url ${baseUrl}`, { stdin: ownerToken, env: bare })
  await change(9100, 'first', bare)
  expect(backups().map(({ account }) => account)).toEqual([host])
  await change(9100, 'second', { ...bare, SKYCTL_TOKEN: ownerToken })
  await change(9100, 'third')
  expect(backups().map(({ account }) => account)).toEqual([host, host, host])
})
