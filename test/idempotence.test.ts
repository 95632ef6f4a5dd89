/** Commands that can be repeated safely (state.md, The small form), and duplicate labels. */
import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { type Fate, lossyProxy } from './support/lossy-proxy'
import { openProxy } from './support/proxy'
import { completeRecord } from './support/records'
import { test as base, type Result } from './support/skyctl'

const test = base.extend<{
  /**
   * Runs two machines at once: the slow one looks the label up first and sends its request after the fast one has
   * finished.
   */
  race(slow: string, fast: string, fate?: Fate): Promise<{ slow: Result; fast: Result }>
}>({
  race: async ({ skyctl, lossy, home }, use) =>
    use(async (slow, fast, fate) => {
      const pending = lossy.hold('POST', /^\/(volumes|networking\/firewalls)$/, fate)
      const running = skyctl(slow, { env: { SKYCTL_STATE_DIR: `${home}/other` } })
      await pending.arrived
      const first = await skyctl(fast)
      pending.release()
      return { fast: first, slow: await running }
    }),
})

const volume = 'volumes create --label data --size 40 --region us-east --if-absent'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD admin'
const firewall = 'firewalls create --label fresh --inbound-policy drop --outbound-policy accept --if-absent'

describe('--if-absent', () => {
  test('creates a missing object, and uses it when run again', async ({ skyctl, world }) => {
    const first = await skyctl(`${volume} -q`)
    const second = await skyctl(`${volume} -q`)
    expect(first.exit).toBe(0)
    expect(second).toEqual({ ...first, stderr: '' })
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('compares only what the line names: the size of a volume, its tags and the default region', async ({
    skyctl,
    world,
    sandbox,
  }) => {
    world.volume({ label: 'data', size: 40, region: 'eu-west', tags: ['db'] })
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --with-token --context prod --base-url ${sandbox.baseUrl}`
    await skyctl(login, { env, stdin: sandbox.ownerToken })
    await skyctl('context update prod --region us-east', { env })
    const line = 'volumes create --label data --if-absent'
    for (const more of ['', '--region eu-west', '--tag db', '--size 40'])
      expect({ more, exit: (await skyctl(`${line} ${more}`, { env })).exit }).toEqual({ more, exit: 0 })
    for (const more of ['--region us-east', '--tag web', '--size 20'])
      expect({ more, exit: (await skyctl(`${line} ${more}`, { env })).exit }).toEqual({ more, exit: 6 })
    expect(world.requests('POST')).toEqual([])
  })

  test('compares only the parts of the rules that the line names', async ({ skyctl, world }) => {
    expect((await skyctl(firewall)).exit).toBe(0)
    const add =
      'firewalls rules add fresh inbound --action accept --protocol tcp --port 443 --from anywhere --if-absent'
    expect((await skyctl(add)).exit).toBe(0)
    for (const [line, exit] of [
      [firewall, 0],
      [firewall.replace('inbound-policy drop', 'inbound-policy accept'), 6],
    ] as const)
      expect({ line, exit: (await skyctl(line)).exit }).toEqual({ line, exit })
    const policies = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }
    for (const [rules, exit] of [
      [policies, 0],
      [{ ...policies, outbound: [] }, 0],
      [{ ...policies, inbound: [] }, 6],
    ] as const) {
      const stdin = JSON.stringify(rules)
      const { exit: code } = await skyctl('firewalls create --label fresh --file - --if-absent', { stdin })
      expect({ rules, exit: code }).toEqual({ rules, exit })
    }
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('reports that the object exists already', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data', size: 40 })
    const { exit, stderr } = await skyctl(volume)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `volume "data" (${id}) already exists and matches\n` })
  })

  test.for([
    [{ size: 20 }, 'size 20, not 40'],
    [{ size: 40, region: 'eu-west' }, 'region "eu-west", not "us-east"'],
  ] as const)(
    'refuses an object that differs, with the difference: %j',
    async ([other, difference], { skyctl, world }) => {
      const { id } = world.volume({ label: 'data', ...other })
      const { exit, stderr } = await skyctl(volume)
      expect({ exit, stderr }).toEqual({
        exit: 6,
        stderr: `skyctl: volume "data" (${id}) exists, but has ${difference}\n`,
      })
      expect(world.requests('POST')).toEqual([])
    },
  )

  test('accepts additional properties, and tags in any order', async ({ skyctl, world }) => {
    world.volume({ label: 'data', size: 40, tags: ['b', 'a'], compute_id: world.compute().id })
    expect((await skyctl(`${volume} --tag a --tag b`)).exit).toBe(0)
    expect((await skyctl(`${volume} --tag a`)).exit).toBe(6)
  })

  test('refuses a label of two objects, even if they match', async ({ skyctl, world }) => {
    for (let count = 0; count < 2; count += 1) world.volume({ label: 'data', size: 40 })
    const { exit, stderr } = await skyctl(volume)
    expect({ exit, posts: world.requests('POST') }).toEqual({ exit: 6, posts: [] })
    expect(stderr).toContain('2 volumes have the label "data"')
  })

  test('creates nothing if the lookup fails with 503', async ({ skyctl }) => {
    const server = await faultServer(Array(3).fill(reply(503, '')))
    const { exit } = await skyctl(volume, { env: { SKYCTL_BASE_URL: `http://${server.host}` } })
    expect({ exit, methods: new Set(server.received.map(({ method }) => method)) }).toEqual({
      exit: 8,
      methods: new Set(['GET']),
    })
  })

  test('creates one object if three processes run at once', async ({ skyctl, world }) => {
    const results = await Promise.all([skyctl(`${volume} -q`), skyctl(`${volume} -q`), skyctl(`${volume} -q`)])
    expect(new Set(results.map(({ stdout }) => stdout)).size).toBe(1)
    expect(results.map(({ exit }) => exit)).toEqual([0, 0, 0])
    // Each process waits for the previous one, so none creates a volume that it has to delete again.
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('deletes the later volume if two machines create it at once', async ({ race, world }) => {
    const { slow, fast } = await race(`${volume} -q`, `${volume} -q`)
    expect(slow).toMatchObject({ exit: 0, stdout: fast.stdout })
    expect(slow.stderr).toContain('which skyctl deletes again')
    expect(world.volumes.all().filter(({ label }) => label === 'data')).toHaveLength(1)
  })

  test('deletes the later volume and fails if its size differs from that of another machine', async ({
    race,
    world,
  }) => {
    const { slow, fast } = await race(volume.replace('40', '60'), `${volume} -q`)
    expect({ exit: slow.exit, last: slow.stderr.trimEnd().split('\n').at(-1) }).toEqual({
      exit: 6,
      last: `skyctl: volume "data" (${fast.stdout.trim()}) exists, but has size 40, not 60`,
    })
    const left = world.volumes.all().filter(({ label }) => label === 'data')
    expect(left.map(({ size }) => size)).toEqual([40])
  })

  const attached = 'volumes create --label data --compute-id 1001 --if-absent -q'

  test('detaches and deletes the later volume if two machines attach it at once', async ({ race, world }) => {
    const { slow, fast } = await race(attached, attached)
    expect(slow).toMatchObject({ exit: 0, stdout: fast.stdout })
    const left = world.volumes.all().filter(({ label }) => label === 'data')
    expect(left.map(({ id, compute_id }) => [`${id}\n`, compute_id])).toEqual([[fast.stdout, 1001]])
  })

  test('deletes the later volume only after its detachment has finished', async ({ skyctl, sandbox, home }) => {
    const events: string[] = []
    const service = await openProxy(sandbox.baseUrl, {
      before: ({ method }) => void (method === 'DELETE' && events.push('DELETE')),
      after: ({ path }) => void (path.endsWith('/detach') && events.push('detach')),
      // Simulates a service that detaches slowly.
      answer({ method, path }) {
        const id = Number(/^\/volumes\/(\d+)$/.exec(path)?.[1])
        if (method !== 'GET' || !id || events.at(-1) !== 'detach' || events.push('attached') > 2) return undefined
        return completeRecord({ id, label: 'data', compute_id: 1001 })
      },
    })
    onTestFinished(service.close)
    const proxy = await lossyProxy(service.baseUrl)
    onTestFinished(proxy.close)
    const pending = proxy.hold('POST', '/volumes')
    const slow = skyctl(attached, { env: { SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_STATE_DIR: `${home}/other` } })
    await pending.arrived
    const fast = await skyctl(attached)
    pending.release()
    expect(await slow).toMatchObject({ exit: 0, stdout: fast.stdout })
    expect(events).toEqual(['detach', 'attached', 'DELETE'])
  })

  test.for([
    ['its response was lost', 'answer lost', '60', false],
    ['it cannot be deleted', 'none', '40', true],
  ] as const)(
    'names both volumes of two machines and keeps the later one if %s',
    async ([, fate, size, cannotDelete], { race, lossy, world }) => {
      const reply = (outgoing: ServerResponse) => void outgoing.writeHead(400).end('{"errors":[{"reason":"Kept"}]}')
      if (cannotDelete) lossy.lose('DELETE', /^\/volumes/, { done: false, reply })
      const { fast, slow } = await race(volume.replace('40', size), `${volume} -q`, fate)
      const [first, later] = world.volumes.all().flatMap(({ label, id }) => (label === 'data' ? [id] : []))
      expect({ exit: slow.exit, first: `${first}\n` }).toEqual({ exit: 6, first: fast.stdout })
      const both = `volume "data" (${first}) was created at the same time as volume "data" (${later})`
      expect(slow.stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: ${both}. Delete one of them by its id`)
    },
  )

  test('keeps the volume with the lowest id, in any order of the list', async ({ skyctl }) => {
    const { received, host } = await faultServer((socket, { method, path }) => {
      const isCreated = received.some((one) => one.method === 'POST')
      const data = isCreated ? [7005, 7001, 7003].map((id) => completeRecord({ id, label: 'data', size: 40 })) : []
      const answer = method === 'GET' ? { data, page: 1, pages: 1, results: data.length } : {}
      reply(200, method === 'POST' ? completeRecord({ id: 7003, label: 'data', size: 40 }) : answer)(socket, {
        ...{ method, path, headers: {}, body: '' },
      })
    })
    const { exit, stdout } = await skyctl(`${volume} -q --no-validate`, {
      env: { SKYCTL_BASE_URL: `http://${host}/v4` },
    })
    const deleted = received.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : []))
    expect({ exit, stdout, deleted }).toEqual({ exit: 0, stdout: '7001\n', deleted: ['/v4/volumes/7003'] })
  })

  test('uses the firewall of another machine if its label is taken meanwhile', async ({ race, world }) => {
    const { fast, slow } = await race(firewall, firewall)
    const created = world.network.firewalls.all().filter(({ label }) => label === 'fresh')
    expect({ exits: [fast.exit, slow.exit], created: created.length }).toEqual({ exits: [0, 0], created: 1 })
    expect(slow.stderr).toContain(`firewall "fresh" (${created[0]?.id}) already exists and matches\n`)
  })

  test('refuses the different firewall of another machine if its label is taken meanwhile', async ({ race, world }) => {
    const { fast, slow } = await race(firewall.replace('policy drop', 'policy accept'), firewall)
    const created = world.network.firewalls.all().find(({ label }) => label === 'fresh')
    expect([fast.exit, slow.exit]).toEqual([0, 6])
    expect(slow.stderr).toContain(`firewall "fresh" (${created?.id}) exists, but has rules`)
  })

  test("compares a firewall's rules and protected services", async ({ skyctl, world }) => {
    expect((await skyctl(`${firewall} --compute-id 1004 --yes`)).exit).toBe(0)
    expect((await skyctl(`${firewall} --compute-id 1004`)).exit).toBe(0)
    expect((await skyctl(`${firewall} --compute-id 1005`)).exit).toBe(6)
    expect((await skyctl(firewall.replace('drop', 'accept'))).exit).toBe(6)
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('reports a rejection unchanged if the label is not its reason', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl(`${firewall} --compute-id 1001 --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('Compute 1001 already has an active firewall'),
    })
  })

  test('compares the text of an SSH key', async ({ skyctl, world }) => {
    const line = 'profile sshkeys add --label ci --ssh-key - --if-absent'
    expect((await skyctl(line, { stdin: key })).exit).toBe(0)
    expect((await skyctl(line, { stdin: key })).exit).toBe(0)
    expect((await skyctl(line, { stdin: key.replace('6QyD', '6QyE') })).exit).toBe(6)
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('with --dry-run prints the request and sends none', async ({ skyctl, world }) => {
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
  ])('succeeds if the object does not exist: %s', async (line, { skyctl }) => {
    const { exit, stderr } = await skyctl(`${line} --if-present --yes`)
    expect(exit).toBe(0)
    expect(stderr).toMatch(/not found: nothing to do\n$/)
    expect((await skyctl(`${line} --yes`)).exit).toBe(5)
    expect((await skyctl(`${line} --if-present --yes --json`)).stdout).toBe('{}\n')
  })

  test('succeeds if the rule does not exist: firewalls rules remove', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('firewalls rules remove 4001 inbound label:gone --if-present --yes')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes\n' })
    expect((await skyctl('firewalls rules remove 4001 inbound label:gone --yes')).exit).toBe(5)
    expect(world.requests('PUT')).toEqual([])
  })

  test('removes an existing object', async ({ skyctl, world }) => {
    const { id } = world.volume()
    expect((await skyctl(`volumes delete ${id} --if-present --yes`)).exit).toBe(0)
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test('removes the existing ones of several objects', async ({ skyctl, world }) => {
    const { id } = world.volume()
    expect((await skyctl(`volumes delete 999999 ${id} --if-present --yes`)).exit).toBe(0)
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test.for(['999999 5', 'nothing-of-this-name 5'])(
    'fails if the firewall of a device does not exist: firewalls devices delete %s',
    async (words, { skyctl, world }) => {
      const { exit, stderr } = await skyctl(`firewalls devices delete ${words} --if-present --yes`)
      expect({ exit, stderr }).toEqual({ exit: 5, stderr: expect.stringMatching(/^skyctl: firewall \S+ not found/) })
      expect(world.requests('DELETE')).toEqual([])
    },
  )

  test('does not count a 503 as a missing object', async ({ skyctl }) => {
    const server = await faultServer(Array(3).fill(reply(503, '')))
    const line = 'volumes delete 5 --if-present --yes --force'
    expect((await skyctl(line, { env: { SKYCTL_BASE_URL: `http://${server.host}` } })).exit).toBe(11)
  })
})

describe('no request is sent for', () => {
  test('attaching an attached volume', async ({ skyctl, world }) => {
    const compute = world.compute()
    const { id } = world.volume({ label: 'data', compute_id: compute.id })
    expect(await skyctl(`volumes attach data --compute-id ${compute.id} -q`)).toMatchObject({
      exit: 0,
      stdout: `${id}\n`,
    })
    expect(world.requests('POST')).toEqual([])
  })

  test('an attached volume with --dry-run, which still prints the request', async ({ skyctl, world }) => {
    world.volume({ label: 'data', compute_id: 1001 })
    const { exit, stdout } = await skyctl('volumes attach data --compute-id 1001 --dry-run --json')
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, method: 'POST', body: { compute_id: 1001 } })
    expect(world.requests().map(({ path }) => path)).toEqual([expect.stringMatching(/^\/volumes\?/)])
  })

  test('detaching a detached volume, and no question is asked', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    const { exit, stderr } = await skyctl('volumes detach data', { interactive: true })
    // On a busy machine, an erased progress line precedes the message.
    const message = stderr.split('\x1b[J').at(-1)
    expect({ exit, message }).toEqual({ exit: 0, message: `volume "data" (${id}) is not attached\n` })
    expect(world.requests('POST')).toEqual([])
  })

  test('enabling an enabled firewall', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'one' })
    expect((await skyctl('firewalls enable one')).stderr).toContain(`firewall "one" (${id}) is already enabled\n`)
    expect(world.requests('PUT')).toEqual([])
  })

  test('assigning a firewall to a service that it protects', async ({ skyctl, world }) => {
    const line = 'firewalls devices add spare --compute-id 1004'
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: 'firewall "spare" (4005) is already assigned to compute 1004\n',
    })
    expect(world.network.devices.all().filter(({ entity }) => entity === 1004)).toHaveLength(1)
    expect((await skyctl('firewalls devices add spare --compute-id 1003 --yes')).exit).toBe(6)
  })

  test('assigning a firewall, except if the protected service has another type or id', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'two' })
    world.network.device(id, 'compute', world.compute({ id: 2002 }).id)
    world.network.device(id, 'balancer', 2001)
    const { exit, stderr } = await skyctl('firewalls devices add two --balancer-id 2002')
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('Only one balancer can be assigned to a firewall'),
    })
  })

  test('unchanged rules, but --if-match fails if the hash differs', async ({ skyctl, world }) => {
    const hash = (await skyctl('firewalls rules list spare --hash')).stdout.trim()
    const line = `firewalls rules update spare --inbound-policy accept --if-match ${hash} --yes`
    expect((await skyctl(line)).exit).toBe(0)
    for (const again of [line, line.replace('accept', 'drop')]) {
      const { exit, stderr } = await skyctl(`${again} --json`)
      expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({ exit: 6, error: { code: 'changed' } })
    }
    expect(world.requests('PUT')).toHaveLength(1)
  })

  test('an unchanged reverse DNS name', async ({ skyctl, world }) => {
    await skyctl('ips rdns 192.0.2.31 mail.example.net')
    expect((await skyctl('ips rdns 192.0.2.31 mail.example.net')).exit).toBe(0)
    expect(world.requests('PUT')).toHaveLength(1)
  })
})

describe('a duplicate label', () => {
  test.for([
    'volumes create --label taken --region us-east',
    'volumes clone other --label taken',
    'volumes update other --label taken',
    'profile sshkeys update other --label taken',
  ])('is an error in a script, unless allowed: %s', async (line, { skyctl, world }) => {
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

  test('is a warning in a terminal', async ({ skyctl, world }) => {
    world.volume({ label: 'taken' })
    const { exit, stderr } = await skyctl('volumes create --label taken --region us-east', { interactive: true })
    expect(exit).toBe(0)
    expect(stderr).toMatch(
      /skyctl: warning: volume "taken" \(\d+\) already has this label; commands will\s+need the id of each/,
    )
  })

  test.for([
    ['profile sshkeys add --label taken --ssh-key -', 'profile sshkeys'],
    ['volumes create --label taken --region us-east', 'volumes'],
    ['volumes update other --label taken', 'volumes'],
  ] as const)(
    'is a warning with the command that renames what was changed: %s',
    async ([line, group], { skyctl, world }) => {
      for (const label of ['taken', 'other']) world.volume({ label })
      await skyctl('profile sshkeys add --label taken --ssh-key -', { stdin: key })
      const { stdout, stderr } = await skyctl(`${line} --json`, { stdin: key, interactive: true })
      const [, step] = /Rename one: skyctl (.*?) --label NEW_LABEL/.exec(stderr) ?? []
      expect(step).toBe(`${group} update ${JSON.parse(stdout).id}`)
      expect(await skyctl(`${step} --label fresh`)).toMatchObject({ exit: 0 })
    },
  )

  test("is not the object's own label", async ({ skyctl, world }) => {
    world.volume({ label: 'mine' })
    expect((await skyctl('volumes update mine --label mine')).exit).toBe(0)
  })
})
