/** Account files: their plans, and what apply changes. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from './support/account-files'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { openProxy } from './support/proxy'
import type { World } from './support/sandbox'

const json = (text: string) => JSON.parse(text)

describe('plan', () => {
  test('prints changes and costs of each object', async ({ skyctl, file }) => {
    const text = `
defaults: { region: us-east }
volumes:
  new: { size: 60, tags: [db] }
  data-1: { size: 50, tags: [], compute_id: null }
firewalls:
  web:
    status: disabled
    rules: { inbound: [], inbound_policy: drop }
rdns: { 192.0.2.11: www.example.com }
profile: { timezone: UTC }
`
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect(exit).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "~ firewall "web" (4001)
          status: enabled -> disabled
          unprotects: compute 1001 is open to all traffic
          unprotects: compute 1002 is open to all traffic
          unprotects: balancer 2001 is open to all traffic
          removed  inbound 1: ACCEPT TCP 80, 443 "accept-http" from 0.0.0.0/0, ::/0
          removed  inbound 2: ACCEPT TCP 22 "accept-ssh" from 203.0.113.0/24, 2001:db8:f::/48
          removed  inbound 3: ACCEPT ICMP "accept-ping" from 0.0.0.0/0, ::/0
      ~ volume "data-1" (3001)
          detached from compute instance 1001
          cuts off: compute instance 1001; unwritten data is lost
          size: 40 GiB -> 50 GiB
          starts billing: 10 GiB more, for good: it cannot shrink again
          tags: production -> none
      + volume "new"
          60 GiB, in us-east, tags db
          starts billing: 60 GiB, until it is deleted
      ~ address 192.0.2.11
          rdns: the service's own -> www.example.com
      ~ profile
          timezone: Europe/Berlin -> UTC
      1 to create, 4 to update; 0 unchanged
      "
    `)
  })

  test('has every step with its command and body as JSON', async ({ skyctl, file, env }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    const { stdout } = await skyctl(`plan ${path} --json`)
    const source = { file: path, line: 1, column: 12 }
    const entry = { size: 40, region: 'us-east', compute_id: 1001, tags: ['production'] }
    const billing = { kind: 'starts billing', text: '10 GiB more, for good: it cannot shrink again', size: 10 }
    const none = { destroys: 0, 'cuts off': 0, opens: 0, unprotects: 0, 'still allowed': 0 }
    expect(json(stdout)).toEqual({
      format_version: 1,
      account: { service: env.SKYCTL_BASE_URL, uid: 1, username: 'owner' },
      counts: { create: 0, update: 1, delete: 0, unchanged: 0, consequences: { 'starts billing': 1, ...none } },
      consequences: [{ ...billing, ...source, object: { kind: 'volumes', name: 'data-1', id: 3001 } }],
      networks: [],
      unprotected: null,
      unchanged: [],
      objects: [
        {
          kind: 'volumes',
          name: 'data-1',
          id: 3001,
          action: 'update',
          ...source,
          before: entry,
          after: { ...entry, size: 50 },
          changed: [{ field: 'size', ...source, column: 22 }],
          steps: [
            {
              action: 'resize',
              changes: ['size: 40 GiB -> 50 GiB'],
              consequences: [billing],
              command: ['skyctl', 'volumes', 'resize', '3001'],
              body: { size: 50 },
            },
          ],
        },
      ],
      same: 0,
      unselected: 0,
      notes: [],
      left: [],
      expectations: [],
    })
  })

  test('treats a plain address in a rule as a network of one address', async ({ skyctl, file, world }) => {
    world.network.firewall({ label: 'guarded', rules: ruleSet({ ...ssh, addresses: { ipv4: ['203.0.113.9/32'] } }) })
    const text =
      'firewalls: { guarded: { rules: { inbound: [{ action: accept, protocol: tcp, ports: 22, label: ssh, addresses: { ipv4: [203.0.113.9] } }] } } }'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 1 unchanged\n')
  })
})

describe('apply', () => {
  test('reports a half-done object as JSON', async ({ skyctl, file, world }) => {
    // It has 1 GB of memory, which allows one volume (api.md, Limits).
    world.volume({ label: 'full', compute_id: 1004 })
    const half = file('half.yaml', 'volumes: { data-2: { size: 50, compute_id: 1004 } }')
    const none = file('none.yaml', 'volumes: { data-2: { compute_id: 1004 } }')
    const refusal = expect.objectContaining({ code: 'refused', message: expect.stringContaining('Too many volumes') })
    for (const [path, changed, expected] of [
      [half, true, { exit: 9, code: 'some_failed' }],
      [none, false, { exit: 6, code: 'refused' }],
    ] as const) {
      const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json`)
      const { error } = json(stderr)
      expect({ exit, code: error.code, ...json(stdout) }).toEqual({
        ...expected,
        format_version: 1,
        changed,
        actions: [{ kind: 'volumes', name: 'data-2', id: 3002, action: 'update', ok: false, error: refusal }],
        objects: [expect.objectContaining({ name: 'data-2', id: 3002, action: 'update', ok: false })],
        unprotected: [],
      })
    }
    expect(world.volumes.get(3002)?.size).toBe(50)
  })

  test('--dry-run prints the plan, without question or change', async ({ skyctl, file, home, world }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 }, new: { region: us-east } }')
    await skyctl(`plan ${path} --out ${home}/kept.json`)
    for (const form of ['', '--json', '-q']) {
      const planned = await skyctl(`plan ${path} ${form}`)
      expect(planned.stdout).toContain('data-1')
      for (const source of [path, `${home}/kept.json`])
        expect(await skyctl(`apply ${source} --dry-run ${form}`)).toEqual(planned)
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('brings the account to the desired state, after which there are no changes', async ({ skyctl, file, world }) => {
    const text = `
owner: team
volumes:
  new: { size: 60, region: us-east, compute_id: 1001, tags: [db] }
  data-1: { size: 50, tags: [], compute_id: null }
  database: { compute_id: null }
firewalls:
  fresh:
    status: disabled
    rules: { inbound_policy: drop, outbound_policy: accept, inbound: [{ action: accept, protocol: tcp, ports: 22, addresses: { ipv4: [198.51.100.7] } }] }
    devices: { computes: [1004] }
  web: { tags: [edge] }
rdns: { 192.0.2.11: www.example.com }
profile: { timezone: UTC, email_notifications: false }
`
    const path = file('a.yaml', text)
    const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { changed, actions } = json(stdout)
    const done = actions.map(({ kind, name, action, ok }: Record<string, unknown>) => [kind, name, action, ok])
    expect({ changed, done }).toEqual({
      changed: true,
      done: [
        ['volumes', 'data-1', 'update', true],
        ['volumes', 'database', 'update', true],
        ['volumes', 'new', 'create', true],
        ['firewalls', 'fresh', 'create', true],
        ['firewalls', 'web', 'update', true],
        ['rdns', '192.0.2.11', 'update', true],
        ['profile', '', 'update', true],
      ],
    })
    const volume = json((await skyctl('volumes view new --json')).stdout)
    expect(volume).toMatchObject({
      id: actions[2].id,
      size: 60,
      compute_id: 1001,
      tags: ['db', 'team'],
      status: 'active',
    })
    expect(json((await skyctl('firewalls view fresh --json')).stdout)).toMatchObject({
      status: 'disabled',
      tags: ['team'],
    })
    expect(json((await skyctl('profile view --json')).stdout)).toMatchObject({
      timezone: 'UTC',
      email_notifications: false,
    })
    const again = await skyctl(`plan ${path}`)
    expect(again.stdout).toBe('No changes; 7 unchanged\n')
    const sent = world.requests().length
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0, stderr: 'No changes; 7 unchanged\n' })
    expect(
      world
        .requests()
        .slice(sent)
        .every(({ method }) => method === 'GET'),
    ).toBe(true)
  })

  test('creates one set of objects if two machines apply at the same time', async ({ skyctl, file, home, world }) => {
    const names = ['a', 'b', 'c']
    const volumes = names.map((name) => `  ${name}: { size: 20, region: us-east, tags: [${name}] }\n`).join('')
    const firewalls = names.map(
      (name) => `  fw-${name}: { rules: { inbound_policy: drop, outbound_policy: accept } }\n`,
    )
    const path = file('a.yaml', `volumes:\n${volumes}firewalls:\n${firewalls.join('')}`)
    const jobs = ['one', 'two'].map((job) =>
      skyctl(`apply ${path} --yes`, { env: { SKYCTL_STATE_DIR: join(home, job) } }),
    )
    expect((await Promise.all(jobs)).map(({ exit }) => exit)).toEqual([0, 0])
    const labels = [...world.volumes.all(), ...world.network.firewalls.all()].map(({ label }) => label)
    const created = labels.filter((label) => names.includes(label.replace('fw-', '')))
    expect(created.sort()).toEqual([...names, ...names.map((name) => `fw-${name}`)])
  })

  test('does not replace rules that others changed after the plan', async ({ skyctl, file, sandbox, world }) => {
    const { id } = world.network.firewall({ label: 'guarded', rules: ruleSet(ssh) })
    let listed = false
    const proxy = await openProxy(sandbox.baseUrl, {
      before({ method, path }) {
        if (method === 'GET' && path === `/networking/firewalls/${id}` && listed) {
          const firewall = world.network.firewalls.get(id)
          if (firewall) world.network.firewalls.put({ ...firewall, rules: ruleSet(ssh, web) } as typeof firewall)
        }
        listed ||= path.startsWith('/networking/firewalls?')
      },
    })
    const text = 'firewalls: { guarded: { rules: { inbound: [] } } }'
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit } = await skyctl(`apply ${file('a.yaml', text)} --yes`, { env })
    await proxy.close()
    expect({ exit, sent: world.requests('PUT') }).toEqual({ exit: 6, sent: [] })
  })
})

describe('--prune', () => {
  const addOwned = (world: { volume(wanted: object): { id: number } }) =>
    world.volume({ label: 'old', tags: ['team'] }).id

  test('deletes objects that have the owner tag and are in no file, and nothing else', async ({
    skyctl,
    file,
    world,
  }) => {
    const id = addOwned(world)
    const firewall = world.network.firewall({ label: 'old-web', tags: ['team', 'x'] }).id
    const before = [world.volumes.size, world.network.firewalls.size]
    const { exit } = await skyctl(
      `apply ${file('a.yaml', 'owner: team\nvolumes: { data-1: {} }')} --prune --yes --max-deletes 3`,
    )
    expect(exit).toBe(0)
    expect(world.requests('DELETE').map(({ path }) => path)).toEqual([
      `/networking/firewalls/${firewall}`,
      `/volumes/${id}`,
    ])
    expect([world.volumes.size, world.network.firewalls.size]).toEqual(before.map((count) => count - 1))
  })
})

describe('--adopt', () => {
  const text = 'owner: team\nvolumes: { data-1: {}, data-2: { tags: [db] } }\nfirewalls: { web: {} }\n'
  const tagsIn = ({ volumes, network }: World) =>
    [volumes.get(3001), volumes.get(3002), network.firewalls.get(4001)].map((one) => one?.tags)

  test('adds the owner tag to the objects in the files, and keeps their other tags', async ({
    skyctl,
    file,
    world,
  }) => {
    const others = world.volumes.all().slice(2)
    const [first, , third] = tagsIn(world).map((tags = []) => [...tags, 'team'])
    const path = file('a.yaml', text)
    expect((await skyctl(`plan ${path} --exit-code`)).stdout).not.toContain('team')
    expect(await skyctl(`apply ${path} --adopt --yes`)).toMatchObject({ exit: 0 })
    expect(tagsIn(world)).toEqual([first, ['db', 'team'], third])
    expect(world.volumes.all().slice(2)).toEqual(others)
    expect(await skyctl(`plan ${path} --adopt --exit-code`)).toMatchObject({ exit: 0 })
  })

  test('is shown in the plan, and allows a later --prune', async ({ skyctl, file, world }) => {
    const { stdout } = await skyctl(`plan ${file('a.yaml', text)} --adopt`)
    expect(stdout).toContain('~ volume "data-1" (3001)\n    tags: ')
    await skyctl(`apply ${file('a.yaml', text)} --adopt --yes`)
    const { exit } = await skyctl(
      `apply ${file('b.yaml', 'owner: team\nvolumes: { data-1: {} }')} --prune --yes --max-deletes 3`,
    )
    expect(exit).toBe(0)
    expect([3001, 3002].map((id) => world.volumes.get(id) !== undefined)).toEqual([true, false])
  })

  test('is part of a saved plan', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'plan.json')
    await skyctl(`plan ${file('a.yaml', text)} --adopt --out ${out}`)
    expect(await skyctl(`apply ${out} --adopt --yes`)).toMatchObject({
      exit: 2,
      stderr: 'skyctl: --adopt: a saved plan already decides whether it adopts\n',
    })
    expect(await skyctl(`apply ${out} --yes`)).toMatchObject({ exit: 0 })
    expect(tagsIn(world).every((tags) => tags?.includes('team'))).toBe(true)
  })
})

test.for(['--prune', '--adopt'])('%s needs an owner', async (flag, { skyctl, file }) => {
  for (const command of ['plan', 'apply --yes']) {
    const { exit, stderr } = await skyctl(`${command} ${file('a.yaml', 'volumes: {}')} ${flag}`)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(`${flag} needs an owner`) })
  }
})

describe('a saved plan', () => {
  const text = 'volumes: { data-1: { size: 50 } }'

  test('is readable by its owner only, and survives a change of another object', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    const out = join(home, 'plan.json')
    expect((await skyctl(`plan ${file('a.yaml', text)} --out ${out}`)).exit).toBe(0)
    expect(statSync(out).mode & 0o777).toBe(0o600)
    world.volume({ label: 'another' })
    expect((await skyctl(`apply ${out} --yes`)).exit).toBe(0)
    expect(world.volumes.get(3001)?.size).toBe(50)
  })
})
