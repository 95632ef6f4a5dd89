import { describe, expect } from 'vitest'
import { refused, test } from './fixture'

const ranges = '/networking/ipv6/ranges'
const create = `POST ${ranges}`
const at = (address: string) => `${ranges}/${encodeURIComponent(address)}`

describe('IPv6 pools', () => {
  test('are listed, and filtered by region', async ({ service: { call } }) => {
    const { body } = await call('GET /networking/ipv6/pools')
    expect(body).toMatchObject({ page: 1, pages: 1, results: 2 })
    expect(body.data[0]).toEqual({ range: '2001:db8:10b:ff00::', prefix: 116, region: 'eu-west', route_target: null })
    const headers = { 'X-Filter': '{"region":"us-east"}' }
    expect((await call('GET /networking/ipv6/pools', { headers })).body.data).toMatchObject([{ region: 'us-east' }])
  })
})

describe('IPv6 ranges', () => {
  test('are listed with their route targets', async ({ service: { call } }) => {
    const { body } = await call(`GET ${ranges}`)
    expect(body).toMatchObject({ page: 1, pages: 1, results: 2 })
    expect(body.data[0]).toEqual({
      range: '2001:db8:114:100::',
      prefix: 64,
      region: 'us-east',
      route_target: '2001:db8:114:0:f03c:91ff:fe00:3e9',
    })
  })

  test('are viewed with the instances that share them', async ({ service: { call } }) => {
    expect((await call(`GET ${at('2001:db8:114:100::')}`)).body).toEqual({
      range: '2001:db8:114:100::',
      prefix: 64,
      region: 'us-east',
      is_bgp: false,
      computes: [1001],
    })
    expect((await call(`GET ${at('2001:DB8:118:0200:0::')}`)).body).toMatchObject({
      is_bgp: true,
      computes: [1003, 1007],
    })
  })

  test.for(['2001:db8::', '192.0.2.11', '2001:db8:114:0:f03c:91ff:fe00:3e9', 'x'])(
    'are not found by the address %s',
    async (range, { service: { call } }) => {
      expect(await call(`GET ${at(range)}`)).toMatchObject(refused(404, 'Not found'))
      expect(await call(`DELETE ${at(range)}`)).toMatchObject(refused(404, 'Not found'))
    },
  )
})

describe('IPv6 range create', () => {
  const slaac1009 = '2001:db8:10b:0:f03c:91ff:fe00:3f1'

  test('skips an address that is already in use', async ({ service }) => {
    const used = {
      address: '2001:db8:10b:100::',
      type: 'ipv6',
      prefix: 64,
      region: 'eu-west',
      compute_id: 1001,
    } as const
    service.world.network.address(used)
    const { body } = await service.call(create, { body: { prefix_length: 64, compute_id: 1009 } })
    expect(body.range).toBe('2001:db8:10b:200::/64')
  })

  test.for([56, 64])('creates a /%i in the region of the instance', async (prefix_length, { service: { call } }) => {
    const { status, body } = await call(create, { body: { prefix_length, compute_id: 1009 } })
    expect(status).toBe(200)
    expect(body).toEqual({
      range: expect.stringMatching(new RegExp(`^2001:db8:10b:[0-9a-f]+00::/${prefix_length}$`)),
      route_target: slaac1009,
    })
    const [address = ''] = body.range.split('/')
    expect((await call(`GET ${at(address)}`)).body).toEqual({
      range: address,
      prefix: prefix_length,
      region: 'eu-west',
      is_bgp: false,
      computes: [1009],
    })
  })

  test('accepts a route target instead of an instance', async ({ service: { call } }) => {
    const route_target = slaac1009.toUpperCase()
    const { status, body } = await call(create, { body: { prefix_length: 64, route_target } })
    expect({ status, body }).toMatchObject({ status: 200, body: { route_target: slaac1009 } })
  })

  test('needs either compute_id or route_target', async ({ service: { call } }) => {
    expect(
      await call(create, { body: { prefix_length: 64, compute_id: 1009, route_target: slaac1009 } }),
    ).toMatchObject(refused(400, 'Must not be set together with compute_id', 'route_target'))
    expect(await call(create, { body: { prefix_length: 64 } })).toMatchObject(
      refused(400, 'Must provide compute_id or route_target', 'compute_id'),
    )
  })

  test.for([undefined, 60, 63, 0, 128, '/64', null])(
    'refuses the prefix length %j',
    async (prefix_length, { service }) => {
      expect(await service.call(create, { body: { prefix_length, compute_id: 1009 } })).toMatchObject(
        refused(400, expect.any(String), 'prefix_length'),
      )
    },
  )

  test('refuses a second range in a region', async ({ service: { call } }) => {
    expect(await call(create, { body: { prefix_length: 64, compute_id: 1002 } })).toMatchObject(
      refused(400, 'The account already has an IPv6 range in us-east', 'compute_id'),
    )
  })

  test('refuses a second range for an instance', async ({ service: { call } }) => {
    const route_target = '2001:db8:114:0:f03c:91ff:fe00:3e9'
    const reason = 'An IPv6 range is already routed to compute instance 1001'
    expect(await call(create, { body: { prefix_length: 56, compute_id: 1001 } })).toMatchObject(
      refused(400, reason, 'compute_id'),
    )
    expect(await call(create, { body: { prefix_length: 56, route_target } })).toMatchObject(
      refused(400, reason, 'route_target'),
    )
  })

  test('accepts a region again after its range was deleted', async ({ service: { call } }) => {
    await call(`DELETE ${at('2001:db8:114:100::')}`)
    expect((await call(create, { body: { prefix_length: 64, compute_id: 1002 } })).status).toBe(200)
  })

  test.for(['2001:db8::1', '192.0.2.11', '2001:db8:114:100::', `${slaac1009}/64`, 'x', ''])(
    'refuses the route target "%s"',
    async (route_target, { service: { call } }) => {
      expect(await call(create, { body: { prefix_length: 64, route_target } })).toMatchObject(
        refused(400, expect.any(String), 'route_target'),
      )
    },
  )

  test('refuses an instance that does not exist, or is granted read_only', async ({ service: { call, world } }) => {
    expect(await call(create, { body: { prefix_length: 64, compute_id: 7 } })).toMatchObject(
      refused(400, 'Invalid Compute ID 7', 'compute_id'),
    )
    const token = world.token('*', 2)
    expect(await call(create, { token, body: { prefix_length: 64, compute_id: 1002 } })).toMatchObject(
      refused(403, 'Unauthorized'),
    )
  })

  test('refuses an instance without a SLAAC address to route to', async ({ service: { call, world } }) => {
    const { id } = world.compute({ region: 'fr-par' })
    expect(await call(create, { body: { prefix_length: 64, compute_id: id } })).toMatchObject(
      refused(400, `Compute instance ${id} has no SLAAC address`, 'compute_id'),
    )
  })
})

describe('IPv6 range delete', () => {
  test('removes a range', async ({ service: { call } }) => {
    const { status, body } = await call(`DELETE ${at('2001:db8:114:100::')}`)
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await call(`GET ${at('2001:db8:114:100::')}`)).toMatchObject(refused(404, 'Not found'))
    expect((await call(`GET ${ranges}`)).body.results).toBe(1)
  })

  test('refuses a shared range until it is no longer shared', async ({ service: { call, world } }) => {
    const request = () => call(`DELETE ${at('2001:db8:118:200::')}`)
    expect(await request()).toMatchObject(refused(400, 'A shared range cannot be deleted'))
    await call('POST /networking/ips/share', { body: { compute_id: 1007, ips: [] } })
    expect((await request()).status).toBe(200)
    expect(world.network.ranges()).toHaveLength(1)
  })

  test('needs read_write on the instance', async ({ service: { call, world } }) => {
    const token = world.token('*', 2)
    const range = world.network.address({ address: '2001:db8:114:900::', type: 'ipv6/range', compute_id: 1002 })
    expect(await call(`DELETE ${at(range.address)}`, { token })).toMatchObject(refused(403, 'Unauthorized'))
    expect(await call(`DELETE ${at('2001:db8:118:200::')}`, { token })).toMatchObject(refused(404, 'Not found'))
  })
})
