/** Concurrent changes by somebody else are kept, or skyctl gives up its change; none is lost silently. */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { FirewallRule } from '../src/catalogue/firewall-rules'
import { dns, rule, ruleSet, ssh, web } from './support/firewall-rules'
import type { ProxyHooks } from './support/proxy'
import { type Fixtures, type Options, test as plain, type Result } from './support/skyctl'

type World = Fixtures['world']
type Through = (line: string, hooks: ProxyHooks, options?: Options) => Promise<Result>

/** Runs a line through a proxy, so that a test can act in between. */
const test = plain.extend<{ through: Through }>({
  through: async ({ skyctl, meanwhile }, use) => {
    await use(async (line, hooks, options) => {
      await meanwhile(hooks)
      return skyctl(line, options)
    })
  },
})

/** Acts once: after the first answer of this kind, before the next request. */
function onceAfter(method: string, path: RegExp, act: () => void): ProxyHooks {
  let done = false
  return {
    after(passing) {
      if (done || passing.method !== method || !path.test(passing.path)) return
      done = true
      act()
    },
  }
}

const puts = (world: World) => world.requests('PUT').map(({ body }) => body)

const edge = 9100
type Rules = NonNullable<Parameters<World['network']['firewall']>[0]>['rules']
const arrange = ({ network }: World, rules: Rules = ruleSet(ssh, web)) =>
  void network.firewall({ id: edge, label: 'edge', rules })
const labels = ({ network }: World) => network.firewalls.get(edge)?.rules.inbound.map(({ label }) => label)
const rulesPath = /\/rules$/

describe('firewalls rules add', () => {
  const add = 'firewalls rules add edge inbound --action accept --protocol icmp --from 10.0.0.0/8 --label ping'

  test('is based on the rules right before the write', async ({ through, world }) => {
    arrange(world)
    const theirs = () => arrange(world, ruleSet(ssh, web, dns))
    const { exit, stderr } = await through(add, onceAfter('GET', rulesPath, theirs))
    expect({ exit, now: labels(world) }).toEqual({ exit: 0, now: ['ssh', 'web', 'dns', 'ping'] })
    expect(stderr).toContain(
      'Somebody else changed the rules of firewall "edge" (9100) meanwhile; skyctl keeps these changes:\n',
    )
    expect(stderr).toContain('added    inbound 3: ACCEPT TCP 53 "dns" from 203.0.113.0/24\n')
  })

  test('is repeated if a slower writer has overwritten it', async ({ through, world }) => {
    arrange(world)
    const { exit } = await through(
      `${add} --at 1`,
      onceAfter('PUT', rulesPath, () => arrange(world, ruleSet(ssh, web, dns))),
    )
    expect({ exit, now: labels(world), puts: puts(world).length }).toEqual({
      exit: 0,
      now: ['ping', 'ssh', 'web', 'dns'],
      puts: 2,
    })
  })

  test('with --at fails with exit code 6 if the rules before that place have changed', async ({ through, world }) => {
    arrange(world)
    const theirs = () => arrange(world, ruleSet(dns, ssh, web))
    const { exit, stderr } = await through(`${add} --at 2`, onceAfter('GET', rulesPath, theirs))
    expect({ exit, now: labels(world) }).toEqual({ exit: 6, now: ['dns', 'ssh', 'web'] })
    expect(stderr).toContain('before position 2 were changed meanwhile')
  })

  test('gives up with exit code 6 if others overwrite it again and again', async ({ through, world }) => {
    arrange(world)
    let written = 0
    const always: ProxyHooks = {
      after({ method }) {
        if (method !== 'PUT') return
        written += 1
        arrange(world, ruleSet(ssh, rule(`their-${written}`, '80')))
      },
    }
    const { exit, stderr } = await through(add, always)
    expect({ exit, bounded: written > 2 && written < 50 }).toEqual({ exit: 6, bounded: true })
    expect(stderr).toContain('others changed the rules of firewall "edge" (9100) during each of')
  })

  test('ends with exit code 11 if the change was accepted and cannot be verified', async ({
    world,
    skyctl,
    meanwhile,
  }) => {
    arrange(world)
    await meanwhile({
      before: ({ method, path }) => method === 'GET' && rulesPath.test(path) && puts(world).length > 0 && 'drop',
    })
    const { exit, stderr } = await skyctl(`${add} --json`)
    expect({ exit, now: labels(world) }).toEqual({ exit: 11, now: ['ssh', 'web', 'ping'] })
    expect(JSON.parse(stderr.slice(stderr.indexOf('{'))).error).toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringMatching(/; the change was accepted, but skyctl could not verify it$/),
      hint: 'Check the current state',
      request: { method: 'GET' },
    })
  })

  test.for(['answer lost', 'request lost'] as const)(
    'adds the rule once if others write after the loss: %s',
    async (fate, { skyctl, world, lossy }) => {
      arrange(world)
      lossy.lose('PUT', rulesPath, fate)
      for (const _read of ['prepare', 'before']) lossy.pass('GET', rulesPath)
      const read = lossy.hold('GET', rulesPath)
      const running = skyctl(add)
      await read.arrived
      const current = world.network.firewalls.get(edge)?.rules.inbound as FirewallRule[]
      arrange(world, ruleSet(...current, dns))
      read.release()
      const { exit } = await running
      expect({ exit, now: labels(world)?.sort() }).toEqual({ exit: 0, now: ['dns', 'ping', 'ssh', 'web'] })
    },
  )

  test('is undone to the rules on which it was finally based', async ({ skyctl, through, world }) => {
    arrange(world)
    const theirs = () => arrange(world, ruleSet(ssh, web, dns))
    await through(add, onceAfter('PUT', rulesPath, theirs))
    const { exit } = await skyctl('firewalls rules undo edge --yes')
    expect({ exit, now: labels(world) }).toEqual({ exit: 0, now: ['ssh', 'web', 'dns'] })
  })
})

describe('firewalls rules remove', () => {
  const remove = (more = '') => `firewalls rules remove edge inbound ${more} --yes`

  test.for(['label:web', 'match:tcp/443'])(
    'is based on the rules right before the write: %s',
    async (name, { through, world }) => {
      arrange(world)
      const { exit } = await through(
        remove(name),
        onceAfter('GET', rulesPath, () => arrange(world, ruleSet(dns, ssh, web))),
      )
      expect({ exit, now: labels(world) }).toEqual({ exit: 0, now: ['dns', 'ssh'] })
    },
  )

  test('is repeated if a slower writer has restored the rule', async ({ through, world }) => {
    arrange(world)
    const { exit } = await through(
      remove('web'),
      onceAfter('PUT', rulesPath, () => arrange(world, ruleSet(ssh, web, dns))),
    )
    expect({ exit, now: labels(world) }).toEqual({ exit: 0, now: ['ssh', 'dns'] })
  })

  test('fails with exit code 6 if the rule has changed meanwhile', async ({ through, world }) => {
    arrange(world)
    const theirs = () => arrange(world, ruleSet(ssh, rule('web', '8443')))
    const { exit, stderr } = await through(remove('web'), onceAfter('GET', rulesPath, theirs))
    expect({ exit, now: labels(world), puts: puts(world) }).toEqual({ exit: 6, now: ['ssh', 'web'], puts: [] })
    expect(stderr).toContain('inbound rule web of firewall "edge" (9100) was changed meanwhile')
  })

  test.for([
    ['', 5],
    ['--if-present', 0],
  ] as const)(
    'of a rule that was removed meanwhile, %s, ends with exit code %i',
    async ([flag, code], { through, world }) => {
      arrange(world)
      const { exit } = await through(
        remove(`web ${flag}`),
        onceAfter('GET', rulesPath, () => arrange(world, ruleSet(dns, ssh))),
      )
      expect({ exit, now: labels(world), puts: puts(world) }).toEqual({ exit: code, now: ['dns', 'ssh'], puts: [] })
    },
  )
})

describe('a change of one version of the rules fails with exit code 6 if they have changed', () => {
  test.for([
    'firewalls rules move edge inbound label:web --at 1',
    'firewalls rules update edge --outbound-policy drop --yes',
    'firewalls rules remove edge inbound 1 --yes --if-match HASH',
    'firewalls rules add edge inbound --action accept --protocol icmp --from 10.0.0.0/8 --if-match HASH',
  ])('%s', async (line, { skyctl, through, world }) => {
    for (const [method, sent] of [
      ['GET', 0],
      ['PUT', 1],
    ] as const) {
      arrange(world)
      const hash = (await skyctl('firewalls rules list edge --hash')).stdout.trim()
      const theirs = () => arrange(world, ruleSet(ssh, web, dns))
      const before = puts(world).length
      const { exit } = await through(line.replace('HASH', hash), onceAfter(method, rulesPath, theirs))
      expect({ exit, now: labels(world), sent: puts(world).length - before }).toEqual({
        exit: 6,
        now: ['ssh', 'web', 'dns'],
        sent,
      })
    }
  })
})

describe('--add-tag and --remove-tag', () => {
  const volume = 9001
  const kinds = {
    volumes: {
      path: new RegExp(`^/volumes/${volume}$`),
      line: `volumes update ${volume}`,
      arrange: ({ volumes, volume: create }: World, tags: string[]) => {
        const existing = volumes.get(volume)
        if (existing) volumes.put({ ...existing, tags })
        else create({ id: volume, label: 'data', tags })
      },
      tags: ({ volumes }: World) => volumes.get(volume)?.tags,
    },
    firewalls: {
      path: new RegExp(`^/networking/firewalls/${edge}$`),
      line: `firewalls update ${edge}`,
      arrange: ({ network }: World, tags: string[]) => void network.firewall({ id: edge, label: 'edge', tags }),
      tags: ({ network }: World) => network.firewalls.get(edge)?.tags,
    },
  }
  const testEach = test.for(['volumes', 'firewalls'] as const)

  testEach('%s: are based on the tags right before the write', async (name, { through, world }) => {
    const { path, line, arrange, tags } = kinds[name]
    arrange(world, ['a', 'b'])
    const theirs = () => arrange(world, ['a', 'b', 'theirs'])
    const { exit } = await through(`${line} --add-tag ours --remove-tag a`, onceAfter('GET', path, theirs))
    expect({ exit, tags: tags(world) }).toEqual({ exit: 0, tags: ['b', 'theirs', 'ours'] })
  })

  test('are based on the tags right before the write of each of many volumes', async ({ through, world }) => {
    const ids = Array.from({ length: 9 }, () => world.volume({ tags: ['a'] }).id)
    const last = ids.at(-1) ?? 0
    const theirs = () => {
      const volume = world.volumes.get(last)
      if (volume) world.volumes.put({ ...volume, tags: ['a', 'theirs'] })
    }
    // All are read before the first write; the last one is written in a second round.
    const hooks = onceAfter('PUT', new RegExp(`^/volumes/${ids[0]}$`), theirs)
    const targets = { stdin: ids.join('\n') }
    expect(await through('volumes update - --add-tag ours', hooks, targets)).toMatchObject({ exit: 0 })
    expect(ids.map((id) => world.volumes.get(id)?.tags)).toEqual([
      ...ids.slice(0, -1).map(() => ['a', 'ours']),
      ['a', 'theirs', 'ours'],
    ])
  })

  testEach('%s: are repeated if a slower writer has overwritten them', async (name, { through, world }) => {
    const { path, line, arrange, tags } = kinds[name]
    arrange(world, ['a'])
    const theirs = () => arrange(world, ['a', 'theirs'])
    const { exit, stdout } = await through(`${line} --add-tag ours --json`, onceAfter('PUT', path, theirs))
    expect({ exit, tags: tags(world), shown: JSON.parse(stdout).tags }).toEqual({
      exit: 0,
      tags: ['a', 'theirs', 'ours'],
      shown: ['a', 'theirs', 'ours'],
    })
  })

  testEach('%s: wait for a writer that is as slow as this one', async (name, { through, world, clock }) => {
    const { line, arrange, tags } = kinds[name]
    arrange(world, [])
    const slow: ProxyHooks = {
      before({ method }) {
        if (method === 'PUT') clock.advance(200)
      },
    }
    let written = false
    const waiting = {
      ...clock,
      // It read the tags when this command did, and writes as long after this write as that took.
      async sleep(milliseconds: number, signal?: AbortSignal) {
        if (milliseconds >= 200 && !written) {
          written = true
          arrange(world, ['theirs'])
        }
        return clock.sleep(milliseconds, signal)
      },
    }
    const { exit } = await through(`${line} --add-tag ours`, slow, { clock: waiting })
    expect({ exit, written, tags: tags(world) }).toEqual({ exit: 0, written: true, tags: ['theirs', 'ours'] })
  })

  testEach(
    '%s: give up with exit code 6 if others overwrite them again and again',
    async (name, { through, world }) => {
      const { path, line, arrange } = kinds[name]
      arrange(world, [])
      let written = 0
      const always: ProxyHooks = {
        after(passing) {
          if (passing.method !== 'PUT' || !path.test(passing.path)) return
          written += 1
          arrange(world, [`their-${written}`])
        },
      }
      const { exit } = await through(`${line} --add-tag ours`, always)
      expect({ exit, bounded: written > 2 && written < 50 }).toEqual({ exit: 6, bounded: true })
    },
  )

  testEach('%s: write the other fields only once', async (name, { through, world }) => {
    const { path, line, arrange } = kinds[name]
    arrange(world, [])
    await through(
      `${line} --label other --add-tag ours`,
      onceAfter('PUT', path, () => arrange(world, ['theirs'])),
    )
    expect(puts(world)).toEqual([{ label: 'other', tags: ['ours'] }, { tags: ['theirs', 'ours'] }])
  })

  testEach('%s: send nothing if the tags are so already', async (name, { skyctl, world }) => {
    const { line, arrange } = kinds[name]
    arrange(world, ['a'])
    const { exit, stderr } = await skyctl(`${line} --add-tag a --remove-tag b`)
    expect({ exit, puts: puts(world) }).toEqual({ exit: 0, puts: [] })
    expect(stderr).toMatch(/^No changes to the tags of (volume|firewall) "\w+" \(\d+\)\n$/)
  })

  test.for(['answer lost', 'request lost'] as const)(
    'read the tags before sending them again: %s',
    async (fate, { skyctl, world, lossy }) => {
      const { line, arrange, tags } = kinds.volumes
      arrange(world, ['a'])
      lossy.lose('PUT', `/volumes/${volume}`, fate)
      const { exit } = await skyctl(`${line} --add-tag ours --label other`)
      expect({ exit, tags: tags(world), label: world.volumes.get(volume)?.label, sent: puts(world).length }).toEqual({
        exit: 0,
        tags: ['a', 'ours'],
        label: 'other',
        sent: 1,
      })
    },
  )

  test('write a lost label even if the tags are so already', async ({ skyctl, world, lossy }) => {
    const { line, arrange } = kinds.volumes
    arrange(world, ['ours'])
    lossy.lose('PUT', `/volumes/${volume}`, 'request lost')
    const { exit } = await skyctl(`${line} --add-tag ours --label other`)
    expect({ exit, label: world.volumes.get(volume)?.label }).toEqual({ exit: 0, label: 'other' })
  })

  test('report an object that was deleted meanwhile', async ({ through, world }) => {
    const { line, arrange } = kinds.volumes
    arrange(world, [])
    const { exit, stderr } = await through(`${line} --add-tag ours`, {
      before: ({ method }) => void (method === 'PUT' && world.volumes.delete(volume)),
    })
    expect({ exit, stderr }).toEqual({ exit: 5, stderr: expect.stringContaining(`volume ${volume} not found`) })
  })

  test('end with exit code 11 if lost twice, and are not sent a third time', async ({ skyctl, world, lossy }) => {
    kinds.volumes.arrange(world, [])
    for (let count = 0; count < 3; count += 1) lossy.lose('PUT', `/volumes/${volume}`, 'request lost')
    const add = () => skyctl(`volumes update ${volume} --add-tag ours`)
    expect({ exit: (await add()).exit, tags: kinds.volumes.tags(world) }).toEqual({ exit: 11, tags: [] })
    // One loss is left.
    expect({ exit: (await add()).exit, tags: kinds.volumes.tags(world) }).toEqual({ exit: 0, tags: ['ours'] })
  })

  test('of two machines that read before either writes are both kept', async ({ skyctl, world, meanwhile, home }) => {
    kinds.volumes.arrange(world, ['a'])
    const waiting: (() => void)[] = []
    const done: (() => void)[] = []
    let sent = 0
    await meanwhile({
      // Neither writes before both have read, and the first gets its response after the second has overwritten it.
      before: ({ method }) =>
        method !== 'PUT' || sent >= 2
          ? undefined
          : new Promise<void>((resolve) => {
              sent += 1
              waiting.push(resolve)
              if (sent === 2) waiting[0]?.()
            }),
      after: ({ method }) => {
        if (method !== 'PUT' || done.length >= 2) return undefined
        return new Promise<void>((resolve) => {
          done.push(resolve)
          if (done.length === 1) waiting[1]?.()
          else for (const go of done) go()
        })
      },
    })
    const machine = (name: string) =>
      skyctl(`volumes update ${volume} --add-tag ${name}`, { env: { SKYCTL_STATE_DIR: join(home, name) } })
    const results = await Promise.all([machine('one'), machine('two')])
    expect({ exits: results.map(({ exit }) => exit), tags: [...(kinds.volumes.tags(world) ?? [])].sort() }).toEqual({
      exits: [0, 0],
      tags: ['a', 'one', 'two'],
    })
  })
})

describe('profile preferences', () => {
  const path = /^\/profile\/preferences$/
  const store = ({ profile }: World, value: object) => {
    const [existing] = profile.preferences.all()
    if (existing) profile.preferences.put({ ...existing, text: JSON.stringify(value) })
  }
  const EDITOR = 'sed -i s/dark/light/'
  const setFirst = (skyctl: Fixtures['skyctl']) =>
    skyctl('profile preferences set --body -', { stdin: '{"theme":"dark","size":1}' })

  test('edit fails with exit code 6 and the difference if others changed them before', async ({
    skyctl,
    through,
    world,
  }) => {
    await setFirst(skyctl)
    const theirs = onceAfter('GET', path, () => store(world, { theme: 'dark', size: 2 }))
    const { exit, stderr } = await through('profile preferences edit --yes', theirs, {
      env: { EDITOR, PATH: process.env.PATH },
    })
    expect({ exit, sent: puts(world).length }).toEqual({ exit: 6, sent: 1 })
    expect(stderr).toContain('Differences:\nchanged  size: 1 -> 2\n')
  })

  test.for(['edit --yes', 'set --body -'])(
    '%s fails with exit code 6 and the difference if others overwrote them',
    async (verb, { skyctl, through, world }) => {
      await setFirst(skyctl)
      const theirs = onceAfter('PUT', path, () => store(world, { theme: 'blue', size: 1 }))
      const { exit, stderr } = await through(`profile preferences ${verb}`, theirs, {
        env: { EDITOR, PATH: process.env.PATH },
        stdin: '{"theme":"light","size":1}',
      })
      expect({ exit, sent: puts(world).length }).toEqual({ exit: 6, sent: 2 })
      expect(stderr).toContain('Differences:\nchanged  theme: "light" -> "blue"\n')
      expect(stderr).toContain('somebody else changed them too')
    },
  )

  test('set succeeds for each of many at once', async ({ skyctl }) => {
    const all = [1, 2, 3, 4, 5, 6].map((n) => skyctl('profile preferences set --body -', { stdin: `{"n":${n}}` }))
    expect((await Promise.all(all)).map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(
      all.map(() => ({ exit: 0, stderr: 'Replaced the preferences\n' })),
    )
  })
})

describe('ips share', () => {
  const range = (world: World, address: string, shared_with: number[] = []) => {
    const existing = world.network.findAddress(address)
    if (existing) world.network.addresses.put({ ...existing, shared_with })
    else world.network.address({ address, type: 'ipv6/range', prefix: 64, compute_id: 9002, shared_with })
  }
  const [mine, theirs] = ['2001:db8:98::', '2001:db8:99::']
  const shared = (world: World) => [mine, theirs].map((address) => world.network.findAddress(address)?.shared_with)
  const arrange = (world: World) => {
    for (const id of [9001, 9002]) world.compute({ id, region: 'us-east' })
    world.network.address({ address: '203.0.113.201', compute_id: 9001 })
    range(world, mine)
    range(world, theirs)
  }
  const line = `ips share ${mine} --compute-id 9001`

  test('sends the list if the shared ranges are still those displayed', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl(line)).exit).toBe(0)
    expect(shared(world)).toEqual([[9001], []])
  })

  test('fails with exit code 6 if others shared a range meanwhile, and leaves it shared', async ({
    through,
    world,
  }) => {
    arrange(world)
    let reads = 0
    const hook: ProxyHooks = {
      before(passing) {
        if (!/\/ipv6\/ranges\?/.test(passing.path)) return
        reads += 1
        if (reads === 2) range(world, theirs, [9001])
      },
    }
    const { exit, stderr } = await through(line, hook)
    expect({ exit, shared: shared(world), posts: world.requests('POST') }).toEqual({
      exit: 6,
      shared: [[], [9001]],
      posts: [],
    })
    expect(stderr).toContain(`Currently shared: ${theirs}.`)
  })

  test('fails with exit code 6 if others overwrite the list', async ({ through, world }) => {
    arrange(world)
    const hook = onceAfter('POST', /share$/, () => range(world, mine))
    const { exit, stderr } = await through(line, hook)
    expect({ exit, shared: shared(world) }).toEqual({ exit: 6, shared: [[], []] })
    expect(stderr).toContain('differ from the ranges that were sent')
  })
})

describe('profile update --add-authorized-key', () => {
  const key = (name: string) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc ${name}`
  const keys = ({ users }: World) => users.get(1)?.authorized_keys
  const arrangeKeys = ({ users }: World, authorized_keys: string[] | null) => {
    const user = users.get(1)
    if (user) users.put({ ...user, authorized_keys })
  }
  const line = ['profile', 'update', '--add-authorized-key', key('ours'), '--remove-authorized-key', key('old')]

  test.for([
    ['between the read and the write', 'GET'],
    ['after the write', 'PUT'],
  ] as const)('keeps the key that somebody else adds %s', async ([, method], { world, meanwhile, skyctl }) => {
    arrangeKeys(world, [key('old')])
    const hooks = onceAfter(method, /^\/profile$/, () => arrangeKeys(world, [key('old'), key('theirs')]))
    const proxy = await meanwhile(hooks)
    const { exit, stderr } = await skyctl(line)
    await proxy.close()
    expect({ exit, keys: keys(world) }).toEqual({ exit: 0, keys: [key('theirs'), key('ours')] })
    expect(stderr).toBe('Updated the profile of owner\n')
  })

  test('sends nothing if all keys are so already', async ({ world, skyctl }) => {
    arrangeKeys(world, [key('ours')])
    const { exit, stderr } = await skyctl(line)
    expect({ exit, puts: puts(world) }).toEqual({ exit: 0, puts: [] })
    expect(stderr).toBe('No changes to the authorized keys of the profile\n')
  })

  test('cannot be combined with a whole list', async ({ world, skyctl }) => {
    expect((await skyctl([...line, '--no-authorized-keys'])).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })
})
