/** Copies of rules that were replaced: how many there are, in which order, and for which account (interface.md, rules undo). */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ruleSet, ssh } from '../support/firewall-rules'
import { test as base } from '../support/skyctl'

interface Kept {
  /** Changes the rules of a firewall so that they are others than before. */
  change(firewall: number, label: string, env?: Record<string, string | undefined>): Promise<void>
  /** The accounts of which copies are kept, each with the names of its files. */
  copies(): Record<string, string[]>
}

const test = base.extend<Kept>({
  change: async ({ skyctl, world }, use) => {
    for (const id of [9100, 9200]) world.network.firewall({ id, label: `edge-${id}`, rules: ruleSet(ssh) as never })
    await use(async (firewall, label, env = {}) => {
      const line = `firewalls rules add ${firewall} inbound --action accept --protocol udp --port 53 --from 192.0.2.0/24`
      expect((await skyctl(`${line} --label ${label}`, { env })).exit).toBe(0)
    })
  },
  copies: async ({ home }, use) => {
    const folder = join(home, 'state/rules')
    const isCopy = (name: string) => name.startsWith('firewall-')
    await use(() =>
      Object.fromEntries(
        readdirSync(folder)
          .sort()
          .map((account) => [account, readdirSync(join(folder, account)).filter(isCopy).sort()]),
      ),
    )
  },
})

test('of a firewall the last twenty are kept, whatever others have', async ({ change, copies }) => {
  await change(9200, 'other')
  for (let count = 0; count < 19; count += 1) await change(9100, `rule-${count}`)
  const before = Object.values(copies()).flat()
  expect(before).toHaveLength(20)
  await change(9100, 'rule-19')
  expect(Object.values(copies()).flat()).toEqual(expect.arrayContaining(before))
  await change(9100, 'rule-20')
  const after = Object.values(copies()).flat()
  const [oldest] = before.filter((name) => name.startsWith('firewall-9100-'))
  expect(after).toHaveLength(21)
  expect(before.filter((name) => !after.includes(name))).toEqual([oldest])
})

describe('the last change', () => {
  const labels = (world: { network: { firewalls: { get(id: number): unknown } } }) =>
    (world.network.firewalls.get(9100) as { rules: { inbound: { label: string }[] } }).rules.inbound.map(
      ({ label }) => label,
    )

  test.for([0, -3_600_000, 1000])(
    'is undone first, where the clock went by %i ms before it',
    async (by, { change, skyctl, clock, world }) => {
      await change(9100, 'first')
      clock.advance(by)
      await change(9100, 'second')
      expect((await skyctl('firewalls rules undo 9100 --yes')).exit).toBe(0)
      expect(labels(world)).toEqual(['ssh', 'first'])
    },
  )

  test('is that of any firewall where none is named', async ({ change, skyctl, world }) => {
    await change(9100, 'first')
    await change(9200, 'second')
    expect((await skyctl('firewalls rules undo --yes')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh', 'first'])
    expect((await skyctl('firewalls rules undo 9100 --yes')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh'])
  })

  test('is not undone from a copy that is damaged: another one is not taken for it', async ({
    change,
    copies,
    skyctl,
    home,
    world,
  }) => {
    await change(9100, 'first')
    await change(9100, 'second')
    const [[account, names] = ['', []]] = Object.entries(copies())
    const path = join(home, 'state/rules', account, names.at(-1) ?? '')
    writeFileSync(path, '{"inbound":[]', { mode: 0o600 })
    const { exit, stderr } = await skyctl('firewalls rules undo 9100 --yes')
    expect({ exit, stderr }).toEqual({ exit: 12, stderr: expect.stringContaining(path) })
    expect(labels(world)).toEqual(['ssh', 'first', 'second'])
  })

  test('is found beside files that are no copies', async ({ change, copies, skyctl, home, world }) => {
    await change(9100, 'first')
    const [account = ''] = Object.keys(copies())
    for (const name of ['firewall-9100-x.json', 'firewall-9100-20991231T000000.000Z.json.old', 'notes.txt'])
      writeFileSync(join(home, 'state/rules', account, name), '{}', { mode: 0o600 })
    expect((await skyctl('firewalls rules undo 9100 --yes')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh'])
  })
})

test('each account has its own: by its context, or by its host where anything comes from elsewhere', async ({
  change,
  copies,
  skyctl,
  sandbox,
}) => {
  const { ownerToken, baseUrl } = sandbox
  const bare = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  const host = encodeURIComponent(new URL(baseUrl).host)
  await skyctl(`auth login --context lab --with-token --base-url ${baseUrl}`, { stdin: ownerToken, env: bare })
  await change(9100, 'first', bare)
  expect(Object.keys(copies())).toEqual([`lab@${host}`])
  await change(9100, 'second', { ...bare, SKYCTL_TOKEN: ownerToken })
  await change(9100, 'third')
  const count = Object.entries(copies()).map(([account, names]) => [account, names.length])
  expect(Object.fromEntries(count)).toEqual({ [host]: 2, [`lab@${host}`]: 1 })
})
