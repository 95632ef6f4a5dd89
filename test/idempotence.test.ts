/** Commands that can be run again (state.md, The small form), and labels that two objects would have. */
import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished } from 'vitest'
import { between } from './support/between'
import { faultServer, reply } from './support/fault-server'
import { type Fate, lossyProxy } from './support/lossy'
import { whole } from './support/records'
import { test as base, type Result } from './support/skyctl'

const test = base.extend<{
  /** Two machines at once: the slow one looks before, and writes after all that the fast one does. */
  race(slow: string, fast: string, fate?: Fate): Promise<{ slow: Result; fast: Result }>
}>({
  race: async ({ skyctl, lossy, home }, use) =>
    use(async (slow, fast, fate) => {
      const held = lossy.hold('POST', /^\/(volumes|networking\/firewalls)$/, fate)
      const running = skyctl(slow, { env: { SKYCTL_STATE_DIR: `${home}/other` } })
      await held.arrived
      const first = await skyctl(fast)
      held.release()
      return { fast: first, slow: await running }
    }),
})

const volume = 'volumes create --label data --size 40 --region us-east --if-absent'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD admin'
const firewall = 'firewalls create --label fresh --inbound-policy drop --outbound-policy accept --if-absent'

describe('--if-absent', () => {
  test('makes what is not there, and takes it when run again', async ({ skyctl, world }) => {
    const first = await skyctl(`${volume} -q`)
    const second = await skyctl(`${volume} -q`)
    expect(first.exit).toBe(0)
    expect(second).toEqual({ ...first, stderr: '' })
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('says that it exists already', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data', size: 40 })
    const { exit, stderr } = await skyctl(volume)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `volume "data" (${id}) already exists and matches\n` })
  })

  test.for([
    [{ size: 20 }, 'size 20, not 40'],
    [{ size: 40, region: 'eu-west' }, 'region "eu-west", not "us-east"'],
  ] as const)(
    'refuses one that is not as asked for, with the difference: %j',
    async ([other, said], { skyctl, world }) => {
      const { id } = world.volume({ label: 'data', ...other })
      const { exit, stderr } = await skyctl(volume)
      expect({ exit, stderr }).toEqual({ exit: 6, stderr: `skyctl: volume "data" (${id}) exists, but has ${said}\n` })
      expect(world.requests('POST')).toEqual([])
    },
  )

  test('takes what has more than was asked for, and tags in any order', async ({ skyctl, world }) => {
    world.volume({ label: 'data', size: 40, tags: ['b', 'a'], compute_id: world.compute().id })
    expect((await skyctl(`${volume} --tag a --tag b`)).exit).toBe(0)
    expect((await skyctl(`${volume} --tag a`)).exit).toBe(6)
  })

  test('refuses where the label is that of two, whatever they are', async ({ skyctl, world }) => {
    for (let count = 0; count < 2; count += 1) world.volume({ label: 'data', size: 40 })
    const { exit, stderr } = await skyctl(volume)
    expect({ exit, posts: world.requests('POST') }).toEqual({ exit: 6, posts: [] })
    expect(stderr).toContain('2 volumes have the label "data"')
  })

  test('never takes a service that fails for one that has none', async ({ skyctl }) => {
    const server = await faultServer(Array(3).fill(reply(503, '')))
    const { exit } = await skyctl(volume, { env: { SKYCTL_BASE_URL: `http://${server.host}` } })
    expect({ exit, methods: new Set(server.heard.map(({ method }) => method)) }).toEqual({
      exit: 8,
      methods: new Set(['GET']),
    })
  })

  test('of three at once one makes it and the others take it', async ({ skyctl, world }) => {
    const results = await Promise.all([skyctl(`${volume} -q`), skyctl(`${volume} -q`), skyctl(`${volume} -q`)])
    expect(new Set(results.map(({ stdout }) => stdout)).size).toBe(1)
    expect(results.map(({ exit }) => exit)).toEqual([0, 0, 0])
    // Each waits for the one before: none is made that would have to be deleted again.
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('of two machines at once the one that was later gives way', async ({ race, world }) => {
    const { slow, fast } = await race(`${volume} -q`, `${volume} -q`)
    expect(slow).toMatchObject({ exit: 0, stdout: fast.stdout })
    expect(slow.stderr).toContain('which skyctl deletes again')
    expect(world.volumes.all().filter(({ label }) => label === 'data')).toHaveLength(1)
  })

  test('of two machines at once the later one gives way where it asked for something else', async ({ race, world }) => {
    const { slow, fast } = await race(volume.replace('40', '60'), `${volume} -q`)
    expect({ exit: slow.exit, last: slow.stderr.trimEnd().split('\n').at(-1) }).toEqual({
      exit: 6,
      last: `skyctl: volume "data" (${fast.stdout.trim()}) exists, but has size 40, not 60`,
    })
    const left = world.volumes.all().filter(({ label }) => label === 'data')
    expect(left.map(({ size }) => size)).toEqual([40])
  })

  const attached = 'volumes create --label data --compute-id 1001 --if-absent -q'

  test('of two machines at once the later one detaches a volume again', async ({ race, world }) => {
    const { slow, fast } = await race(attached, attached)
    expect(slow).toMatchObject({ exit: 0, stdout: fast.stdout })
    const left = world.volumes.all().filter(({ label }) => label === 'data')
    expect(left.map(({ id, compute_id }) => [`${id}\n`, compute_id])).toEqual([[fast.stdout, 1001]])
  })

  test('of two machines at once the later one deletes its detached volume', async ({ skyctl, sandbox, home }) => {
    const seen: string[] = []
    const service = await between(sandbox.baseUrl, {
      before: ({ method }) => void (method === 'DELETE' && seen.push('DELETE')),
      after: ({ path }) => void (path.endsWith('/detach') && seen.push('detach')),
      // As a service that takes a while to detach it.
      answer({ method, path }) {
        const id = Number(/^\/volumes\/(\d+)$/.exec(path)?.[1])
        if (method !== 'GET' || !id || seen.at(-1) !== 'detach' || seen.push('attached') > 2) return undefined
        return whole({ id, label: 'data', compute_id: 1001 })
      },
    })
    onTestFinished(service.close)
    const proxy = await lossyProxy(service.baseUrl)
    onTestFinished(proxy.close)
    const held = proxy.hold('POST', '/volumes')
    const slow = skyctl(attached, { env: { SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_STATE_DIR: `${home}/other` } })
    await held.arrived
    const fast = await skyctl(attached)
    held.release()
    expect(await slow).toMatchObject({ exit: 0, stdout: fast.stdout })
    expect(seen).toEqual(['detach', 'attached', 'DELETE'])
  })

  test.for([
    ['whose answer was lost', 'answer lost', '60', false],
    ['that cannot be deleted', 'none', '40', true],
  ] as const)(
    'of two machines at once the later one, %s, stays, and both are named',
    async ([, fate, size, kept], { race, lossy, world }) => {
      const reply = (outgoing: ServerResponse) => void outgoing.writeHead(400).end('{"errors":[{"reason":"Kept"}]}')
      if (kept) lossy.lose('DELETE', /^\/volumes/, { done: false, reply })
      const { fast, slow } = await race(volume.replace('40', size), `${volume} -q`, fate)
      const [first, later] = world.volumes.all().flatMap(({ label, id }) => (label === 'data' ? [id] : []))
      expect({ exit: slow.exit, first: `${first}\n` }).toEqual({ exit: 6, first: fast.stdout })
      const both = `volume "data" (${first}) was created at the same time as volume "data" (${later})`
      expect(slow.stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: ${both}. Delete one of them by its id`)
    },
  )

  test('what was made first stays, in whatever order the service lists it', async ({ skyctl }) => {
    const { heard, host } = await faultServer((socket, { method, path }) => {
      const isMade = heard.some((one) => one.method === 'POST')
      const data = isMade ? [7005, 7001, 7003].map((id) => whole({ id, label: 'data', size: 40 })) : []
      const answer = method === 'GET' ? { data, page: 1, pages: 1, results: data.length } : {}
      reply(200, method === 'POST' ? whole({ id: 7003, label: 'data', size: 40 }) : answer)(socket, {
        ...{ method, path, headers: {}, body: '' },
      })
    })
    const { exit, stdout } = await skyctl(`${volume} -q --no-validate`, {
      env: { SKYCTL_BASE_URL: `http://${host}/v4` },
    })
    const deleted = heard.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : []))
    expect({ exit, stdout, deleted }).toEqual({ exit: 0, stdout: '7001\n', deleted: ['/v4/volumes/7003'] })
  })

  test('of two machines at once the one whose label is refused takes what is as asked for', async ({ race, world }) => {
    const { fast, slow } = await race(firewall, firewall)
    const made = world.network.firewalls.all().filter(({ label }) => label === 'fresh')
    expect({ exits: [fast.exit, slow.exit], made: made.length }).toEqual({ exits: [0, 0], made: 1 })
    expect(slow.stderr).toContain(`firewall "fresh" (${made[0]?.id}) already exists and matches\n`)
  })

  test('of two machines at once the one whose label is refused takes nothing else', async ({ race, world }) => {
    const { fast, slow } = await race(firewall.replace('policy drop', 'policy accept'), firewall)
    const made = world.network.firewalls.all().find(({ label }) => label === 'fresh')
    expect([fast.exit, slow.exit]).toEqual([0, 6])
    expect(slow.stderr).toContain(`firewall "fresh" (${made?.id}) exists, but has rules`)
  })

  test('a firewall is compared with its rules and the services that it protects', async ({ skyctl, world }) => {
    expect((await skyctl(`${firewall} --compute-id 1004`)).exit).toBe(0)
    expect((await skyctl(`${firewall} --compute-id 1004`)).exit).toBe(0)
    expect((await skyctl(`${firewall} --compute-id 1005`)).exit).toBe(6)
    expect((await skyctl(firewall.replace('drop', 'accept'))).exit).toBe(6)
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('a refusal for another reason than the label is told as it is', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl(`${firewall} --compute-id 1001`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('Compute 1001 already has an active firewall'),
    })
  })

  test('an SSH key is compared with its text', async ({ skyctl, world }) => {
    const line = 'profile sshkeys add --label ci --ssh-key - --if-absent'
    expect((await skyctl(line, { stdin: key })).exit).toBe(0)
    expect((await skyctl(line, { stdin: key })).exit).toBe(0)
    expect((await skyctl(line, { stdin: key.replace('6QyD', '6QyE') })).exit).toBe(6)
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('--dry-run prints the request, and asks for nothing', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl(`${volume} --dry-run --json`)
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, method: 'POST', path: '/volumes' })
    expect(world.requests()).toEqual([])
  })
})

describe('--if-present', () => {
  test.for([
    'volumes delete 999999',
    'volumes delete nothing-of-this-name',
    'volumes detach 999999',
    'firewalls delete 999999',
    'firewalls devices delete 4001 999999',
    'tokens revoke 999999',
    'profile sshkeys delete 999999',
    'profile apps revoke 999999 --force',
    'profile devices revoke 999999',
    'ipv6 ranges delete 2001:db8:ffff::',
  ])('%s: what is not there is as good as removed', async (line, { skyctl }) => {
    const { exit, stderr } = await skyctl(`${line} --if-present --yes`)
    expect(exit).toBe(0)
    expect(stderr).toMatch(/not found: nothing to do\n$/)
    expect((await skyctl(`${line} --yes`)).exit).toBe(5)
    expect((await skyctl(`${line} --if-present --yes --json`)).stdout).toBe('{}\n')
  })

  test('firewalls rules remove: a rule that is not there is as good as removed', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('firewalls rules remove 4001 inbound label:gone --if-present --yes')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes\n' })
    expect((await skyctl('firewalls rules remove 4001 inbound label:gone --yes')).exit).toBe(5)
    expect(world.requests('PUT')).toEqual([])
  })

  test('removes what is there', async ({ skyctl, world }) => {
    const { id } = world.volume()
    expect((await skyctl(`volumes delete ${id} --if-present --yes`)).exit).toBe(0)
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test('of several the others are removed', async ({ skyctl, world }) => {
    const { id } = world.volume()
    expect((await skyctl(`volumes delete 999999 ${id} --if-present --yes`)).exit).toBe(0)
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test('is no reason to call a deletion done that a gateway answers with 503', async ({ skyctl }) => {
    const server = await faultServer(Array(3).fill(reply(503, '')))
    const line = 'volumes delete 5 --if-present --yes --force'
    expect((await skyctl(line, { env: { SKYCTL_BASE_URL: `http://${server.host}` } })).exit).toBe(11)
  })
})

describe('what is so already', () => {
  test('an attached volume is not attached again', async ({ skyctl, world }) => {
    const compute = world.compute()
    const { id } = world.volume({ label: 'data', compute_id: compute.id })
    expect(await skyctl(`volumes attach data --compute-id ${compute.id} -q`)).toMatchObject({
      exit: 0,
      stdout: `${id}\n`,
    })
    expect(world.requests('POST')).toEqual([])
  })

  test('--dry-run prints also the request for what is so already', async ({ skyctl, world }) => {
    world.volume({ label: 'data', compute_id: 1001 })
    const { exit, stdout } = await skyctl('volumes attach data --compute-id 1001 --dry-run --json')
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, method: 'POST', body: { compute_id: 1001 } })
    expect(world.requests().map(({ path }) => path)).toEqual([expect.stringMatching(/^\/volumes\?/)])
  })

  test('a detached volume is not detached again, and nothing is asked', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    const { exit, stderr } = await skyctl('volumes detach data', { interactive: true })
    // On a busy machine, a line that is erased again says what it waits for.
    const said = stderr.split('\x1b[J').at(-1)
    expect({ exit, said }).toEqual({ exit: 0, said: `volume "data" (${id}) is not attached\n` })
    expect(world.requests('POST')).toEqual([])
  })

  test('an enabled firewall is not enabled again', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'one' })
    expect((await skyctl('firewalls enable one')).stderr).toContain(`firewall "one" (${id}) is already enabled\n`)
    expect(world.requests('PUT')).toEqual([])
  })

  test('a service that a firewall protects is not assigned to it again', async ({ skyctl, world }) => {
    const line = 'firewalls devices add spare --compute-id 1004'
    expect((await skyctl(line)).exit).toBe(0)
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: 'firewall "spare" (4005) is already assigned to compute 1004\n',
    })
    expect(world.network.devices.all().filter(({ entity }) => entity === 1004)).toHaveLength(1)
    expect((await skyctl('firewalls devices add spare --compute-id 1003')).exit).toBe(6)
  })

  test('a service of another type or id is not the one that a firewall protects', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'two' })
    world.network.device(id, 'compute', world.compute({ id: 2002 }).id)
    world.network.device(id, 'balancer', 2001)
    const { exit, stderr } = await skyctl('firewalls devices add two --balancer-id 2002')
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('Only one balancer can be assigned to a firewall'),
    })
  })

  test('--if-match is refused where it does not match, also where nothing would change', async ({ skyctl, world }) => {
    const hash = (await skyctl('firewalls rules list spare --hash')).stdout.trim()
    const line = `firewalls rules update spare --inbound-policy accept --if-match ${hash} --yes`
    expect((await skyctl(line)).exit).toBe(0)
    for (const again of [line, line.replace('accept', 'drop')]) {
      const { exit, stderr } = await skyctl(`${again} --json`)
      expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({ exit: 6, error: { code: 'changed' } })
    }
    expect(world.requests('PUT')).toHaveLength(1)
  })

  test('reverse DNS that stands is not set again', async ({ skyctl, world }) => {
    await skyctl('ips rdns 192.0.2.31 mail.example.net')
    expect((await skyctl('ips rdns 192.0.2.31 mail.example.net')).exit).toBe(0)
    expect(world.requests('PUT')).toHaveLength(1)
  })
})

describe('a label that another has', () => {
  test.for([
    'volumes create --label taken --region us-east',
    'volumes clone other --label taken',
    'volumes update other --label taken',
    'profile sshkeys update other --label taken',
  ])('%s: a script is refused, unless it wants that', async (line, { skyctl, world }) => {
    for (const label of ['taken', 'other']) {
      world.volume({ label })
      await skyctl(`profile sshkeys add --label ${label} --ssh-key -`, { stdin: key })
    }
    const sent = world.requests('POST').length
    const { exit, stderr } = await skyctl(line)
    expect(exit).toBe(6)
    expect(stderr).toMatch(/"taken" \(\d+\) already has this label. .*--allow-duplicate/)
    expect(world.requests('POST')).toHaveLength(sent)
    expect((await skyctl(`${line} --allow-duplicate`)).exit).toBe(0)
  })

  test('a person is warned', async ({ skyctl, world }) => {
    world.volume({ label: 'taken' })
    const { exit, stderr } = await skyctl('volumes create --label taken --region us-east', { interactive: true })
    expect(exit).toBe(0)
    expect(stderr).toMatch(
      /skyctl: warning: volume "taken" \(\d+\) already has this label; commands will\s+need the id of each/,
    )
  })

  test('to keep its own label is no duplicate', async ({ skyctl, world }) => {
    world.volume({ label: 'mine' })
    expect((await skyctl('volumes update mine --label mine')).exit).toBe(0)
  })
})
