/** Guards of the commands in programs: the tables of lockouts, labels and repeated changes, run by the library. */
import { describe, expect } from 'vitest'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { test as base } from './support/library'
import type { Fixtures } from './support/skyctl'

type World = Fixtures['world']

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD admin'
const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

const test = base.extend<{
  /** The firewall "edge" (9100), which protects "app-1" (9001) and allows SSH and HTTPS from 203.0.113.0/24. */
  edge: World
}>({
  edge: async ({ world }, use) => {
    world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
    world.compute({ id: 9002, label: 'app-2', region: 'us-east' })
    world.network.address({ address: '192.0.2.201', type: 'ipv4', compute_id: 9001 })
    world.network.address({ address: '192.0.2.202', type: 'ipv4', compute_id: 9002 })
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) as never })
    world.network.device(9100, 'compute', 9001)
    world.network.firewall({ id: 9201, label: 'off', rules: ruleSet(web) as never, status: 'disabled' })
    world.network.device(9201, 'compute', 9002)
    world.network.firewall({ id: 9202, label: 'bare', rules: ruleSet(web) as never })
    await use(world)
  },
})

const strict = ruleSet(web)

/** Changes that block SSH from 203.0.113.7 to an instance. */
const blocking: readonly [string, ...unknown[]][] = [
  ['firewalls.rules.update', 'edge', strict],
  ['firewalls.rules.update', 'edge', { inbound: [] }],
  ['firewalls.enable', 'off'],
  ['firewalls.update', 'off', { status: 'enabled' }],
  ['firewalls.devices.add', 'bare', { id: 9002, type: 'compute' }],
  ['firewalls.create', { label: 'new', rules: strict, devices: { computes: [9002] } }],
]

describe('a change that blocks SSH', () => {
  test.for(blocking)(
    'through which the program runs is refused, unless allowed: %s %j',
    async ([path, ...args], { library, edge }) => {
      const { outcome } = library({
        env: {
          SSH_CONNECTION: `203.0.113.7 50022 ${JSON.stringify(args).includes('edge') ? '192.0.2.201' : '192.0.2.202'} 22`,
        },
      })
      expect(await outcome(path, ...args)).toEqual({
        code: 'locked_out',
        message: expect.stringMatching(
          /^SSH_CONNECTION: tcp\/22 from 203\.0\.113\.7 would be blocked at .*nothing was sent$/,
        ),
        hint: expect.stringContaining('allowLockout: true'),
      })
      expect(writes(edge)).toEqual([])
      expect(await outcome(path, ...args, { allowLockout: true })).toBe('done')
    },
  )

  test.for(blocking)('that must stay open is refused: %s %j', async ([path, ...args], { library, edge }) => {
    const { outcome } = library()
    const options = { keepOpen: ['tcp/22@203.0.113.7'] }
    expect(await outcome(path, ...args, options)).toMatchObject({
      code: 'locked_out',
      message: expect.stringMatching(/^keepOpen: tcp\/22 from 203\.0\.113\.7 would be blocked at /),
    })
    expect(writes(edge)).toEqual([])
    expect(await outcome(path, ...args, { ...options, allowLockout: true })).toBe('done')
  })

  test('that a context keeps open is refused', async ({ library, skyctl, edge, env }) => {
    const { SKYCTL_TOKEN, SKYCTL_BASE_URL } = env
    const unset = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --with-token --context lab --base-url ${SKYCTL_BASE_URL}`
    expect((await skyctl(login, { stdin: SKYCTL_TOKEN ?? '', env: unset })).exit).toBe(0)
    expect((await skyctl('context update lab --keep-open tcp/22@203.0.113.7', { env: unset })).exit).toBe(0)
    const { outcome } = library({ env: unset })
    expect(await outcome('firewalls.rules.update', 'edge', strict)).toMatchObject({
      code: 'locked_out',
      message: expect.stringMatching(/^keep-open of the context: /),
    })
    expect(writes(edge)).toEqual([])
    // SSH to this instance is open to nobody from there now, so nothing is lost.
    expect(await outcome('firewalls.rules.update', 'bare', ruleSet())).toBe('done')
  })

  test('is made if the connection ends elsewhere, or stays open', async ({ library, edge }) => {
    const { outcome } = library({ env: { SSH_CONNECTION: '203.0.113.7 50022 192.0.2.250 22' } })
    expect(await outcome('firewalls.rules.update', 'edge', strict)).toBe('done')
    expect(await outcome('firewalls.disable', 'edge')).toBe('done')
    expect(edge.network.firewalls.get(9100)?.status).toBe('disabled')
  })

  test.for(['22@203.0.113.7', 'tcp/0', 'all'])('needs traffic that exists: %s', async (traffic, { library, edge }) => {
    expect(await library().outcome('firewalls.enable', 'off', { keepOpen: [traffic] })).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`keepOpen: "${traffic}" names no traffic`),
    })
    expect(writes(edge)).toEqual([])
  })
})

describe('a label in use', () => {
  const labelling: readonly [string, ...unknown[]][] = [
    ['volumes.create', { label: 'taken', region: 'us-east' }],
    ['volumes.clone', 'other', { label: 'taken' }],
    ['volumes.update', 'other', { label: 'taken' }],
    ['profile.sshkeys.add', { label: 'taken', ssh_key: key }],
    ['profile.sshkeys.update', 'other', { label: 'taken' }],
  ]

  test.for(labelling)('is refused, unless allowed: %s %j', async ([path, ...args], { library, world, skyctl }) => {
    for (const label of ['taken', 'other']) {
      world.volume({ label })
      await skyctl(`profile sshkeys add --label ${label} --ssh-key -`, { stdin: key })
    }
    const before = writes(world).length
    const { outcome } = library()
    expect(await outcome(path, ...args)).toEqual({
      code: 'exists',
      message: expect.stringMatching(/"taken" \(\d+\) already has this label$/),
      hint: 'Choose another, or add allowDuplicate: true',
    })
    expect(writes(world)).toHaveLength(before)
    expect(await outcome(path, ...args, { allowDuplicate: true })).toBe('done')
  })

  test("is not the object's own", async ({ library, world }) => {
    world.volume({ label: 'mine' })
    expect(await library().outcome('volumes.update', 'mine', { label: 'mine' })).toBe('done')
  })

  test('is not given to a volume by an undo', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    expect((await skyctl(`volumes update ${id} --label old`)).exit).toBe(0)
    const other = world.volume({ label: 'data' })
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining(`volume "data" (${other.id}) already has this label`),
    })
    expect((await skyctl('history undo 1 --yes --allow-duplicate')).exit).toBe(0)
  })
})

describe('the token in use', () => {
  test('is not revoked by mistake', async ({ library, world, sandbox }) => {
    const token = world.tokens.all().find(({ token: text }) => text === sandbox.ownerToken)
    const { outcome } = library()
    expect(await outcome('tokens.revoke', token?.id)).toEqual({
      code: 'usage',
      message: expect.stringContaining('is the current token: without it you are signed out'),
      hint: expect.stringContaining('add force: true'),
    })
    expect(writes(world)).toEqual([])
    expect(await outcome('tokens.revoke', token?.id, { force: true })).toBe('done')
  })
})

describe('a private key', () => {
  const secret = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----'

  test.for<[string, object]>([
    ['profile.sshkeys.add', { label: 'mine', ssh_key: secret }],
    ['profile.update', { authorized_keys: [secret] }],
  ])('is not sent: %s', async ([path, body], { library, world }) => {
    expect(await library().outcome(path, body)).toMatchObject({ code: 'usage' })
    expect(world.requests()).toEqual([])
  })
})

describe('a protected object', () => {
  test.for<[string, ...unknown[]]>([
    ['volumes.delete', 'kept'],
    ['volumes.detach', 'kept'],
    ['firewalls.delete', 'kept'],
    ['firewalls.disable', 'kept'],
    ['firewalls.update', 'kept', { status: 'disabled' }],
    ['firewalls.rules.update', 'kept', { inbound_policy: 'ACCEPT', inbound: [] }],
  ])('stays as it is, unless forced: %s %j', async ([path, ...args], { library, world }) => {
    world.volume({ label: 'kept', tags: ['protected'], ...(path === 'volumes.detach' && { compute_id: 1001 }) })
    world.network.firewall({ label: 'kept', tags: ['protected'], rules: ruleSet(ssh) as never })
    const { outcome } = library()
    expect(await outcome(path, ...args)).toMatchObject({ code: 'protected' })
    expect(writes(world)).toEqual([])
    expect(await outcome(path, ...args, { force: true })).toBe('done')
  })
})

describe('a repeated change', () => {
  test.for<[string, object, object]>([
    ['volumes.create', { label: 'data', size: 40, region: 'us-east' }, { size: 60 }],
    ['firewalls.create', { label: 'fresh', rules: ruleSet(web) }, { rules: ruleSet(ssh) }],
    ['profile.sshkeys.add', { label: 'ci', ssh_key: key }, { ssh_key: key.replace('6QyD', '6QyE') }],
  ])('with ifAbsent makes one object, and refuses another one: %s', async ([path, body, other], { library, world }) => {
    const { outcome } = library()
    expect(await Promise.all([1, 2].map(() => outcome(path, body, { ifAbsent: true })))).toEqual(
      expect.arrayContaining(['done', 'exists']),
    )
    expect(await outcome(path, { ...body, ...other }, { ifAbsent: true })).toMatchObject({ code: 'exists' })
    expect(writes(world)).toHaveLength(1)
  })

  test.for<[string, ...unknown[]]>([
    ['volumes.delete', 999_999],
    ['volumes.delete', 'nothing-of-this-name'],
    ['volumes.detach', 999_999],
    ['firewalls.delete', 999_999],
    ['firewalls.devices.delete', 4001, 999_999],
    ['tokens.revoke', 999_999],
    ['profile.sshkeys.delete', 999_999],
    ['ipv6.ranges.delete', '2001:db8:ffff::'],
  ])('with ifPresent takes a missing object as removed: %s %j', async ([path, ...args], { library, world }) => {
    const { outcome } = library()
    expect(await outcome(path, ...args, { ifPresent: true })).toBe('absent')
    expect(await outcome(path, ...args)).toMatchObject({ code: 'not_found' })
    expect(writes(world).every(({ method }) => method === 'DELETE' || path === 'volumes.detach')).toBe(true)
  })

  test.for<[string, ...unknown[]]>([
    ['volumes.attach', 'data', { compute_id: 1001 }],
    ['volumes.resize', 'data', { size: 20 }],
    ['volumes.detach', 'loose'],
    ['firewalls.enable', 'one'],
    ['firewalls.devices.add', 'one', { id: 1009, type: 'compute' }],
    ['firewalls.rules.update', 'one', { inbound_policy: 'DROP' }],
  ])('sends nothing if it is done: %s', async ([path, ...args], { library, world }) => {
    world.volume({ label: 'data', size: 20, compute_id: 1001 })
    world.volume({ label: 'loose' })
    const { id } = world.network.firewall({ label: 'one', rules: ruleSet(web) as never })
    world.network.device(id, 'compute', 1009)
    expect(await library().outcome(path, ...args)).toBe('already')
    expect(writes(world).filter(({ path }) => !path.endsWith('/devices'))).toEqual([])
  })
})
