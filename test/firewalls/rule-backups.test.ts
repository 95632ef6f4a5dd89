/** Backups of replaced rules: their number, order and account (interface.md, rules undo). */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ruleSet, ssh } from '../support/firewall-rules'
import { test as base } from '../support/skyctl'

interface BackupFixtures {
  /** Adds a rule with this label to a firewall. */
  change(firewall: number, label: string, env?: Record<string, string | undefined>): Promise<void>
  /** Lists the accounts with backups, each with the names of its files. */
  backups(): Record<string, string[]>
}

const test = base.extend<BackupFixtures>({
  change: async ({ skyctl, world }, use) => {
    for (const id of [9100, 9200]) world.network.firewall({ id, label: `edge-${id}`, rules: ruleSet(ssh) as never })
    await use(async (firewall, label, env = {}) => {
      const line = `firewalls rules add ${firewall} inbound --action accept --protocol udp --port 53 --from 192.0.2.0/24`
      expect((await skyctl(`${line} --label ${label}`, { env })).exit).toBe(0)
    })
  },
  backups: async ({ home }, use) => {
    const folder = join(home, 'state/rules')
    const isBackup = (name: string) => name.startsWith('firewall-')
    await use(() =>
      Object.fromEntries(
        readdirSync(folder)
          .sort()
          .map((account) => [account, readdirSync(join(folder, account)).filter(isBackup).sort()]),
      ),
    )
  },
})

test('The last twenty backups of each firewall are kept', async ({ change, backups }) => {
  await change(9200, 'other')
  for (let count = 0; count < 19; count += 1) await change(9100, `rule-${count}`)
  const before = Object.values(backups()).flat()
  expect(before).toHaveLength(20)
  await change(9100, 'rule-19')
  expect(Object.values(backups()).flat()).toEqual(expect.arrayContaining(before))
  await change(9100, 'rule-20')
  const after = Object.values(backups()).flat()
  const [oldest] = before.filter((name) => name.startsWith('firewall-9100-'))
  expect(after).toHaveLength(21)
  expect(before.filter((name) => !after.includes(name))).toEqual([oldest])
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
    backups,
    skyctl,
    home,
    world,
  }) => {
    await change(9100, 'first')
    await change(9100, 'second')
    const [[account, names] = ['', []]] = Object.entries(backups())
    const path = join(home, 'state/rules', account, names.at(-1) ?? '')
    writeFileSync(path, '{"inbound":[]', { mode: 0o600 })
    const { exit, stderr } = await skyctl('firewalls rules undo 9100 --yes')
    expect({ exit, stderr }).toEqual({ exit: 12, stderr: expect.stringContaining(path) })
    expect(labels(world)).toEqual(['ssh', 'first', 'second'])
  })

  test('is undone despite other files in the folder', async ({ change, backups, skyctl, home, world }) => {
    await change(9100, 'first')
    const [account = ''] = Object.keys(backups())
    for (const name of ['firewall-9100-x.json', 'firewall-9100-20991231T000000.000Z.json.old', 'notes.txt'])
      writeFileSync(join(home, 'state/rules', account, name), '{}', { mode: 0o600 })
    expect((await skyctl('firewalls rules undo 9100 --yes')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh'])
  })
})

test('Backups are per account: per context, or per host if the token comes from the environment', async ({
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
  expect(Object.keys(backups())).toEqual([`lab@${host}`])
  await change(9100, 'second', { ...bare, SKYCTL_TOKEN: ownerToken })
  await change(9100, 'third')
  const count = Object.entries(backups()).map(([account, names]) => [account, names.length])
  expect(Object.fromEntries(count)).toEqual({ [host]: 2, [`lab@${host}`]: 1 })
})
