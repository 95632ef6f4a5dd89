/** Commands of ips: lists, allocation and assignment of addresses. */
import { describe, expect } from 'vitest'
import { nat, test, writes } from './support/addresses'
import type { Loss } from './support/lossy-proxy'
import type { World } from './support/sandbox'
import type { Disturbances, Fixtures } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

/** A null owner, as answers may have it; every address of this sandbox belongs to an instance. */
const noOwner = null as unknown as number

const ownerOf = ({ network }: World, address: string) => network.findAddress(address)?.compute_id

describe('ips list and view', () => {
  test('--region and --compute-id filter', async ({ skyctl, arranged: _ }) => {
    expect((await skyctl('ips list --compute-id 9001 -q')).stdout).toBe('203.0.113.11\n203.0.113.12\n')
    expect((await skyctl('ips list --compute-id 9003 --region us-east --json')).stdout).toBe('[]\n')
  })

  test('--skip-ipv6-rdns is sent to the service', async ({ skyctl, world }) => {
    await skyctl('ips list --skip-ipv6-rdns --json')
    expect(world.requests()[0]?.path).toContain('skip_ipv6_rdns=true')
  })

  test('view accepts any spelling of an address, and requests it in RFC 5952 form', async ({ skyctl, world }) => {
    world.network.address({ address: '2001:db8:99::1', compute_id: 1001 })
    const { exit, stdout } = await skyctl('ips view 2001:DB8:0099:0::1 --json')
    expect({ exit, address: json(stdout).address }).toEqual({ exit: 0, address: '2001:db8:99::1' })
    expect(world.requests()[0]?.path).toBe('/networking/ips/2001%3Adb8%3A99%3A%3A1')
  })

  test('view of several addresses ends with exit code 9 if one is missing', async ({ skyctl, arranged: _ }) => {
    const { exit, stdout, stderr } = await skyctl('ips view 203.0.113.11 203.0.113.99 --json')
    expect({ exit, succeeded: json(stdout).map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 9,
      succeeded: [true, false],
    })
    expect(json(stderr).error.message).toContain('address 203.0.113.99 not found')
  })

  test.for(['..', '1', '1.2.3', '010.0.0.1', '203.0.113.0/24', 'fe80::1%eth0', '%2e%2e', 'web'])(
    '"%s" is rejected as an address, and nothing is sent',
    async (address, { skyctl, world }) => {
      for (const verb of [
        ['view', '--', address],
        ['rdns', '--', address, 'a.example.net'],
      ]) {
        const { exit, stderr } = await skyctl(['ips', ...verb])
        expect({ exit, stderr }).toEqual({
          exit: 2,
          stderr: expect.stringContaining(`"${address}" is not an IPv4 or IPv6 address`),
        })
      }
      expect(world.requests()).toEqual([])
    },
  )
})

describe('ips allocate', () => {
  test.for([
    ['--public', true],
    ['--private', false],
    ['--no-public', false],
  ] as const)('allocates the kind of address of %s', async ([flag, isPublic], { skyctl, arranged: world }) => {
    const { exit, stdout } = await skyctl(`ips allocate --compute-id 9001 ${flag} --json`)
    expect({ exit, record: json(stdout) }).toMatchObject({ exit: 0, record: { public: isPublic, compute_id: 9001 } })
    expect(world.requests('POST')[0]?.body).toEqual({ type: 'ipv4', public: isPublic, compute_id: 9001 })
  })

  test('prints the address, its instance, and that it stays', async ({ skyctl, arranged: world }) => {
    const { stderr } = await skyctl('ips allocate --compute-id 9001 --public')
    const [, address = ''] =
      /^Allocated (\S+) to compute instance 9001\. The API cannot release it again\n$/.exec(stderr) ?? []
    expect(ownerOf(world, address)).toBe(9001)
  })

  test.for([
    ['--public', '--compute-id is required'],
    ['--compute-id 0 --public', '--compute-id'],
    ['--compute-id 9001 --private --body -', '--private and --public contradict each other'],
  ])('rejects %s before anything is sent', async ([flags, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`ips allocate ${flags}`, { stdin: '{"public":true}' })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(message)
  })

  test('does not require --public or --private with --no-validate', async ({ skyctl, arranged: world }) => {
    expect((await skyctl('ips allocate --compute-id 9001 --no-validate')).exit).toBe(6)
    expect(writes(world).map(({ body }) => body)).toEqual([{ type: 'ipv4', compute_id: 9001 }])
  })
})

describe('ips assign', () => {
  test('moves addresses, and prints which instances lose them', async ({ skyctl, arranged: world }) => {
    const { exit, stdout, stderr } = await skyctl('ips assign 203.0.113.12=9002 203.0.113.21=9001 --yes')
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout: '',
      stderr: `203.0.113.12 goes to compute instance 9002; compute instance 9001 loses it
203.0.113.21 goes to compute instance 9001; compute instance 9002 loses it
Assigned 2 addresses
`,
    })
    expect(writes(world)).toEqual([
      {
        method: 'POST',
        path: '/networking/ips/assign',
        body: {
          region: 'us-east',
          assignments: [
            { address: '203.0.113.12', compute_id: 9002 },
            { address: '203.0.113.21', compute_id: 9001 },
          ],
        },
      },
    ])
    expect(ownerOf(world, '203.0.113.12')).toBe(9002)
  })

  test('uses the older endpoint with --family ipv4', async ({ skyctl, arranged: world }) => {
    expect((await skyctl('ips assign 203.0.113.12=9002 --region us-east --family ipv4 --yes')).exit).toBe(0)
    expect(writes(world)[0]?.path).toBe('/networking/ipv4/assign')
  })

  test.for(['2001:db8:99::/64', '2001:0DB8:99:0::/64', '2001:db8:99::5/64'])(
    'accepts the range %s with its prefix length, and sends it in RFC 5952 form',
    async (range, { skyctl, arranged: world }) => {
      expect((await skyctl(`ips assign ${range}=9001 --region us-east --yes`)).exit).toBe(0)
      expect(ownerOf(world, '2001:db8:99::')).toBe(9001)
      expect(writes(world)[0]?.body).toMatchObject({ assignments: [{ address: '2001:db8:99::/64' }] })
    },
  )

  test.for<[string, string]>([
    ['203.0.113.11=9002 203.0.113.12=9002', 'compute instance 9001 would have no public IPv4 address'],
    // Only public IPv4 addresses count: instance 9002 keeps a range and gets a private address.
    ['203.0.113.21=9001 203.0.113.22=9001 192.168.200.1=9002', 'compute instance 9002 would have no public IPv4'],
    ['203.0.113.31=9001', '203.0.113.31 is in eu-west, not in us-east'],
    ['203.0.113.12=9002 203.0.113.12=9001', 'assigned twice'],
    ['192.168.200.1=9002 192.168.200.2=9002', 'more than one private IPv4 address'],
    ['2001:db8:98::/64=9001 2001:db8:99::/64=9001', 'more than one IPv6 range'],
    ['203.0.113.13=9002', '203.0.113.13 is in use for 1:1 NAT'],
    ['203.0.113.12=9003', '203.0.113.12 is in us-east, and compute instance 9003 in eu-west'],
  ])('rejects %s before it is sent: %s', async ([line, reason], { skyctl, arranged: world }) => {
    world.compute({ id: 9004 })
    world.network.address({ address: '203.0.113.13', compute_id: 9001, vpc_nat_1_1: nat })
    if (reason.includes('would have no'))
      world.network.addresses.delete(world.network.findAddress('203.0.113.13')?.id ?? 0)
    for (const [index, compute_id] of [9001, 9004].entries())
      world.network.address({ address: `192.168.200.${index + 1}`, compute_id, public: false })
    world.network.address({ address: '2001:db8:98::', type: 'ipv6/range', prefix: 64, compute_id: 9004 })
    const { exit, stderr } = await skyctl(`ips assign ${line} --region us-east --yes`)
    // An address named twice is a usage error; the other reasons depend on the account.
    expect({ exit, writes: writes(world) }).toEqual({ exit: reason === 'assigned twice' ? 2 : 6, writes: [] })
    expect(stderr).toContain(reason)
  })

  test('accepts an address with 1:1 NAT if it stays where it is', async ({ skyctl, arranged: world }) => {
    world.network.address({ address: '203.0.113.13', compute_id: 9001, vpc_nat_1_1: nat })
    expect((await skyctl('ips assign 203.0.113.13=9001')).exit).toBe(0)
  })

  test('reads assignments and region from --body', async ({ skyctl, arranged: world }) => {
    const body = { region: 'us-east', assignments: [{ address: '203.0.113.12', compute_id: 9002 }] }
    const { exit, stderr } = await skyctl('ips assign --yes --body -', { stdin: JSON.stringify(body) })
    expect({ exit, sent: writes(world).map((one) => one.body) }).toEqual({ exit: 0, sent: [body] })
    expect(stderr).toContain('Assigned 203.0.113.12 to compute instance 9002\n')
  })

  test('sends an invalid body with --no-validate', async ({ skyctl, arranged: world }) => {
    const body = { region: 'us-east', assignments: 'all of them' }
    const { exit } = await skyctl('ips assign --yes --no-validate --body -', { stdin: JSON.stringify(body) })
    expect({ exit, sent: writes(world).map((one) => one.body) }).toEqual({ exit: 6, sent: [body] })
  })

  test('leaves the check of lost addresses to the service with --no-validate', async ({ skyctl, arranged: world }) => {
    const line = '203.0.113.11=9002 203.0.113.12=9002 --region us-east --no-validate --yes'
    expect((await skyctl(`ips assign ${line}`)).exit).toBe(6)
    expect(writes(world)).toHaveLength(1)
  })

  test('ends with exit code 5 if an address does not exist', async ({ skyctl, arranged: world }) => {
    const { exit, stderr } = await skyctl('ips assign 203.0.113.99=9001 --region us-east')
    expect({ exit, stderr, writes: writes(world) }).toEqual({
      exit: 5,
      stderr: 'skyctl: address 203.0.113.99 not found\n',
      writes: [],
    })
  })

  test.for([
    ['', 'ADDRESS=INSTANCE is required'],
    ['203.0.113.12', 'ADDRESS=INSTANCE'],
    ['203.0.113.12=', 'ADDRESS=INSTANCE'],
    ['=203.0.113.11=9001', 'ADDRESS=INSTANCE'],
    ['web=9001', 'must be an IPv4 address, or an IPv6 range with /56 or /64'],
    ['203.0.113=9001', 'must be an IPv4 address'],
    ['203.0.113.12=0', 'compute instance id'],
    ['2001:db8::/60=9001', '/56 or /64'],
    ['2001:db8::=9001', '/56 or /64'],
    ['203.0.113.12=9001 --family ipv6', '--family'],
  ])('rejects an invalid assignment before anything is sent: %s', async ([line, reason], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`ips assign ${line} --region us-east`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(reason)
  })

  test('uses the region of the address by default', async ({ skyctl, arranged: world }) => {
    world.network.address({ address: '203.0.113.32', compute_id: 9003, region: 'eu-west' })
    world.compute({ id: 9006, region: 'eu-west' })
    world.network.address({ address: '203.0.113.43', compute_id: 9006, region: 'eu-west' })
    expect((await skyctl('ips assign 203.0.113.32=9006 --yes')).exit).toBe(0)
    expect(writes(world)[0]?.body).toMatchObject({ region: 'eu-west' })
  })

  test('names no previous owner if the address has none', async ({ skyctl, arranged: world }) => {
    world.network.address({ address: '2001:db8:97::', type: 'ipv6/range', prefix: 64, compute_id: noOwner })
    const { exit, stderr } = await skyctl('ips assign 2001:db8:97::/64=9001 --dry-run')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: '2001:db8:97::/64 goes to compute instance 9001\nNothing was sent\n',
    })
  })

  describe('of a range that is missing in the address list', () => {
    /** Runs an assignment; the service answers requests for the range itself with this. */
    const assign = async (
      { skyctl, lossy }: Pick<Fixtures & Disturbances, 'skyctl' | 'lossy'>,
      status: number,
      answer: object,
    ) => {
      const reply: Loss['reply'] = (outgoing) =>
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      for (const done of [false, false]) lossy.lose('GET', /^\/networking\/ipv6\/ranges\/2001/, { done, reply })
      return skyctl('ips assign 2001:db8:97::/64=9002 --dry-run')
    }

    test.for([
      [[9001], ['2001:db8:97::/64 goes to compute instance 9002; compute instance 9001 loses it']],
      [[9002], ['2001:db8:97::/64 is at compute instance 9002 already; the request is sent all the same']],
      [[], ['2001:db8:97::/64 goes to compute instance 9002']],
    ] as const)(
      'reads the range itself, with owners %j',
      async ([computes, messages], { skyctl, lossy, arranged: world }) => {
        for (const { id, type } of world.network.addresses.all())
          if (type === 'ipv6/range') world.network.addresses.delete(id)
        const range = { range: '2001:db8:97::', prefix: 64, region: 'us-east', is_bgp: false, computes }
        const { exit, stdout, stderr } = await assign({ skyctl, lossy }, 200, range)
        expect({ exit, messages: stderr.split('\n').filter((line) => line.startsWith('2001')) }).toEqual({
          exit: 0,
          messages,
        })
        expect(stdout).toContain('region: us-east')
      },
    )

    test('reports a range that does not exist', async ({ skyctl, lossy, arranged: _ }) => {
      const { exit, stderr } = await assign({ skyctl, lossy }, 404, { errors: [{ reason: 'Not found' }] })
      expect({ exit, stderr }).toEqual({ exit: 5, stderr: 'skyctl: IPv6 range 2001:db8:97:: not found\n' })
    })
  })

  test('asks only about addresses that somebody loses', async ({ skyctl, arranged: world }) => {
    const { exit, stderr } = await skyctl('ips assign 203.0.113.11=9001 203.0.113.12=9002')
    expect({ exit, writes: writes(world) }).toEqual({ exit: 2, writes: [] })
    expect(stderr).toMatch(
      /Compute instance 9001 will lose 203\.0\.113\.12\. Assign 203\.0\.113\.12=9002\? This must be confirmed.*--yes/,
    )
    const both = await skyctl('ips assign 203.0.113.12=9002 203.0.113.21=9001')
    expect(both.stderr).toContain(
      'Their compute instances will lose these addresses. Assign 203.0.113.12=9002, 203.0.113.21=9001? This',
    )
  })

  test('of an address to its present owner asks nothing', async ({ skyctl, arranged: world }) => {
    expect(await skyctl('ips assign 203.0.113.11=9001 --region us-east')).toEqual({
      exit: 0,
      stdout: '',
      stderr:
        '203.0.113.11 is at compute instance 9001 already; the request is sent all the same\nAssigned 203.0.113.11 to compute instance 9001\n',
    })
    expect(writes(world)).toHaveLength(1)
  })

  test('suggests a swap if an instance would lose its last address', async ({ skyctl, arranged: world }) => {
    for (const spare of ['203.0.113.12', '203.0.113.22']) {
      world.network.addresses.delete(world.network.findAddress(spare)?.id ?? 0)
    }
    const { exit, stderr } = await skyctl('ips assign 203.0.113.21=9001 --yes')
    const [, swap = ''] = /To swap the two: skyctl (ips assign \S+ \S+)$/m.exec(stderr) ?? []
    expect({ exit, swap }).toEqual({ exit: 6, swap: 'ips assign 203.0.113.21=9001 203.0.113.11=9002' })
    expect((await skyctl(`${swap} --yes`)).exit).toBe(0)
  })

  test.for<[string, string, string]>([
    ['two addresses move', '203.0.113.11=9002 203.0.113.12=9002', 'no public IPv4 address'],
    ['the other instance has several addresses', '203.0.113.31=9004 --region eu-west', 'no public IPv4 address'],
    ['a range moves', '2001:db8:98::/64=9002', 'more than one IPv6 range'],
    ['the address had no owner', '203.0.113.99=9002 --region us-east', '203.0.113.99 is in eu-west'],
  ])('suggests no swap if %s', async ([, line, reason], { skyctl, arranged: world }) => {
    // Instance 9002 has one address, so only the named reason prevents a swap.
    world.network.addresses.delete(world.network.findAddress('203.0.113.22')?.id ?? 0)
    world.network.address({ address: '2001:db8:98::', type: 'ipv6/range', prefix: 64, compute_id: 9001 })
    world.network.address({ address: '203.0.113.99', region: 'eu-west', compute_id: noOwner })
    world.compute({ id: 9004, region: 'eu-west' })
    for (const host of [41, 42])
      world.network.address({ address: `203.0.113.${host}`, region: 'eu-west', compute_id: 9004 })
    const { exit, stderr } = await skyctl(`ips assign ${line} --yes`)
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining(reason) })
    expect(stderr).not.toContain('swap')
  })

  test('suggests another address if an instance would lose its last one, and none can come back', async ({
    skyctl,
    arranged: world,
  }) => {
    world.network.addresses.delete(world.network.findAddress('203.0.113.12')?.id ?? 0)
    const line = 'ips assign 203.0.113.11=9002 --yes'
    const { exit, stderr } = await skyctl(line)
    const [, step = ''] = /for it first: skyctl (ips allocate .*)$/m.exec(stderr) ?? []
    expect({ exit, step }).toEqual({ exit: 6, step: 'ips allocate --compute-id 9001 --public' })
    for (const then of [`${step} --yes`, line]) expect((await skyctl(then)).exit).toBe(0)
  })

  test('of a shared address goes on with the endpoint that moves it', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('ips assign 192.0.2.32=web-1 --yes')
    expect({ exit, sent: writes(world).map(({ path }) => path) }).toEqual({
      exit: 0,
      sent: ['/networking/ips/assign', '/networking/ipv4/assign'],
    })
    expect(stderr).toContain('192.0.2.32 is shared, so the older endpoint moves it')
    expect(world.network.findAddress('192.0.2.32')?.compute_id).toBe(1001)
    const [, back = ''] = /To reverse it: skyctl (.*?)\. /.exec((await skyctl('history undo --yes')).stderr) ?? []
    expect((await skyctl(`${back} --yes`)).exit).toBe(0)
    expect(world.network.findAddress('192.0.2.32')?.compute_id).toBe(1002)
  })

  test('prints the loss and the request with --dry-run, and sends nothing', async ({ skyctl, arranged: world }) => {
    const { stdout, stderr } = await skyctl('ips assign 203.0.113.12=9002 --region us-east --dry-run')
    expect(stdout).toContain('path: /networking/ips/assign')
    expect(stderr).toContain('compute instance 9001 loses it')
    expect(writes(world)).toEqual([])
  })
})
