/** Services that change their firewall: released and claimed back to back, and restored where that fails (state.md). */
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import type { Between } from '../support/between'
import { protectedIn, watchExposure } from '../support/exposure'
import { ruleSet, ssh, web } from '../support/firewall-rules'
import { type Fate, type Loss, type Lossy, lossyProxy, refusal } from '../support/lossy'

const json = (text: string) => JSON.parse(text)

/** Not done, and to be tried again after a second. */
const tooMany: Loss = { done: false, reply: (outgoing) => void outgoing.writeHead(429, { 'retry-after': '1' }).end() }

type Holding = Record<string, number[]>

/** What an apply did; requests are told as `POST fw-a/devices`, with the label of the firewall. */
interface Applied {
  exit: number
  stdout: string
  stderr: string
  /** All changes in their order. */
  changes: string[]
  /** By service that a firewall protected before: the requests that arrived while none did. */
  seen: Record<string, string[]>
  /** The services of each firewall afterwards. */
  held: Holding
}

interface Meanwhile extends Pick<Between, 'before' | 'headers'> {
  flags?: string
  /** Says which requests or answers are lost; all of them have to come. */
  lose?(proxy: Lossy): void
}

interface Moves {
  /** Makes firewalls, `fw-a` to `fw-d` or `fw-next`, for compute instances (or balancers) of their own; returns their ids. */
  firewalls(holding: Holding, status?: 'enabled' | 'disabled', type?: 'compute' | 'balancer'): Record<string, number>
  /** Applies a file, maybe while something comes between. */
  apply(text: string, meanwhile?: Meanwhile): Promise<Applied>
}

const test = base.extend<Moves>({
  firewalls: async ({ world }, use) =>
    use((holding, status = 'enabled', type = 'compute') => {
      const entries = Object.entries(holding).map(([label, services]): [string, number] => {
        const { id } = world.network.firewall({ label, status, rules: ruleSet(ssh) })
        for (const service of services) {
          if (type === 'balancer') world.balancers.add({ id: service, label: `lb-${service}`, region: 'us-east' })
          else if (!world.computes.get(service)) {
            world.compute({ id: service, region: 'us-east' })
            world.network.address({ address: `203.0.113.${service - 7000}`, compute_id: service })
          }
          world.network.device(id, type, service)
        }
        return [label, id]
      })
      return Object.fromEntries(entries)
    }),
  apply: async ({ skyctl, file, sandbox, world }, use) =>
    use(async (text, { flags = '', lose, ...watched } = {}) => {
      const ofTest = ({ firewall }: { firewall: number }) =>
        world.network.firewalls.get(firewall)?.label.startsWith('fw-') === true
      const own = world.network.devices.all().filter(ofTest)
      const services = new Set(own.map(({ type, entity }) => `${type} ${entity}`))
      const exposure = await watchExposure(sandbox, services, watched)
      const proxy = lose && (await lossyProxy(exposure.baseUrl))
      if (proxy) lose(proxy)
      const env = { SKYCTL_BASE_URL: proxy?.baseUrl ?? exposure.baseUrl }
      const { exit, stdout, stderr } = await skyctl(`apply ${file('a.yaml', text)} --yes ${flags}`, { env })
      await proxy?.close()
      await exposure.close()
      expect(proxy?.pending() ?? 0).toBe(0)
      const labels = new Map(world.network.firewalls.all().map(({ id, label }) => [String(id), label]))
      const named = (request: string) =>
        request
          .replace(/\/networking\/firewalls\/(\d+)/, (_, id) => labels.get(id) ?? id)
          .replace(/(\/devices)\/\d+$/, '$1')
      const held: Holding = {}
      for (const { id, label } of world.network.firewalls.all())
        held[label] = world.network
          .devicesOf(id)
          .map(({ entity }) => entity)
          .sort()
      return {
        ...{ exit, stdout, stderr, held },
        changes: exposure.changes.map(named),
        seen: Object.fromEntries([...exposure.seen].map(([service, requests]) => [service, requests.map(named)])),
      }
    }),
})

const devices = (label: string, computes: number[], more = '') =>
  `  ${label}: { ${more}devices: { computes: [${computes}] } }\n`
const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }, '
const newRules = `rules: ${JSON.stringify(ruleSet(web))}, `
const move = `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`
const volumes = 'volumes:\n  v1: { region: us-east }\n  v2: { region: us-east }\n  v3: { region: us-east }\n'

test('an apply counts the objects of its plan, also those of a handover', async ({ firewalls, apply, skyctl }) => {
  firewalls({ 'fw-a': [7001], 'fw-b': [] })
  const text = `volumes: { v1: { region: us-east } }\nfirewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`
  const { stdout } = await skyctl('plan -', { stdin: text })
  expect(stdout).toContain('1 to create, 2 to update; 0 unchanged\n')
  expect((await apply(text)).stderr).toContain('3 of 3 applied\n')
})

describe('a service that moves to another firewall', () => {
  test.for<[string, Holding, Holding]>([
    ['a swap of two', { 'fw-a': [7001], 'fw-b': [7002] }, { 'fw-a': [7002], 'fw-b': [7001] }],
    [
      'a cycle of three',
      { 'fw-a': [7001], 'fw-b': [7002], 'fw-c': [7003] },
      { 'fw-a': [7003], 'fw-b': [7001], 'fw-c': [7002] },
    ],
    ['several at once', { 'fw-a': [7001, 7002, 7003], 'fw-b': [] }, { 'fw-a': [], 'fw-b': [7001, 7002, 7003] }],
  ])(
    'is open for the one request that claims it, whatever else is to be done: %s',
    async ([, before, wanted], { firewalls, apply }) => {
      firewalls(before)
      const entries = Object.entries(wanted)
      const text = entries.map(([label, computes]) => devices(label, computes)).join('')
      const { exit, seen, held, changes } = await apply(`${volumes}firewalls:\n${text}`)
      const claims = entries.flatMap(([label, computes]) =>
        computes.map((id) => [`compute ${id}`, [`POST ${label}/devices`]]),
      )
      expect({ exit, seen, held }).toMatchObject({ exit: 0, seen: Object.fromEntries(claims), held: wanted })
      // What takes long comes later.
      const last = changes.findLastIndex((change) => change.includes('/devices'))
      expect(last).toBeLessThan(changes.indexOf('POST /volumes'))
    },
  )

  const claimed = ['POST fw-b/devices']

  test.for<[what: string, before: Holding, text: string, expected: Partial<Applied>]>([
    [
      'stays where it is until a new firewall stands, which is made without it',
      { 'fw-a': [7001, 7002] },
      devices('fw-b', [7001, 7002], drop) + devices('fw-a', []),
      { held: { 'fw-a': [], 'fw-b': [7001, 7002] }, seen: { 'compute 7001': claimed, 'compute 7002': claimed } },
    ],
    [
      'meets the new rules of the firewall that claims it, which are there before',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', []) + devices('fw-b', [7001], newRules),
      { changes: ['PUT fw-b/rules', 'DELETE fw-a/devices', 'POST fw-b/devices'] },
    ],
    [
      'meets the new rules also where that firewall gives another service in return',
      { 'fw-a': [7001], 'fw-b': [7002] },
      devices('fw-a', [7002]) + devices('fw-b', [7001], newRules),
      { changes: expect.objectContaining({ 0: 'PUT fw-b/rules' }), held: { 'fw-a': [7002], 'fw-b': [7001] } },
    ],
    [
      'meets the new rules also where no firewall protected it',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', [7001]) + devices('fw-b', [1004], newRules),
      { changes: ['PUT fw-b/rules', 'POST fw-b/devices'] },
    ],
    [
      'does not meet the new rules of the firewall that releases it, which come behind',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', [], newRules) + devices('fw-b', [7001]),
      { changes: ['DELETE fw-a/devices', 'POST fw-b/devices', 'PUT fw-a/rules'] },
    ],
    [
      'leaves its firewall when that one has got the services which no other firewall protects',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', [1004]) + devices('fw-b', [7001]),
      { changes: ['POST fw-a/devices', 'DELETE fw-a/devices', 'POST fw-b/devices'] },
    ],
    [
      'is released first also where the firewall that claims it comes first, and keeps others',
      { 'fw-a': [7001], 'fw-b': [7002] },
      devices('fw-b', [7001, 7002]) + devices('fw-a', []),
      { seen: { 'compute 7001': claimed, 'compute 7002': [] }, held: { 'fw-a': [], 'fw-b': [7001, 7002] } },
    ],
    [
      'stays assigned to its firewall where that one is disabled and the file lists none of its services',
      { 'fw-a': [7001, 7002], 'fw-b': [] },
      `${devices('fw-b', [7001])}  fw-a: { status: disabled }\n`,
      {
        changes: ['PUT fw-a', 'POST fw-b/devices'],
        held: { 'fw-a': [7001, 7002], 'fw-b': [7001] },
        seen: { 'compute 7001': claimed },
      },
    ],
    [
      'is released alone where its firewall is disabled later, and is assigned to that one again',
      { 'fw-a': [7001, 7002], 'fw-b': [] },
      devices('fw-a', [7001, 7002], 'status: disabled, ') + devices('fw-b', [7001, 7002]),
      {
        changes: expect.arrayContaining(['PUT fw-a']),
        held: { 'fw-a': [7001, 7002], 'fw-b': [7001, 7002] },
        seen: { 'compute 7001': claimed, 'compute 7002': claimed },
      },
    ],
  ])('%s', async ([, before, text, expected], { firewalls, apply }) => {
    firewalls(before)
    expect(await apply(`firewalls:\n${text}`, { flags: '--concurrency 1' })).toMatchObject({ exit: 0, ...expected })
  })

  test('stays assigned to a disabled firewall as well', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    firewalls({ 'fw-next': [7001] }, 'disabled')
    const text = `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}  fw-next: { tags: [x] }\n`
    expect(await apply(text)).toMatchObject({ exit: 0, held: { 'fw-a': [], 'fw-b': [7001], 'fw-next': [7001] } })
  })

  test.for(['', ', devices: { computes: [7001, 7002] }'])(
    'is claimed with the status where one firewall is disabled and another one enabled%s',
    async (more, { firewalls, apply }) => {
      firewalls({ 'fw-a': [7001, 7002] })
      firewalls({ 'fw-next': [7001, 7002] }, 'disabled')
      const text = `${volumes}firewalls:\n  fw-next: { status: enabled }\n  fw-a: { status: disabled${more} }\n`
      const { exit, seen, changes, stderr } = await apply(text)
      const own = ['GET fw-next', 'PUT fw-next']
      expect({ exit, seen, first: changes[0] }).toEqual({
        exit: 0,
        seen: { 'compute 7001': own, 'compute 7002': own },
        first: 'PUT fw-a',
      })
      expect(changes.filter((change) => change.includes('fw-'))).toEqual(['PUT fw-a', 'PUT fw-next'])
      expect(stderr.match(/status: enabled -> disabled/g)).toHaveLength(1)
    },
  )

  test('that a disabled firewall does not have yet is assigned before it is enabled', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [7001, 7002] })
    firewalls({ 'fw-next': [7001] }, 'disabled')
    const text = `firewalls:\n${devices('fw-a', [])}${devices('fw-next', [7001, 7002], 'status: enabled, ')}`
    const { exit, seen, held } = await apply(text)
    expect({ exit, held }).toMatchObject({ exit: 0, held: { 'fw-a': [], 'fw-next': [7001, 7002] } })
    for (const requests of Object.values(seen))
      expect(requests.filter((request) => !request.startsWith('DELETE'))).toEqual(['GET fw-next', 'PUT fw-next'])
  })

  test('may be a balancer, of which a firewall has one (api.md, 4)', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [8001], 'fw-b': [8002] }, 'enabled', 'balancer')
    const text = 'firewalls:\n  fw-a: { devices: { balancers: [8002] } }\n  fw-b: { devices: { balancers: [8001] } }\n'
    const { exit, seen, held } = await apply(`${volumes}${text}`)
    expect({ exit, held }).toMatchObject({ exit: 0, held: { 'fw-a': [8002], 'fw-b': [8001] } })
    for (const requests of Object.values(seen))
      expect(requests.filter((request) => !/^(POST|DELETE) .*\/devices/.test(request))).toEqual([])
  })

  test.for([1, 3])(
    'in a circle of balancers is claimed by the next request, but for one that waits for the others (%i on)',
    async (distance, { firewalls, apply }) => {
      const labels = ['fw-a', 'fw-b', 'fw-c', 'fw-d']
      const circle = (from: number) =>
        Object.fromEntries(labels.map((label, index) => [label, [8001 + ((index + from) % 4)]]))
      firewalls(circle(0), 'enabled', 'balancer')
      const text = Object.entries(circle(distance)).map(
        ([label, [id]]) => `  ${label}: { devices: { balancers: [${id}] } }\n`,
      )
      const { exit, seen, held } = await apply(`firewalls:\n${text.join('')}`)
      expect({ exit, held }).toMatchObject({ exit: 0, held: circle(distance) })
      // The claim alone; for the one that makes room, the release and claim of each other one, too.
      const counts = Object.values(seen).map((requests) => requests.length)
      expect(counts.sort()).toEqual([1, 1, 1, 7])
    },
  )

  test('is said to be open for a moment only', async ({ firewalls, skyctl, file }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    expect((await skyctl(`plan ${file('a.yaml', move)}`)).stdout).toContain(
      'unprotects: compute 7001 is open to all traffic for a moment, until firewall "fw-b" protects it',
    )
  })
})

const lastError = (stderr: string) => json(stderr.trimEnd().split('\n').at(-1) ?? '').error
const open = [{ type: 'compute', id: 7001 }]
const aDay: Loss['reply'] = (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end()

describe('where a service cannot be claimed', () => {
  const grown = 'volumes: { data-1: { size: 50 } }\n'

  test('its old firewall gets it back, and all else is done', async ({ firewalls, apply, world }) => {
    const ids = firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const { exit, stdout, stderr, seen } = await apply(`${grown}${move}`, {
      flags: '--json',
      before({ method }) {
        // Somebody else deletes the firewall that shall protect it.
        if (method === 'DELETE') world.network.firewalls.delete(ids['fw-b'] ?? 0)
      },
    })
    expect([...protectedIn(world)]).toContain('compute 7001')
    expect(seen['compute 7001']).toHaveLength(2)
    const { actions, unprotected } = json(stdout)
    expect({ exit, unprotected, ok: actions.map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 9,
      unprotected: [],
      ok: [true, false, false],
    })
    expect(json(stderr).error.failures).toMatchObject([{ target: 'compute 7001' }])
  })

  test('since one of two cannot be enabled, the other is disabled again, and the old one protects both', async ({
    firewalls,
    apply,
    world,
  }) => {
    const old = firewalls({ 'fw-a': [7001, 7002] })
    const next = firewalls({ 'fw-b': [7001], 'fw-c': [7002] }, 'disabled')
    const text = 'firewalls:\n  fw-b: { status: enabled }\n  fw-c: { status: enabled }\n  fw-a: { status: disabled }\n'
    const { exit, stdout, changes } = await apply(text, {
      flags: '--json',
      lose: (proxy) => proxy.lose('PUT', `/networking/firewalls/${next['fw-c']}`, { done: false, reply: refusal }),
    })
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({ exit: 6, unprotected: [] })
    expect(changes).toContain('PUT fw-b')
    const statuses = Object.values({ ...old, ...next }).map((id) => world.network.firewalls.get(id)?.status)
    expect(statuses).toEqual(['enabled', 'disabled', 'disabled'])
  })

  test('nor restored, it is in the last line and in JSON', async ({ firewalls, apply, world }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const migrate = (live_migration: boolean) => {
      const compute = world.computes.get(7001)
      if (compute) world.computes.put({ ...compute, live_migration })
    }
    const { exit, stdout, stderr } = await apply(`${grown}${move}`, {
      flags: '--concurrency 1 --json',
      // A live migration begins (api.md, Firewall behaviour 6).
      before: ({ method }) => method === 'POST' && migrate(true),
    })
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({ exit: 9, unprotected: open })
    expect(lastError(stderr).message).toContain('no firewall protects compute 7001 now')
    migrate(false)
    // The next run protects it.
    expect(await apply(`${grown}${move}`)).toMatchObject({ exit: 0 })
    expect([...protectedIn(world)]).toContain('compute 7001')
  })

  test.for<[what: string, reply: Loss['reply']]>([
    ['asks for a day', aDay],
    ['goes into maintenance', (outgoing) => void outgoing.writeHead(503, { 'x-maintenance-mode': '1' }).end()],
  ])(
    'its release, whose answer is lost before the API %s, is seen to be done, and it is claimed',
    async ([, reply], { firewalls, apply }) => {
      firewalls({ 'fw-a': [7001], 'fw-b': [] })
      const { exit, held } = await apply(move, {
        lose(proxy) {
          proxy.lose('DELETE', /\/devices/, 'answer lost')
          proxy.lose('DELETE', /\/devices/, { done: false, reply })
        },
      })
      expect({ exit, held }).toMatchObject({ exit: 0, held: { 'fw-b': [7001] } })
    },
  )

  test('since its new firewall could not be made, it is not released', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [7001] })
    const text = `firewalls:\n  fw-new: { ${drop}devices: { computes: [7001], balancers: [999999] } }\n${devices('fw-a', [])}`
    const { exit, seen, held, stderr } = await apply(text)
    expect({ exit, seen, held }).toMatchObject({ exit: 9, seen: { 'compute 7001': [] }, held: { 'fw-a': [7001] } })
    expect(stderr).toContain('compute 7001 is unchanged, because firewall "fw-new" failed')
  })

  test.for<[what: string, method: string, fate: Fate | Loss]>([
    ['the service asks to wait', 'POST', tooMany],
    ['the answer to the claim is lost', 'POST', 'answer lost'],
    ['the claim is lost', 'POST', 'request lost'],
    ['the answer to the release is lost', 'DELETE', 'answer lost'],
  ])('at first, since %s, it is claimed all the same', async ([, method, fate], { firewalls, apply }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const { exit, seen, held } = await apply(`${volumes}${move}`, {
      lose: (proxy) => proxy.lose(method, /\/devices/, fate),
    })
    expect({ exit, held }).toMatchObject({ exit: 0, held: { 'fw-a': [], 'fw-b': [7001] } })
    expect(seen['compute 7001']?.filter((request) => !/^\w+ fw-\w+\/devices/.test(request))).toEqual([])
  })
})

describe('where a later step of its firewall fails', () => {
  test.for([
    ['enabled', 'disabled'],
    ['disabled', 'enabled'],
  ] as const)(
    'a status that moves no service stays: %s, to be %s',
    async ([status, wanted], { firewalls, apply, world }) => {
      const { 'fw-a': id = 0 } = firewalls({ 'fw-a': [7001] }, status)
      const { exit } = await apply(`firewalls: { fw-a: { status: ${wanted}, tags: [x] } }`, {
        lose(proxy) {
          proxy.pass('PUT', `/networking/firewalls/${id}`)
          proxy.lose('PUT', `/networking/firewalls/${id}`, { done: false, reply: refusal })
        },
      })
      expect(exit).toBe(6)
      expect(world.network.firewalls.get(id)).toMatchObject({ status: wanted, tags: [] })
    },
  )
})

describe('where the rate limit allows the release, but not the claim', () => {
  const limited = test.extend<{
    /** Moves an instance while one more request is allowed for 100 seconds (gaps.md, Other headers). */
    moveLimited(flags: string): Promise<Applied & { releasedAfter: number[] }>
  }>({
    moveLimited: async ({ firewalls, apply, clock }, use) =>
      use(async (flags) => {
        firewalls({ 'fw-a': [7001], 'fw-b': [] })
        const [begun, releasedAfter] = [clock.now(), [] as number[]]
        const applied = await apply(move, {
          flags,
          headers: {
            'x-ratelimit-limit': '800',
            'x-ratelimit-remaining': '1',
            'x-ratelimit-reset': String(begun / 1000 + 100),
          },
          before({ method }) {
            if (method === 'DELETE') releasedAfter.push(clock.now() - begun)
          },
        })
        return { ...applied, releasedAfter }
      }),
  })

  limited('skyctl waits before the release, and not behind it', async ({ moveLimited }) => {
    const { exit, seen, releasedAfter } = await moveLimited('--max-wait 2m')
    expect({ exit, releasedAfter }).toEqual({ exit: 0, releasedAfter: [100_000] })
    expect(seen['compute 7001']).toEqual(['POST fw-b/devices'])
  })

  limited('for longer than --max-wait, nothing is released', async ({ moveLimited }) => {
    const { exit, changes, stderr } = await moveLimited('')
    expect({ exit, changes }).toEqual({ exit: 7, changes: [] })
    expect(stderr).toContain(
      'the API allows 1 more request until 2026-01-15T12:01:40Z, too few to move compute 7001 at once',
    )
    expect(stderr).toContain('--max-wait 100s')
  })

  test('and no header tells of it, what stays open is named in the last line, in JSON and by the exit code', async ({
    firewalls,
    apply,
  }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const { exit, stdout, stderr } = await apply(move, {
      flags: '--json',
      lose(proxy) {
        for (const _attempt of ['claim', 'restore']) proxy.lose('POST', /\/devices$/, { done: false, reply: aDay })
      },
    })
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({ exit: 7, unprotected: open })
    expect(lastError(stderr).message).toContain('no firewall protects compute 7001 now')
  })
})

describe('a volume that moves', () => {
  test('grows before it is detached, and goes back where it cannot be attached', async ({ apply, world }) => {
    // Each has 1 GB, and room for one volume (api.md, Limits).
    world.compute({ id: 7004, region: 'us-east', memory: 1 })
    world.network.address({ address: '203.0.113.4', compute_id: 7004 })
    world.volume({ label: 'full', region: 'us-east', compute_id: 7004 })
    const { exit, changes } = await apply('volumes: { data-1: { size: 50, compute_id: 7004 } }')
    expect({ exit, compute_id: world.volumes.get(3001)?.compute_id }).toEqual({ exit: 6, compute_id: 1001 })
    const steps = ['resize', 'detach', 'attach', 'attach']
    expect(changes).toEqual(steps.map((step) => `POST /volumes/3001/${step}`))
  })
})
