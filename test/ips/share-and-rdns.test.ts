/** Shared addresses and reverse DNS. */
import { describe, expect } from 'vitest'
import { nat, test, writes } from '../support/addresses'
import { faultServer, reply } from '../support/fault-server'
import { completeRecord } from '../support/records'
import type { World } from '../support/sandbox'

describe('ips share', () => {
  const complete =
    'The list is complete: no other IPv4 address will be shared with compute instance 9001\n' +
    'Set the addresses shared with compute instance 9001\n'

  const shared = ({ network }: World, address: string) => network.findAddress(address)?.shared_with

  test('reports newly shared and no longer shared addresses', async ({ skyctl, arranged }) => {
    const first = await skyctl('ips share 2001:db8:99:: --compute-id 9001')
    expect(first).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Shared with compute instance 9001 from now on: 2001:db8:99::\n${complete}`,
    })
    expect((await skyctl('ips share 2001:db8:99:: --compute-id 9001')).stderr).toBe(complete)
    const { stderr } = await skyctl('ips share 203.0.113.21 --compute-id 9001')
    expect(stderr).toBe(
      'Shared with compute instance 9001 from now on: 203.0.113.21\n' +
        `No longer shared with compute instance 9001: 2001:db8:99::\n${complete}`,
    )
    expect(writes(arranged)).toHaveLength(3)
    expect([shared(arranged, '203.0.113.21'), shared(arranged, '2001:db8:99::')]).toEqual([[9001], []])
  })

  test('reads only the ranges of its region, and does not report its own as shared', async ({ skyctl, arranged }) => {
    const { stderr } = await skyctl('ips share 203.0.113.11 --compute-id 9002')
    expect(stderr).not.toContain('No longer')
    const ranges = arranged.requests().flatMap(({ path }) => /ranges\/([^?]+)/.exec(path)?.slice(1) ?? [])
    expect(new Set(ranges.map(decodeURIComponent))).toEqual(new Set(['2001:db8:114:100::']))
  })

  test('shares a range with the instance that holds it, then with a second one', async ({ skyctl, arranged }) => {
    for (const id of [9002, 9002, 9001]) {
      const { exit, stderr } = await skyctl(`ips share 2001:db8:99:: --compute-id ${id}`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.not.stringContaining('No longer') })
    }
    expect(shared(arranged, '2001:db8:99::')).toEqual([9002, 9001])
    const { exit, stderr } = await skyctl('ips share --none --compute-id 9002 --yes')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.not.stringContaining('No longer shared with') })
  })

  test('sends the request for an instance without an address', async ({ skyctl, arranged }) => {
    arranged.compute({ id: 9009, region: 'us-east' })
    const { exit } = await skyctl('ips share 203.0.113.21 --compute-id 9009')
    expect({ exit, shared: shared(arranged, '203.0.113.21') }).toEqual({ exit: 0, shared: [9009] })
  })

  test('accepts the list in a --body', async ({ skyctl, arranged }) => {
    const stdin = '{"ips":["203.0.113.21"]}'
    expect((await skyctl('ips share --compute-id 9001 --body -', { stdin })).exit).toBe(0)
    expect(writes(arranged)[0]?.body).toEqual({ compute_id: 9001, ips: ['203.0.113.21'] })
  })

  test.for([
    ['an address of another region', '{"ips":["203.0.113.31"]}'],
    ['a text instead of a list', '{"ips":"203.0.113.21"}'],
  ])('with --no-validate sends %s', async ([, body], { skyctl, arranged }) => {
    const { exit } = await skyctl('ips share --compute-id 9001 --no-validate --yes --body -', { stdin: body })
    expect({ exit, writes: writes(arranged).length }).toEqual({ exit: 6, writes: 1 })
  })

  test('sends addresses in the form of RFC 5952', async ({ skyctl, arranged: world }) => {
    expect((await skyctl('ips share 2001:0DB8:99:0:: --compute-id 9001')).exit).toBe(0)
    expect(writes(world)[0]?.body).toEqual({ compute_id: 9001, ips: ['2001:db8:99::'] })
  })

  test('with --family ipv4 uses the older endpoint', async ({ skyctl, arranged: world }) => {
    await skyctl('ips share 203.0.113.21 --compute-id 9001 --family ipv4')
    expect(writes(world)[0]).toEqual({
      method: 'POST',
      path: '/networking/ipv4/share',
      body: { compute_id: 9001, ips: ['203.0.113.21'] },
    })
  })

  test('with --none asks, and ends all sharing', async ({ skyctl, arranged: world }) => {
    world.network.address({ address: '203.0.113.23', compute_id: 9002, shared_with: [9001] })
    const unconfirmed = await skyctl('ips share --none --compute-id 9001')
    expect({ exit: unconfirmed.exit, writes: writes(world) }).toEqual({ exit: 2, writes: [] })
    expect(unconfirmed.stderr).toContain('--yes')
    expect((await skyctl('ips share --none --compute-id 9001 --yes')).exit).toBe(0)
    expect(shared(world, '203.0.113.23')).toEqual([])
  })

  test.for([
    ['203.0.113.31', 'is in eu-west, compute instance 9001 in us-east'],
    ['203.0.113.23', '1:1 NAT'],
  ])(
    'rejects an address of another region or with NAT before any change: %s',
    async ([address, reason], { skyctl, arranged: world }) => {
      world.network.address({ address: '203.0.113.23', compute_id: 9002, vpc_nat_1_1: nat })
      const { exit, stderr } = await skyctl(`ips share ${address} --compute-id 9001`)
      expect({ exit, writes: writes(world) }).toEqual({ exit: 6, writes: [] })
      expect(stderr).toContain(reason)
    },
  )

  test.for([
    ['- --compute-id 9001', 'stdin names no address. To end all sharing, pass --none'],
    ['203.0.113.21', '--compute-id is required'],
    ['2001:db8::/64 --compute-id 9001', 'an IPv6 range without its prefix length'],
  ])('rejects an invalid line before any request: %s', async ([line, message], { skyctl, arranged }) => {
    const { exit, stderr } = await skyctl(`ips share ${line}`, { stdin: '' })
    expect({ exit, sent: arranged.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(message)
  })
})

describe('A range whose holder only its route target names', () => {
  const [range, target] = ['2001:db8:97::', '2001:db8:114:0:f03c:91ff:fe00:2329']
  const list = (...data: object[]) => reply(200, { data, page: 1, pages: 1, results: data.length })
  const row = (address: string, compute_id: number) =>
    completeRecord({ address, compute_id, region: 'us-east', type: address.includes(':') ? 'ipv6' : 'ipv4' })

  /** Answers as recorded: the list of addresses has no row for the range, and `computes` names its holder last. */
  const recorded = async () => {
    const sharing = new Set<number>()
    const { env, received } = await faultServer((socket, request) => {
      const [path = ''] = request.path.split('?')
      const view = { range, prefix: 64, region: 'us-east', is_bgp: sharing.size > 0, computes: [...sharing, 9001] }
      const body = request.body === '' ? {} : JSON.parse(request.body)
      if (request.method === 'POST') sharing[body.ips.includes(range) ? 'add' : 'delete'](body.compute_id)
      const answer = path.endsWith('/ips')
        ? list(row('203.0.113.11', 9001), row(target, 9001), row('203.0.113.21', 9002))
        : path.endsWith('/ranges')
          ? list({ range, prefix: 64, region: 'us-east', route_target: target })
          : reply(200, request.method === 'POST' ? {} : view)
      answer(socket, request)
    })
    return { env, received }
  }

  test('is not reported as shared with its holder, and can be shared with it and others', async ({ skyctl }) => {
    const { env } = await recorded()
    for (const [line, message] of [
      ['203.0.113.21 --compute-id 9001', 'The list is complete'],
      [`${range} --compute-id 9001`, `Shared with compute instance 9001, which holds it: ${range}\n`],
      [`${range} --compute-id 9002`, `Shared with compute instance 9002 from now on: ${range}\n`],
      ['--none --compute-id 9001 --yes', 'The list is complete'],
    ] as const) {
      const { exit, stderr } = await skyctl(`ips share ${line}`, { env })
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.not.stringContaining('No longer') })
      expect(stderr).toContain(message)
    }
    const { stderr } = await skyctl('ips share --none --compute-id 9002 --yes', { env })
    expect(stderr).toContain(`No longer shared with compute instance 9002: ${range}\n`)
  })

  test('is assigned from its holder, not from an instance that shares it', async ({ skyctl }) => {
    const { env } = await recorded()
    await skyctl(`ips share ${range} --compute-id 9002`, { env })
    const { exit, stderr } = await skyctl(`ips assign ${range}/64=9002 --dry-run`, { env })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(`${range}/64 goes to compute instance 9002; compute instance 9001 loses it`),
    })
  })
})

describe('ips rdns', () => {
  const name = 'www.example.net'

  test('sends no change if the address already has the name', async ({ skyctl, arranged }) => {
    expect((await skyctl(`ips rdns 203.0.113.11 ${name}`)).stderr).toBe(
      `The reverse DNS of 203.0.113.11 is ${name} (was 203-0-113-11.ip.example.net)\n`,
    )
    expect((await skyctl(`ips rdns 203.0.113.11 ${name}`)).stderr).toBe(
      `The reverse DNS of 203.0.113.11 is already ${name}\n`,
    )
    const { exit, stdout } = await skyctl(`ips rdns 203.0.113.11 ${name} --json`)
    expect({ exit, rdns: JSON.parse(stdout).rdns }).toEqual({ exit: 0, rdns: name })
    expect((await skyctl(`ips rdns 203.0.113.11 ${name} --quiet`)).stdout).toBe('203.0.113.11\n')
    expect(arranged.network.findAddress('203.0.113.11')?.rdns).toBe(name)
    expect(writes(arranged)).toHaveLength(1)
  })

  test('with --dry-run sends nothing at all', async ({ skyctl, arranged }) => {
    expect((await skyctl(`ips rdns 203.0.113.11 ${name} --dry-run`)).exit).toBe(0)
    expect(arranged.requests()).toEqual([])
  })

  test('with --reset asks', async ({ skyctl, arranged }) => {
    const { exit, stderr } = await skyctl('ips rdns 203.0.113.11 --reset')
    expect({ exit, writes: writes(arranged) }).toEqual({ exit: 2, writes: [] })
    expect(stderr).toContain('Reset the reverse DNS of 203.0.113.11 to the default? This must be confirmed')
  })

  test('with --no-validate sends an invalid name', async ({ skyctl, arranged }) => {
    expect((await skyctl('ips rdns 203.0.113.11 localhost --no-validate')).exit).toBe(6)
    expect(writes(arranged)).toHaveLength(1)
  })

  test('reports a missing address', async ({ skyctl, arranged }) => {
    for (const rest of [name, '--reset --yes'])
      expect(await skyctl(`ips rdns 203.0.113.99 ${rest}`)).toEqual({
        exit: 5,
        stdout: '',
        stderr: 'skyctl: address 203.0.113.99 not found\n',
      })
    expect(arranged.network.findAddress('203.0.113.99')).toBeUndefined()
  })

  test.for(['192.168.128.11', '192.168.200.1', '10.0.0.9'])(
    'of a private address ends with 6, as in a plan, before any request: %s',
    async (address, { skyctl, arranged }) => {
      for (const rest of [name, `${name} --dry-run`, '--reset --yes'])
        expect(await skyctl(`ips rdns ${address} ${rest}`)).toEqual({
          exit: 6,
          stdout: '',
          stderr: `skyctl: address ${address}: A private address has no reverse DNS\n`,
        })
      expect(arranged.requests()).toEqual([])
    },
  )

  test('with --no-validate sends a private address', async ({ skyctl, arranged }) => {
    expect((await skyctl(`ips rdns 192.168.128.11 ${name} --no-validate`)).exit).toBe(6)
    expect(writes(arranged)).toHaveLength(1)
  })

  test.for([
    ['a failed --reset', '--reset --yes', 400],
    ['a server error', name, 500],
  ] as const)('does not mention forward DNS after %s', async ([, rest, status], { skyctl }) => {
    const address = completeRecord({ address: '203.0.113.11', vpc_nat_1_1: null })
    const { host } = await faultServer((socket, request) => {
      const answer = request.method === 'GET' ? reply(200, address) : reply(status, { errors: [{ reason: 'no' }] })
      answer(socket, request)
    })
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    const { exit, stderr } = await skyctl(`ips rdns 203.0.113.11 ${rest}`, { env })
    expect({ exit, stderr }).toEqual({
      exit: status === 400 ? 6 : expect.any(Number),
      stderr: expect.stringContaining('no'),
    })
    expect(exit).not.toBe(0)
    expect(stderr).not.toContain('Forward DNS')
  })

  test('with --reset sends null, and prints the default name', async ({ skyctl, arranged: world }) => {
    const { stderr } = await skyctl('ips rdns 203.0.113.11 --reset --yes')
    expect(writes(world).map(({ body }) => body)).toEqual([{ rdns: null }])
    expect(stderr).toContain('is 203-0-113-11.ip.example.net')
  })

  test('mentions forward DNS if the service rejects the name', async ({ skyctl, arranged: _ }) => {
    const { exit, stderr } = await skyctl('ips rdns 203.0.113.11 www.example.invalid')
    expect(exit).toBe(6)
    expect(stderr).toContain('Forward DNS comes first: www.example.invalid needs an A record with 203.0.113.11')
  })

  test('mentions an AAAA record for IPv6', async ({ skyctl, world }) => {
    world.network.address({ address: '2001:db8:99::1', compute_id: 1001 })
    const { exit, stderr } = await skyctl('ips rdns 2001:DB8:99::1 www.example.invalid')
    expect(exit).toBe(6)
    expect(stderr).toContain('www.example.invalid needs an AAAA record with 2001:db8:99::1')
  })

  test.for(['', 'localhost', '-a.example.net', 'a..example.net', 'a_b.example.net', `${'a'.repeat(64)}.example.net`])(
    'rejects an invalid name before any request: "%s"',
    async (name, { skyctl, world }) => {
      expect((await skyctl(['ips', 'rdns', '--', '203.0.113.11', name])).exit).toBe(2)
      expect(world.requests()).toEqual([])
    },
  )

  const one = (address: string) => JSON.stringify({ address, rdns: name })

  test.for<[string, string, string]>([
    [
      '203.0.113.11',
      `${one('203.0.113.11')}\n${one('203.0.113.12')}`,
      'Leave out the address: each line names its own',
    ],
    ['203.0.113.11', one('203.0.113.12'), 'address'],
    ['203.0.113.11', '{}', 'a name is needed. Pass a name, or --reset'],
    ['', `{"rdns":"${name}"}`, 'an address is needed. Pass an address, or --body with "address" and "rdns"'],
    ['', `{"address":5,"rdns":"${name}"}`, 'an address is needed'],
    ['', `${one('203.0.113.11')}\n${one('203.0.113.11')}`, 'Name each address once'],
    [`203.0.113.11 ${name} --reset`, '{}', 'a name and --reset contradict each other'],
  ])(
    'rejects invalid arguments with a --body before any request: "%s" with %s',
    async ([args, body, message], { skyctl, arranged }) => {
      const { exit, stderr } = await skyctl(`ips rdns ${args} --body - --yes`, { stdin: body })
      expect({ exit, sent: arranged.requests(), stderr }).toEqual({
        exit: 2,
        sent: [],
        stderr: expect.stringContaining(message),
      })
    },
  )
})
