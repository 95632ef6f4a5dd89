/** `firewalls rules undo` restores the rules before the last change from this machine. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { failed } from './files/watched'
import { backupsIn } from './support/backups'
import { dns, ruleSet, ssh, web } from './support/firewall-rules'
import { badGateway, busy, type Fate, type Loss, loseAsBadGateway } from './support/lossy-proxy'
import { openTestSandbox } from './support/sandbox'
import { type Fixtures, test } from './support/skyctl'

const id = 9100
const arrange = ({ network }: Fixtures['world'], rules = ruleSet(ssh, web, dns), as = { id, label: 'edge' }) =>
  network.firewall({ ...as, rules })
const labels = ({ network }: Fixtures['world'], firewallId = id) =>
  network.firewalls.get(firewallId)?.rules.inbound.map(({ label }) => label)
const countPuts = (world: Fixtures['world']) => world.requests('PUT').length
describe('rules undo', () => {
  test('restores the rules before the last change, and can be undone itself', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    const { exit, stderr } = await skyctl('firewalls rules undo edge --yes')
    expect({ exit, stderr, now: labels(world) }).toEqual({
      exit: 0,
      stderr: `added    inbound 2: ACCEPT TCP 443 "web" from 203.0.113.0/24
Updated the rules of firewall "edge" (${id}). Undo with: skyctl firewalls rules undo ${id}
`,
      now: ['ssh', 'web', 'dns'],
    })
    await skyctl('firewalls rules undo edge --yes')
    expect(labels(world)).toEqual(['ssh', 'dns'])
  })

  test('asks, naming the firewall and the change', async ({ skyctl, world, clock }) => {
    arrange(world)
    const when = new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    const { exit, stderr } = await skyctl('firewalls rules undo edge')
    expect({ exit, puts: countPuts(world) }).toEqual({ exit: 2, puts: 1 })
    expect(stderr).toContain(`Undo the change of ${when} UTC to the rules of firewall "edge" (9100)? `)
    expect(stderr).toContain('--yes')
  })

  test('--dry-run sends nothing, and --json prints the rules', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    const dry = await skyctl('firewalls rules undo edge --dry-run --json')
    expect({ exit: dry.exit, puts: countPuts(world) }).toEqual({ exit: 0, puts: 1 })
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'PUT', body: ruleSet(ssh, web, dns) })
    const { stdout, stderr } = await skyctl('firewalls rules undo edge --yes --json')
    expect({ stdout: JSON.parse(stdout), stderr }).toEqual({ stdout: ruleSet(ssh, web, dns), stderr: '' })
  })

  test.for(['undo edge', 'undo'])(
    'fails with exit 5 without a change from this machine: %s',
    async (line, { skyctl, world }) => {
      arrange(world)
      const { exit, stderr } = await skyctl(`firewalls rules ${line} --yes`)
      expect({ exit, puts: countPuts(world) }).toEqual({ exit: 5, puts: 0 })
      expect(stderr).toContain('was made from this machine with this account')
    },
  )

  test('fails with the difference if another client has changed the rules since', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    arrange(world, ruleSet(ssh))
    const { exit, stderr } = await skyctl('firewalls rules undo edge --yes --json')
    expect({ exit, puts: countPuts(world) }).toEqual({ exit: 6, puts: 1 })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'changed',
      hint: expect.stringContaining('--force'),
      errors: [{ field: 'inbound', reason: expect.stringMatching(/^removed {2}inbound 2: .*"dns"/) }],
    })
    const plain = await skyctl('firewalls rules undo edge --force')
    expect({ exit: plain.exit, puts: countPuts(world) }).toEqual({ exit: 2, puts: 1 })
    const forced = await skyctl('firewalls rules undo edge --yes --force')
    expect(forced.exit).toBe(0)
    // The changes of others are printed before all changes of the undo.
    expect(forced.stderr).toMatch(/^Since then, .*\n.*removed {2}inbound 2.*\nUndoing all of it:\n.*added/s)
    expect(labels(world)).toEqual(['ssh', 'web', 'dns'])
  })

  test('sends nothing if the rules are already restored', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules undo edge --yes')
    expect({ exit, stderr, puts: countPuts(world) }).toEqual({
      exit: 0,
      stderr: 'No changes\n',
      puts: 1,
    })
  })
})

describe('rule backups', () => {
  test('of a firewall with the same id at another API are separate', async ({ skyctl, world, clock }) => {
    arrange(world)
    const other = await openTestSandbox({ clock })
    arrange(other.world)
    const env = { SKYCTL_BASE_URL: other.baseUrl, SKYCTL_TOKEN: other.ownerToken }
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    const { exit } = await skyctl('firewalls rules undo edge --yes', { env })
    await skyctl('firewalls rules remove edge inbound label:ssh --yes', { env })
    await skyctl('firewalls rules undo --yes')
    await other.close()
    expect({ exit, here: labels(world), there: labels(other.world) }).toEqual({
      exit: 5,
      here: ['ssh', 'web', 'dns'],
      there: ['web', 'dns'],
    })
  })

  test('belong to a user, whose contexts share them, also under another name', async ({
    skyctl,
    world,
    sandbox,
    env,
    home,
  }) => {
    arrange(world)
    const noCredentials = { ...env, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const run = (line: string, stdin?: string) => skyctl(line, { env: noCredentials, stdin })
    const other = world.token('*', world.users.all().find(({ username }) => username === 'restricted')?.id)
    for (const [name, token] of [
      ['one', sandbox.ownerToken],
      ['two', sandbox.ownerToken],
      ['other', other],
    ])
      await run(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, token)
    const { stderr } = await run('firewalls rules remove edge inbound label:web --yes --context one')
    expect(stderr).toContain(`Undo with: skyctl firewalls rules undo ${id} --context one\n`)
    expect((await run('firewalls rules undo --yes --context other')).exit).toBe(5)
    expect((await run('firewalls rules undo --yes --context two')).exit).toBe(0)
    await run('firewalls rules remove edge inbound label:dns --yes --context one')
    await run('context rename one three')
    expect((await run('firewalls rules undo --yes --context three')).exit).toBe(0)
    expect(labels(world)).toEqual(['ssh', 'web', 'dns'])
    expect(backupsIn(home)).toHaveLength(4)
  })

  test('of a change that the API refused are removed', async ({ skyctl, world, home }) => {
    arrange(world)
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    await skyctl('firewalls rules update edge --file - --yes --no-validate', {
      stdin: JSON.stringify({ inbound: [{ ...ssh, ports: '0' }] }),
    })
    expect(backupsIn(home)).toHaveLength(1)
  })

  test('are kept if the API does a change that it first refused as busy', async ({ skyctl, world, lossy, home }) => {
    arrange(world)
    lossy.lose('PUT', /\/rules$/, { done: false, reply: busy })
    expect(await skyctl('firewalls rules remove edge inbound label:web --yes')).toMatchObject({ exit: 0 })
    expect(backupsIn(home)).toHaveLength(1)
    expect(await skyctl('firewalls rules undo edge --yes')).toMatchObject({ exit: 0 })
    expect(labels(world)).toEqual(['ssh', 'web', 'dns'])
  })

  test.for<[what: string, fate: Fate | Loss]>([
    ['is lost', 'answer lost'],
    ['is 503', 'done, then 503'],
    ['is 502', { done: true, reply: badGateway }],
  ])('are kept if the API does a change whose answer %s', async ([, fate], { skyctl, world, lossy }) => {
    arrange(world)
    lossy.lose('PUT', /\/rules$/, fate)
    expect(await skyctl('firewalls rules remove edge inbound label:web --yes')).toMatchObject({ exit: 0 })
    expect(labels(world)).toEqual(['ssh', 'dns'])
    expect(await skyctl('firewalls rules undo edge --yes')).toMatchObject({ exit: 0 })
    expect(labels(world)).toEqual(['ssh', 'web', 'dns'])
  })

  test('are kept if it stays unknown whether the API has done the change', async ({ skyctl, world, lossy }) => {
    arrange(world)
    loseAsBadGateway(lossy)
    expect(await skyctl('firewalls rules remove edge inbound label:web --yes')).toMatchObject({ exit: 11 })
    expect(labels(world)).toEqual(['ssh', 'dns'])
    expect(await skyctl('firewalls rules undo edge --yes')).toMatchObject({ exit: 0 })
    expect(labels(world)).toEqual(['ssh', 'web', 'dns'])
  })

  test('that cannot be written cause a warning, and the change is made', async ({ skyctl, world, home }) => {
    arrange(world)
    // Simulates a read-only file system, since users can otherwise write to their own folders.
    vi.spyOn(fs, 'accessSync').mockImplementation(() => {
      throw failed('EROFS', 'read-only file system')
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    const { exit, stderr } = await skyctl('firewalls rules remove edge inbound label:web --yes')
    const failure = (name: string) => `cannot write to ${join(home, 'state', name)}: read-only file system\n`
    expect({ exit, now: labels(world) }).toEqual({ exit: 0, now: ['ssh', 'dns'] })
    expect(stderr).toContain(`skyctl: warning: the previous rules are not saved: ${failure('history')}`)
    expect(stderr).toContain(
      `skyctl: warning: another skyctl may change the same object meanwhile: ${failure('locks')}`,
    )
    expect(stderr).not.toContain('Undo with')
  })
})
