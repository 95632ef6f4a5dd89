/** Records that lack a part by which commands decide: they are named and left unchanged, and all others go on. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openingRule } from '../src/firewall/temporary-opening'
import { rulesOf, ruleThat } from './support/firewall-rules'
import { openProxy } from './support/proxy'
import { test as base } from './support/skyctl'

interface Broken {
  /** Starts a service whose answers lack a key of some objects. */
  broken(lacks: (record: Record<string, unknown>) => string | undefined): Promise<void>
}

const test = base.extend<Broken>({
  broken: async ({ sandbox, world, env }, use) => {
    for (const label of ['broken', 'sound'])
      world.network.firewall({ label, rules: rulesOf([ruleThat({ label: 'ssh' })]) } as never)
    const ends: (() => Promise<void>)[] = []
    await use(async (lacks) => {
      const change = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(change)
        if (typeof value !== 'object' || value === null) return value
        const missing = lacks(value as Record<string, unknown>)
        return Object.fromEntries(
          Object.entries(value).flatMap(([key, one]) => (key === missing ? [] : [[key, change(one)]])),
        )
      }
      const proxy = await openProxy(sandbox.baseUrl, { change })
      ends.push(proxy.close)
      env.SKYCTL_BASE_URL = proxy.baseUrl
    })
    for (const end of ends) await end()
  },
})

/** Removes the action of the rules of the firewall `broken`: it has another port. */
const withoutAction = (record: Record<string, unknown>) => (record.ports === '2222' ? 'action' : undefined)

const reason = 'cannot be read: rules.inbound[0].action is missing'

describe('A firewall with a rule without action', () => {
  const arrange = test.extend<{ account: string }>({
    account: async ({ world, broken, skyctl, home }, use) => {
      const file = join(home, 'account.yaml')
      await broken(withoutAction)
      writeFileSync(file, (await skyctl('export firewalls volumes')).stdout)
      const firewall = world.network.firewalls.all().find(({ label }) => label === 'broken')
      const rules = rulesOf([ruleThat({ label: 'ssh', ports: '2222' })])
      if (firewall) world.network.firewalls.put({ ...firewall, rules } as never)
      await use(file)
    },
  })

  arrange('is named at the end of an export, which has all others', async ({ account: _, skyctl }) => {
    const { exit, stdout, stderr } = await skyctl('export firewalls')
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringMatching(/firewall "broken" \(\d+\) cannot be/) })
    expect(stderr).toContain(reason)
    expect(stdout).toContain('  sound:\n')
    expect(stdout).not.toContain('  broken:\n')
  })

  arrange('is left unchanged by plan and apply, which go on', async ({ account, skyctl, world }) => {
    writeFileSync(account, readFileSync(account, 'utf8').replaceAll('label: ssh', 'label: shell'))
    const only = ['--only', 'firewalls/broken', '--only', 'firewalls/sound']
    const plan = await skyctl(['plan', account, ...only])
    expect(plan).toMatchObject({ exit: 9, stdout: expect.stringContaining('label ssh -> shell') })
    expect(plan.stdout.replaceAll(/\s+/g, ' ')).toContain(reason)
    const apply = await skyctl(['apply', account, '--yes', ...only])
    expect(apply).toMatchObject({ exit: 9, stderr: expect.stringContaining(reason) })
    const labels = world.network.firewalls.all().map(({ label, rules }) => [label, rules.inbound[0]?.label])
    expect(Object.fromEntries(labels)).toMatchObject({ sound: 'shell', broken: 'ssh' })
    expect(labels.filter(([label]) => label === 'broken')).toHaveLength(1)
  })

  arrange('is no failure of a plan whose files do not have it', async ({ account: _, skyctl }) => {
    const file = JSON.stringify({ firewalls: { sound: { tags: [] } } })
    const { exit, stdout } = await skyctl('plan -', { stdin: file })
    expect({ exit, note: stdout.replaceAll(/\s+/g, ' ') }).toEqual({ exit: 0, note: expect.stringContaining(reason) })
  })

  arrange('is named by rules add, which changes the firewalls after it', async ({ account: _, skyctl, world }) => {
    const line = 'firewalls rules add broken sound inbound --action drop --protocol icmp --from 192.0.2.0/24'
    const { exit, stderr } = await skyctl(`${line} --yes --concurrency 1`)
    expect({ exit, stderr }).toEqual({
      exit: 9,
      stderr: expect.stringMatching(/^skyctl: broken: .*inbound\[\d\]\.action is missing/m),
    })
    const counts = world.network.firewalls.all().map(({ label, rules }) => [label, rules.inbound.length])
    expect(Object.fromEntries(counts)).toMatchObject({ sound: 2, broken: 1 })
  })

  arrange('is named by a sweep, which closes expired openings after it', async ({ account: _, skyctl, world }) => {
    for (const firewall of world.network.firewalls.all()) {
      if (!['broken', 'sound'].includes(firewall.label)) continue
      const opening = openingRule(ruleThat({ ports: '443' }), { mark: '0123456789abcdef', until: 0 })
      const inbound = [opening, ...firewall.rules.inbound]
      world.network.firewalls.put({ ...firewall, rules: { ...firewall.rules, inbound } } as never)
    }
    const dry = await skyctl('firewalls close --expired --concurrency 1 --dry-run --json')
    expect(dry).toMatchObject({ exit: 9, stdout: expect.stringContaining('"PUT"') })
    const { exit, stderr } = await skyctl('firewalls close --expired --concurrency 1')
    expect({ exit, stderr }).toEqual({
      exit: 9,
      stderr: expect.stringMatching(/^skyctl: broken: .*inbound\[\d\]\.action is missing/m),
    })
    expect(stderr).toContain('of firewall "sound"')
    const counts = world.network.firewalls.all().map(({ label, rules }) => [label, rules.inbound.length])
    expect(Object.fromEntries(counts)).toMatchObject({ sound: 1, broken: 2 })
  })

  arrange('is named by firewalls openings, which lists those of the others', async ({ account: _, skyctl, world }) => {
    const sound = world.network.firewalls.all().find(({ label }) => label === 'sound')
    const opening = openingRule(ruleThat({ ports: '443' }), { mark: '0123456789abcdef', until: 0 })
    world.network.firewalls.put({ ...sound, rules: { ...sound?.rules, inbound: [opening] } } as never)
    const { exit, stdout, stderr } = await skyctl('firewalls openings --quiet')
    expect({ exit, stdout, stderr }).toEqual({
      exit: 9,
      stdout: '0123456789abcdef\n',
      stderr: expect.stringMatching(/^skyctl: broken: .*inbound\[\d\]\.action is missing/m),
    })
  })

  arrange.for(['audit', 'overview'])(
    'is named by %s, which reports on all others',
    async (line, { account: _, skyctl }) => {
      const { exit, stdout, stderr } = await skyctl(line)
      expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining(reason) })
      expect(stdout).toContain('web')
      const json = await skyctl(`${line} --json`)
      expect(json.exit).toBe(9)
      expect(json.stdout).toContain('cannot be read: rules.inbound[0].action is missing')
    },
  )
})

describe('A volume without a label', () => {
  test('may be any, so that no volume is created, and existing ones are changed', async ({ broken, skyctl, world }) => {
    const [first] = world.volumes.all()
    await broken(({ filesystem_path, id }) => (filesystem_path !== undefined && id === first?.id ? 'label' : undefined))
    const count = world.volumes.all().length
    const [, second] = world.volumes.all()
    const file = JSON.stringify({
      volumes: { [String(first?.label)]: { region: 'us-east', size: 20 }, [String(second?.label)]: { tags: ['new'] } },
    })
    const { exit, stderr } = await skyctl('apply - --yes', { stdin: file })
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining('cannot be read: label is missing') })
    expect(world.volumes.all()).toHaveLength(count)
    expect(world.volumes.get(Number(second?.id))?.tags).toEqual(['new'])
  })

  test('is named at the end of an export', async ({ broken, skyctl, world }) => {
    const [first] = world.volumes.all()
    await broken(({ filesystem_path, id }) => (filesystem_path !== undefined && id === first?.id ? 'label' : undefined))
    expect(await skyctl('export volumes')).toMatchObject({
      exit: 9,
      stdout: expect.stringContaining('volumes:'),
      stderr: expect.stringContaining(`volume (${first?.id}) cannot be read: label is missing; left unchanged`),
    })
  })
})
