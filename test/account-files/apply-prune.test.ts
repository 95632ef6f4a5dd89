/** Checks right before a plan removes a resource, and the steps of a plan after a failure (state.md). */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { watchExposure } from '../support/exposure'
import { ruleSet, ssh } from '../support/firewall-rules'
import { lossyProxy, refusal } from '../support/lossy-proxy'
import type { TestSandbox, World } from '../support/sandbox'

interface Removing {
  /** Volume with the owner's tag, attached to compute 1004. */
  volume: number
  /** Firewall with the owner's tag, assigned to compute 7001. */
  firewall: number
  /** Applies a file of the owner with --prune; `act` is called right before the first matching request arrives. */
  prune(
    text: string,
    meanwhile?: { before: RegExp; act(): void },
  ): Promise<{ exit: number; stderr: string; changes: readonly string[] }>
}

const test = base.extend<Removing>({
  volume: async ({ world }, use) => use(world.volume({ label: 'old', tags: ['team'], compute_id: 1004 }).id),
  firewall: async ({ world }, use) => {
    const { id } = world.network.firewall({ label: 'old-web', tags: ['team'], rules: ruleSet(ssh) })
    world.compute({ id: 7001, region: 'us-east' })
    world.network.device(id, 'compute', 7001)
    await use(id)
  },
  prune: async ({ skyctl, file, sandbox }, use) =>
    use(async (text, meanwhile) => {
      const proxy = await watchingProxy(sandbox, meanwhile)
      const path = file('a.yaml', `owner: team\n${text}`)
      const line = `apply ${path} --prune --max-deletes 2 --yes --concurrency 1 --retries 0`
      const { exit, stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
      await proxy.close()
      return { exit, stderr, changes: proxy.changes }
    }),
})

/** Opens a proxy that records changes and acts when the first matching request arrives. */
function watchingProxy(sandbox: TestSandbox, meanwhile?: { before: RegExp; act(): void }) {
  let isDone = false
  return watchExposure(sandbox, [], {
    before({ method, path }) {
      if (isDone || !meanwhile?.before.test(`${method} ${path}`)) return
      isDone = true
      meanwhile.act()
    },
  })
}

const untagVolume = ({ volumes }: World, id: number) => {
  const volume = volumes.get(id)
  if (volume) volumes.put({ ...volume, tags: [] })
}

const untagFirewall = ({ network: { firewalls } }: World, id: number) => {
  const firewall = firewalls.get(id)
  if (firewall) firewalls.put({ ...firewall, tags: [] })
}

const attach = ({ volumes }: World, id: number, compute_id: number | null) => {
  const volume = volumes.get(id)
  if (volume) volumes.put({ ...volume, compute_id })
}

const answer = (status: number, type: string, text: string) => (outgoing: ServerResponse) =>
  void outgoing.writeHead(status, { 'content-type': type }).end(text)

const reason = (text: string) => JSON.stringify({ errors: [{ reason: text }] })

describe('a resource that --prune deletes', () => {
  test.for(['', '--force'])(
    'has its label in the message and in the history: %j',
    async (force, { skyctl, file, volume, firewall }) => {
      const path = file('a.yaml', 'owner: team\nvolumes: {}\nfirewalls: {}\n')
      const { exit, stderr } = await skyctl(`apply ${path} --prune --max-deletes 2 --yes ${force}`)
      expect(exit).toBe(0)
      expect(stderr).toContain(`Deleted volume "old" (${volume})`)
      expect(stderr).toContain(`Deleted firewall "old-web" (${firewall})`)
      const history: { command: string; label: string }[] = JSON.parse((await skyctl('history list --json')).stdout)
      const deleted = history.filter(({ command }) => command.endsWith(' delete')).map(({ label }) => label)
      expect(deleted.sort()).toEqual(['old', 'old-web'])
    },
  )

  test.for([
    ['the API forbids to read it', 4, answer(403, 'application/json', reason('Forbidden'))],
    ['the API fails', 8, answer(500, 'application/json', reason('Internal error'))],
    ['a gateway answers 404', 8, answer(404, 'text/html', '<h1>Not found</h1>')],
  ] as const)(
    'stays if the last check does not prove that it is gone: %s',
    async ([, expected, reply], { skyctl, file, sandbox, world, volume, firewall }) => {
      for (const [name, place] of [
        ['volumes/old', `/volumes/${volume}`],
        ['firewalls/old-web', `/networking/firewalls/${firewall}`],
      ] as const) {
        const proxy = await lossyProxy(sandbox.baseUrl)
        proxy.lose('GET', place, { done: false, reply })
        const path = file('a.yaml', 'owner: team\nvolumes: {}\nfirewalls: {}\n')
        const line = `apply ${path} --prune --only ${name} --max-deletes 2 --yes --retries 0`
        const { exit } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
        await proxy.close()
        expect({ name, exit, pending: proxy.pending() }).toEqual({ name, exit: expected, pending: 0 })
      }
      expect([...world.requests('POST'), ...world.requests('DELETE')]).toEqual([])
      expect(world.volumes.get(volume)?.compute_id).toBe(1004)
    },
  )

  test('stays if the service has failed before its turn', async ({ skyctl, file, sandbox, world, firewall }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    const failing = answer(500, 'application/json', reason('Internal error'))
    proxy.lose('GET', `/networking/firewalls/${firewall}`, { done: false, reply: failing })
    const path = file('a.yaml', 'owner: team\nvolumes: {}\nfirewalls: {}\n')
    const line = `apply ${path} --prune --max-deletes 2 --yes --retries 0`
    const { exit } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect(exit).toBe(8)
    expect([...world.requests('POST'), ...world.requests('DELETE')]).toEqual([])
  })

  test('counts as deleted if somebody deletes it before the last check', async ({ prune, world, volume, firewall }) => {
    const { exit, stderr, changes } = await prune('volumes: {}\nfirewalls: {}', {
      before: /^GET \/(networking\/firewalls|volumes)\/\d+$/,
      act() {
        world.volumes.delete(volume)
        for (const device of world.network.devicesOf(firewall)) world.network.devices.delete(device.id)
        world.network.firewalls.delete(firewall)
      },
    })
    expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' })
    expect(changes.filter((change) => !change.startsWith('DELETE'))).toEqual([])
  })

  test("stays attached if somebody has removed the owner's tag meanwhile", async ({ prune, world, volume }) => {
    const { exit, stderr, changes } = await prune('volumes: {}', {
      before: new RegExp(`^GET /volumes/${volume}$`),
      act: () => untagVolume(world, volume),
    })
    expect({ exit, changes }).toEqual({ exit: 6, changes: [] })
    expect(stderr).toContain('it no longer has the tag "team", so skyctl keeps it')
  })

  test("is not deleted if somebody removes the owner's tag after it was detached", async ({ prune, world, volume }) => {
    const { exit, changes } = await prune('volumes: {}', {
      before: new RegExp(`^POST /volumes/${volume}/detach$`),
      act: () => untagVolume(world, volume),
    })
    expect({ exit, changes }).toEqual({ exit: 9, changes: [`POST /volumes/${volume}/detach`] })
    expect(world.volumes.get(volume)).toBeDefined()
  })

  test.for([
    ['gets a service', 'compute', 7002, 'it was assigned to compute 7002 since the plan was made'],
    ['gets a balancer', 'balancer', 8001, 'it was assigned to balancer 8001 since the plan was made'],
  ] as const)(
    'is not deleted if it is a firewall that %s after the plan, and the rest of the plan is applied',
    async ([, type, service, reason], { prune, world, firewall }) => {
      world.compute({ id: 7002, region: 'us-east' })
      world.balancers.add({ id: 8001, label: 'lb', region: 'us-east' })
      world.volume({ label: 'kept', tags: ['a'] })
      const { exit, stderr, changes } = await prune('firewalls: {}\nvolumes: { kept: { tags: [b] } }', {
        before: new RegExp(`^GET /networking/firewalls/${firewall}$`),
        act: () => world.network.device(firewall, type, service),
      })
      expect({ exit, changes }).toEqual({ exit: 9, changes: [expect.stringMatching(/^PUT \/volumes/)] })
      expect(stderr).toContain(`${reason}, so skyctl keeps it`)
      expect(world.network.devicesOf(firewall).map(({ entity }) => entity)).toEqual([7001, service])
    },
  )

  test('is not deleted if it is a firewall that is enabled after the plan', async ({ prune, world, firewall }) => {
    const record = world.network.firewalls.get(firewall)
    const set = (status: 'enabled' | 'disabled') => record && world.network.firewalls.put({ ...record, status })
    set('disabled')
    const { exit, stderr, changes } = await prune('firewalls: {}', {
      before: new RegExp(`^GET /networking/firewalls/${firewall}$`),
      act: () => void set('enabled'),
    })
    expect({ exit, changes }).toEqual({ exit: 6, changes: [] })
    expect(stderr).toContain('it was enabled since the plan was made, so skyctl keeps it')
  })

  test('is not detached if it is a volume that was attached to another instance after the plan', async ({
    prune,
    world,
    volume,
  }) => {
    const { exit, stderr, changes } = await prune('volumes: {}', {
      before: new RegExp(`^GET /volumes/${volume}$`),
      act: () => attach(world, volume, 1005),
    })
    expect({ exit, changes }).toEqual({ exit: 6, changes: [] })
    expect(stderr).toContain('it was attached to compute instance 1005 since the plan was made, so skyctl keeps it')
  })

  test('is not deleted if it is a volume that was attached after the plan', async ({ prune, world, volume }) => {
    attach(world, volume, null)
    const { exit, stderr, changes } = await prune('volumes: {}', {
      before: new RegExp(`^GET /volumes/${volume}$`),
      act: () => attach(world, volume, 1005),
    })
    expect({ exit, changes }).toEqual({ exit: 6, changes: [] })
    expect(stderr).toContain('it was attached to compute instance 1005 since the plan was made, so skyctl keeps it')
  })

  test('keeps its services if the tag is gone, even if another firewall claims them', async ({
    prune,
    world,
    firewall,
  }) => {
    const { id: next } = world.network.firewall({ label: 'next', rules: ruleSet(ssh) })
    const { exit, changes } = await prune('firewalls: { next: { devices: { computes: [7001] } } }', {
      before: new RegExp(`^GET /networking/firewalls/${firewall}$`),
      act: () => untagFirewall(world, firewall),
    })
    expect({ exit, changes }).toEqual({ exit: 9, changes: [] })
    expect([firewall, next].map((id) => world.network.devicesOf(id).length)).toEqual([1, 0])
  })
})

describe('an object that fails', () => {
  test('gets none of its later steps: a volume that could not be detached is not resized or attached', async ({
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    world.compute({ id: 7004, region: 'us-east' })
    world.volume({ label: 'there', region: 'us-east', compute_id: 7004 })
    const leaving = world.volume({ label: 'leaving', region: 'us-east', size: 20, compute_id: 1004 }).id
    world.volume({ label: 'coming', region: 'us-east', size: 20 })
    const proxy = await lossyProxy(sandbox.baseUrl)
    proxy.lose('POST', `/volumes/${leaving}/detach`, { done: false, reply: refusal })
    const path = file(
      'a.yaml',
      'volumes:\n  leaving: { size: 30, compute_id: 7004 }\n  coming: { compute_id: 1004 }\n  data-1: { size: 50 }\n',
    )
    const { exit, stdout } = await skyctl(`apply ${path} --yes --json`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    const actions = JSON.parse(stdout).actions.map(({ name, ok }: Record<string, unknown>) => [name, ok])
    expect({ exit, actions }).toEqual({
      exit: 9,
      actions: expect.arrayContaining([
        ['leaving', false],
        ['data-1', true],
      ]),
    })
    const paths = world.requests('POST').map(({ path }) => path)
    expect(paths.filter((path) => path.startsWith(`/volumes/${leaving}/`))).toEqual([])
    expect(world.volumes.get(leaving)).toMatchObject({ size: 20, compute_id: 1004 })
  })

  test('ends with 9 if it is half done, and with 6 if nothing was done', async ({ skyctl, sandbox, world }) => {
    const { id } = world.volume({ label: 'data', tags: ['a'], size: 20, status: 'active' })
    const run = async (method: string, path: string, stdin: string) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      proxy.lose(method, path, { done: false, reply: refusal })
      const result = await skyctl('apply - --yes --json', { stdin, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
      await proxy.close()
      expect(proxy.pending()).toBe(0)
      return { ...result, error: JSON.parse(result.stderr.trimEnd().split('\n').at(-1) ?? '').error }
    }
    const nothing = await run('POST', `/volumes/${id}/resize`, 'volumes: { data: { size: 30, tags: [b] } }')
    expect(nothing).toMatchObject({ exit: 6, error: { code: 'refused' } })
    const half = await run('PUT', `/volumes/${id}`, 'volumes: { data: { size: 30, tags: [b] } }')
    expect(half).toMatchObject({
      exit: 9,
      error: {
        code: 'some_failed',
        message: expect.stringMatching(/^1 of 2 steps applied: volume "data" \(\d+\): /),
      },
    })
    expect(JSON.parse(half.stdout)).toMatchObject({ changed: true, actions: [{ name: 'data', ok: false }] })
    expect(world.volumes.get(id)).toMatchObject({ size: 30, tags: ['a'] })
  })

  test('is not disabled after its service could not be released', async ({ skyctl, file, sandbox, world }) => {
    const a = world.network.firewall({ label: 'fw-a', rules: ruleSet(ssh) }).id
    const b = world.network.firewall({ label: 'fw-b', rules: ruleSet(ssh) }).id
    world.compute({ id: 7001, region: 'us-east' })
    world.network.device(a, 'compute', 7001)
    const proxy = await lossyProxy(sandbox.baseUrl)
    proxy.lose('DELETE', /\/devices\//, { done: false, reply: refusal })
    const text =
      'firewalls:\n  fw-a: { status: disabled, devices: { computes: [] } }\n  fw-b: { devices: { computes: [7001] } }\n'
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit } = await skyctl(`apply ${file('a.yaml', text)} --yes`, { env })
    await proxy.close()
    expect({ exit, changes: world.requests('PUT') }).toEqual({ exit: 9, changes: [] })
    expect([a, b].map((id) => world.network.devicesOf(id).length)).toEqual([1, 0])
  })
})
