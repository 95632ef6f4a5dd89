/** `history undo --apply`: a plan from the account as it is now to the state before the apply (state.md, For teams). */
import { describe, expect } from 'vitest'
import { test as base } from './support/account-files'
import { dropBackups } from './support/backups'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { refusal } from './support/lossy-proxy'
import type { World } from './support/sandbox'
import type { Options, Result } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const address = '203.0.113.200'

interface Fixtures {
  /** Applies a file and returns the id of that apply. */
  apply(text: string, options?: Options): Promise<string>
  /** Applies a file; the service drops the connection of these later requests. */
  applyThenDrop(text: string, drops: (request: { method: string; path: string }) => boolean): Promise<string>
  undo(id: string, flags?: string, options?: Options): Promise<Result>
  /** Returns the current state of everything that the file names. */
  current(): unknown
}

const test = base.extend<Fixtures>({
  apply: async ({ skyctl }, use) =>
    use(async (text, options) => {
      const { exit, stderr } = await skyctl('apply - --yes', { stdin: text, ...options })
      expect({ exit, stderr }).toMatchObject({ exit: 0 })
      return /history undo --apply ([0-9a-f]{8})$/m.exec(stderr)?.[1] ?? ''
    }),
  applyThenDrop: async ({ apply, meanwhile, env }, use) =>
    use(async (text, drops) => {
      let dropping = false
      await meanwhile({ before: (request) => dropping && drops(request) && 'drop' })
      env.SKYCTL_RETRIES = '0'
      const id = await apply(text)
      dropping = true
      return id
    }),
  undo: async ({ skyctl }, use) =>
    use((id, flags = '--yes', options = {}) => skyctl(`history undo --apply ${id} ${flags}`, options)),
  current: async ({ world }, use) => use(() => currentState(world)),
})

function currentState({ volumes, network, users }: World) {
  return {
    tags: volumes.get(7001)?.tags,
    rules: network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label),
    firewallTags: network.firewalls.get(9100)?.tags,
    devices: devicesIn({ network }),
    rdns: network.addresses.all().find((one) => one.address === address)?.rdns,
    timezone: users.get(1)?.timezone,
  }
}

/** Returns a line for each protected service: `9100: compute 1003`. */
function devicesIn({ network }: Pick<World, 'network'>): string[] {
  const mine = network.devices.all().filter(({ firewall }) => firewall >= 9100)
  return mine.map(({ firewall, type, entity }) => `${firewall}: ${type} ${entity}`).sort()
}

function arrange(world: World): void {
  for (const device of world.network.devices.all()) world.network.devices.delete(device.id)
  world.volume({ id: 7001, label: 'data', tags: ['a'] })
  world.network.firewall({ id: 9100, label: 'edge', tags: ['a'], rules: ruleSet(ssh, web) })
  world.network.firewall({ id: 9101, label: 'core', rules: ruleSet(ssh) })
  world.network.device(9100, 'compute', 1001)
  world.network.device(9101, 'compute', 1002)
  world.network.address({ address, compute_id: 1001, rdns: 'www.example.net' })
}

const file = `
volumes: { data: { tags: [b] } }
firewalls:
  edge: { tags: [b], rules: { inbound: [] }, devices: { computes: [1002] } }
  core: { devices: { computes: [1001] } }
rdns: { ${address}: mail.example.net }
profile: { timezone: Asia/Tokyo }
`

describe('an apply', () => {
  test('is undone as a whole, and so is the undo', async ({ world, apply, undo, current }) => {
    arrange(world)
    const before = current()
    const id = await apply(file)
    const after = current()
    expect(after).toEqual({
      tags: ['b'],
      rules: [],
      firewallTags: ['b'],
      devices: ['9100: compute 1002', '9101: compute 1001'],
      rdns: 'mail.example.net',
      timezone: 'Asia/Tokyo',
    })
    const { exit, stdout, stderr } = await undo(id)
    expect({ exit, stdout, now: current() }).toEqual({ exit: 0, stdout: '', now: before })
    expect(stderr).toMatch(/^(\d+) of \1 changes of apply [0-9a-f]{8} undone$/m)
    const again = /Undo with: skyctl history undo --apply ([0-9a-f]{8})$/m.exec(stderr)?.[1] ?? ''
    expect(again).not.toBe(id)
    expect((await undo(again)).exit).toBe(0)
    expect(current()).toEqual(after)
  })

  test('has one id on all its changes, shown by history list', async ({ skyctl, world, apply }) => {
    arrange(world)
    await skyctl('volumes update data --tag x')
    const id = await apply(file)
    const records = json((await skyctl('history list --json')).stdout)
    expect(new Set(records.slice(0, -1).map(({ apply }: { apply: string }) => apply))).toEqual(new Set([id]))
    expect(records.at(-1).apply).toBeNull()
    expect((await skyctl('history list')).stdout).toContain(id)
    expect(json((await skyctl('history view 2 --json')).stdout).apply).toBe(id)
  })

  test('is undone in the order of safety: each service is released and claimed at once, then the rest', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply(file)
    const count = world.requests().length
    expect((await undo(id)).exit).toBe(0)
    const sent = world
      .requests()
      .slice(count)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/devices\/\d+$/, 'devices')}`)
    const [edge, core] = ['/networking/firewalls/9100', '/networking/firewalls/9101']
    const moves = sent.filter((request) => request.includes('/devices'))
    expect([moves.slice(0, 2), moves.slice(2)].sort()).toEqual(
      [
        [`DELETE ${edge}/devices`, `POST ${core}/devices`],
        [`DELETE ${core}/devices`, `POST ${edge}/devices`],
      ].sort(),
    )
    // The instance comes back to rules that are restored before.
    expect(sent.indexOf(`PUT ${edge}/rules`)).toBe(0)
    expect(sent.indexOf('PUT /volumes/7001')).toBeGreaterThan(sent.indexOf(`POST ${core}/devices`))
  })

  test('is previewed before its undo, which sends nothing with --dry-run', async ({ world, apply, undo, current }) => {
    arrange(world)
    const id = await apply(file)
    const after = current()
    const dry = await undo(id, '--dry-run')
    expect({ exit: dry.exit, now: current() }).toEqual({ exit: 0, now: after })
    expect(dry.stderr).toContain(`Undo of apply ${id}:\n`)
    expect(dry.stderr).toContain('tags: b -> a')
    expect(dry.stderr).toMatch(/added {4}inbound 1: /)
    expect(dry.stderr).toContain('no longer protects compute 1002')
    expect(dry.stderr).toContain(
      'unprotects: compute 1002 is open to all traffic for a moment, until firewall "core" protects it',
    )
    const requests = json((await undo(id, '--dry-run --json')).stdout)
    expect(requests).toContainEqual({ method: 'PUT', path: '/volumes/7001', body: { tags: ['a'] } })
    expect(requests).toContainEqual({
      method: 'POST',
      path: '/networking/firewalls/9101/devices',
      body: { id: 1002, type: 'compute' },
    })
    const unconfirmed = await undo(id, '')
    expect({ exit: unconfirmed.exit, now: current() }).toEqual({ exit: 2, now: after })
    expect(unconfirmed.stderr).toMatch(
      /Undo change \d+ \(.* and \d+ more of apply [0-9a-f]{8}\? This must be confirmed/,
    )
  })

  test('is undone in part: the rest is listed with the command to reverse it, and the exit code is 9', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply('volumes: { data: { tags: [b] }, fresh: { region: us-east } }')
    const fresh = world.volumes.all().find(({ label }) => label === 'fresh')?.id
    const { exit, stdout, stderr } = await undo(id, '--yes --json')
    expect({ exit, tags: world.volumes.get(7001)?.tags, fresh: world.volumes.get(fresh ?? 0)?.label }).toEqual({
      exit: 9,
      tags: ['a'],
      fresh: 'fresh',
    })
    const reason = `It is billed until it is deleted: skyctl volumes delete ${fresh}`
    expect(json(stdout)).toMatchObject({
      apply: id,
      changed: true,
      changes: expect.arrayContaining([
        expect.objectContaining({ id: '7001', outcome: 'undone' }),
        expect.objectContaining({ id: String(fresh), outcome: 'left', reason }),
      ]),
    })
    expect(json(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({ code: 'some_failed', exit_code: 9 })
    const rows = (await undo(id, '--yes -o csv')).stdout
    expect(rows).toMatch(new RegExp(`^number,kind,id,label,outcome\\n(.*\\n)*\\d+,volume,${fresh},fresh,left\\n`))
    expect((await undo(id)).stderr).toContain(reason)
  })

  test('does not advise to delete or detach what later changes have deleted or detached', async ({
    skyctl,
    apply,
    undo,
  }) => {
    await apply('{ volumes: { fresh: { region: us-east }, data-2: { compute_id: 1001 } } }')
    const [{ apply: id }] = json((await skyctl('history list --json')).stdout)
    expect((await undo(id)).exit).toBe(9)
    expect(await skyctl('volumes delete fresh --yes')).toMatchObject({ exit: 0 })
    expect((await undo(id)).exit).toBe(9)
    expect(await skyctl('volumes detach data-2 --yes')).toMatchObject({ exit: 0 })
    expect(await undo(id)).toMatchObject({ exit: 0, stderr: `No changes: everything is as before apply ${id}\n` })
    const document = json((await undo(id, '--yes --json')).stdout)
    expect(document.changes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['unchanged', 'unchanged'])
    const records = json((await skyctl('history list --json')).stdout).filter((one: { apply: unknown }) => one.apply)
    const [deletion, detachment] = ['It was deleted by change 3', 'It was detached by change 4']
    expect(records.map(({ no_undo }: { no_undo: string }) => no_undo).sort()).toEqual([deletion, detachment])
    for (const { number, no_undo } of records) {
      expect(json((await skyctl(`history view ${number} --json`)).stdout).no_undo).toBe(no_undo)
      const { exit, stderr } = await skyctl(`history undo ${number} --yes`)
      expect({ exit, stderr }).toEqual({
        exit: 6,
        stderr: `skyctl: change ${number} cannot be undone: ${no_undo.replace('It', 'it')}\n`,
      })
    }
    expect((await skyctl('history undo --yes')).stderr).not.toMatch(/volumes (delete|detach)/)
  })

  test('reports in advance how many of its changes have no undo', async ({ skyctl, world, undo }) => {
    arrange(world)
    const apply = (stdin: string) => skyctl('apply - --yes', { stdin })
    const none = await apply('volumes: { data: { size: 50 }, fresh: { region: us-east } }')
    expect({ exit: none.exit, stderr: none.stderr }).toEqual({ exit: 0, stderr: expect.not.stringContaining('undo') })
    const some = await apply('volumes: { data: { tags: [b] }, other: { region: us-east } }')
    const [, id = ''] =
      /^1 of 2 changes has no automatic undo\. Undo the rest with: .* --apply (\w+)$/m.exec(some.stderr) ?? []
    const { exit, stderr } = await undo(id)
    // The reasons are printed twice: before anything is sent, and in the error.
    expect({ exit, reasons: stderr.match(/It is billed until it is deleted/g) }).toEqual({
      exit: 9,
      reasons: [expect.anything(), expect.anything()],
    })
    expect((await undo(id, '--dry-run')).stderr).toContain('It is billed until it is deleted')
    const all = await apply('volumes: { data: { tags: [c] } }')
    expect(all.stderr).toMatch(/^Undo with: skyctl history undo --apply \w+$/m)
  })

  test('has changes without undo, which are listed before anything is sent, even without a question', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply('volumes: { data: { tags: [b] }, fresh: { region: us-east } }')
    const heading = '1 of 2 will not be undone:'
    const refused = await undo(id, '')
    expect(refused).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/^1 of 2 will not be undone:\n {2}change \d/m),
    })
    const scripted = (await undo(id, '--json')).stderr.trimEnd().split('\n').map(json)
    expect(scripted).toMatchObject([
      { warning: { message: expect.stringContaining(heading) } },
      { error: { exit_code: 2 } },
    ])
    const [lists, billed, undone] = [heading, 'It is billed until', '1 of 2 changes of apply']
    const { stderr } = await undo(id)
    const places = [lists, billed, undone].map((text) => stderr.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test('is not undone without --force if something has changed since', async ({ world, apply, undo, current }) => {
    arrange(world)
    const before = current()
    const id = await apply(file)
    const volume = world.volumes.get(7001)
    if (volume) world.volumes.put({ ...volume, tags: ['third'] })
    const sent = world.requests().filter(({ method }) => method !== 'GET').length
    for (const flags of ['--yes', '--yes --dry-run']) {
      const { exit, stderr } = await undo(id, `${flags} --json`)
      expect({ exit, code: json(stderr.trimEnd().split('\n').at(-1) ?? '').error.code }).toEqual({
        exit: 6,
        code: 'changed',
      })
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toHaveLength(sent)
    expect((await undo(id, '--yes --force')).exit).toBe(0)
    expect(current()).toEqual(before)
  })

  test('is not undone if a single rule has changed since', async ({ world, apply, undo, current }) => {
    arrange(world)
    const id = await apply('firewalls: { edge: { rules: { inbound: [] } } }')
    const edge = world.network.firewalls.get(9100)
    if (edge) world.network.firewalls.put({ ...edge, rules: { ...edge.rules, inbound: [web] } } as never)
    const { exit, stderr } = await undo(id)
    expect({ exit, current: current() }).toMatchObject({ exit: 6, current: { rules: ['web'] } })
    expect(stderr).toContain('the rules of firewall "edge" (9100) were changed since change 1')
  })

  test('is not undone if that blocks --keep-open traffic, nor with --dry-run', async ({
    world,
    apply,
    undo,
    current,
  }) => {
    arrange(world)
    const wider = { ...ssh, ports: '2222', label: 'wider' }
    const rules = ruleSet(ssh, web, wider)
    const id = await apply(JSON.stringify({ volumes: { data: { tags: ['b'] } }, firewalls: { edge: { rules } } }))
    const after = current()
    const from = wider.addresses.ipv4?.[0]?.split('/')[0]
    for (const flags of ['--yes', '--dry-run']) {
      const { exit, stderr } = await undo(id, `${flags} --keep-open tcp/2222@${from}`)
      expect({ exit, stderr, current: current() }).toEqual({
        exit: 6,
        stderr: expect.stringContaining(`tcp/2222 from ${from} would be blocked at `),
        current: after,
      })
    }
    expect((await undo(id, `--yes --keep-open tcp/2222@${from} --allow-lockout`)).exit).toBe(0)
  })

  test('is undone with no changes if everything is as before already', async ({ world, apply, undo }) => {
    arrange(world)
    const id = await apply(file)
    await undo(id)
    const sent = world.requests().filter(({ method }) => method !== 'GET').length
    const { exit, stderr } = await undo(id)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `No changes: everything is as before apply ${id}\n` })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toHaveLength(sent)
  })

  test('is not undone in any part if one part cannot be read', async ({ world, apply, undo, lossy, current }) => {
    arrange(world)
    const id = await apply(file)
    const after = current()
    const sent = world.requests('PUT').length
    lossy.lose('GET', /^\/volumes(\?|$)/, { done: false, reply: refusal })
    const { exit } = await undo(id)
    expect({ exit, pending: lossy.pending(), current: current() }).toEqual({ exit: 6, pending: 0, current: after })
    expect(world.requests('PUT')).toHaveLength(sent)
  })

  test('of another user is not undone', async ({ world, apply, undo, current }) => {
    arrange(world)
    const id = await apply(file)
    const after = current()
    const { exit, stderr } = await undo(id, '--yes', { env: { SKYCTL_TOKEN: world.token('*', 3) } })
    expect({ exit, now: current() }).toEqual({ exit: 6, now: after })
    expect(stderr).toContain('made by user "owner" (1)')
  })

  test('that moved a service and kept it in a disabled firewall leaves it protected when undone', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const before = devicesIn(world)
    const keeping =
      'firewalls: { edge: { status: disabled, devices: { computes: [1001] } }, core: { devices: { computes: [1002, 1001] } } }'
    const id = await apply(keeping)
    expect(devicesIn(world)).toEqual(['9100: compute 1001', '9101: compute 1001', '9101: compute 1002'])
    const shown = await undo(id, '')
    const { exit, stderr, stdout } = await undo(id, '--yes -o csv')
    expect({ exit, devices: devicesIn(world), status: world.network.firewalls.get(9100)?.status }).toEqual({
      exit: 0,
      devices: before,
      status: 'enabled',
    })
    expect(stderr).toContain(`4 of 4 changes of apply ${id} undone`)
    expect(stdout).not.toMatch(/failed|left/)
    for (const text of [shown.stderr, stderr])
      expect(text).toContain('compute 1001 is open to all traffic for a moment, until firewall "edge" protects it')
  })

  test('has the consequences of its undo as warnings for scripts that read JSON', async ({ world, apply, undo }) => {
    arrange(world)
    const id = await apply('firewalls: { edge: { devices: { computes: [1001, 1003] } } }')
    const warnings = (await undo(id, '--yes --json')).stderr.trimEnd().split('\n').map(json)
    expect(warnings).toMatchObject([
      { warning: { message: 'firewall "edge" (9100): unprotects: compute 1003 is open to all traffic' } },
    ])
  })

  test('is undone from the account as it is now: what others have assigned since stays', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply('firewalls: { edge: { status: disabled, devices: { computes: [1001, 1003] } } }')
    world.network.device(9100, 'compute', 1004)
    expect(await undo(id)).toMatchObject({ exit: 0 })
    expect(devicesIn(world)).toEqual(['9100: compute 1001', '9100: compute 1004', '9101: compute 1002'])
  })

  test('leaves a service with the firewall that somebody has moved it to since, and undoes the rest', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply(`volumes: { data: { tags: [b] } }\n${move}`)
    const device = world.network.devicesOf(9101).find(({ entity }) => entity === 1001)
    world.network.devices.delete(device?.id ?? 0)
    const third = world.network.firewall({ id: 9102, label: 'third', rules: ruleSet(ssh) })
    world.network.device(third.id, 'compute', 1001)
    const { exit, stderr } = await undo(id)
    expect({ exit, devices: devicesIn(world), tags: world.volumes.get(7001)?.tags }).toEqual({
      exit: 9,
      devices: ['9101: compute 1002', '9102: compute 1001'],
      tags: ['a'],
    })
    expect(stderr).toContain('compute 1001 is protected by firewall "third", and only one that is enabled can be')
  })

  test('that enabled a firewall is undone, too', async ({ world, apply, undo }) => {
    arrange(world)
    const edge = world.network.firewalls.get(9100)
    if (edge) world.network.firewalls.put({ ...edge, status: 'disabled' })
    const id = await apply('firewalls: { edge: { status: enabled } }')
    expect(await undo(id)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(9100)?.status).toBe('disabled')
  })

  test('that replaced a balancer, which another firewall has got, is undone in one run', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    for (const id of [8001, 8002]) world.balancers.add({ id, label: `lb-${id}`, region: 'us-east' })
    world.network.device(9100, 'balancer', 8001)
    const before = devicesIn(world)
    const id = await apply(
      'firewalls: { edge: { devices: { balancers: [8002] } }, core: { devices: { balancers: [8001] } } }',
    )
    expect(await undo(id)).toMatchObject({ exit: 0 })
    expect(devicesIn(world)).toEqual(before)
  })

  test('does not open again what was open for a while, and keeps what is open now', async ({
    skyctl,
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply('firewalls: { edge: { rules: { inbound: [] } } }')
    expect(await skyctl('firewalls open edge --port 2222 --from 198.51.100.7 --for 30m --yes')).toMatchObject({
      exit: 0,
    })
    expect(await undo(id)).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('changed since') })
    const labels = world.network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)
    expect(labels).toEqual([expect.stringContaining('open until'), 'ssh', 'web'])
  })

  const move = 'firewalls: { edge: { devices: { computes: [] } }, core: { devices: { computes: [1002, 1001] } } }'

  test('leaves an instance with its new firewall if the former one is deleted', async ({ world, apply, undo }) => {
    arrange(world)
    const id = await apply(move)
    world.network.firewalls.delete(9100)
    const { exit, stderr } = await undo(id)
    expect({ exit, devices: devicesIn(world).slice(-2) }).toEqual({
      exit: 9,
      devices: ['9101: compute 1001', '9101: compute 1002'],
    })
    expect(stderr).toContain(
      'Without it, no firewall would protect compute 1001: skyctl firewalls devices delete 9101 ',
    )
  })

  test('leaves an instance with its new firewall if attaching the former one fails', async ({
    world,
    applyThenDrop,
    undo,
  }) => {
    arrange(world)
    const id = await applyThenDrop(move, ({ method, path }) => method === 'POST' && path.includes('/9100/'))
    const { exit, stderr } = await undo(id)
    expect({ exit, devices: devicesIn(world) }).toEqual({
      exit: 9,
      devices: ['9101: compute 1001', '9101: compute 1002'],
    })
    expect(stderr).toContain('compute 1001: ')
    expect(stderr).not.toContain('no firewall protects')
  })

  test('names the command that protects an instance after both attachments fail', async ({
    world,
    applyThenDrop,
    undo,
  }) => {
    arrange(world)
    const id = await applyThenDrop(move, ({ method }) => method === 'POST')
    const { exit, stdout, stderr } = await undo(id, '--yes --json')
    expect({ exit, devices: devicesIn(world) }).toEqual({ exit: 9, devices: ['9101: compute 1002'] })
    const outcomes = json(stdout).changes.map(({ outcome }: { outcome: string }) => outcome)
    expect(outcomes).toEqual(['undone', 'failed'])
    expect(json(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      message: expect.stringContaining('no firewall protects compute 1001 now'),
      hint: `Restore the protection: run skyctl history undo --apply ${id} again`,
    })
  })

  test('asks with the changes that remain, that are overwritten and that leave services unprotected', async ({
    world,
    apply,
    undo,
  }) => {
    arrange(world)
    const id = await apply(
      'volumes: { data: { tags: [b] }, fresh: { region: us-east } }\n' +
        'firewalls: { edge: { devices: { computes: [1001, 1003] } } }',
    )
    const volume = world.volumes.get(7001)
    if (volume) world.volumes.put({ ...volume, tags: ['third'] })
    const { exit, stderr } = await undo(id, '--force')
    expect({ exit, tags: world.volumes.get(7001)?.tags }).toEqual({ exit: 2, tags: ['third'] })
    expect(stderr).toContain('Changes since then will be lost. No firewall will protect compute 1003. Undo')
    const question = stderr.trimEnd().split('\n').at(-1)
    expect(question).toMatch(new RegExp(` of apply ${id}\\? This must be confirmed`))
    expect(question).toMatch(/change \d \(volume "data" \(7001\)\)/)
    expect(question).toMatch(/change \d \(firewall "edge" \(9100\) at compute 1003\)/)
    const error = json((await undo(id, '--yes --json')).stderr.trimEnd().split('\n').at(-1) ?? '').error
    const reason = expect.stringMatching(/^volume "data" \(7001\) was changed since change \d$/)
    expect(error).toMatchObject({
      errors: [{ field: 'volume "data" (7001)', reason }],
      hint: 'To undo the apply anyway, add --force',
    })
  })

  test('does not count failed changes in its undo', async ({ skyctl, world, lossy, undo }) => {
    arrange(world)
    lossy.lose('PUT', '/volumes/7001', { done: false, reply: refusal })
    const stdin = `volumes: { data: { tags: [b] } }\nrdns: { ${address}: mail.example.net }`
    const run = await skyctl('apply - --yes', { stdin })
    const records = json((await skyctl('history list --json')).stdout)
    const outcomes = records.map(({ outcome }: { outcome: string }) => outcome).toSorted()
    expect({ exit: run.exit, outcomes }).toEqual({ exit: 9, outcomes: ['failed', 'ok'] })
    const undone = await undo(records[0].apply)
    expect(undone.stderr).toContain('1 of 1 changes of apply ')
  })

  test('with an unknown id is not found, and with a number as well is a usage error', async ({ skyctl, undo }) => {
    expect((await undo('deadbeef')).exit).toBe(5)
    expect((await skyctl('history undo 1 --apply deadbeef')).exit).toBe(2)
  })
})

describe('a change of protected services', () => {
  test("has an undo command with the device's id or the instance", async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('firewalls devices add core --compute-id 1003 --yes')).exit).toBe(0)
    const device = world.network.devices.all().find(({ entity }) => entity === 1003)?.id
    expect((await skyctl(`firewalls devices delete 9101 ${device} --yes`)).exit).toBe(0)
    const [removed, added] = json((await skyctl('history list --json')).stdout)
    expect([added.id, added.undo]).toEqual([String(device), `skyctl firewalls devices delete 9101 ${device}`])
    expect([removed.id, removed.undo]).toEqual([String(device), 'skyctl firewalls devices add 9101 --compute-id 1003'])
    expect((await skyctl('history undo 2 --yes')).exit).toBe(0)
    expect(devicesIn(world)).toContain('9101: compute 1003')
  })

  test('is undone by its number', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls devices add core --compute-id 1003 --yes')
    expect((await skyctl('history undo 1')).exit).toBe(2)
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, devices: devicesIn(world) }).toEqual({
      exit: 0,
      devices: ['9100: compute 1001', '9101: compute 1002'],
    })
    expect(stderr).toContain('removed  compute 1003: firewall "core" (9101) no longer protects it')
    expect((await skyctl('history undo 1 --yes')).stderr).toContain('No changes: ')
  })
})

test('the history proposes to attach a detached volume to its former instance', async ({ skyctl, world }) => {
  world.volume({ id: 7001, label: 'data', compute_id: 1002 })
  await skyctl('volumes detach 7001 --yes')
  const [change] = json((await skyctl('history list --json')).stdout)
  expect(change.no_undo).toBe('To reverse it: skyctl volumes attach 7001 --compute-id 1002')
})

test('the history shows the previous rules of a change while their backup exists', async ({ skyctl, world, home }) => {
  arrange(world)
  await skyctl('firewalls rules remove edge inbound label:web --yes')
  const before = async () => json((await skyctl('history view 1 --json')).stdout).before
  expect((await before()).inbound.map(({ label }: { label: string }) => label)).toEqual(['ssh', 'web'])
  expect((await before()).inbound_policy).toBe('DROP')
  dropBackups(home)
  expect(await before()).toBeNull()
})
