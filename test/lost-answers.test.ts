/** Recovery from lost responses (reliability.md, "Which requests may be sent again"). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { type Fate, type Loss, refusal } from './support/lossy-proxy'
import { completeRecord } from './support/records'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

const limited: Loss['reply'] = (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end()
const maintenance: Loss['reply'] = (outgoing) => void outgoing.writeHead(503, { 'x-maintenance-mode': '1' }).end()

const forbidden: Loss['reply'] = (outgoing) =>
  void outgoing.writeHead(403, { 'content-type': 'application/json' }).end('{"errors":[{"reason":"Unauthorized"}]}')

const unauthorized: Loss['reply'] = (outgoing) =>
  void outgoing.writeHead(401, { 'content-type': 'application/json' }).end('{"errors":[{"reason":"Invalid Token"}]}')

describe('a request that creates something is never sent again', () => {
  test('and a created volume is adopted by its label, with a message', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/volumes', 'answer lost')
    const { exit, stdout, stderr } = await skyctl('volumes create --label fresh --region us-east -o yaml --query id')
    expect(exit).toBe(0)
    expect(stderr).toMatch(/answer was lost.*"fresh".*was created/)
    expect(world.requests('POST')).toHaveLength(1)
    expect(world.volumes.all().filter(({ label }) => label === 'fresh')).toEqual([
      expect.objectContaining({ id: Number(stdout) }),
    ])
  })

  test('and ends with exit code 11 and the next command if nothing was created', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/volumes', 'request lost')
    const { exit, stdout, stderr } = await skyctl('volumes create --label fresh --region us-east --json')
    expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
    expect(json(stderr).error).toMatchObject({
      code: 'outcome_unknown',
      request: { method: 'POST', path: '/volumes' },
      hint: expect.stringContaining('skyctl volumes list --filter label=fresh'),
    })
    expect(world.requests('POST')).toHaveLength(0)
  })

  test('and ends with exit code 11 and the list command if there is no label', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/volumes', 'answer lost')
    const { exit, stderr } = await skyctl('volumes create --body - --no-validate', { stdin: '{"region":"us-east"}' })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
    expect(stderr).toMatch(/ Check before you try again: skyctl volumes list\n$/)
  })

  test('and makes no claim about the label if the list cannot be read', async ({ skyctl, lossy }) => {
    lossy.lose('POST', '/volumes', 'request lost')
    lossy.pass('GET', /^\/volumes/)
    lossy.lose('GET', /^\/volumes/, 'request lost')
    const { exit, stderr } = await skyctl('volumes create --label fresh --region us-east --retries 0')
    expect(exit).toBe(11)
    expect(stderr).not.toContain('no volume has the label')
    expect(stderr).toContain('skyctl volumes list --filter label=fresh')
  })

  test('and an older volume of the same label is not adopted', async ({ skyctl, lossy, world, clock }) => {
    world.volume({ label: 'fresh' })
    clock.advance(60_000)
    lossy.lose('POST', '/volumes', 'request lost')
    const { exit, stderr } = await skyctl('volumes create --label fresh --region us-east --allow-duplicate')
    expect(exit).toBe(11)
    expect(stderr).toMatch(/volume "fresh" \(\d+\) existed before/)
  })

  test.for<[string, Record<string, string>, number]>([
    ['adopted if it was created since, by the Date header', { date: 'Thu, 15 Jan 2026 12:00:00 GMT' }, 0],
    ['not adopted without a Date header, as it may be older', {}, 11],
  ])('and a new volume of the label is %s', async ([, headers, code], { skyctl }) => {
    const created = completeRecord({ id: 77, label: 'fresh', created: '2026-01-15T12:00:01' })
    let isSent = false
    const { env } = await faultServer((socket, request) => {
      const data = isSent ? [created] : []
      if (request.method === 'GET')
        return reply(200, { data, page: 1, pages: 1, results: data.length }, headers)(socket, request)
      isSent = true
      return void socket.resetAndDestroy()
    })
    const { exit, stderr } = await skyctl('volumes create --label fresh --region us-east --no-validate', { env })
    const text = code === 0 ? 'was created' : 'volume "fresh" (77) may have existed before'
    expect({ exit, stderr }).toEqual({ exit: code, stderr: expect.stringContaining(text) })
  })

  test('and a firewall is adopted by its label', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/networking/firewalls', 'answer lost')
    const line = 'firewalls create --label fresh --inbound-policy drop --outbound-policy accept --json'
    const { exit, stdout } = await skyctl(line)
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
    'and a firewall of the same label that somebody else created is not adopted: other %s',
    async ([, difference, { services, ...differences }], { skyctl, lossy, world, home }) => {
      const file = join(home, 'rules.json')
      writeFileSync(file, JSON.stringify(rules('ssh')))
      const { arrived, release } = lossy.hold('POST', '/networking/firewalls', 'request lost')
      const running = skyctl(`firewalls create --label fresh --file ${file} --tag b --compute-id 1004 --yes --json`)
      await arrived
      const { id } = world.network.firewall({ label: 'fresh', rules: rules('ssh'), tags: ['b'], ...differences })
      for (const service of services) world.network.device(id, 'compute', service)
      release()
      const { exit, stdout, stderr } = await running
      expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
      expect(json(stderr).error.message).toContain(`firewall "fresh" (${id}) ${difference}`)
    },
  )

  test('and a volume that is not a copy is not adopted as a clone', async ({ skyctl, lossy, world }) => {
    const source = world.volume({ label: 'source', size: 40, region: 'us-east' })
    const { arrived, release } = lossy.hold('POST', `/volumes/${source.id}/clone`, 'request lost')
    const running = skyctl(`volumes clone ${source.id} --label copy`)
    await arrived
    const { id } = world.volume({ label: 'copy', size: 20, region: 'us-east' })
    release()
    const { exit, stderr } = await running
    expect(exit).toBe(11)
    expect(stderr).toContain(`volume "copy" (${id}) has size 20, not 40`)
  })

  test('and a token of the same label with other scopes is not the lost one', async ({ skyctl, lossy, world }) => {
    const { arrived, release } = lossy.hold('POST', '/profile/tokens', 'request lost')
    const running = skyctl('tokens create --label fresh --scope volumes:read_only')
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
    'and ends with exit code 11 and the next command if it creates something without a label: %s',
    async ([line, path, hint], { skyctl, lossy, world }) => {
      lossy.lose('POST', path, 'answer lost')
      const { exit, stderr } = await skyctl(line)
      expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 11, posts: 1 })
      expect(stderr).toContain(hint)
    },
  )

  test('and a new address is named, with the warning that somebody else may have created it', async ({
    skyctl,
    lossy,
    world,
  }) => {
    const { id } = world.compute()
    const { address } = world.network.address({ compute_id: id, type: 'ipv4', public: true, address: '203.0.113.7' })
    lossy.lose('POST', '/networking/ips', 'answer lost')
    const { exit, stderr } = await skyctl(`ips allocate --compute-id ${id} --public`)
    const [created] = world.network.addresses.all().filter((one) => one.compute_id === id && one.address !== address)
    expect(exit).toBe(11)
    expect(stderr).toContain(`address ${created?.address} is new, and matches, but somebody else may have created it`)
    expect(stderr).not.toContain(address)
  })

  test('and a missing address is reported if the request was lost', async ({ skyctl, lossy }) => {
    lossy.lose('POST', '/networking/ips', 'request lost')
    const { exit, stderr } = await skyctl('ips allocate --compute-id 1001 --public')
    expect(exit).toBe(11)
    expect(stderr).toContain('there is no new address')
  })

  test('and a private address is not looked up, because the API does not list any', async ({ skyctl, lossy }) => {
    lossy.lose('POST', '/networking/ips', 'answer lost')
    const { exit, stderr } = await skyctl('ips allocate --compute-id 1001 --private')
    expect(exit).toBe(11)
    expect(stderr).toContain('the API lists no such address')
    expect(stderr).not.toContain('ips list')
  })

  test('and a new range is named', async ({ skyctl, lossy }) => {
    lossy.lose('POST', '/networking/ipv6/ranges', 'answer lost')
    const { exit, stderr } = await skyctl('ipv6 ranges create --prefix-length 64 --compute-id 1009')
    const ranges = json((await skyctl('ipv6 ranges list --json')).stdout)
    expect(exit).toBe(11)
    expect(stderr).toContain(
      `IPv6 range ${ranges.at(-1).range} is new, and matches, but somebody else may have created it`,
    )
  })

  test('and a new range that differs from the requested one is named with its differences', async ({
    skyctl,
    lossy,
  }) => {
    const { arrived, release } = lossy.hold('POST', '/networking/ipv6/ranges', 'request lost')
    const running = skyctl('ipv6 ranges create --prefix-length 64 --compute-id 1009')
    await arrived
    const rival = await skyctl('ipv6 ranges create --prefix-length 56 --compute-id 1010 --json')
    expect(rival.exit).toBe(0)
    release()
    const { exit, stderr } = await running
    expect(exit).toBe(11)
    expect(stderr).toMatch(/IPv6 range .* is new, and has prefix 56, not 64, computes \[1010\], not \[1009\]/)
  })

  test('and a clone is adopted like a creation', async ({ skyctl, lossy, world }) => {
    const { id } = world.volume({ label: 'source' })
    lossy.lose('POST', `/volumes/${id}/clone`, 'answer lost')
    const { exit, stdout } = await skyctl(`volumes clone ${id} --label copy --json`)
    expect(exit).toBe(0)
    expect(json(stdout)).toMatchObject({ label: 'copy' })
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('and skyctl api ends with exit code 11', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/volumes', 'answer lost')
    const { exit } = await skyctl('api POST /volumes --body -', { stdin: '{"label":"raw","region":"us-east"}' })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
  })
})

describe('a change of an object is checked before it is sent again', () => {
  const changes = ['resize', 'attach', 'detach'] as const

  test.for(changes.flatMap((verb) => (['answer lost', 'request lost'] as const).map((fate) => [verb, fate] as const)))(
    'and is complete in the end: %s, %s',
    async ([verb, fate], { skyctl, lossy, world }) => {
      const { id: compute_id } = world.compute()
      const { id } = world.volume({ size: 20, ...(verb === 'detach' && { compute_id }) })
      lossy.lose('POST', `/volumes/${id}/${verb}`, fate)
      const flags = { resize: '--size 40', attach: `--compute-id ${compute_id}`, detach: '--yes' }[verb]
      const { exit, stdout } = await skyctl(`volumes ${verb} ${id} ${flags} --json`)
      const expected = { resize: { size: 40 }, attach: { compute_id }, detach: { compute_id: null } }[verb]
      expect({ exit, record: world.volumes.get(id) }).toMatchObject({ exit: 0, record: expected })
      if (verb !== 'detach') expect(json(stdout)).toMatchObject(expected)
      expect(world.requests('POST')).toHaveLength(1)
    },
  )

  test.for<[string, Fate | Loss]>([
    ['is lost', 'request lost'],
    ['is refused', { done: false, reply: refusal }],
  ])('and ends with exit code 11 if the check %s', async ([, fate], { skyctl, lossy, world }) => {
    const { id } = world.volume({ compute_id: world.compute().id })
    lossy.lose('POST', `/volumes/${id}/detach`, 'answer lost')
    lossy.pass('GET', `/volumes/${id}`)
    lossy.lose('GET', `/volumes/${id}`, fate)
    const { exit } = await skyctl(`volumes detach ${id} --yes --retries 0`)
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
  })

  test.for<[string, Fate | Loss]>([
    ['fails', 'unavailable'],
    ['meets a rate limit', { done: false, reply: limited }],
    ['meets maintenance', { done: false, reply: maintenance }],
  ])('and ends with exit code 11 if the second request %s', async ([, fate], { skyctl, lossy, world }) => {
    const { id } = world.volume({ compute_id: world.compute().id })
    lossy.lose('POST', `/volumes/${id}/detach`, 'request lost')
    lossy.lose('POST', `/volumes/${id}/detach`, fate)
    expect((await skyctl(`volumes detach ${id} --yes`)).exit).toBe(11)
  })

  test('and a rejected second request proves that the first was lost', async ({ skyctl, lossy, world }) => {
    const { id } = world.volume({ size: 20, status: 'resizing' })
    lossy.lose('POST', `/volumes/${id}/resize`, 'request lost')
    const { exit, stderr } = await skyctl(`volumes resize ${id} --size 40 --json --no-validate`)
    expect({ exit, ...json(stderr).error }).toMatchObject({
      ...{ exit: 6, code: 'conflict', status: 400, retryable: false },
      request: { method: 'POST', path: `/volumes/${id}/resize` },
    })
    expect(world.volumes.get(id)?.size).toBe(20)
  })

  test('and a singleton that cannot be read is not sent again', async ({ skyctl, lossy, world }) => {
    lossy.lose('PUT', '/profile/preferences', 'answer lost')
    lossy.pass('GET', '/profile/preferences')
    lossy.lose('GET', '/profile/preferences', 'request lost')
    const { exit } = await skyctl('profile preferences set --body - --retries 0', { stdin: '{"theme":"dark"}' })
    expect({ exit, sent: world.requests('PUT').length }).toEqual({ exit: 11, sent: 1 })
  })

  test.for<[string, Fate, number]>([
    ['and was done, if the object shows it', 'answer lost', 0],
    ['and is unknown otherwise', 'request lost', 11],
  ])(
    'and is not refused if only the second request is not allowed: %s',
    async ([, fate, code], { skyctl, lossy, world }) => {
      const { id } = world.volume()
      lossy.lose('PUT', `/volumes/${id}`, fate)
      lossy.lose('PUT', `/volumes/${id}`, { done: false, reply: forbidden })
      const { exit } = await skyctl(`volumes update ${id} --label other`)
      expect({ exit, left: lossy.pending() }).toEqual({ exit: code, left: 0 })
    },
  )

  test('and has an unknown outcome if lost twice', async ({ skyctl, lossy, world }) => {
    const { id } = world.volume({ size: 20 })
    lossy.lose('POST', `/volumes/${id}/resize`, 'request lost')
    lossy.lose('POST', `/volumes/${id}/resize`, 'request lost')
    expect((await skyctl(`volumes resize ${id} --size 40`)).exit).toBe(11)
  })
})

describe('a check after a lost answer that fails', () => {
  test.for<[string, string, RegExp]>([
    ['volumes create --label fresh --region us-east', 'POST', /^\/volumes\?/],
    ['volumes update 3001 --label fresh', 'PUT', /^\/volumes\/3001$/],
    ['volumes detach 3001 --yes', 'POST', /^\/volumes\/3001$/],
  ])('is named with its cause: %s', async ([line, method, path], { skyctl, lossy, world }) => {
    lossy.lose(method, /^\/volumes/, 'request lost')
    lossy.pass('GET', path)
    lossy.lose('GET', path, { done: false, reply: unauthorized })
    const { exit, stderr } = await skyctl(`${line} --retries 0`)
    expect({ exit, stderr, left: lossy.pending(), changes: world.requests(method) }).toEqual({
      exit: 11,
      stderr: expect.stringMatching(/its answer was lost: .*; the check failed: token rejected: .*\. Check /),
      left: 0,
      changes: [],
    })
  })
})

describe('a repeatable request is sent again', () => {
  test('for a list', async ({ skyctl, lossy }) => {
    lossy.lose('GET', /^\/volumes\?/, 'answer lost')
    expect((await skyctl('volumes list --json')).exit).toBe(0)
  })

  test('for an update', async ({ skyctl, lossy, world }) => {
    const { id } = world.volume()
    lossy.lose('PUT', `/volumes/${id}`, 'answer lost')
    const { exit } = await skyctl(`volumes update ${id} --label other`)
    expect({ exit, sent: world.requests('PUT').length }).toEqual({ exit: 0, sent: 2 })
  })

  test('for a deletion, which succeeds if the object is gone', async ({ skyctl, lossy, world }) => {
    const { id } = world.volume()
    lossy.lose('DELETE', `/volumes/${id}`, 'answer lost')
    expect(await skyctl(`volumes delete ${id} --yes --json`)).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect(world.requests('DELETE')).toHaveLength(2)
  })

  test('except with --retries 0', async ({ skyctl, lossy }) => {
    lossy.lose('GET', /^\/volumes\?/, 'answer lost')
    expect((await skyctl('volumes list --retries 0')).exit).toBe(8)
  })
})

describe('adding a device checks the devices before it sends the request again', () => {
  test.for(['answer lost', 'request lost'] as const)('%s', async (fate, { skyctl, lossy, world }) => {
    lossy.lose('POST', '/networking/firewalls/4005/devices', fate)
    const { exit, stdout } = await skyctl('firewalls devices add 4005 --compute-id 1004 --yes --json')
    expect({ exit, entity: json(stdout).entity.id }).toEqual({ exit: 0, entity: 1004 })
    expect(world.requests('POST')).toHaveLength(1)
    expect(world.network.devicesOf(4005)).toHaveLength(1)
  })
})

describe('a request with a complete state is sent again', () => {
  test('for assigning and sharing addresses', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/networking/ips/assign', 'answer lost')
    lossy.lose('POST', '/networking/ips/share', 'answer lost')
    expect((await skyctl('ips assign 192.0.2.31=1002 --yes')).exit).toBe(0)
    expect((await skyctl('ips share 192.0.2.31 --compute-id 1001')).exit).toBe(0)
    expect(world.requests('POST')).toHaveLength(4)
  })
})

describe('a wait', () => {
  test('continues through temporary failures', async ({ skyctl, lossy }) => {
    for (let count = 0; count < 9; count += 1) lossy.lose('GET', /^\/volumes\/\d+$/, 'unavailable')
    const { exit, stdout } = await skyctl('volumes create --label slow --region us-east --wait --json')
    expect({ exit, status: json(stdout).status }).toEqual({ exit: 0, status: 'active' })
  })

  test('fails with a permanent failure at its timeout', async ({ skyctl, lossy }) => {
    for (let count = 0; count < 99; count += 1) lossy.lose('GET', /^\/volumes\/\d+$/, 'unavailable')
    const line = 'volumes create --label slow --region us-east --wait --wait-timeout 3s'
    const { exit, stderr } = await skyctl(line)
    expect(exit).toBe(8)
    expect(stderr).toMatch(/Continue waiting: skyctl volumes wait \d+ --for active/)
  })

  test('that fails prints the created object, and is not marked as retryable', async ({ skyctl, lossy }) => {
    for (let count = 0; count < 99; count += 1) lossy.lose('GET', /^\/volumes\/\d+$/, 'unavailable')
    const line = 'volumes create --label slow --region us-east --wait --wait-timeout 3s'
    const { exit, stdout, stderr } = await skyctl(`${line} --json`)
    const { id } = json(stdout)
    expect({ exit, error: json(stderr).error }).toMatchObject({
      exit: 8,
      error: { retryable: false, created: { kind: 'volume', id, label: 'slow' } },
    })
  })

  test('that reaches its timeout prints the created object, with --quiet its id', async ({ skyctl, world }) => {
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

  test.for<[string, string]>([
    ['-q', '3001 [0-9]+'],
    ['--query [].[label,ok]', 'data-1 true slow false'],
  ])(
    'that reaches its timeout for one of several prints its answer, too: %s',
    async ([flags, printed], { skyctl, world }) => {
      world.transitionMs = 600_000
      const line = 'volumes create --body - --if-absent --wait --wait-timeout 3s'
      const stdin = ['data-1', 'slow']
        .map((label) => `${JSON.stringify({ label, region: 'us-east', size: label === 'slow' ? 20 : 40 })}\n`)
        .join('')
      const { exit, stdout } = await skyctl(`${line} ${flags}`, { stdin })
      const words = stdout
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .split(/\s+/)
        .join(' ')
      expect({ exit, words }).toEqual({ exit: 10, words: expect.stringMatching(`^${printed}$`) })
    },
  )
})
