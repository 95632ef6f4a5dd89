/** What is done when the answer to a request is lost (reliability.md, "Which requests may be sent again"). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Fate, type Loss, type Lossy, lossyProxy, refusal } from './support/lossy'
import { test as base, type Options, type Result } from './support/skyctl'

interface Fixtures {
  proxy: Lossy
  through(line: string, options?: Options): Promise<Result>
}

const test = base.extend<Fixtures>({
  proxy: async ({ sandbox }, use) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    await use(proxy)
    await proxy.close()
  },
  through: async ({ skyctl, proxy }, use) =>
    use((line, options = {}) => skyctl(line, { ...options, env: { SKYCTL_BASE_URL: proxy.baseUrl, ...options.env } })),
})

const json = (text: string) => JSON.parse(text)

const limited: Loss['reply'] = (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end()
const maintenance: Loss['reply'] = (outgoing) => void outgoing.writeHead(503, { 'x-maintenance-mode': '1' }).end()

describe('what makes something new is never sent again', () => {
  test('a volume that was created is found by its label, adopted, and said so', async ({ through, proxy, world }) => {
    proxy.lose('POST', '/volumes', 'answer lost')
    const { exit, stdout, stderr } = await through('volumes create --label fresh --region us-east -o yaml --query id')
    expect(exit).toBe(0)
    expect(stderr).toMatch(/answer was lost.*"fresh".*was created/)
    expect(world.requests('POST')).toHaveLength(1)
    expect(world.volumes.all().filter(({ label }) => label === 'fresh')).toEqual([
      expect.objectContaining({ id: Number(stdout) }),
    ])
  })

  test('where nothing was created the outcome is unknown: exit 11, with the next command', async ({
    through,
    proxy,
    world,
  }) => {
    proxy.lose('POST', '/volumes', 'request lost')
    const { exit, stdout, stderr } = await through('volumes create --label fresh --region us-east --json')
    expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
    expect(json(stderr).error).toMatchObject({
      code: 'outcome_unknown',
      request: { method: 'POST', path: '/volumes' },
      hint: expect.stringContaining('skyctl volumes list --filter label=fresh'),
    })
    expect(world.requests('POST')).toHaveLength(0)
  })

  test('what has no label is looked for by nobody: exit 11, with the command that lists its kind', async ({
    through,
    proxy,
    world,
  }) => {
    proxy.lose('POST', '/volumes', 'answer lost')
    const { exit, stderr } = await through('volumes create --body - --no-validate', { stdin: '{"region":"us-east"}' })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
    expect(stderr).toMatch(/ Check before you try again: skyctl volumes list\n$/)
  })

  test('where the list cannot be read, nothing is said of it', async ({ through, proxy }) => {
    proxy.lose('POST', '/volumes', 'request lost')
    proxy.pass('GET', /^\/volumes/)
    proxy.lose('GET', /^\/volumes/, 'request lost')
    const { exit, stderr } = await through('volumes create --label fresh --region us-east --retries 0')
    expect(exit).toBe(11)
    expect(stderr).not.toContain('no volume has the label')
    expect(stderr).toContain('skyctl volumes list --filter label=fresh')
  })

  test('an older volume of the same label is not taken for the new one', async ({ through, proxy, world, clock }) => {
    world.volume({ label: 'fresh' })
    clock.advance(60_000)
    proxy.lose('POST', '/volumes', 'request lost')
    const { exit, stderr } = await through('volumes create --label fresh --region us-east --allow-duplicate')
    expect(exit).toBe(11)
    expect(stderr).toMatch(/volume "fresh" \(\d+\) existed before/)
  })

  test('a firewall is adopted by its label', async ({ through, proxy, world }) => {
    proxy.lose('POST', '/networking/firewalls', 'answer lost')
    const line = 'firewalls create --label fresh --inbound-policy drop --outbound-policy accept --json'
    const { exit, stdout } = await through(line)
    expect({ exit, label: json(stdout).label, posts: world.requests('POST').length }).toEqual({
      exit: 0,
      label: 'fresh',
      posts: 1,
    })
  })

  const rules = (label: string) => ({
    inbound_policy: 'DROP' as const,
    outbound_policy: 'ACCEPT' as const,
    inbound: [
      {
        action: 'ACCEPT' as const,
        protocol: 'TCP' as const,
        ports: '22',
        addresses: { ipv4: ['198.51.100.7/32'] },
        label,
      },
    ],
    outbound: [],
  })

  test.for([
    ['rules', 'has rules ', { rules: rules('other'), services: [1004] }],
    ['tags', 'has tags ["a"], not ["b"]', { tags: ['a'], services: [1004] }],
    ['services', 'has computes [1008], not [1004]', { services: [1008] }],
  ] as const)(
    'a firewall of the same label that another made meanwhile, with other %s, is not taken for it',
    async ([, why, { services, ...differs }], { through, proxy, world, home }) => {
      const file = join(home, 'rules.json')
      writeFileSync(file, JSON.stringify(rules('ssh')))
      const { arrived, release } = proxy.hold('POST', '/networking/firewalls', 'request lost')
      const running = through(`firewalls create --label fresh --file ${file} --tag b --compute-id 1004 --json`)
      await arrived
      const { id } = world.network.firewall({ label: 'fresh', rules: rules('ssh'), tags: ['b'], ...differs })
      for (const service of services) world.network.device(id, 'compute', service)
      release()
      const { exit, stdout, stderr } = await running
      expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
      expect(json(stderr).error.message).toContain(`firewall "fresh" (${id}) ${why}`)
    },
  )

  test('a volume of that label that is no copy of the source is not taken for a clone', async ({
    through,
    proxy,
    world,
  }) => {
    const source = world.volume({ label: 'source', size: 40, region: 'us-east' })
    const { arrived, release } = proxy.hold('POST', `/volumes/${source.id}/clone`, 'request lost')
    const running = through(`volumes clone ${source.id} --label copy`)
    await arrived
    const { id } = world.volume({ label: 'copy', size: 20, region: 'us-east' })
    release()
    const { exit, stderr } = await running
    expect(exit).toBe(11)
    expect(stderr).toContain(`volume "copy" (${id}) has size 20, not 40`)
  })

  test('a token of that label with other scopes is not named as the lost one', async ({ through, proxy, world }) => {
    const { arrived, release } = proxy.hold('POST', '/profile/tokens', 'request lost')
    const running = through('tokens create --label fresh --scope volumes:read_only')
    await arrived
    const { id } = world.tokens.add({ label: 'fresh', user: 1, scopes: 'volumes:read_write', token: 'facade00other' })
    release()
    const { exit, stderr } = await running
    expect(exit).toBe(11)
    expect(stderr).not.toContain('skyctl tokens revoke')
    expect(stderr).toContain(`token "fresh" (${id}) has scopes "volumes:read_write", not "volumes:read_only"`)
  })

  test.for([
    ['ips allocate --compute-id 1001 --public', '/networking/ips', 'skyctl ips list'],
    ['ipv6 ranges create --prefix-length 64 --compute-id 1009', '/networking/ipv6/ranges', 'skyctl ipv6 ranges list'],
  ] as const)(
    '%s makes what has no label: exit 11, with the next command',
    async ([line, path, hint], { through, proxy, world }) => {
      proxy.lose('POST', path, 'answer lost')
      const { exit, stderr } = await through(line)
      expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 11, posts: 1 })
      expect(stderr).toContain(hint)
    },
  )

  test('an address that is new is named, and that nothing tells whose it is', async ({ through, proxy, world }) => {
    const { id } = world.compute()
    const { address } = world.network.address({ compute_id: id, type: 'ipv4', public: true, address: '203.0.113.7' })
    proxy.lose('POST', '/networking/ips', 'answer lost')
    const { exit, stderr } = await through(`ips allocate --compute-id ${id} --public`)
    const [made] = world.network.addresses.all().filter((one) => one.compute_id === id && one.address !== address)
    expect(exit).toBe(11)
    expect(stderr).toContain(`address ${made?.address} is new, and matches, but somebody else may have created it`)
    expect(stderr).not.toContain(address)
  })

  test('a request for an address that was lost tells that none is new', async ({ through, proxy }) => {
    proxy.lose('POST', '/networking/ips', 'request lost')
    const { exit, stderr } = await through('ips allocate --compute-id 1001 --public')
    expect(exit).toBe(11)
    expect(stderr).toContain('there is no new address')
  })

  test("a private address is not in the service's list: nothing is looked for there", async ({ through, proxy }) => {
    proxy.lose('POST', '/networking/ips', 'answer lost')
    const { exit, stderr } = await through('ips allocate --compute-id 1001 --private')
    expect(exit).toBe(11)
    expect(stderr).toContain('the API lists no such address')
    expect(stderr).not.toContain('ips list')
  })

  test('a range that is new is named', async ({ through, proxy, skyctl }) => {
    proxy.lose('POST', '/networking/ipv6/ranges', 'answer lost')
    const { exit, stderr } = await through('ipv6 ranges create --prefix-length 64 --compute-id 1009')
    const ranges = json((await skyctl('ipv6 ranges list --json')).stdout)
    expect(exit).toBe(11)
    expect(stderr).toContain(
      `IPv6 range ${ranges.at(-1).range} is new, and matches, but somebody else may have created it`,
    )
  })

  test("a rival's range of another length for another instance is told from what was asked for", async ({
    through,
    proxy,
    skyctl,
  }) => {
    const { arrived, release } = proxy.hold('POST', '/networking/ipv6/ranges', 'request lost')
    const running = through('ipv6 ranges create --prefix-length 64 --compute-id 1009')
    await arrived
    const rival = await skyctl('ipv6 ranges create --prefix-length 56 --compute-id 1010 --json')
    expect(rival.exit).toBe(0)
    release()
    const { exit, stderr } = await running
    expect(exit).toBe(11)
    expect(stderr).toMatch(/IPv6 range .* is new, and has prefix 56, not 64, computes \[1010\], not \[1009\]/)
  })

  test('a clone is adopted like a creation', async ({ through, proxy, world }) => {
    const { id } = world.volume({ label: 'source' })
    proxy.lose('POST', `/volumes/${id}/clone`, 'answer lost')
    const { exit, stdout } = await through(`volumes clone ${id} --label copy --json`)
    expect(exit).toBe(0)
    expect(json(stdout)).toMatchObject({ label: 'copy' })
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('skyctl api sends a POST once', async ({ through, proxy, world }) => {
    proxy.lose('POST', '/volumes', 'answer lost')
    const { exit } = await through('api POST /volumes --body -', { stdin: '{"label":"raw","region":"us-east"}' })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
  })
})

describe('what changes an object is looked at first', () => {
  test.for(['answer lost', 'request lost'] as const)(
    'resize, %s: the size is as wanted in the end',
    async (fate, { through, proxy, world }) => {
      const { id } = world.volume({ size: 20 })
      proxy.lose('POST', `/volumes/${id}/resize`, fate)
      const { exit, stdout } = await through(`volumes resize ${id} --size 40 --json`)
      expect({ exit, size: json(stdout).size }).toEqual({ exit: 0, size: 40 })
      expect(world.requests('POST')).toHaveLength(1)
    },
  )

  test.for(['answer lost', 'request lost'] as const)(
    'attach, %s: it is attached in the end',
    async (fate, { through, proxy, world }) => {
      const compute = world.compute()
      const { id } = world.volume()
      proxy.lose('POST', `/volumes/${id}/attach`, fate)
      const { exit, stdout } = await through(`volumes attach ${id} --compute-id ${compute.id} --json`)
      expect({ exit, compute_id: json(stdout).compute_id }).toEqual({ exit: 0, compute_id: compute.id })
      expect(world.requests('POST')).toHaveLength(1)
    },
  )

  test.for(['answer lost', 'request lost'] as const)(
    'detach, %s: it is detached in the end',
    async (fate, { through, proxy, world }) => {
      const { id } = world.volume({ compute_id: world.compute().id })
      proxy.lose('POST', `/volumes/${id}/detach`, fate)
      const { exit } = await through(`volumes detach ${id} --yes`)
      expect({ exit, compute_id: world.volumes.get(id)?.compute_id }).toEqual({ exit: 0, compute_id: null })
      expect(world.requests('POST')).toHaveLength(1)
    },
  )

  test.for<[string, Fate | Loss]>([
    ['is lost', 'request lost'],
    ['is refused', { done: false, reply: refusal }],
  ])('where the look %s, nothing is sent again: exit 11', async ([, fate], { through, proxy, world }) => {
    const { id } = world.volume({ compute_id: world.compute().id })
    proxy.lose('POST', `/volumes/${id}/detach`, 'answer lost')
    proxy.pass('GET', `/volumes/${id}`)
    proxy.lose('GET', `/volumes/${id}`, fate)
    const { exit } = await through(`volumes detach ${id} --yes --retries 0`)
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
  })

  test.for<[string, Fate | Loss]>([
    ['fails', 'unavailable'],
    ['meets a rate limit', { done: false, reply: limited }],
    ['meets maintenance', { done: false, reply: maintenance }],
  ])(
    'where the second request %s, the first may still be done: exit 11',
    async ([, fate], { through, proxy, world }) => {
      const { id } = world.volume({ compute_id: world.compute().id })
      proxy.lose('POST', `/volumes/${id}/detach`, 'request lost')
      proxy.lose('POST', `/volumes/${id}/detach`, fate)
      expect((await through(`volumes detach ${id} --yes`)).exit).toBe(11)
    },
  )

  test('where the second request is refused, so is the change: the first did not do it', async ({
    through,
    proxy,
    world,
  }) => {
    const { id } = world.volume({ size: 20, status: 'resizing' })
    proxy.lose('POST', `/volumes/${id}/resize`, 'request lost')
    const { exit, stderr } = await through(`volumes resize ${id} --size 40 --json --no-validate`)
    expect({ exit, ...json(stderr).error }).toMatchObject({
      ...{ exit: 6, code: 'conflict', status: 400, retryable: false },
      request: { method: 'POST', path: `/volumes/${id}/resize` },
    })
    expect(world.volumes.get(id)?.size).toBe(20)
  })

  test('what there is one of, too, is not sent again where it cannot be looked at', async ({
    through,
    proxy,
    world,
  }) => {
    proxy.lose('PUT', '/profile/preferences', 'answer lost')
    proxy.pass('GET', '/profile/preferences')
    proxy.lose('GET', '/profile/preferences', 'request lost')
    const { exit } = await through('profile preferences set --body - --retries 0', { stdin: '{"theme":"dark"}' })
    expect({ exit, sent: world.requests('PUT').length }).toEqual({ exit: 11, sent: 1 })
  })

  test('lost twice, and not as wanted: the outcome is unknown', async ({ through, proxy, world }) => {
    const { id } = world.volume({ size: 20 })
    proxy.lose('POST', `/volumes/${id}/resize`, 'request lost')
    proxy.lose('POST', `/volumes/${id}/resize`, 'request lost')
    expect((await through(`volumes resize ${id} --size 40`)).exit).toBe(11)
  })
})

describe('what is safe to repeat is repeated', () => {
  test('a list', async ({ through, proxy }) => {
    proxy.lose('GET', /^\/volumes\?/, 'answer lost')
    expect((await through('volumes list --json')).exit).toBe(0)
  })

  test('an update', async ({ through, proxy, world }) => {
    const { id } = world.volume()
    proxy.lose('PUT', `/volumes/${id}`, 'answer lost')
    const { exit } = await through(`volumes update ${id} --label other`)
    expect({ exit, sent: world.requests('PUT').length }).toEqual({ exit: 0, sent: 2 })
  })

  test('a deletion: that the object is gone afterwards is what was wanted', async ({ through, proxy, world }) => {
    const { id } = world.volume()
    proxy.lose('DELETE', `/volumes/${id}`, 'answer lost')
    expect(await through(`volumes delete ${id} --yes --json`)).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect(world.requests('DELETE')).toHaveLength(2)
  })

  test('not with --retries 0', async ({ through, proxy }) => {
    proxy.lose('GET', /^\/volumes\?/, 'answer lost')
    expect((await through('volumes list --retries 0')).exit).toBe(8)
  })
})

describe('a device is looked for before it is added again', () => {
  test.for(['answer lost', 'request lost'] as const)('%s', async (fate, { through, proxy, world }) => {
    proxy.lose('POST', '/networking/firewalls/4005/devices', fate)
    const { exit, stdout } = await through('firewalls devices add 4005 --compute-id 1004 --json')
    expect({ exit, entity: json(stdout).entity.id }).toEqual({ exit: 0, entity: 1004 })
    expect(world.requests('POST')).toHaveLength(1)
    expect(world.network.devicesOf(4005)).toHaveLength(1)
  })
})

describe('what is stated as a whole is sent again', () => {
  test('assigning and sharing', async ({ through, proxy, world }) => {
    proxy.lose('POST', '/networking/ips/assign', 'answer lost')
    proxy.lose('POST', '/networking/ips/share', 'answer lost')
    expect((await through('ips assign 192.0.2.31=1002 --yes')).exit).toBe(0)
    expect((await through('ips share 192.0.2.31 --compute-id 1001')).exit).toBe(0)
    expect(world.requests('POST')).toHaveLength(4)
  })
})

describe('a wait', () => {
  test('goes on through failures that pass', async ({ through, proxy }) => {
    for (let count = 0; count < 9; count += 1) proxy.lose('GET', /^\/volumes\/\d+$/, 'unavailable')
    const { exit, stdout } = await through('volumes create --label slow --region us-east --wait --json')
    expect({ exit, status: json(stdout).status }).toEqual({ exit: 0, status: 'active' })
  })

  test('ends with what does not pass when its time is up', async ({ through, proxy }) => {
    for (let count = 0; count < 99; count += 1) proxy.lose('GET', /^\/volumes\/\d+$/, 'unavailable')
    const line = 'volumes create --label slow --region us-east --wait --wait-timeout 3s'
    const { exit, stderr } = await through(line)
    expect(exit).toBe(8)
    expect(stderr).toMatch(/Continue waiting: skyctl volumes wait \d+ --for active/)
  })

  test('that fails prints what was made, says so, and never that it can be run again', async ({ through, proxy }) => {
    for (let count = 0; count < 99; count += 1) proxy.lose('GET', /^\/volumes\/\d+$/, 'unavailable')
    const line = 'volumes create --label slow --region us-east --wait --wait-timeout 3s'
    const { exit, stdout, stderr } = await through(`${line} --json`)
    const { id } = json(stdout)
    expect({ exit, error: json(stderr).error }).toMatchObject({
      exit: 8,
      error: { retryable: false, created: { kind: 'volume', id, label: 'slow' } },
    })
  })

  test('that runs out of time does so too, and --quiet prints the id', async ({ skyctl, world }) => {
    world.transitionMs = 600_000
    const line = 'volumes create --label slow --region us-east --wait --wait-timeout 3s'
    const { exit, stdout } = await skyctl(`${line} --quiet`)
    const { id } = world.volumes.all().find(({ label }) => label === 'slow') ?? {}
    expect({ exit, stdout }).toEqual({ exit: 10, stdout: `${id}\n` })
    const again = await skyctl(`volumes resize data-1 --size 80 --wait --wait-timeout 3s --json`)
    expect({ exit: again.exit, retryable: json(again.stderr).error.retryable, size: json(again.stdout).size }).toEqual({
      exit: 10,
      retryable: false,
      size: 80,
    })
  })
})
