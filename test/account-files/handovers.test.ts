/** Handovers of services between firewalls: released, claimed at once, and restored if that fails (state.md). */
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { protectedIn, watchExposure } from '../support/exposure'
import { ruleSet, ssh, web } from '../support/firewall-rules'
import { type Fate, type Loss, type Lossy, lossyProxy, refusal } from '../support/lossy-proxy'
import type { ProxyHooks } from '../support/proxy'

const json = (text: string) => JSON.parse(text)

/** Rejects a request and asks for a retry after a second. */
const tooMany: Loss = { done: false, reply: (outgoing) => void outgoing.writeHead(429, { 'retry-after': '1' }).end() }

type Assignments = Record<string, number[]>

/** Result of an apply; requests look like `POST fw-a/devices`, with the label of the firewall. */
interface Applied {
  exit: number
  stdout: string
  stderr: string
  /** All changes in order. */
  changes: string[]
  /** Requests that arrived while no firewall protected a service, by service that had one before. */
  whileOpen: Record<string, string[]>
  /** Services of each firewall afterwards. */
  services: Assignments
}

interface ApplyOptions extends Pick<ProxyHooks, 'before' | 'headers'> {
  flags?: string
  /** Selects the requests or answers to lose; all of them must occur. */
  lose?(proxy: Lossy): void
}

interface Fixtures {
  /** Creates firewalls, `fw-a` to `fw-d` or `fw-next`, for compute instances (or balancers) of their own; returns their ids. */
  firewalls(
    assignments: Assignments,
    status?: 'enabled' | 'disabled',
    type?: 'compute' | 'balancer',
  ): Record<string, number>
  /** Applies a file through a proxy that records, and may disturb, its requests. */
  apply(text: string, options?: ApplyOptions): Promise<Applied>
}

const test = base.extend<Fixtures>({
  firewalls: async ({ world }, use) =>
    use((assignments, status = 'enabled', type = 'compute') => {
      const entries = Object.entries(assignments).map(([label, services]): [string, number] => {
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
      const isOfTest = ({ firewall }: { firewall: number }) =>
        world.network.firewalls.get(firewall)?.label.startsWith('fw-') === true
      const testDevices = world.network.devices.all().filter(isOfTest)
      const serviceKeys = new Set(testDevices.map(({ type, entity }) => `${type} ${entity}`))
      const exposure = await watchExposure(sandbox, serviceKeys, watched)
      const proxy = lose && (await lossyProxy(exposure.baseUrl))
      if (proxy) lose(proxy)
      const env = { SKYCTL_BASE_URL: proxy?.baseUrl ?? exposure.baseUrl }
      const { exit, stdout, stderr } = await skyctl(`apply ${file('a.yaml', text)} --yes ${flags}`, { env })
      await proxy?.close()
      await exposure.close()
      expect(proxy?.pending() ?? 0).toBe(0)
      const labels = new Map(world.network.firewalls.all().map(({ id, label }) => [String(id), label]))
      const withLabel = (request: string) =>
        request
          .replace(/\/networking\/firewalls\/(\d+)/, (_, id) => labels.get(id) ?? id)
          .replace(/(\/devices)\/\d+$/, '$1')
      const services: Assignments = {}
      for (const { id, label } of world.network.firewalls.all())
        services[label] = world.network
          .devicesOf(id)
          .map(({ entity }) => entity)
          .sort()
      return {
        ...{ exit, stdout, stderr, services },
        changes: exposure.changes.map(withLabel),
        whileOpen: Object.fromEntries(
          [...exposure.unprotectedRequests].map(([service, requests]) => [service, requests.map(withLabel)]),
        ),
      }
    }),
})

const devices = (label: string, computes: number[], more = '') =>
  `  ${label}: { ${more}devices: { computes: [${computes}] } }\n`
const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }, '
const newRules = `rules: ${JSON.stringify(ruleSet(web))}, `
const move = `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`
const volumes = 'volumes:\n  v1: { region: us-east }\n  v2: { region: us-east }\n  v3: { region: us-east }\n'

test('an apply counts the objects of its plan, including those of a handover', async ({ firewalls, apply, skyctl }) => {
  firewalls({ 'fw-a': [7001], 'fw-b': [] })
  const text = `volumes: { v1: { region: us-east } }\nfirewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}`
  const { stdout } = await skyctl('plan -', { stdin: text })
  expect(stdout).toContain('1 to create, 2 to update; 0 unchanged\n')
  expect((await apply(text)).stderr).toContain('3 of 3 applied\n')
})

describe('a service that moves to another firewall', () => {
  test.for<[string, Assignments, Assignments]>([
    ['a swap of two', { 'fw-a': [7001], 'fw-b': [7002] }, { 'fw-a': [7002], 'fw-b': [7001] }],
    [
      'a cycle of three',
      { 'fw-a': [7001], 'fw-b': [7002], 'fw-c': [7003] },
      { 'fw-a': [7003], 'fw-b': [7001], 'fw-c': [7002] },
    ],
    ['several at once', { 'fw-a': [7001, 7002, 7003], 'fw-b': [] }, { 'fw-a': [], 'fw-b': [7001, 7002, 7003] }],
  ])('is unprotected only during the request that claims it: %s', async ([, before, after], { firewalls, apply }) => {
    firewalls(before)
    const entries = Object.entries(after)
    const text = entries.map(([label, computes]) => devices(label, computes)).join('')
    const { exit, whileOpen, services, changes } = await apply(`${volumes}firewalls:\n${text}`)
    const claims = entries.flatMap(([label, computes]) =>
      computes.map((id) => [`compute ${id}`, [`POST ${label}/devices`]]),
    )
    expect({ exit, whileOpen, services }).toMatchObject({
      exit: 0,
      whileOpen: Object.fromEntries(claims),
      services: after,
    })
    // Slow steps come later.
    const last = changes.findLastIndex((change) => change.includes('/devices'))
    expect(last).toBeLessThan(changes.indexOf('POST /volumes'))
  })

  const claimed = ['POST fw-b/devices']

  test.for<[what: string, before: Assignments, text: string, expected: Partial<Applied>]>([
    [
      'stays assigned until its new firewall exists, which is created without it',
      { 'fw-a': [7001, 7002] },
      devices('fw-b', [7001, 7002], drop) + devices('fw-a', []),
      {
        services: { 'fw-a': [], 'fw-b': [7001, 7002] },
        whileOpen: { 'compute 7001': claimed, 'compute 7002': claimed },
      },
    ],
    [
      'is released after the firewall that claims it has its new rules',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', []) + devices('fw-b', [7001], newRules),
      { changes: ['PUT fw-b/rules', 'DELETE fw-a/devices', 'POST fw-b/devices'] },
    ],
    [
      'is released after those new rules, even if that firewall releases another service in return',
      { 'fw-a': [7001], 'fw-b': [7002] },
      devices('fw-a', [7002]) + devices('fw-b', [7001], newRules),
      { changes: expect.objectContaining({ 0: 'PUT fw-b/rules' }), services: { 'fw-a': [7002], 'fw-b': [7001] } },
    ],
    [
      'is claimed after new rules, even if no firewall protected it',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', [7001]) + devices('fw-b', [1004], newRules),
      { changes: ['PUT fw-b/rules', 'POST fw-b/devices'] },
    ],
    [
      'is claimed before the firewall that releases it gets new rules',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', [], newRules) + devices('fw-b', [7001]),
      { changes: ['DELETE fw-a/devices', 'POST fw-b/devices', 'PUT fw-a/rules'] },
    ],
    [
      'is released after its firewall has claimed services that no firewall protected',
      { 'fw-a': [7001], 'fw-b': [] },
      devices('fw-a', [1004]) + devices('fw-b', [7001]),
      { changes: ['POST fw-a/devices', 'DELETE fw-a/devices', 'POST fw-b/devices'] },
    ],
    [
      'is released first, even if the firewall that claims it comes first and keeps others',
      { 'fw-a': [7001], 'fw-b': [7002] },
      devices('fw-b', [7001, 7002]) + devices('fw-a', []),
      { whileOpen: { 'compute 7001': claimed, 'compute 7002': [] }, services: { 'fw-a': [], 'fw-b': [7001, 7002] } },
    ],
    [
      'stays assigned to its firewall if the file disables that and lists none of its services',
      { 'fw-a': [7001, 7002], 'fw-b': [] },
      `${devices('fw-b', [7001])}  fw-a: { status: disabled }\n`,
      {
        changes: ['PUT fw-a', 'POST fw-b/devices'],
        services: { 'fw-a': [7001, 7002], 'fw-b': [7001] },
        whileOpen: { 'compute 7001': claimed },
      },
    ],
    [
      'is released on its own before its firewall is disabled, and is assigned to that again afterwards',
      { 'fw-a': [7001, 7002], 'fw-b': [] },
      devices('fw-a', [7001, 7002], 'status: disabled, ') + devices('fw-b', [7001, 7002]),
      {
        changes: expect.arrayContaining(['PUT fw-a']),
        services: { 'fw-a': [7001, 7002], 'fw-b': [7001, 7002] },
        whileOpen: { 'compute 7001': claimed, 'compute 7002': claimed },
      },
    ],
  ])('%s', async ([, before, text, expected], { firewalls, apply }) => {
    firewalls(before)
    expect(await apply(`firewalls:\n${text}`, { flags: '--concurrency 1' })).toMatchObject({ exit: 0, ...expected })
  })

  test('stays assigned to a third firewall that is disabled', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    firewalls({ 'fw-next': [7001] }, 'disabled')
    const text = `firewalls:\n${devices('fw-a', [])}${devices('fw-b', [7001])}  fw-next: { tags: [x] }\n`
    expect(await apply(text)).toMatchObject({ exit: 0, services: { 'fw-a': [], 'fw-b': [7001], 'fw-next': [7001] } })
  })

  test.for(['', ', devices: { computes: [7001, 7002] }'])(
    'moves with the status if one firewall is disabled and another one enabled%s',
    async (more, { firewalls, apply }) => {
      firewalls({ 'fw-a': [7001, 7002] })
      firewalls({ 'fw-next': [7001, 7002] }, 'disabled')
      const text = `${volumes}firewalls:\n  fw-next: { status: enabled }\n  fw-a: { status: disabled${more} }\n`
      const { exit, whileOpen, changes, stderr } = await apply(text)
      const claim = ['PUT fw-next']
      expect({ exit, whileOpen, first: changes[0] }).toEqual({
        exit: 0,
        whileOpen: { 'compute 7001': claim, 'compute 7002': claim },
        first: 'PUT fw-a',
      })
      expect(changes.filter((change) => change.includes('fw-'))).toEqual(['PUT fw-a', 'PUT fw-next'])
      expect(stderr.match(/status: enabled -> disabled/g)).toHaveLength(1)
    },
  )

  test('is assigned to a disabled firewall before that is enabled', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [7001, 7002] })
    firewalls({ 'fw-next': [7001] }, 'disabled')
    const text = `firewalls:\n${devices('fw-a', [])}${devices('fw-next', [7001, 7002], 'status: enabled, ')}`
    const { exit, whileOpen, services } = await apply(text)
    expect({ exit, services }).toMatchObject({ exit: 0, services: { 'fw-a': [], 'fw-next': [7001, 7002] } })
    for (const requests of Object.values(whileOpen))
      expect(requests.filter((request) => !request.startsWith('DELETE'))).toEqual(['PUT fw-next'])
  })

  test('may be a balancer, although a firewall has only one (api.md, 4)', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [8001], 'fw-b': [8002] }, 'enabled', 'balancer')
    const text = 'firewalls:\n  fw-a: { devices: { balancers: [8002] } }\n  fw-b: { devices: { balancers: [8001] } }\n'
    const { exit, whileOpen, services } = await apply(`${volumes}${text}`)
    expect({ exit, services }).toMatchObject({ exit: 0, services: { 'fw-a': [8002], 'fw-b': [8001] } })
    for (const requests of Object.values(whileOpen))
      expect(requests.filter((request) => !/^(POST|DELETE) .*\/devices/.test(request))).toEqual([])
  })

  test.for([1, 3])(
    'in a cycle of balancers is claimed by the next request, except one that waits for the others: shifted by %i',
    async (distance, { firewalls, apply }) => {
      const labels = ['fw-a', 'fw-b', 'fw-c', 'fw-d']
      const cycle = (from: number) =>
        Object.fromEntries(labels.map((label, index) => [label, [8001 + ((index + from) % 4)]]))
      firewalls(cycle(0), 'enabled', 'balancer')
      const text = Object.entries(cycle(distance)).map(
        ([label, [id]]) => `  ${label}: { devices: { balancers: [${id}] } }\n`,
      )
      const { exit, whileOpen, services } = await apply(`firewalls:\n${text.join('')}`)
      expect({ exit, services }).toMatchObject({ exit: 0, services: cycle(distance) })
      // Three wait for their own claim only; the first one released waits for the other three moves, too.
      const counts = Object.values(whileOpen).map((requests) => requests.length)
      expect(counts.sort()).toEqual([1, 1, 1, 7])
    },
  )

  const balancersOf = (label: string, ids: number[], more = '') =>
    `  ${label}: { ${more}devices: { balancers: [${ids}] } }\n`

  test.for<[string, Assignments, string, Assignments]>([
    [
      'to a firewall without one',
      { 'fw-a': [8001], 'fw-b': [] },
      balancersOf('fw-a', [8002]) + balancersOf('fw-b', [8001]),
      { 'fw-a': [8002], 'fw-b': [8001] },
    ],
    [
      'to a firewall that gives its own to a third',
      { 'fw-a': [8001], 'fw-b': [8003], 'fw-c': [] },
      balancersOf('fw-a', [8002]) + balancersOf('fw-b', [8001]) + balancersOf('fw-c', [8003]),
      { 'fw-a': [8002], 'fw-b': [8001], 'fw-c': [8003] },
    ],
    [
      'to a new firewall',
      { 'fw-a': [8001] },
      balancersOf('fw-a', [8002]) + balancersOf('fw-b', [8001], newRules),
      { 'fw-a': [8002], 'fw-b': [8001] },
    ],
    [
      'while its firewall is disabled',
      { 'fw-a': [8001], 'fw-b': [] },
      balancersOf('fw-a', [8002], 'status: disabled, ') + balancersOf('fw-b', [8001]),
      { 'fw-a': [8002], 'fw-b': [8001] },
    ],
  ])('may be a balancer that a new one replaces: %s', async ([, before, text, after], { firewalls, apply, world }) => {
    firewalls(before, 'enabled', 'balancer')
    world.balancers.add({ id: 8002, label: 'lb-8002', region: 'us-east' })
    const { exit, stderr, whileOpen, services } = await apply(`${volumes}firewalls:\n${text}`)
    expect({ exit, stderr: exit === 0 ? '' : stderr, services }).toMatchObject({ exit: 0, services: after })
    for (const requests of Object.values(whileOpen))
      expect(requests.filter((request) => !/^(POST|DELETE) .*\/devices/.test(request))).toEqual([])
  })

  test('may be a balancer whose replacement fails: then it stays where it was', async ({ firewalls, apply, world }) => {
    firewalls({ 'fw-a': [8001], 'fw-b': [] }, 'enabled', 'balancer')
    world.balancers.add({ id: 8002, label: 'lb-8002', region: 'us-east' })
    const id = world.network.firewalls.all().find(({ label }) => label === 'fw-a')?.id
    const { exit, services } = await apply(`firewalls:\n${balancersOf('fw-a', [8002])}${balancersOf('fw-b', [8001])}`, {
      lose: (proxy) => proxy.lose('POST', `/networking/firewalls/${id}/devices`, { done: false, reply: refusal }),
    })
    expect({ exit, services }).toMatchObject({ exit: 6, services: { 'fw-a': [8001], 'fw-b': [] } })
  })

  test('is reported by the plan as open for a moment', async ({ firewalls, skyctl, file }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    expect((await skyctl(`plan ${file('a.yaml', move)}`)).stdout).toContain(
      'unprotects: compute 7001 is open to all traffic for a moment, until firewall "fw-b" protects it',
    )
  })
})

const lastError = (stderr: string) => json(stderr.trimEnd().split('\n').at(-1) ?? '').error
const openServices = [{ type: 'compute', id: 7001 }]
const waitADay: Loss['reply'] = (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end()

describe('a handover with a failed request', () => {
  const resize = 'volumes: { data-1: { size: 50 } }\n'

  test('returns the service to its old firewall, and the rest of the plan is applied', async ({
    firewalls,
    apply,
    world,
  }) => {
    const ids = firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const { exit, stdout, stderr, whileOpen } = await apply(`${resize}${move}`, {
      flags: '--json',
      before({ method }) {
        // Somebody else deletes the firewall that should protect it.
        if (method === 'DELETE') world.network.firewalls.delete(ids['fw-b'] ?? 0)
      },
    })
    expect([...protectedIn(world)]).toContain('compute 7001')
    expect(whileOpen['compute 7001']).toHaveLength(2)
    const { actions, unprotected } = json(stdout)
    expect({ exit, unprotected, ok: actions.map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 9,
      unprotected: [],
      ok: [true, false, false],
    })
    expect(json(stderr).error.failures).toMatchObject([{ target: 'compute 7001' }])
  })

  test('disables a new firewall again if another cannot be enabled, and the old one protects both services', async ({
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

  test('names a service in the last line and in JSON if it cannot be restored either', async ({
    firewalls,
    apply,
    world,
  }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const migrate = (live_migration: boolean) => {
      const compute = world.computes.get(7001)
      if (compute) world.computes.put({ ...compute, live_migration })
    }
    const { exit, stdout, stderr } = await apply(`${resize}${move}`, {
      flags: '--concurrency 1 --json',
      // A live migration begins (api.md, Firewall behaviour 6).
      before: ({ method }) => method === 'POST' && migrate(true),
    })
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({ exit: 9, unprotected: openServices })
    expect(lastError(stderr).message).toContain('no firewall protects compute 7001 now')
    migrate(false)
    // The next run protects it.
    expect(await apply(`${resize}${move}`)).toMatchObject({ exit: 0 })
    expect([...protectedIn(world)]).toContain('compute 7001')
  })

  test.for<[what: string, exit: number, unprotected: object[], services: number[]]>([
    ['restores', 11, [], [7001]],
    ['names', 9, openServices, []],
  ])(
    '%s a service whose release was done, although its answer was lost',
    async ([what, exit, unprotected, services], { firewalls, apply }) => {
      const isRestored = what === 'restores'
      firewalls({ 'fw-a': [7001], 'fw-b': [] })
      let isReleased = false
      const applied = await apply(move, {
        flags: '--json',
        before({ method }) {
          if (isReleased && (method !== 'POST' || !isRestored)) return 'drop'
          isReleased ||= method === 'DELETE'
          return undefined
        },
        lose: (proxy) => proxy.lose('DELETE', /\/devices/, 'answer lost'),
      })
      expect({ ...applied, unprotected: json(applied.stdout).unprotected }).toMatchObject({
        ...{ exit, unprotected },
        services: { 'fw-a': services, 'fw-b': [] },
      })
      expect(lastError(applied.stderr).message.includes('no firewall protects compute 7001 now')).toBe(!isRestored)
    },
  )

  test('does not take a disabled firewall for protection of a service that it leaves open', async ({
    firewalls,
    apply,
    world,
  }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    firewalls({ 'fw-c': [7001] }, 'disabled')
    const { exit, stdout, stderr } = await apply(move, {
      flags: '--json',
      lose(proxy) {
        for (const _attempt of ['claim', 'restore']) proxy.lose('POST', /\/devices$/, { done: false, reply: refusal })
      },
    })
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({ exit: 9, unprotected: openServices })
    expect(lastError(stderr).message).toContain('no firewall protects compute 7001 now')
    expect([...protectedIn(world)]).not.toContain('compute 7001')
  })

  test.for<[what: string, reply: Loss['reply']]>([
    ['asks to wait for a day', waitADay],
    ['goes into maintenance', (outgoing) => void outgoing.writeHead(503, { 'x-maintenance-mode': '1' }).end()],
  ])(
    'claims the service if the answer to its release is lost and the API then %s',
    async ([, reply], { firewalls, apply }) => {
      firewalls({ 'fw-a': [7001], 'fw-b': [] })
      const { exit, services } = await apply(move, {
        lose(proxy) {
          proxy.lose('DELETE', /\/devices/, 'answer lost')
          proxy.lose('DELETE', /\/devices/, { done: false, reply })
        },
      })
      expect({ exit, services }).toMatchObject({ exit: 0, services: { 'fw-b': [7001] } })
    },
  )

  test('releases no service if its new firewall could not be created', async ({ firewalls, apply }) => {
    firewalls({ 'fw-a': [7001] })
    const text = `firewalls:\n  fw-new: { ${drop}devices: { computes: [7001], balancers: [999999] } }\n${devices('fw-a', [])}`
    const { exit, whileOpen, services, stderr } = await apply(text)
    expect({ exit, whileOpen, services }).toMatchObject({
      exit: 9,
      whileOpen: { 'compute 7001': [] },
      services: { 'fw-a': [7001] },
    })
    expect(stderr).toContain('compute 7001 is unchanged, because firewall "fw-new" failed')
  })

  test.for<[what: string, method: string, fate: Fate | Loss]>([
    ['the API asks to wait', 'POST', tooMany],
    ['the answer to the claim is lost', 'POST', 'answer lost'],
    ['the claim is lost', 'POST', 'request lost'],
    ['the answer to the release is lost', 'DELETE', 'answer lost'],
  ])('still claims the service if at first %s', async ([, method, fate], { firewalls, apply }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const { exit, whileOpen, services } = await apply(`${volumes}${move}`, {
      lose: (proxy) => proxy.lose(method, /\/devices/, fate),
    })
    expect({ exit, services }).toMatchObject({ exit: 0, services: { 'fw-a': [], 'fw-b': [7001] } })
    expect(whileOpen['compute 7001']?.filter((request) => !/^\w+ fw-\w+\/devices/.test(request))).toEqual([])
  })
})

describe('a status that moves no service', () => {
  test.for([
    ['enabled', 'disabled'],
    ['disabled', 'enabled'],
  ] as const)(
    'stays changed if a later step of its firewall fails: %s -> %s',
    async ([before, after], { firewalls, apply, world }) => {
      const { 'fw-a': id = 0 } = firewalls({ 'fw-a': [7001] }, before)
      const { exit } = await apply(`firewalls: { fw-a: { status: ${after}, tags: [x] } }`, {
        lose(proxy) {
          proxy.pass('PUT', `/networking/firewalls/${id}`)
          proxy.lose('PUT', `/networking/firewalls/${id}`, { done: false, reply: refusal })
        },
      })
      expect(exit).toBe(9)
      expect(world.network.firewalls.get(id)).toMatchObject({ status: after, tags: [] })
    },
  )
})

describe('a rate limit that allows the release but not the claim', () => {
  const limited = test.extend<{
    /** Moves an instance while only one more request is allowed within 100 seconds (gaps.md, Other headers). */
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

  limited('makes skyctl wait before the release and not after it', async ({ moveLimited }) => {
    const { exit, whileOpen, releasedAfter } = await moveLimited('--max-wait 2m')
    expect({ exit, releasedAfter }).toEqual({ exit: 0, releasedAfter: [100_000] })
    expect(whileOpen['compute 7001']).toEqual(['POST fw-b/devices'])
  })

  limited('prevents the release if the wait would exceed --max-wait', async ({ moveLimited }) => {
    const { exit, changes, stderr } = await moveLimited('')
    expect({ exit, changes }).toEqual({ exit: 7, changes: [] })
    expect(stderr).toContain(
      'the API allows 1 more request until 2026-01-15T12:01:40Z, too few to move compute 7001 at once',
    )
    expect(stderr).toContain('--max-wait 100s')
  })

  test('without headers leaves a service open, named in the last line and in JSON, and exits with 9', async ({
    firewalls,
    apply,
  }) => {
    firewalls({ 'fw-a': [7001], 'fw-b': [] })
    const { exit, stdout, stderr } = await apply(move, {
      flags: '--json',
      lose(proxy) {
        for (const _attempt of ['claim', 'restore']) proxy.lose('POST', /\/devices$/, { done: false, reply: waitADay })
      },
    })
    expect({ exit, unprotected: json(stdout).unprotected }).toEqual({ exit: 9, unprotected: openServices })
    expect(lastError(stderr).message).toContain('no firewall protects compute 7001 now')
  })
})

describe('a volume that moves', () => {
  test('grows before it is detached, and is attached to its old instance again if the new one is full', async ({
    apply,
    world,
  }) => {
    // An instance with 1 GB fits one volume (api.md, Limits).
    world.compute({ id: 7004, region: 'us-east', memory: 1 })
    world.network.address({ address: '203.0.113.4', compute_id: 7004 })
    world.volume({ label: 'full', region: 'us-east', compute_id: 7004 })
    const { exit, changes } = await apply('volumes: { data-1: { size: 50, compute_id: 7004 } }')
    expect({ exit, compute_id: world.volumes.get(3001)?.compute_id }).toEqual({ exit: 9, compute_id: 1001 })
    const steps = ['resize', 'detach', 'attach', 'attach']
    expect(changes).toEqual(steps.map((step) => `POST /volumes/3001/${step}`))
  })

  test('is not attached to its old instance again if a step after the move fails', async ({ apply, world }) => {
    const { exit, changes } = await apply('volumes: { data-1: { compute_id: 1002, tags: [new] } }', {
      lose: (proxy) =>
        proxy.lose('PUT', '/volumes/3001', {
          done: false,
          reply(outgoing) {
            // Somebody detaches it, so that it could be attached anywhere.
            const volume = world.volumes.get(3001)
            if (volume) world.volumes.put({ ...volume, compute_id: null })
            refusal(outgoing)
          },
        }),
    })
    expect({ exit, compute_id: world.volumes.get(3001)?.compute_id }).toEqual({ exit: 9, compute_id: null })
    expect(changes).toEqual(['detach', 'attach'].map((step) => `POST /volumes/3001/${step}`))
  })
})
