/** Services that change their firewall: released and claimed back to back, and restored where that fails (state.md). */
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { type Exposure, protectedIn, watchExposure } from '../support/exposure'
import { ruleSet, ssh, web } from '../support/firewall-rules'
import { type Fate, type Loss, lossyProxy, refusal } from '../support/lossy'

const json = (text: string) => JSON.parse(text)

/** Not done, and to be tried again after a second. */
const tooMany: Loss = { done: false, reply: (outgoing) => void outgoing.writeHead(429, { 'retry-after': '1' }).end() }

type Holding = Record<string, number[]>

/** What an apply did; requests are told as `POST fw-a/devices`, with the label of the firewall. */
interface Applied {
  exit: number
  stderr: string
  /** All changes in their order. */
  changes: string[]
  /** By service that a firewall protected before: the requests that arrived while none did. */
  seen: Record<string, string[]>
  /** The services of each firewall afterwards. */
  held: Holding
}

interface Moves {
  /** Makes firewalls, `fw-a` to `fw-d` or `fw-next`, for compute instances (or balancers) of their own; returns their ids. */
  firewalls(holding: Holding, status?: 'enabled' | 'disabled', type?: 'compute' | 'balancer'): Record<string, number>
  apply(text: string, flags?: string): Promise<Applied>
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
    use(async (text, flags = '') => {
      const ofTest = ({ firewall }: { firewall: number }) =>
        world.network.firewalls.get(firewall)?.label.startsWith('fw-') === true
      const own = world.network.devices.all().filter(ofTest)
      const exposure = await watchExposure(sandbox, new Set(own.map(({ type, entity }) => `${type} ${entity}`)))
      const env = { SKYCTL_BASE_URL: exposure.baseUrl }
      const { exit, stderr } = await skyctl(`apply ${file('a.yaml', text)} --yes ${flags}`, { env })
      await exposure.close()
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
        ...{ exit, stderr, held },
        changes: exposure.changes.map(named),
        seen: Object.fromEntries([...exposure.seen].map(([service, requests]) => [service, requests.map(named)])),
      }
    }),
})

const devices = (label: string, computes: number[], more = '') =>
  `  ${label}: { ${more}devices: { computes: [${computes}] } }\n`
const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }, '
const newRules = `rules: ${JSON.stringify(ruleSet(web))}, `
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
    expect(await apply(`firewalls:\n${text}`, '--concurrency 1')).toMatchObject({ exit: 0, ...expected })
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
    const path = file('a.yaml', `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`)
    expect((await skyctl(`plan ${path}`)).stdout).toContain(
      'unprotects: compute 7001 is open to all traffic for a moment, until firewall "fw-b" protects it',
    )
  })
})

describe('where a service cannot be claimed', () => {
  const move = `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`

  test('its old firewall gets it back, and all else is done', async ({ firewalls, skyctl, file, sandbox, world }) => {
    const ids = firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const exposure = await watchExposure(sandbox, ['compute 7001'], {
      before({ method }) {
        // Somebody else deletes the firewall that shall protect it.
        if (method === 'DELETE') world.network.firewalls.delete(ids['fw-b'] ?? 0)
      },
    })
    const path = file('a.yaml', `volumes: { data-1: { size: 50 } }\n${move}`)
    const env = { SKYCTL_BASE_URL: exposure.baseUrl }
    const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json`, { env })
    await exposure.close()
    expect([...protectedIn(world)]).toContain('compute 7001')
    expect(exposure.seen.get('compute 7001')).toHaveLength(2)
    const { actions, unprotected } = json(stdout)
    expect({ exit, unprotected, ok: actions.map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 9,
      unprotected: [],
      ok: [true, false, false],
    })
    expect(json(stderr).error.failures).toMatchObject([{ target: 'compute 7001' }])
  })

  test('since one of two firewalls cannot be enabled, the other is disabled again, and the old one protects both', async ({
    firewalls,
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    const ids = firewalls({ 'fw-a': [7001, 7002] })
    const nextOnes = ['fw-b', 'fw-c'].map((label) => world.network.firewall({ label, status: 'disabled' }).id)
    for (const [index, id] of nextOnes.entries()) world.network.device(id, 'compute', 7001 + index)
    const [enabled, refused] = nextOnes
    const exposure = await watchExposure(sandbox, [])
    const proxy = await lossyProxy(exposure.baseUrl)
    proxy.lose('PUT', `/networking/firewalls/${refused}`, { done: false, reply: refusal })
    const wanted =
      'firewalls:\n  fw-b: { status: enabled }\n  fw-c: { status: enabled }\n  fw-a: { status: disabled }\n'
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit, stdout } = await skyctl(`apply ${file('a.yaml', wanted)} --yes --json`, { env })
    await proxy.close()
    await exposure.close()
    const statusOf = (id = 0) => world.network.firewalls.get(id)?.status
    expect(exposure.changes).toContain(`PUT /networking/firewalls/${enabled}`)
    expect({ exit, unprotected: json(stdout).unprotected, pending: proxy.pending() }).toEqual({
      exit: 6,
      unprotected: [],
      pending: 0,
    })
    expect([ids['fw-a'], enabled, refused].map(statusOf)).toEqual(['enabled', 'disabled', 'disabled'])
  })

  test('nor restored, it is in the last line and in JSON', async ({ firewalls, skyctl, file, sandbox, world }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const busy = () =>
      watchExposure(sandbox, [], {
        before({ method }) {
          const compute = world.computes.get(7001)
          // A live migration begins (api.md, Firewall behaviour 6).
          if (method === 'POST' && compute) world.computes.put({ ...compute, live_migration: true })
        },
      })
    const path = file('a.yaml', `volumes: { data-1: { size: 50 } }\n${move}`)
    const exposure = await busy()
    const line = `apply ${path} --yes --concurrency 1`
    const failed = await skyctl(`${line} --json`, { env: { SKYCTL_BASE_URL: exposure.baseUrl } })
    await exposure.close()
    expect({ exit: failed.exit, unprotected: json(failed.stdout).unprotected }).toEqual({
      exit: 9,
      unprotected: [{ type: 'compute', id: 7001 }],
    })
    expect(json(failed.stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toContain(
      'no firewall protects compute 7001 now',
    )
    const compute = world.computes.get(7001)
    if (compute) world.computes.put({ ...compute, live_migration: false })
    // The next run protects it.
    expect((await skyctl(line)).exit).toBe(0)
    expect([...protectedIn(world)]).toContain('compute 7001')
  })

  test.for<[what: string, reply: Loss['reply']]>([
    ['asks for a day', (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end()],
    ['goes into maintenance', (outgoing) => void outgoing.writeHead(503, { 'x-maintenance-mode': '1' }).end()],
  ])(
    'its release, whose answer is lost before the API %s, is seen to be done, and it is claimed',
    async ([, reply], { firewalls, skyctl, file, sandbox, world }) => {
      const ids = firewalls({ 'fw-a': [7001], 'fw-b': [] })
      const proxy = await lossyProxy(sandbox.baseUrl)
      proxy.lose('DELETE', /\/devices/, 'answer lost')
      proxy.lose('DELETE', /\/devices/, { done: false, reply })
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit } = await skyctl(`apply ${file('a.yaml', move)} --yes`, { env })
      await proxy.close()
      expect({ exit, pending: proxy.pending() }).toEqual({ exit: 0, pending: 0 })
      expect([...protectedIn(world)]).toContain('compute 7001')
      expect(world.network.devicesOf(ids['fw-b'] ?? 0).map(({ entity }) => entity)).toEqual([7001])
    },
  )

  test('since its new firewall could not be made, it is not released', async ({ firewalls, apply, world }) => {
    firewalls({ 'fw-a': [7001] })
    const text = `firewalls:\n  fw-new: { ${drop}devices: { computes: [7001], balancers: [999999] } }\n${devices('fw-a', [])}`
    const { exit, seen, stderr } = await apply(text)
    expect({ exit, seen }).toEqual({ exit: 9, seen: { 'compute 7001': [] } })
    expect(stderr).toContain('compute 7001 is unchanged, because firewall "fw-new" failed')
    expect([...protectedIn(world)]).toContain('compute 7001')
  })

  test.for<[what: string, method: string, fate: Fate | Loss]>([
    ['the service asks to wait', 'POST', tooMany],
    ['the answer to the claim is lost', 'POST', 'answer lost'],
    ['the claim is lost', 'POST', 'request lost'],
    ['the answer to the release is lost', 'DELETE', 'answer lost'],
  ])(
    'at first, since %s, it is claimed all the same',
    async ([, method, fate], { firewalls, skyctl, file, sandbox }) => {
      const ids = firewalls({ 'fw-a': [7001], 'fw-b': [] })
      const exposure = await watchExposure(sandbox, ['compute 7001'])
      const proxy = await lossyProxy(exposure.baseUrl)
      proxy.lose(method, /\/devices/, fate)
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit } = await skyctl(`apply ${file('a.yaml', `${volumes}${move}`)} --yes`, { env })
      await proxy.close()
      await exposure.close()
      expect({ exit, pending: proxy.pending() }).toEqual({ exit: 0, pending: 0 })
      const others = exposure.seen
        .get('compute 7001')
        ?.filter((request) => !/^\w+ \/networking\/firewalls\/\d+\/devices/.test(request))
      expect({ others, protects: sandbox.world.network.devicesOf(ids['fw-b'] ?? 0).length }).toEqual({
        others: [],
        protects: 1,
      })
    },
  )
})

describe('where a later step of its firewall fails', () => {
  test.for<[status: 'enabled' | 'disabled', wanted: string]>([
    ['enabled', 'disabled'],
    ['disabled', 'enabled'],
  ])(
    'a status that moves no service stays: %s, to be %s',
    async ([status, wanted], { skyctl, file, sandbox, world }) => {
      const { id } = world.network.firewall({ label: 'edge', status })
      world.network.device(id, 'compute', 1004)
      const proxy = await lossyProxy(sandbox.baseUrl)
      proxy.pass('PUT', `/networking/firewalls/${id}`)
      proxy.lose('PUT', `/networking/firewalls/${id}`, { done: false, reply: refusal })
      const path = file('a.yaml', `firewalls: { edge: { status: ${wanted}, tags: [x] } }`)
      const { exit } = await skyctl(`apply ${path} --yes`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
      await proxy.close()
      expect({ exit, pending: proxy.pending() }).toEqual({ exit: 6, pending: 0 })
      expect(world.network.firewalls.get(id)).toMatchObject({ status: wanted, tags: [] })
    },
  )
})

describe('where the rate limit allows the release, but not the claim', () => {
  const there = `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`

  const limited = test.extend<{
    /** Moves an instance while one more request is allowed for 100 seconds (gaps.md, Other headers). */
    move(flags: string): Promise<Exposure & { exit: number; stderr: string; releasedAfter: number[] }>
  }>({
    move: async ({ firewalls, skyctl, file, sandbox, clock }, use) =>
      use(async (flags) => {
        firewalls({ 'fw-a': [7001], 'fw-b': [] })
        const [begun, releasedAfter] = [clock.now(), [] as number[]]
        const exposure = await watchExposure(sandbox, ['compute 7001'], {
          headers: {
            'x-ratelimit-limit': '800',
            'x-ratelimit-remaining': '1',
            'x-ratelimit-reset': String(begun / 1000 + 100),
          },
          before({ method }) {
            if (method === 'DELETE') releasedAfter.push(clock.now() - begun)
          },
        })
        const env = { SKYCTL_BASE_URL: exposure.baseUrl }
        const { exit, stderr } = await skyctl(`apply ${file('a.yaml', there)} --yes ${flags}`, { env })
        await exposure.close()
        return { ...exposure, exit, stderr, releasedAfter }
      }),
  })

  limited('skyctl waits before the release, and not behind it', async ({ move }) => {
    const { exit, seen, changes, releasedAfter } = await move('--max-wait 2m')
    expect({ exit, releasedAfter }).toEqual({ exit: 0, releasedAfter: [100_000] })
    expect(seen.get('compute 7001')).toEqual([changes.at(-1)])
  })

  limited('for longer than --max-wait, nothing is released', async ({ move }) => {
    const { exit, changes, stderr } = await move('')
    expect({ exit, changes }).toEqual({ exit: 7, changes: [] })
    expect(stderr).toContain(
      'the API allows 1 more request until 2026-01-15T12:01:40Z, too few to move compute 7001 at once',
    )
    expect(stderr).toContain('--max-wait 100s')
  })

  test('and no header tells of it, what stays open is named in the last line, in JSON and by the exit code', async ({
    firewalls,
    skyctl,
    file,
    sandbox,
  }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const proxy = await lossyProxy(sandbox.baseUrl)
    const aDay: Loss = {
      done: false,
      reply: (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end(),
    }
    for (const _attempt of ['claim', 'restore']) proxy.lose('POST', /\/devices$/, aDay)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit, stdout, stderr } = await skyctl(`apply ${file('a.yaml', there)} --yes --json`, { env })
    await proxy.close()
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({
      exit: 7,
      unprotected: [{ type: 'compute', id: 7001 }],
    })
    expect(json(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toContain(
      'no firewall protects compute 7001 now',
    )
  })
})

describe('a volume that moves', () => {
  test('grows before it is detached, and goes back where it cannot be attached', async ({ apply, world }) => {
    // Each has 1 GB, and room for one volume (api.md, Limits).
    world.compute({ id: 7004, region: 'us-east', memory: 1 })
    world.network.address({ address: '203.0.113.4', compute_id: 7004 })
    world.volume({ label: 'full', region: 'us-east', compute_id: 7004 })
    const text = 'volumes: { data-1: { size: 50, compute_id: 7004 } }'
    const { exit, changes } = await apply(text)
    expect({ exit, compute_id: world.volumes.get(3001)?.compute_id }).toEqual({ exit: 6, compute_id: 1001 })
    expect(changes).toEqual([
      'POST /volumes/3001/resize',
      'POST /volumes/3001/detach',
      'POST /volumes/3001/attach',
      'POST /volumes/3001/attach',
    ])
  })
})
