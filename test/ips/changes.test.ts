/** What a change of addresses says before it is made, what it refuses by itself, and what it leaves to the service. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { whole } from '../support/records'
import { test as base, type Fixtures } from '../support/skyctl'

type World = Fixtures['world']

const nat = { address: '10.0.0.2', subnet_id: 1, vpc_id: 1 }

/** Two instances in us-east: 9001 has two public addresses, 9002 has one and a range. */
const test = base.extend<{ arranged: World }>({
  arranged: async ({ world }, use) => {
    for (const id of [9001, 9002]) world.compute({ id, region: 'us-east' })
    world.network.address({ address: '203.0.113.11', compute_id: 9001 })
    world.network.address({ address: '203.0.113.12', compute_id: 9001 })
    world.network.address({ address: '203.0.113.21', compute_id: 9002 })
    world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 9002 })
    await use(world)
  },
})

const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

describe('ips assign', () => {
  test('of an address to who has it takes nothing away, asks nothing, and says so', async ({ skyctl, arranged }) => {
    expect(await skyctl('ips assign 203.0.113.11=9001 --region us-east')).toEqual({
      exit: 0,
      stdout: '',
      stderr:
        '203.0.113.11 is already assigned to compute instance 9001\nAssigned 203.0.113.11 to compute instance 9001\n',
    })
    expect(writes(arranged)).toHaveLength(1)
  })

  test('asks about what is taken from somebody, and about nothing else', async ({ skyctl, arranged }) => {
    const { exit, stderr } = await skyctl('ips assign 203.0.113.11=9001 203.0.113.12=9002')
    expect({ exit, writes: writes(arranged) }).toEqual({ exit: 2, writes: [] })
    expect(stderr).toContain(
      'skyctl: Compute instance 9001 will lose 203.0.113.12. Assign 203.0.113.12=9002: this must be confirmed',
    )
    const both = await skyctl('ips assign 203.0.113.12=9002 203.0.113.21=9001')
    expect(both.stderr).toContain(
      'Their compute instances will lose these addresses. Assign 203.0.113.12=9002, 203.0.113.21=9001: this',
    )
  })

  test('leaves where it is what is in use for 1:1 NAT', async ({ skyctl, arranged }) => {
    arranged.network.address({ address: '203.0.113.13', compute_id: 9001, vpc_nat_1_1: nat })
    expect((await skyctl('ips assign 203.0.113.13=9001')).exit).toBe(0)
    expect(await skyctl('ips assign 203.0.113.13=9002 --yes')).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('203.0.113.13 is in use for 1:1 NAT'),
    })
  })

  test('takes all from a body, and the region with it', async ({ skyctl, arranged }) => {
    const body = { region: 'us-east', assignments: [{ address: '203.0.113.12', compute_id: 9002 }] }
    const { exit, stderr } = await skyctl('ips assign --yes --body -', { stdin: JSON.stringify(body) })
    expect({ exit, sent: writes(arranged).map((one) => one.body) }).toEqual({ exit: 0, sent: [body] })
    expect(stderr).toContain('Assigned 203.0.113.12 to compute instance 9002\n')
  })

  test('with --no-validate leaves to the service what makes no sense here', async ({ skyctl, arranged }) => {
    const body = { region: 'us-east', assignments: 'all of them' }
    const { exit } = await skyctl('ips assign --yes --no-validate --body -', { stdin: JSON.stringify(body) })
    expect({ exit, sent: writes(arranged).map((one) => one.body) }).toEqual({ exit: 6, sent: [body] })
  })

  test.for(['=203.0.113.11=9001', 'web=9001', '203.0.113=9001'])(
    '%s is no assignment, and nothing is sent',
    async (typed, { skyctl, arranged }) => {
      expect((await skyctl(`ips assign ${typed} --region us-east`)).exit).toBe(2)
      expect(arranged.requests()).toEqual([])
    },
  )

  test.for([
    ['the range that is left', '203.0.113.21=9001'],
    ['a private address that it gets', '203.0.113.21=9001 192.168.200.1=9002'],
  ])('%s is no public IPv4 address', async ([, line], { skyctl, arranged }) => {
    arranged.network.address({ address: '192.168.200.1', compute_id: 9001, public: false })
    const { exit, stderr } = await skyctl(`ips assign ${line} --yes`)
    expect({ exit, writes: writes(arranged) }).toEqual({ exit: 6, writes: [] })
    expect(stderr).toContain('compute instance 9002 would have no public IPv4 address')
  })

  test.for<[string, string, string]>([
    ['more than one address moves', '203.0.113.11=9002 203.0.113.12=9002', 'no public IPv4 address'],
    ['the other has several to give', '203.0.113.21=9001', 'no public IPv4 address'],
    ['a range moves', '2001:db8:98::/64=9002', 'more than one IPv6 range'],
    ['nobody had it', '203.0.113.99=9002 --region us-east', '203.0.113.99 is in eu-west'],
  ])('suggests no swap where %s', async ([, line, reason], { skyctl, arranged }) => {
    arranged.network.address({ address: '2001:db8:98::', type: 'ipv6/range', prefix: 64, compute_id: 9001 })
    // As answers may have it; those of this sandbox all belong to one.
    const compute_id = null as unknown as number
    arranged.network.address({ address: '203.0.113.99', region: 'eu-west', compute_id })
    const { exit, stderr } = await skyctl(`ips assign ${line} --yes`)
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining(reason) })
    expect(stderr).not.toContain('swap')
  })
})

describe('ips share', () => {
  const complete =
    'The list is complete: all other IPv4 addresses are no longer shared with compute instance 9001\n' +
    'Set the addresses shared with compute instance 9001\n'

  test('says what is new, and what is no longer shared, and neither where it is the same', async ({
    skyctl,
    arranged,
  }) => {
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
  })

  test('looks at the ranges of its region alone, and its own is not one that is shared with it', async ({
    skyctl,
    arranged,
  }) => {
    const { stderr } = await skyctl('ips share 203.0.113.11 --compute-id 9002')
    expect(stderr).not.toContain('No longer')
    const looked = arranged.requests().flatMap(({ path }) => /ranges\/([^?]+)/.exec(path)?.slice(1) ?? [])
    expect(new Set(looked.map(decodeURIComponent))).toEqual(new Set(['2001:db8:114:100::', '2001:db8:99::']))
  })

  test('with an instance that has no address is left to the service', async ({ skyctl, arranged }) => {
    arranged.compute({ id: 9009, region: 'us-east' })
    const { exit } = await skyctl('ips share 203.0.113.21 --compute-id 9009')
    expect({ exit, shared: arranged.network.findAddress('203.0.113.21')?.shared_with }).toEqual({
      exit: 0,
      shared: [9009],
    })
  })

  test('takes the list from a body', async ({ skyctl, arranged }) => {
    const stdin = '{"ips":["203.0.113.21"]}'
    expect((await skyctl('ips share --compute-id 9001 --body -', { stdin })).exit).toBe(0)
    expect(writes(arranged)[0]?.body).toEqual({ compute_id: 9001, ips: ['203.0.113.21'] })
  })

  test.for([
    ['an address of elsewhere', '{"ips":["203.0.113.31"]}'],
    ['what is no list', '{"ips":"203.0.113.21"}'],
  ])('with --no-validate leaves %s to the service', async ([, body], { skyctl, arranged }) => {
    arranged.compute({ id: 9003, region: 'eu-west' })
    arranged.network.address({ address: '203.0.113.31', compute_id: 9003, region: 'eu-west' })
    const { exit } = await skyctl('ips share --compute-id 9001 --no-validate --yes --body -', { stdin: body })
    expect({ exit, writes: writes(arranged).length }).toEqual({ exit: 6, writes: 1 })
  })

  test.for([
    ['- --compute-id 9001', 'stdin names no address. To end all sharing, pass --none'],
    ['--compute-id 9001', 'addresses are missing. Pass all addresses to share, or --none'],
    ['203.0.113.21 --none --compute-id 9001', 'addresses and --none contradict each other'],
  ])('%s says what is missing, and sends nothing', async ([line, said], { skyctl, arranged }) => {
    const { exit, stderr } = await skyctl(`ips share ${line}`, { stdin: '' })
    expect({ exit, stderr, sent: arranged.requests() }).toEqual({ exit: 2, stderr: `skyctl: ${said}\n`, sent: [] })
  })
})

describe('ips rdns', () => {
  const name = 'www.example.net'

  test('of a name that stands already sends nothing that changes anything', async ({ skyctl, arranged }) => {
    expect((await skyctl(`ips rdns 203.0.113.11 ${name}`)).stderr).toBe(`The reverse DNS of 203.0.113.11 is ${name}\n`)
    expect((await skyctl(`ips rdns 203.0.113.11 ${name}`)).stderr).toBe(
      `The reverse DNS of 203.0.113.11 is already ${name}\n`,
    )
    const { exit, stdout } = await skyctl(`ips rdns 203.0.113.11 ${name} --json`)
    expect({ exit, rdns: JSON.parse(stdout).rdns }).toEqual({ exit: 0, rdns: name })
    expect(writes(arranged)).toHaveLength(1)
  })

  test('with --dry-run sends nothing at all', async ({ skyctl, arranged }) => {
    expect((await skyctl(`ips rdns 203.0.113.11 ${name} --dry-run`)).exit).toBe(0)
    expect(arranged.requests()).toEqual([])
  })

  test('asks before a name is taken away', async ({ skyctl, arranged }) => {
    const { stderr } = await skyctl('ips rdns 203.0.113.11 --reset')
    expect(stderr).toContain('Reset the reverse DNS of 203.0.113.11 to the default: this must be confirmed')
    expect(writes(arranged)).toEqual([])
  })

  test('with --no-validate leaves a name that is none to the service', async ({ skyctl, arranged }) => {
    expect((await skyctl('ips rdns 203.0.113.11 localhost --no-validate')).exit).toBe(6)
    expect(writes(arranged)).toHaveLength(1)
  })

  test('of an address that is not there says so', async ({ skyctl, arranged }) => {
    for (const rest of [name, '--reset --yes'])
      expect(await skyctl(`ips rdns 203.0.113.99 ${rest}`)).toEqual({
        exit: 5,
        stdout: '',
        stderr: 'skyctl: address 203.0.113.99 not found\n',
      })
    expect(arranged.network.findAddress('203.0.113.99')).toBeUndefined()
  })

  test.for(['192.168.128.11', '192.168.200.1', '10.0.0.9'])(
    'of a private address ends with 6, as in a plan, and asks the service nothing: %s',
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

  test('with --no-validate leaves a private address to the service', async ({ skyctl, arranged }) => {
    expect((await skyctl(`ips rdns 192.168.128.11 ${name} --no-validate`)).exit).toBe(6)
    expect(writes(arranged)).toHaveLength(1)
  })

  test.for([
    ['a name is taken away', '--reset --yes', 400],
    ['it is no refusal', name, 500],
  ] as const)('says nothing of forward DNS where %s', async ([, rest, status], { skyctl }) => {
    const address = whole({ address: '203.0.113.11', vpc_nat_1_1: null })
    const { host } = await faultServer((socket, heard) => {
      const answer = heard.method === 'GET' ? reply(200, address) : reply(status, { errors: [{ reason: 'no' }] })
      answer(socket, heard)
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
  ])('"%s" with %s is refused, and nothing is sent', async ([typed, body, said], { skyctl, arranged }) => {
    const { exit, stderr } = await skyctl(`ips rdns ${typed} --body - --yes`, { stdin: body })
    expect({ exit, sent: arranged.requests(), stderr }).toEqual({
      exit: 2,
      sent: [],
      stderr: expect.stringContaining(said),
    })
  })
})

describe('ips allocate', () => {
  test('says what was allocated, and to whom', async ({ skyctl, arranged }) => {
    const { stderr } = await skyctl('ips allocate --compute-id 9001 --public')
    const [, address = ''] = /^Allocated (\S+) to compute instance 9001\n$/.exec(stderr) ?? []
    expect(arranged.network.findAddress(address)?.compute_id).toBe(9001)
  })

  test.for([
    ['', 'one kind of address is needed. Pass either --public or --private'],
    ['--public --private', '--private and --public contradict each other'],
    ['--private --body -', '--private and --public contradict each other'],
  ])('%s names one kind, or nothing is sent', async ([flags, said], { skyctl, arranged }) => {
    const { exit, stderr } = await skyctl(`ips allocate --compute-id 9001 ${flags}`, { stdin: '{"public":true}' })
    expect({ exit, stderr, sent: arranged.requests() }).toEqual({ exit: 2, stderr: `skyctl: ${said}\n`, sent: [] })
  })

  test('with --no-validate leaves the kind to the service', async ({ skyctl, arranged }) => {
    expect((await skyctl('ips allocate --compute-id 9001 --no-validate')).exit).toBe(6)
    expect(writes(arranged).map(({ body }) => body)).toEqual([{ type: 'ipv4', compute_id: 9001 }])
  })
})

describe('ipv6 ranges', () => {
  test('a range of /56 is looked up as one of /64', async ({ skyctl, world }) => {
    expect((await skyctl('ipv6 ranges view 2001:db8:114:100::/56')).exit).toBe(0)
    expect(world.requests()[0]?.path).toBe('/networking/ipv6/ranges/2001%3Adb8%3A114%3A100%3A%3A')
  })

  test('say what they are routed to when made, and what is lost with them', async ({ skyctl, world }) => {
    const { stderr } = await skyctl('ipv6 ranges create --prefix-length 64 --compute-id 1009')
    const target = world.network.slaacOf(1009)?.address
    expect(stderr).toMatch(new RegExp(`^Created IPv6 range 2001:db8:\\S+/64, routed to ${target}\n$`))
    expect((await skyctl('ipv6 ranges delete 2001:db8:114:100::')).stderr).toContain(
      'All addresses in it will be lost. Delete "2001:db8:114:100::": this must be confirmed',
    )
  })
})

describe('regions and VLANs', () => {
  test('what is no region id says what one is, before anything is asked', async ({ skyctl, world }) => {
    for (const verb of ['view', 'availability'])
      expect(await skyctl(['regions', verb, '--', 'us east'])).toEqual({
        exit: 2,
        stdout: '',
        stderr: 'skyctl: "us east" is not a region id: letters, digits and single hyphens, as in us-east\n',
      })
    expect(world.requests()).toEqual([])
  })

  test('regions are told to who has no token, and near ones, too', async ({ skyctl }) => {
    const env = { SKYCTL_TOKEN: undefined }
    expect((await skyctl('regions view us-east -q', { env })).stdout).toBe('us-east\n')
    expect((await skyctl('regions view us-eats', { env })).stderr).toContain('Did you mean "us-east"?')
    expect(await skyctl('vlans list --region us-east', { env })).toMatchObject({ exit: 3, stdout: '' })
  })

  test('are kept with their labels once they were read', async ({ skyctl, world }) => {
    const [region] = world.regions
    const { stdout } = await skyctl('completion values regions')
    expect(stdout.split('\n')).toContain(`${region?.id}\t${region?.label}`)
  })

  test('a region that is like none is refused with where to look', async ({ skyctl }) => {
    expect((await skyctl('regions view qqqqqqqqqqqq')).stderr).toBe(
      'skyctl: region "qqqqqqqqqqqq" not found. See skyctl regions list\n',
    )
  })

  test('a region that is not found is told as that, even where the others cannot be read', async ({ skyctl }) => {
    const { host } = await faultServer((socket, heard) => {
      reply(heard.path.includes('/us-eats') ? 404 : 400, { errors: [{ reason: 'no' }] })(socket, heard)
    })
    const { exit, stderr } = await skyctl('regions view us-eats', { env: { SKYCTL_BASE_URL: `http://${host}/v4` } })
    expect({ exit, stderr }).toEqual({
      exit: 5,
      stderr: 'skyctl: region "us-eats" not found. See skyctl regions list\n',
    })
  })

  test('what fails otherwise is not told as a region that is not there', async ({ skyctl }) => {
    const { host } = await faultServer(reply(400, { errors: [{ reason: 'not today' }] }))
    const { exit, stderr } = await skyctl('regions view us-east', { env: { SKYCTL_BASE_URL: `http://${host}/v4` } })
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining('not today') })
  })

  test('no region on stdin is nothing to do', async ({ skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl('regions view -', { stdin: '' })
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 0, stdout: '', sent: [] })
    expect(stderr).toContain('region')
  })

  test('a region that supports VLANs gives no warning', async ({ skyctl }) => {
    expect(await skyctl('vlans list --region us-east --quiet')).toMatchObject({ exit: 0, stderr: '' })
  })
})
