/** Addresses: who has them, who may use them, what they are called. */
import { describe, expect, onTestFinished } from 'vitest'
import { type Loss, lossyProxy } from './support/lossy'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

type World = Fixtures['world']

/** Two instances in us-east with two public addresses each, and one in eu-west. */
function arrange(world: World): void {
  for (const id of [9001, 9002]) {
    world.compute({ id, region: 'us-east' })
    for (const host of [1, 2])
      world.network.address({ address: `203.0.113.${(id - 9000) * 10 + host}`, compute_id: id })
  }
  world.compute({ id: 9003, region: 'eu-west' })
  world.network.address({ address: '203.0.113.31', compute_id: 9003, region: 'eu-west' })
}

const holder = ({ network }: World, address: string) => network.findAddress(address)?.compute_id
const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

describe('ips list and view', () => {
  test('--region and --compute-id choose', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('ips list --compute-id 9001 -q')).stdout).toBe('203.0.113.11\n203.0.113.12\n')
    expect((await skyctl('ips list --compute-id 9003 --region us-east --json')).stdout).toBe('[]\n')
  })

  test('--skip-ipv6-rdns is asked of the service', async ({ skyctl, world }) => {
    await skyctl('ips list --skip-ipv6-rdns --json')
    expect(world.requests()[0]?.path).toContain('skip_ipv6_rdns=true')
  })

  test('view takes any spelling of an address, and asks for that of RFC 5952', async ({ skyctl, world }) => {
    world.network.address({ address: '2001:db8:99::1', compute_id: 1001 })
    const { exit, stdout } = await skyctl('ips view 2001:DB8:0099:0::1 --json')
    expect({ exit, address: json(stdout).address }).toEqual({ exit: 0, address: '2001:db8:99::1' })
    expect(world.requests()[0]?.path).toBe('/networking/ips/2001%3Adb8%3A99%3A%3A1')
  })

  test('view of several, one of which is not there, ends with 9', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stdout, stderr } = await skyctl('ips view 203.0.113.11 203.0.113.99 --json')
    expect({ exit, found: json(stdout).map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 9,
      found: [true, false],
    })
    expect(json(stderr).error.message).toContain('address 203.0.113.99 not found')
  })

  test.for(['..', '1', '1.2.3', '010.0.0.1', '203.0.113.0/24', 'fe80::1%eth0', '%2e%2e', 'web'])(
    '"%s" is no address, and nothing is sent',
    async (address, { skyctl, world }) => {
      for (const verb of [
        ['view', '--', address],
        ['rdns', '--', address, 'a.example.net'],
      ]) {
        expect((await skyctl(['ips', ...verb])).exit).toBe(2)
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
  ] as const)('%s', async ([flag, isPublic], { skyctl, world }) => {
    arrange(world)
    const { exit, stdout } = await skyctl(`ips allocate --compute-id 9001 ${flag} --json`)
    expect({ exit, record: json(stdout) }).toMatchObject({ exit: 0, record: { public: isPublic, compute_id: 9001 } })
    expect(world.requests('POST')[0]?.body).toEqual({ type: 'ipv4', public: isPublic, compute_id: 9001 })
  })

  test.for(['--compute-id 9001', '--public', '--compute-id 9001 --public --private', '--compute-id 0 --public'])(
    '%s is refused before anything is sent',
    async (flags, { skyctl, world }) => {
      expect((await skyctl(`ips allocate ${flags}`)).exit).toBe(2)
      expect(world.requests()).toEqual([])
    },
  )
})

describe('ips assign', () => {
  test('moves addresses, and says who loses what', async ({ skyctl, world }) => {
    arrange(world)
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
    expect(holder(world, '203.0.113.12')).toBe(9002)
  })

  test('--family ipv4 uses the older-named endpoint', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('ips assign 203.0.113.12=9002 --region us-east --family ipv4 --yes')).exit).toBe(0)
    expect(writes(world)[0]?.path).toBe('/networking/ipv4/assign')
  })

  test.for(['2001:db8:99::/64', '2001:0DB8:99:0::/64', '2001:db8:99::5/64'])(
    'takes the range %s with its prefix length, and sends it as RFC 5952 writes it',
    async (range, { skyctl, world }) => {
      arrange(world)
      world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 9001 })
      expect((await skyctl(`ips assign ${range}=9002 --region us-east --yes`)).exit).toBe(0)
      expect(holder(world, '2001:db8:99::')).toBe(9002)
      expect(writes(world)[0]?.body).toMatchObject({ assignments: [{ address: '2001:db8:99::/64' }] })
    },
  )

  test.for<[string, string]>([
    ['203.0.113.11=9002 203.0.113.12=9002', 'compute instance 9001 would have no public IPv4 address'],
    ['203.0.113.31=9001', '203.0.113.31 is in eu-west, not in us-east'],
    ['203.0.113.12=9002 203.0.113.12=9001', 'assigned twice'],
    ['192.168.200.1=9001 192.168.200.2=9001', 'more than one private IPv4 address'],
    ['2001:db8:98::/64=9001 2001:db8:99::/64=9001', 'more than one IPv6 range'],
    ['203.0.113.13=9002', '203.0.113.13 is in use for 1:1 NAT'],
  ])('%s is refused before it is sent: %s', async ([line, said], { skyctl, world }) => {
    arrange(world)
    const vpc_nat_1_1 = { address: '10.0.0.2', subnet_id: 1, vpc_id: 1 }
    if (said.includes('NAT')) world.network.address({ address: '203.0.113.13', compute_id: 9001, vpc_nat_1_1 })
    world.compute({ id: 9004 })
    for (const [index, compute_id] of [9002, 9004].entries()) {
      world.network.address({ address: `192.168.200.${index + 1}`, compute_id, public: false })
      world.network.address({ address: `2001:db8:${index + 98}::`, type: 'ipv6/range', prefix: 64, compute_id })
    }
    const { exit, stderr } = await skyctl(`ips assign ${line} --region us-east`)
    // Only the command itself can name an address twice; all else is as it is in the account.
    expect({ exit, writes: writes(world) }).toEqual({ exit: said === 'assigned twice' ? 2 : 6, writes: [] })
    expect(stderr).toContain(said)
  })

  test('--no-validate leaves it to the service', async ({ skyctl, world }) => {
    arrange(world)
    const line = '203.0.113.11=9002 203.0.113.12=9002 --region us-east --no-validate --yes'
    expect((await skyctl(`ips assign ${line}`)).exit).toBe(6)
    expect(writes(world)).toHaveLength(1)
  })

  test('an address that is not there is exit 5', async ({ skyctl, world }) => {
    arrange(world)
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
    ['203.0.113.12=0', 'compute instance id'],
    ['2001:db8::/60=9001', '/56 or /64'],
    ['2001:db8::=9001', '/56 or /64'],
    ['203.0.113.12=9001 --family ipv6', '--family'],
  ])('%s is refused before anything is sent', async ([line, said], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`ips assign ${line} --region us-east`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(said)
  })

  test('without a region it takes that of the address', async ({ skyctl, world }) => {
    arrange(world)
    world.compute({ id: 9005, region: 'eu-west' })
    world.network.address({ address: '203.0.113.41', compute_id: 9005, region: 'eu-west' })
    world.network.address({ address: '203.0.113.42', compute_id: 9005, region: 'eu-west' })
    world.compute({ id: 9006, region: 'eu-west' })
    world.network.address({ address: '203.0.113.43', compute_id: 9006, region: 'eu-west' })
    expect((await skyctl('ips assign 203.0.113.41=9006 --yes')).exit).toBe(0)
    expect(writes(world)[0]?.body).toMatchObject({ region: 'eu-west' })
  })

  test('of what belongs to no instance leaves none the address is unknown', async ({ skyctl, world }) => {
    arrange(world)
    // As answers may have it; those of this sandbox all belong to one.
    const compute_id = null as unknown as number
    world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id })
    const { exit, stderr } = await skyctl('ips assign 2001:db8:99::/64=9002 --dry-run')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: '2001:db8:99::/64 goes to compute instance 9002\nNothing was sent\n',
    })
  })

  describe('of a range that is not among the addresses', () => {
    /** The service tells of the range whenever it is asked for that. */
    const assign = async (
      { skyctl, sandbox }: Pick<Fixtures, 'skyctl' | 'sandbox'>,
      status: number,
      answer: object,
    ) => {
      arrange(sandbox.world)
      const proxy = await lossyProxy(sandbox.baseUrl)
      onTestFinished(proxy.close)
      const reply: Loss['reply'] = (outgoing) =>
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      for (const done of [false, false]) proxy.lose('GET', /^\/networking\/ipv6\/ranges\/2001/, { done, reply })
      return skyctl('ips assign 2001:db8:99::/64=9002 --dry-run', { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    }

    test.for([
      [[9001], ['2001:db8:99::/64 goes to compute instance 9002; compute instance 9001 loses it']],
      [[9002], ['2001:db8:99::/64 is already assigned to compute instance 9002']],
      [[], ['2001:db8:99::/64 goes to compute instance 9002']],
    ] as const)('that is read by itself: at %j', async ([computes, said], { skyctl, sandbox }) => {
      const range = { range: '2001:db8:99::', prefix: 64, region: 'us-east', is_bgp: false, computes }
      const { exit, stdout, stderr } = await assign({ skyctl, sandbox }, 200, range)
      expect({ exit, said: stderr.split('\n').filter((line) => line.startsWith('2001')) }).toEqual({ exit: 0, said })
      expect(stdout).toContain('region: us-east')
    })

    test('it is named where it is not there', async ({ skyctl, sandbox }) => {
      const { exit, stderr } = await assign({ skyctl, sandbox }, 404, { errors: [{ reason: 'Not found' }] })
      expect({ exit, stderr }).toEqual({ exit: 5, stderr: 'skyctl: IPv6 range 2001:db8:99:: not found\n' })
    })
  })

  test('where an instance loses an address it must be confirmed', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('ips assign 203.0.113.12=9002')
    expect({ exit, writes: writes(world) }).toEqual({ exit: 2, writes: [] })
    expect(stderr).toMatch(
      /Compute instance 9001 will lose 203\.0\.113\.12\. Assign 203\.0\.113\.12=9002: this must be confirmed.*--yes/,
    )
  })

  test('where an instance would be left the address is unknown, a swap is suggested that works', async ({
    skyctl,
    world,
  }) => {
    arrange(world)
    for (const spare of ['203.0.113.12', '203.0.113.22']) {
      world.network.addresses.delete(world.network.findAddress(spare)?.id ?? 0)
    }
    const { exit, stderr } = await skyctl('ips assign 203.0.113.21=9001 --yes')
    const [, swap = ''] = /To swap the two: skyctl (ips assign \S+ \S+)$/m.exec(stderr) ?? []
    expect({ exit, swap }).toEqual({ exit: 6, swap: 'ips assign 203.0.113.21=9001 203.0.113.11=9002' })
    expect((await skyctl(`${swap} --yes`)).exit).toBe(0)
  })

  test('--dry-run says who loses what, prints the request, and sends nothing', async ({ skyctl, world }) => {
    arrange(world)
    const { stdout, stderr } = await skyctl('ips assign 203.0.113.12=9002 --region us-east --dry-run')
    expect(stdout).toContain('path: /networking/ips/assign')
    expect(stderr).toContain('compute instance 9001 loses it')
    expect(writes(world)).toEqual([])
  })
})

test('an assignment that a swap cannot cure suggests none, and a shared address names the end of sharing', async ({
  skyctl,
}) => {
  const { exit, stderr } = await skyctl('ips assign 192.0.2.32=1001 --yes')
  expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
    exit: 6,
    last: expect.stringMatching(/192\.0\.2\.32 is shared\. .*: skyctl ips share --none --compute-id INSTANCE$/),
  })
  expect((await skyctl('ips assign 192.0.2.33=1010 --yes')).stderr).not.toContain('To swap')
})

describe('ips share', () => {
  const shared = ({ network }: World, address: string) => network.findAddress(address)?.shared_with

  test('sets the whole list, and says what is added and removed', async ({ skyctl, world }) => {
    arrange(world)
    world.network.address({
      address: '2001:db8:99::',
      type: 'ipv6/range',
      prefix: 64,
      compute_id: 9002,
      shared_with: [9001],
    })
    const { exit, stderr } = await skyctl('ips share 203.0.113.21 --compute-id 9001')
    expect(exit).toBe(0)
    expect(stderr).toContain('Shared with compute instance 9001 from now on: 203.0.113.21\n')
    expect(stderr).toContain('No longer shared with compute instance 9001: 2001:db8:99::\n')
    expect([shared(world, '203.0.113.21'), shared(world, '2001:db8:99::')]).toEqual([[9001], []])
  })

  test('any spelling is shared as RFC 5952 writes it', async ({ skyctl, world }) => {
    arrange(world)
    world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 9002 })
    expect((await skyctl('ips share 2001:0DB8:99:0:: --compute-id 9001')).exit).toBe(0)
    expect(writes(world)[0]?.body).toEqual({ compute_id: 9001, ips: ['2001:db8:99::'] })
  })

  test('--family ipv4 uses the older-named endpoint', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('ips share 203.0.113.21 --compute-id 9001 --family ipv4')
    expect(writes(world)[0]).toEqual({
      method: 'POST',
      path: '/networking/ipv4/share',
      body: { compute_id: 9001, ips: ['203.0.113.21'] },
    })
  })

  test('--none ends all sharing, and asks', async ({ skyctl, world }) => {
    arrange(world)
    world.network.address({ address: '203.0.113.23', compute_id: 9002, shared_with: [9001] })
    const asked = await skyctl('ips share --none --compute-id 9001')
    expect({ exit: asked.exit, writes: writes(world) }).toEqual({ exit: 2, writes: [] })
    expect(asked.stderr).toContain('--yes')
    expect((await skyctl('ips share --none --compute-id 9001 --yes')).exit).toBe(0)
    expect(shared(world, '203.0.113.23')).toEqual([])
  })

  test.for([
    ['203.0.113.31', 'is in eu-west, compute instance 9001 in us-east'],
    ['203.0.113.23', '1:1 NAT'],
  ])('%s is refused before it is sent', async ([address, said], { skyctl, world }) => {
    arrange(world)
    world.network.address({
      address: '203.0.113.23',
      compute_id: 9002,
      vpc_nat_1_1: { address: '10.0.0.2', subnet_id: 1, vpc_id: 1 },
    })
    const { exit, stderr } = await skyctl(`ips share ${address} --compute-id 9001`)
    expect({ exit, writes: writes(world) }).toEqual({ exit: 6, writes: [] })
    expect(stderr).toContain(said)
  })

  test.for([
    '--compute-id 9001',
    '203.0.113.21',
    '203.0.113.21 --none --compute-id 9001',
    '2001:db8::/64 --compute-id 9001',
  ])('%s is refused before anything is sent', async (line, { skyctl, world }) => {
    expect((await skyctl(`ips share ${line}`)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })
})

describe('ips rdns', () => {
  test('sets a name', async ({ skyctl, world }) => {
    arrange(world)
    expect(await skyctl('ips rdns 203.0.113.11 www.example.net --quiet')).toMatchObject({
      exit: 0,
      stdout: '203.0.113.11\n',
    })
    expect(world.network.findAddress('203.0.113.11')?.rdns).toBe('www.example.net')
  })

  test('--reset sends null, and asks', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('ips rdns 203.0.113.11 --reset')).exit).toBe(2)
    const { stderr } = await skyctl('ips rdns 203.0.113.11 --reset --yes')
    expect(writes(world).map(({ body }) => body)).toEqual([{ rdns: null }])
    expect(stderr).toContain('is 203-0-113-11.ip.example.net')
  })

  test('where the service refuses, it says that forward DNS comes first', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('ips rdns 203.0.113.11 www.example.invalid')
    expect(exit).toBe(6)
    expect(stderr).toContain('Forward DNS comes first: www.example.invalid needs an A record with 203.0.113.11')
  })

  test('for IPv6 that is an AAAA record', async ({ skyctl, world }) => {
    world.network.address({ address: '2001:db8:99::1', compute_id: 1001 })
    const { exit, stderr } = await skyctl('ips rdns 2001:DB8:99::1 www.example.invalid')
    expect(exit).toBe(6)
    expect(stderr).toContain('www.example.invalid needs an AAAA record with 2001:db8:99::1')
  })

  test.for(['', 'localhost', '-a.example.net', 'a..example.net', 'a_b.example.net', `${'a'.repeat(64)}.example.net`])(
    '"%s" is no name, and nothing is sent',
    async (name, { skyctl, world }) => {
      expect((await skyctl(['ips', 'rdns', '--', '203.0.113.11', name])).exit).toBe(2)
      expect(world.requests()).toEqual([])
    },
  )

  test.for(['203.0.113.11', '203.0.113.11 a.example.net --reset'])('%s is refused', async (line, { skyctl, world }) => {
    expect((await skyctl(`ips rdns ${line}`)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })
})
