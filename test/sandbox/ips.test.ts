import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

const path = '/networking/ips'
const slaac1001 = '2001:db8:114:0:f03c:91ff:fe00:3e9'
const range1001 = '2001:db8:114:100::'

/** Addresses of an instance, as text. */
function addressesOf({ world }: Service, compute: number): string[] {
  return world.network.addressesOf(compute).map(({ address }) => address)
}

describe('ips list', () => {
  test('shows public addresses of all kinds, and no private ones', async ({ service: { call } }) => {
    const { body } = await call(`GET ${path}`)
    expect(body).toMatchObject({ page: 1, pages: 1 })
    expect(body.data.every((address: { public: boolean }) => address.public)).toBe(true)
    expect(new Set(body.data.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['ipv4', 'ipv6', 'ipv6/range']),
    )
    expect(body.data.map(({ address }: { address: string }) => address)).not.toContain('192.168.128.11')
  })

  test('includes rdns of IPv6 addresses unless skip_ipv6_rdns is true', async ({ service: { call } }) => {
    await call(`PUT ${path}/${encodeURIComponent(slaac1001)}`, { body: { rdns: 'v6.example.net' } })
    const names = async (query: string) =>
      (await call(`GET ${path}${query}`)).body.data.flatMap(({ rdns, type }: Record<string, string | null>) =>
        type === 'ipv4' || rdns === null ? [] : [rdns],
      )
    expect(await names('')).toEqual(['v6.example.net'])
    expect(await names('?skip_ipv6_rdns=false')).toEqual(['v6.example.net'])
    expect(await names('?skip_ipv6_rdns=true')).toEqual([])
    const { body } = await call(`GET ${path}?skip_ipv6_rdns=true`)
    expect(body.data[0].rdns).toBe('192-0-2-11.ip.example.net')
    expect(await call(`GET ${path}?skip_ipv6_rdns=yes`)).toMatchObject(
      refused(400, 'Must be a boolean', 'skip_ipv6_rdns'),
    )
  })

  test('is filtered by address, prefix, type, rdns and region', async ({ service: { call } }) => {
    const filter = { type: 'ipv4', region: 'us-east', rdns: 'www.example.net', prefix: 24, address: '192.0.2.31' }
    const { body } = await call(`GET ${path}`, { headers: { 'X-Filter': JSON.stringify(filter) } })
    expect(body.data).toMatchObject([{ address: '192.0.2.31' }])
  })
})

describe('an address', () => {
  test('has a default rdns if it is public', async ({ service: { call } }) => {
    expect((await call(`GET ${path}/192.0.2.11`)).body).toEqual({
      address: '192.0.2.11',
      type: 'ipv4',
      public: true,
      compute_id: 1001,
      region: 'us-east',
      rdns: '192-0-2-11.ip.example.net',
      gateway: '192.0.2.1',
      subnet_mask: '255.255.255.0',
      prefix: 24,
      vpc_nat_1_1: null,
    })
  })

  test('has neither rdns nor gateway if it is private', async ({ service: { call } }) => {
    expect((await call(`GET ${path}/192.168.128.11`)).body).toMatchObject({
      public: false,
      rdns: null,
      gateway: null,
      subnet_mask: '255.255.128.0',
      prefix: 17,
    })
  })

  test('by SLAAC is found in any notation', async ({ service: { call } }) => {
    for (const text of [slaac1001, slaac1001.toUpperCase(), '2001:0db8:0114:0000:f03c:91ff:fe00:03e9']) {
      expect((await call(`GET ${path}/${encodeURIComponent(text)}`)).body).toMatchObject({
        address: slaac1001,
        type: 'ipv6',
        prefix: 64,
        gateway: 'fe80::1',
        subnet_mask: 'ffff:ffff:ffff:ffff::',
        rdns: null,
      })
    }
  })

  test('shows its 1:1 NAT', async ({ service: { call } }) => {
    expect((await call(`GET ${path}/192.0.2.33`)).body.vpc_nat_1_1).toEqual({
      address: '10.0.0.9',
      subnet_id: 9101,
      vpc_id: 9001,
    })
  })

  test.for(['192.0.2.200', '010.0.0.1', '192.0.2', 'x', '..%2fregions'])(
    '%s is not found',
    async (text, { service: { call } }) => {
      expect(await call(`GET ${path}/${text}`)).toMatchObject({ status: 404 })
    },
  )
})

describe('reverse DNS', () => {
  const put = (rdns: unknown) => ({ body: { rdns } })

  test('is set, and reset to the default by null', async ({ service: { call } }) => {
    expect((await call(`PUT ${path}/192.0.2.11`, put('www.example.net'))).body.rdns).toBe('www.example.net')
    expect((await call(`GET ${path}/192.0.2.11`)).body.rdns).toBe('www.example.net')
    expect((await call(`PUT ${path}/192.0.2.11`, put(null))).body.rdns).toBe('192-0-2-11.ip.example.net')
  })

  test.for(['', 'localhost', 'a..b', '-a.example.net', 'a b.example.net', `${'a'.repeat(64)}.example.net`])(
    'refuses the name "%s"',
    async (name, { service: { call } }) => {
      expect(await call(`PUT ${path}/192.0.2.11`, put(name))).toMatchObject(
        refused(400, 'Domain is not valid.', 'rdns'),
      )
    },
  )

  test('needs forward DNS, which names below .invalid never have', async ({ service: { call } }) => {
    expect(await call(`PUT ${path}/192.0.2.11`, put('www.invalid'))).toMatchObject(
      refused(400, 'Unable to look up www.invalid: set up its forward DNS first', 'rdns'),
    )
  })

  test('is refused for private addresses', async ({ service: { call } }) => {
    expect(await call(`PUT ${path}/192.168.128.11`, put('www.example.net'))).toMatchObject(
      refused(400, 'A private address has no reverse DNS', 'rdns'),
    )
  })

  test('must be in the body', async ({ service: { call } }) => {
    expect(await call(`PUT ${path}/192.0.2.11`, { body: {} })).toMatchObject(refused(400, 'rdns is required', 'rdns'))
    expect((await call(`PUT ${path}/192.0.2.11`, put(7))).status).toBe(400)
  })
})

describe('ips allocate', () => {
  const allocate = (call: Service['call'], change: object) =>
    call(`POST ${path}`, { body: { type: 'ipv4', public: true, compute_id: 1004, ...change } })

  test('adds a public address to an instance', async ({ service }) => {
    const { status, body } = await allocate(service.call, {})
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'ipv4', public: true, compute_id: 1004, region: 'us-east', prefix: 24 })
    expect(addressesOf(service, 1004)).toContain(body.address)
    expect((await allocate(service.call, {})).body.address).not.toBe(body.address)
  })

  test('adds a public address to an instance with a private one, too', async ({ service: { call } }) => {
    expect((await allocate(call, { compute_id: 1001 })).status).toBe(200)
  })

  test('allocates hosts 2 to 254 of its network, not the gateway or the broadcast address', async ({ service }) => {
    const { address } = service.world.network
    const hosts = Array.from({ length: 252 }, (_, index) => `198.51.100.${index + 3}`)
    for (const host of hosts.slice(0, -1)) address({ address: host, compute_id: 1004 })
    const allocated = [await allocate(service.call, {}), await allocate(service.call, {})].map(
      ({ body }) => body.address,
    )
    expect(allocated).toEqual(['198.51.100.2', '198.51.100.254'])
    expect(await allocate(service.call, {})).toMatchObject(refused(400, 'No address is left to allocate'))
  })

  test('adds at most one private address to an instance', async ({ service: { call } }) => {
    expect((await allocate(call, { public: false })).body).toMatchObject({
      address: expect.stringMatching(/^192\.168\.(12[89]|1[3-9]\d|2\d\d)\./),
      public: false,
      prefix: 17,
      gateway: null,
      rdns: null,
    })
    expect(await allocate(call, { public: false })).toMatchObject(
      refused(400, 'Compute instance 1004 already has a private IPv4 address', 'public'),
    )
  })

  test.for<[body: object, field: string]>([
    [{ public: true, compute_id: 1004 }, 'type'],
    [{ type: 'ipv4', compute_id: 1004 }, 'public'],
    [{ type: 'ipv4', public: true }, 'compute_id'],
    [{ type: 'ipv6', public: true, compute_id: 1004 }, 'type'],
    [{ type: 'ipv4', public: 'true', compute_id: 1004 }, 'public'],
    [{ type: 'ipv4', public: true, compute_id: 7 }, 'compute_id'],
  ])('refuses %j', async ([body, field], { service: { call } }) => {
    expect(await call(`POST ${path}`, { body })).toMatchObject(refused(400, expect.any(String), field))
  })
})

/** api.md, Assign rules; both endpoints take the same body. */
describe.each(['/networking/ips/assign', '/networking/ipv4/assign'])('%s', (endpoint) => {
  const assign = ({ call }: Service, assignments: [address: string, compute: number][], region = 'us-east') =>
    call(`POST ${endpoint}`, {
      body: { region, assignments: assignments.map(([address, compute_id]) => ({ address, compute_id })) },
    })

  test('moves an address away from its previous instance', async ({ service }) => {
    const { status, body } = await assign(service, [['192.0.2.31', 1004]])
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(addressesOf(service, 1004)).toContain('192.0.2.31')
    expect(addressesOf(service, 1001)).not.toContain('192.0.2.31')
    expect((await service.call(`GET ${path}/192.0.2.31`)).body).toMatchObject({ compute_id: 1004 })
  })

  test('checks the result of all assignments: two instances can swap their only addresses', async ({ service }) => {
    const swap: [string, number][] = [
      ['192.0.2.14', 1006],
      ['192.0.2.16', 1004],
    ]
    expect((await assign(service, swap)).status).toBe(200)
    expect(addressesOf(service, 1004)).toContain('192.0.2.16')
    expect(addressesOf(service, 1006)).toContain('192.0.2.14')
  })

  test('leaves no instance without a public IPv4 address, and changes all or nothing', async ({ service }) => {
    const before = addressesOf(service, 1004)
    const assignments: [string, number][] = [
      ['192.0.2.31', 1004],
      ['192.0.2.16', 1001],
    ]
    expect(await assign(service, assignments)).toMatchObject(
      refused(400, 'Compute instance 1006 would have no public IPv4 address', 'assignments'),
    )
    expect(addressesOf(service, 1004)).toEqual(before)
    expect(addressesOf(service, 1001)).toContain('192.0.2.31')
  })

  test('does not count a private address as a public one', async ({ service }) => {
    await service.call(`POST ${path}`, { body: { type: 'ipv4', public: false, compute_id: 1004 } })
    expect((await assign(service, [['192.0.2.14', 1001]])).body.errors[0].reason).toBe(
      'Compute instance 1004 would have no public IPv4 address',
    )
  })

  test('leaves no instance with two private IPv4 addresses', async ({ service }) => {
    const { body } = await service.call(`POST ${path}`, { body: { type: 'ipv4', public: false, compute_id: 1004 } })
    expect(await assign(service, [[body.address, 1001]])).toMatchObject(
      refused(400, 'Compute instance 1001 would have more than one private IPv4 address', 'assignments'),
    )
    const swap: [string, number][] = [
      [body.address, 1001],
      ['192.168.128.11', 1004],
    ]
    expect((await assign(service, swap)).status).toBe(200)
  })

  test('moves a range, whose route target becomes the SLAAC address of its new instance', async ({ service }) => {
    expect((await assign(service, [[`${range1001}/64`, 1002]])).status).toBe(200)
    const { body } = await service.call('GET /networking/ipv6/ranges')
    expect(body.data[0]).toMatchObject({ range: range1001, route_target: '2001:db8:114:0:f03c:91ff:fe00:3ea' })
  })

  test('leaves no instance with two ranges', async ({ service }) => {
    service.world.network.address({ address: '2001:db8:114:900::', type: 'ipv6/range', compute_id: 1002 })
    expect(await assign(service, [[`${range1001}/64`, 1002]])).toMatchObject(
      refused(400, 'Compute instance 1002 would have more than one IPv6 range', 'assignments'),
    )
    const swap: [string, number][] = [
      [`${range1001}/64`, 1002],
      ['2001:db8:114:900::/64', 1001],
    ]
    expect((await assign(service, swap)).status).toBe(200)
  })

  test('moves IPv4, public or private, and ranges of /56 and /64', async ({ service }) => {
    const range = (address: string, prefix: number) =>
      service.world.network.address({ address, prefix, type: 'ipv6/range', compute_id: 1004 })
    for (const [address, prefix] of [
      ['2001:db8:aaaa::', 56],
      ['2001:db8:bbbb::', 64],
    ] as const)
      range(address, prefix)
    const moves: [string, number][] = [
      ['192.0.2.31', 1006],
      ['192.168.128.11', 1006],
      ['2001:db8:aaaa::/56', 1006],
      ['2001:db8:bbbb::/64', 1008],
    ]
    for (const [address, compute] of moves) {
      expect({ address, ...(await assign(service, [[address, compute]])) }).toMatchObject({ address, status: 200 })
      expect(addressesOf(service, compute)).toContain(address.split('/')[0])
    }
  })

  test('refuses to move an address that is in use for 1:1 NAT', async ({ service }) => {
    const { id } = service.world.compute({ region: 'eu-west' })
    service.world.network.address({ address: '198.51.100.200', region: 'eu-west', compute_id: id })
    expect(await assign(service, [['192.0.2.33', id]], 'eu-west')).toMatchObject(
      refused(400, '192.0.2.33 is in use for 1:1 NAT', 'assignments[0].address'),
    )
  })

  test('accepts assignments that are already in effect, as in a repeated request', async ({ service }) => {
    expect((await assign(service, [['192.0.2.31', 1001]])).status).toBe(200)
    expect((await assign(service, [['192.0.2.32', 1002]])).status).toBe(200)
    expect((await assign(service, [['192.0.2.33', 1009]], 'eu-west')).status).toBe(200)
    expect((await assign(service, [])).status).toBe(200)
  })

  test('requires all addresses and instances to be in the region', async ({ service }) => {
    expect(await assign(service, [['192.0.2.31', 1004]], 'nowhere')).toMatchObject(
      refused(400, 'region is not valid', 'region'),
    )
    expect(await assign(service, [['192.0.2.31', 1003]])).toMatchObject(
      refused(400, 'Compute instance 1003 is in us-ord, not in us-east', 'assignments[0].compute_id'),
    )
    expect(await assign(service, [['192.0.2.13', 1001]])).toMatchObject(
      refused(400, '192.0.2.13 is in us-ord, not in us-east', 'assignments[0].address'),
    )
  })

  test.for(['192.0.2.200', '2001:db8:ffff::/64', `${range1001}/56`, '2001:db8:114::/64', `${slaac1001}/64`])(
    'does not find the address %s',
    async (address, { service }) => {
      expect(await assign(service, [[address, 1001]])).toMatchObject(
        refused(400, 'IP Address not found.', 'assignments[0].address'),
      )
    },
  )

  test.for(['', '192.0.2.31/32', range1001, `${range1001}/60`, slaac1001, '010.0.0.1', 'fe80::1%1/64'])(
    'refuses an address that cannot be assigned: "%s"',
    async (address, { service }) => {
      expect(
        await assign(service, [
          ['192.0.2.31', 1004],
          [address, 1001],
        ]),
      ).toMatchObject(
        refused(400, 'Must be an IPv4 address, or an IPv6 range with /56 or /64', 'assignments[1].address'),
      )
    },
  )

  test.for<[body: object, field: string]>([
    [{ assignments: [] }, 'region'],
    [{ region: 'us-east' }, 'assignments'],
    [{ region: 'us-east', assignments: [{ address: '192.0.2.31' }] }, 'assignments[0].compute_id'],
    [{ region: 'us-east', assignments: [{ compute_id: 1001 }] }, 'assignments[0].address'],
    [{ region: 'us-east', assignments: [{ address: '192.0.2.31', compute_id: 7 }] }, 'assignments[0].compute_id'],
  ])('refuses %j', async ([body, field], { service: { call } }) => {
    expect(await call(`POST ${endpoint}`, { body })).toMatchObject(refused(400, expect.any(String), field))
  })

  test('refuses an address that is assigned twice', async ({ service }) => {
    expect(
      await assign(service, [
        ['192.0.2.31', 1004],
        ['192.0.2.31', 1006],
      ]),
    ).toMatchObject(refused(400, '192.0.2.31 is assigned twice', 'assignments[1].address'))
  })

  test('needs read_write on both instances', async ({ service }) => {
    const token = service.world.token('*', 2)
    const assign = (address: string, compute_id: number) =>
      service.call(`POST ${endpoint}`, { token, body: { region: 'us-east', assignments: [{ address, compute_id }] } })
    expect((await assign('192.0.2.31', 1001)).status).toBe(200)
    expect(await assign('192.0.2.31', 1002)).toMatchObject(refused(403, 'Unauthorized'))
    expect(await assign('192.0.2.12', 1001)).toMatchObject(refused(403, 'Unauthorized'))
    expect(await assign('192.0.2.31', 1004)).toMatchObject(
      refused(400, 'Invalid Compute ID 1004', 'assignments[0].compute_id'),
    )
    expect(await assign('192.0.2.14', 1001)).toMatchObject(
      refused(400, 'IP Address not found.', 'assignments[0].address'),
    )
  })
})

describe('shared addresses', () => {
  const body = { region: 'us-east', assignments: [{ address: '192.0.2.32', compute_id: 1004 }] }

  test('cannot be moved by ips/assign', async ({ service }) => {
    expect(await service.call('POST /networking/ips/assign', { body })).toMatchObject(
      refused(400, '192.0.2.32 is shared', 'assignments[0].address'),
    )
    expect(addressesOf(service, 1002)).toContain('192.0.2.32')
  })

  test('can be moved by ipv4/assign', async ({ service }) => {
    expect((await service.call('POST /networking/ipv4/assign', { body })).status).toBe(200)
    expect(addressesOf(service, 1004)).toContain('192.0.2.32')
  })
})

describe.each(['/networking/ips/share', '/networking/ipv4/share'])('%s', (endpoint) => {
  const share = ({ call }: Service, compute_id: number, ips: string[], token?: string) =>
    call(`POST ${endpoint}`, { body: { compute_id, ips }, ...(token !== undefined && { token }) })
  const sharedWith = ({ world }: Service, compute: number) =>
    world.network.addresses
      .all()
      .filter(({ shared_with }) => shared_with.includes(compute))
      .map(({ address }) => address)

  test('replaces the list of shared addresses', async ({ service }) => {
    expect(sharedWith(service, 1001)).toEqual(['192.0.2.32'])
    const { status, body } = await share(service, 1001, ['192.0.2.14', '192.0.2.12'])
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(sharedWith(service, 1001)).toEqual(['192.0.2.12', '192.0.2.14'])
    expect((await share(service, 1001, ['192.0.2.14', '192.0.2.12'])).status).toBe(200)
    expect(sharedWith(service, 1001)).toEqual(['192.0.2.12', '192.0.2.14'])
  })

  test('removes all shared addresses with an empty list', async ({ service }) => {
    expect((await share(service, 1001, [])).status).toBe(200)
    expect(sharedWith(service, 1001)).toEqual([])
  })

  test('keeps the shared addresses of other instances', async ({ service }) => {
    await share(service, 1004, ['192.0.2.32'])
    await share(service, 1001, [])
    expect(sharedWith(service, 1004)).toEqual(['192.0.2.32'])
  })

  test('accepts private addresses, and ranges without prefix length', async ({ service }) => {
    expect((await share(service, 1002, ['192.168.128.11', range1001])).status).toBe(200)
    const { body } = await service.call(`GET /networking/ipv6/ranges/${encodeURIComponent(range1001)}`)
    expect(body).toMatchObject({ is_bgp: true, computes: [1001, 1002] })
  })

  test('shares a range with the instance that holds it, before or after others', async ({ service }) => {
    const view = async () => (await service.call(`GET /networking/ipv6/ranges/${encodeURIComponent(range1001)}`)).body
    expect(await share(service, 1001, [range1001])).toMatchObject({ status: 200, body: {} })
    expect(await view()).toMatchObject({ is_bgp: true, computes: [1001] })
    expect((await share(service, 1002, [range1001])).status).toBe(200)
    expect(await view()).toMatchObject({ is_bgp: true, computes: [1001, 1002] })
    expect((await share(service, 1001, [])).status).toBe(200)
    expect(await view()).toMatchObject({ is_bgp: true, computes: [1001, 1002] })
    expect((await share(service, 1002, [])).status).toBe(200)
    expect(await view()).toMatchObject({ is_bgp: false, computes: [1001] })
  })

  test.for<[address: string, reason: string]>([
    ['192.0.2.13', '192.0.2.13 is in us-ord, compute instance 1001 in us-east'],
    ['192.0.2.200', 'IP Address not found.'],
    ['2001:db8:114:0:f03c:91ff:fe00:3ea', 'IP Address not found.'],
    ['192.0.2.11', '192.0.2.11 belongs to compute instance 1001'],
    [`${range1001}/64`, 'Must be an IPv4 address, or an IPv6 range without its prefix length'],
    ['010.0.0.1', 'Must be an IPv4 address, or an IPv6 range without its prefix length'],
  ])('refuses %s, and shares nothing', async ([address, reason], { service }) => {
    expect(await share(service, 1001, ['192.0.2.14', address])).toMatchObject(refused(400, reason, 'ips[1]'))
    expect(sharedWith(service, 1001)).toEqual(['192.0.2.32'])
  })

  test('refuses an address that is in use for 1:1 NAT', async ({ service }) => {
    const { id } = service.world.compute({ region: 'eu-west' })
    expect(await share(service, id, ['192.0.2.33'])).toMatchObject(
      refused(400, '192.0.2.33 is in use for 1:1 NAT', 'ips[0]'),
    )
  })

  test('requires both fields', async ({ service: { call } }) => {
    expect((await call(`POST ${endpoint}`, { body: {} })).body.errors).toMatchObject([
      { field: 'compute_id' },
      { field: 'ips' },
    ])
  })

  test('needs addresses that the user can access', async ({ service }) => {
    const token = service.world.token('*', 2)
    expect(await share(service, 1001, ['192.0.2.14'], token)).toMatchObject(
      refused(400, 'IP Address not found.', 'ips[0]'),
    )
    expect((await share(service, 1001, ['192.0.2.12'], token)).status).toBe(200)
    expect(await share(service, 1002, [], token)).toMatchObject(refused(403, 'Unauthorized'))
  })
})

describe('grants on addresses', () => {
  test('are those on their instances', async ({ service: { call, world } }) => {
    const token = world.token('*', 2)
    const { body } = await call(`GET ${path}`, { token })
    expect(new Set(body.data.map(({ compute_id }: { compute_id: number }) => compute_id))).toEqual(
      new Set([1001, 1002]),
    )
    expect(await call(`GET ${path}/192.0.2.14`, { token })).toMatchObject(refused(404, 'Not found'))
    expect((await call(`GET ${path}/192.0.2.12`, { token })).status).toBe(200)
    const rename = (address: string) => call(`PUT ${path}/${address}`, { token, body: { rdns: 'a.example.net' } })
    expect(await rename('192.0.2.12')).toMatchObject(refused(403, 'Unauthorized'))
    expect(await rename('192.0.2.11')).toMatchObject({ status: 200, body: { rdns: 'a.example.net' } })
  })
})
