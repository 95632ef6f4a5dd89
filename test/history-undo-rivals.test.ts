/** `history undo` keeps changes of others, also those made while it runs, and treats the changes of one apply as one. */
import { describe, expect } from 'vitest'
import { dns, ruleSet, ssh, web } from './support/firewall-rules'
import { refusal } from './support/lossy-proxy'
import type { World } from './support/sandbox'
import { test as base, type Result } from './support/skyctl'

type Firewall = NonNullable<ReturnType<World['network']['firewalls']['get']>>

interface Fixtures {
  /** Changes firewall "edge" (9100) as somebody else would. */
  theirs(changes: Partial<Firewall>): void
  /** Calls a function after this many requests of this kind, from now on. */
  afterRequests(count: number, request: RegExp, act: () => void): void
  /** Applies a file and returns the id of that apply. */
  apply(text: string): Promise<string>
}

const test = base.extend<Fixtures>({
  theirs: async ({ world }, use) =>
    use((changes) => {
      const edge = world.network.firewalls.get(9100)
      if (edge) world.network.firewalls.put({ ...edge, ...changes })
    }),
  afterRequests: async ({ meanwhile }, use) => {
    let event = { count: 0, request: /^$/, act: () => {} }
    await meanwhile({
      after({ method, path }) {
        if (!event.request.test(`${method} ${path}`)) return
        event.count -= 1
        if (event.count === 0) event.act()
      },
    })
    await use((count, request, act) => {
      event = { count, request, act }
    })
  },
  apply: async ({ skyctl }, use) =>
    use(async (text) => {
      const { exit, stderr } = await skyctl('apply - --yes', { stdin: text })
      expect({ exit, stderr }).toMatchObject({ exit: 0 })
      return /history undo --apply (\w+)/.exec(stderr)?.[1] ?? ''
    }),
})

function arrange({ network }: World, fields: Partial<Firewall> = {}): void {
  for (const { id } of network.devices.all()) network.devices.delete(id)
  network.firewall({ id: 9100, label: 'edge', tags: ['a'], rules: ruleSet(ssh, web), ...fields })
}
const rulesIn = ({ network }: World) => network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)
const puts = (world: World) => world.requests('PUT').length
const codeOf = ({ stderr }: Result) => /"code":\s*"(\w+)"/.exec(stderr)?.[1]

const removal = 'firewalls rules remove edge inbound label:web --yes'
const withoutWeb = `firewalls: { edge: { rules: { inbound: [${JSON.stringify(ssh)}] } } }`

describe('rules that somebody writes between the read of an undo and its request', () => {
  test.for(['history undo 1', 'firewalls rules undo edge'])(
    'stay: %s',
    async (line, { skyctl, world, theirs, afterRequests }) => {
      arrange(world)
      await skyctl(removal)
      const sent = puts(world)
      afterRequests(1, /^GET .*\/rules$/, () => theirs({ rules: ruleSet(ssh, dns) }))
      const result = await skyctl(`${line} --yes --json`)
      expect({ exit: result.exit, code: codeOf(result), rules: rulesIn(world) }).toEqual({
        exit: 6,
        code: 'changed',
        rules: ['ssh', 'dns'],
      })
      expect(puts(world)).toBe(sent)
    },
  )

  test('stay under --apply, too', async ({ skyctl, world, theirs, afterRequests, apply }) => {
    arrange(world)
    const id = await apply(withoutWeb)
    const sent = puts(world)
    afterRequests(1, /^GET \/networking\/firewalls\?/, () => theirs({ rules: ruleSet(ssh, dns) }))
    const { exit, stderr } = await skyctl(`history undo --apply ${id} --yes`)
    expect({ exit, sent: puts(world), rules: rulesIn(world) }).toEqual({ exit: 9, sent, rules: ['ssh', 'dns'] })
    expect(stderr).toContain('the rules of firewall "edge" (9100) were changed since')
  })
})

describe('values that somebody changes between the plan of an undo of apply and its requests', () => {
  const address = '203.0.113.200'
  const file = `{ volumes: { data: { tags: [b] }, other: { tags: [b] } }, rdns: { ${address}: mail.example.net } }`
  const lists = /^GET \/(volumes|networking\/ips)\?/
  const tags = ({ volumes }: World) => [7001, 7002].map((id) => volumes.get(id)?.tags)
  const name = ({ network }: World) => network.findAddress(address)?.rdns

  function arrangeValues(world: World): void {
    for (const [id, label] of [
      [7001, 'data'],
      [7002, 'other'],
    ] as const)
      world.volume({ id, label, tags: ['a'] })
    world.network.address({ address, compute_id: 1001, rdns: 'www.example.net' })
  }

  function change({ volumes, network }: World): void {
    const [volume, record] = [volumes.get(7001), network.findAddress(address)]
    if (volume) volumes.put({ ...volume, tags: ['theirs'] })
    if (record) network.addresses.put({ ...record, rdns: 'theirs.example.net' })
  }

  test('stay, and the other changes are undone', async ({ skyctl, world, apply, afterRequests }) => {
    arrangeValues(world)
    const id = await apply(file)
    afterRequests(2, lists, () => change(world))
    const { exit, stdout, stderr } = await skyctl(`history undo --apply ${id} --yes --json`)
    expect({ exit, tags: tags(world), name: name(world) }).toEqual({
      ...{ exit: 9, name: 'theirs.example.net' },
      tags: [['theirs'], ['a']],
    })
    expect(stderr).toContain('volume \\"data\\" (7001) was changed meanwhile, so skyctl keeps it')
    const { changes } = JSON.parse(stdout)
    expect(
      changes.map(({ outcome, error }: Record<string, { code: string }>) => error?.code ?? outcome).sort(),
    ).toEqual(['changed', 'changed', 'undone'])
  })

  test('stay, also among many objects, which are read again in one list', async ({
    skyctl,
    world,
    apply,
    afterRequests,
  }) => {
    const labels = Array.from({ length: 20 }, (_, index) => `v${index}`)
    for (const [index, label] of labels.entries()) world.volume({ id: 7001 + index, label, tags: ['a'] })
    const id = await apply(`volumes: { ${labels.map((label) => `${label}: { tags: [b] }`).join(', ')} }`)
    const reads = world.requests('GET').length
    afterRequests(1, lists, () => change(world))
    const { exit } = await skyctl(`history undo --apply ${id} --yes`)
    const survivors = labels.filter((_, index) => !world.volumes.get(7001 + index)?.tags.includes('a'))
    expect({ exit, survivors, tags: tags(world) }).toEqual({ exit: 9, survivors: ['v0'], tags: [['theirs'], ['a']] })
    expect(world.requests('GET').length - reads).toBeLessThan(5)
  })

  test('are undone with --force', async ({ skyctl, world, apply, afterRequests }) => {
    arrangeValues(world)
    const id = await apply(file)
    afterRequests(2, lists, () => change(world))
    const { exit } = await skyctl(`history undo --apply ${id} --yes --force`)
    expect({ exit, tags: tags(world), name: name(world) }).toEqual({
      ...{ exit: 0, name: 'www.example.net' },
      tags: [['a'], ['a']],
    })
  })
})

test.for<[what: string, line: string, changes: Partial<Firewall>]>([
  ['fields', 'firewalls update edge --tag b', { tags: ['theirs'] }],
  ['rules', removal, { rules: ruleSet(ssh, dns) }],
])(
  '--yes on a terminal does not consent to lose later changes: %s',
  async ([, line, changes], { skyctl, world, theirs }) => {
    arrange(world)
    await skyctl(line)
    theirs(changes)
    const sent = puts(world)
    const result = await skyctl('history undo 1 --yes --json', { interactive: true, columns: 80 })
    expect({ exit: result.exit, code: codeOf(result), sent: puts(world) }).toEqual({ exit: 6, code: 'changed', sent })
  },
)

test('--yes on a terminal does not consent to lose changes since an apply', async ({
  skyctl,
  world,
  theirs,
  apply,
}) => {
  arrange(world)
  const id = await apply('firewalls: { edge: { tags: [b] } }')
  theirs({ tags: ['theirs'] })
  const sent = puts(world)
  const result = await skyctl(`history undo --apply ${id} --yes --json`, { interactive: true, columns: 80 })
  expect({ exit: result.exit, code: codeOf(result), sent: puts(world) }).toEqual({ exit: 6, code: 'changed', sent })
})

describe('the undo of enabling a firewall', () => {
  const disabled = { status: 'disabled' } as const
  const enabling = 'firewalls: { edge: { status: enabled } }'
  const protecting = { tags: ['protected'] }

  test.for(['--yes', '--dry-run'])(
    'is refused if it is protected since, with %s',
    async (flag, { skyctl, world, theirs, apply }) => {
      arrange(world, disabled)
      world.network.device(9100, 'compute', 1003)
      const id = await apply(enabling)
      theirs(protecting)
      const sent = puts(world)
      for (const line of ['history undo 1', `history undo --apply ${id}`]) {
        const { exit, stderr } = await skyctl(`${line} ${flag}`)
        expect({ line, exit, stderr, sent: puts(world) }).toEqual({
          ...{ line, exit: 6, sent },
          stderr: expect.stringContaining('has the tag "protected"'),
        })
      }
    },
  )

  test.for<[what: string, requests: number, request: RegExp]>([
    ['its check', 2, /^GET \/networking\/firewalls\/9100$/],
    ['the plan', 1, /^GET \/networking\/firewalls\?/],
  ])(
    'is refused if it becomes protected between %s and the request',
    async ([what, count, request], { skyctl, world, theirs, apply, afterRequests }) => {
      arrange(world, disabled)
      world.network.device(9100, 'compute', 1003)
      const id = await apply(enabling)
      const sent = puts(world)
      afterRequests(count, request, () => theirs(protecting))
      const { exit, stderr } = await skyctl(`history undo ${what === 'the plan' ? `--apply ${id}` : 1} --yes`)
      expect({
        exit: [6, 9].includes(exit),
        stderr,
        sent: puts(world),
        status: world.network.firewalls.get(9100)?.status,
      }).toEqual({
        exit: true,
        stderr: expect.stringContaining('has the tag "protected", so it cannot be disabled'),
        ...{ sent, status: 'enabled' },
      })
    },
  )
})

test.for([0, 2])(
  'the undo of assigning a firewall is refused if that is protected after %i reads of it',
  async (count, { skyctl, world, theirs, afterRequests }) => {
    arrange(world)
    expect(await skyctl('firewalls devices add edge --compute-id 1003 --yes')).toMatchObject({ exit: 0 })
    const protect = () => theirs({ tags: ['protected'] })
    if (count === 0) protect()
    else afterRequests(count, /^GET \/networking\/firewalls\/9100$/, protect)
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr, sent: world.requests('DELETE') }).toEqual({
      ...{ exit: 6, sent: [] },
      stderr: expect.stringContaining('has the tag "protected", so no service can be removed from it'),
    })
    expect(world.network.firewalls.get(9100)?.tags).toEqual(['protected'])
    expect(await skyctl('history undo 1 --yes --force')).toMatchObject({ exit: 0 })
    expect(world.network.devicesOf(9100)).toEqual([])
  },
)

describe('several changes of one object by one apply', () => {
  test('are undone as one: a status that it has set and restored stays', async ({ skyctl, world, lossy }) => {
    arrange(world, { status: 'disabled' })
    world.network.firewall({ id: 9101, label: 'old', rules: ruleSet(ssh) })
    world.network.firewall({ id: 9102, label: 'other', status: 'disabled', rules: ruleSet(ssh) })
    for (const [firewall, compute] of [
      [9101, 1001],
      [9101, 1002],
      [9100, 1001],
      [9102, 1002],
    ] as const)
      world.network.device(firewall, 'compute', compute)
    lossy.lose('PUT', '/networking/firewalls/9102', { done: false, reply: refusal })
    const text = '{ firewalls: { edge: { status: enabled }, other: { status: enabled }, old: { status: disabled } } }'
    expect(await skyctl('apply - --yes', { stdin: text })).toMatchObject({ exit: 6 })
    const statuses = () => [9100, 9101, 9102].map((id) => world.network.firewalls.get(id)?.status)
    expect(statuses()).toEqual(['disabled', 'enabled', 'disabled'])
    const [{ apply }] = JSON.parse((await skyctl('history list --json')).stdout)
    const sent = puts(world)
    const { exit, stdout } = await skyctl(`history undo --apply ${apply} --yes -o csv`)
    expect({ exit, sent: puts(world), statuses: statuses() }).toEqual({
      exit: 0,
      sent,
      statuses: ['disabled', 'enabled', 'disabled'],
    })
    expect(stdout.match(/,unchanged$/gm)).toHaveLength(4)
  })

  test('are undone as one without --force: rules that it sent again after a lost request', async ({
    skyctl,
    world,
    lossy,
    apply,
    clock,
  }) => {
    arrange(world)
    lossy.lose('PUT', /\/rules$/, {
      done: false,
      reply: (outgoing) => {
        clock.advance(1000)
        outgoing.socket?.destroy()
      },
    })
    const id = await apply(withoutWeb)
    const records = JSON.parse((await skyctl('history list --json')).stdout)
    expect(records.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['ok', 'unknown'])
    const { exit, stderr } = await skyctl(`history undo --apply ${id} --yes`)
    expect({ exit, rules: rulesIn(world) }).toEqual({ exit: 0, rules: ['ssh', 'web'] })
    expect(stderr).toContain(`2 of 2 changes of apply ${id} undone`)
  })
})
