import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

describe('ipv6 pools and ranges list', () => {
  test('print the records of the service', async ({ skyctl, world }) => {
    expect(json((await skyctl('ipv6 pools list --json')).stdout)).toEqual([...world.network.pools])
    const ranges = json((await skyctl('ipv6 ranges list --filter region=us-east --json')).stdout)
    expect(ranges).toMatchObject([{ range: '2001:db8:114:100::', prefix: 64, region: 'us-east' }])
  })

  test('--quiet prints addresses', async ({ skyctl }) => {
    expect((await skyctl('ipv6 ranges list --quiet')).stdout).toBe('2001:db8:114:100::\n2001:db8:118:200::\n')
  })
})

describe('ipv6 ranges view and delete', () => {
  test.for([
    '2001:db8:114:100::',
    '2001:db8:114:100::/64',
    '2001:db8:114:100::/56',
    '2001:0DB8:0114:0100:0:0:0:0',
    '2001:db8:114:100::5/64',
  ])('accept each spelling of a range: %s', async (spelling, { skyctl, world }) => {
    const { exit, stdout } = await skyctl(`ipv6 ranges view ${spelling} --json`)
    expect({ exit, range: json(stdout).range }).toEqual({ exit: 0, range: '2001:db8:114:100::' })
    expect(world.requests()[0]?.path).toBe('/networking/ipv6/ranges/2001%3Adb8%3A114%3A100%3A%3A')
  })

  test('delete asks before it removes the range', async ({ skyctl, world }) => {
    const unconfirmed = await skyctl('ipv6 ranges delete 2001:db8:114:100::')
    expect({ exit: unconfirmed.exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(unconfirmed.stderr).toContain(
      'All addresses in it will be lost. Delete "2001:db8:114:100::"? This must be confirmed',
    )
    expect(await skyctl('ipv6 ranges delete 2001:db8:114:100::/64 --yes')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'Deleted IPv6 range 2001:db8:114:100::\n',
    })
    expect(world.network.findAddress('2001:db8:114:100::')).toBeUndefined()
  })

  test('end with exit code 5 if the range does not exist', async ({ skyctl }) => {
    expect(await skyctl('ipv6 ranges view 2001:db8:9::')).toMatchObject({
      exit: 5,
      stderr: 'skyctl: IPv6 range 2001:db8:9:: not found\n',
    })
  })

  test.for(['..', '192.0.2.1', '2001:db8::/60', '2001:db8::/', 'fe80::1%eth0', '2001:db8::/064', 'range'])(
    'reject "%s" as a range, and send nothing',
    async (text, { skyctl, world }) => {
      for (const verb of [['view'], ['delete', '--yes']]) {
        expect((await skyctl(['ipv6', 'ranges', ...verb, '--', text])).exit).toBe(2)
      }
      expect(world.requests()).toEqual([])
    },
  )
})

describe('ipv6 ranges create', () => {
  test('routes a range to an instance', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl('ipv6 ranges create --prefix-length 64 --compute-id 1009 --json')
    expect({ exit, range: json(stdout).range }).toEqual({ exit: 0, range: expect.stringMatching(/^2001:db8:.*\/64$/) })
    expect(world.requests('POST')[0]?.body).toEqual({ prefix_length: 64, compute_id: 1009 })
  })

  test('prints the route target', async ({ skyctl, world }) => {
    const { stderr } = await skyctl('ipv6 ranges create --prefix-length 64 --compute-id 1009')
    const target = world.network.slaacOf(1009)?.address
    expect(stderr).toMatch(new RegExp(`^Created IPv6 range 2001:db8:\\S+/64, routed to ${target}\n$`))
  })

  test('sends a route target in RFC 5952 form', async ({ skyctl, world }) => {
    const slaac = world.network.slaacOf(1009)?.address ?? ''
    const { exit } = await skyctl(`ipv6 ranges create --prefix-length 56 --route-target ${slaac.toUpperCase()}`)
    expect({ exit, body: world.requests('POST')[0]?.body }).toEqual({
      exit: 0,
      body: { prefix_length: 56, route_target: slaac },
    })
  })

  test.for([
    ['--compute-id 1009', '--prefix-length is required'],
    ['--prefix-length 60 --compute-id 1009', '56, 64'],
    ['--prefix-length /64 --compute-id 1009', '--prefix-length'],
    ['--prefix-length 64', 'must provide --compute-id or --route-target'],
    ['--prefix-length 64 --compute-id 1009 --route-target 2001:db8::1', 'together with --compute-id'],
    ['--prefix-length 64 --route-target 192.0.2.1', '--route-target'],
    ['--prefix-length 64 --route-target 2001:db8::1/64', '--route-target'],
  ])('rejects %s before anything is sent', async ([flags, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`ipv6 ranges create ${flags}`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(message)
  })

  test("reports the service's rejection of a second range in a region", async ({ skyctl }) => {
    const { exit, stderr } = await skyctl('ipv6 ranges create --prefix-length 64 --compute-id 1002')
    expect(exit).toBe(6)
    expect(stderr).toContain('To see it: skyctl ipv6 ranges list. To move it: skyctl ips assign RANGE=INSTANCE')
  })
})
