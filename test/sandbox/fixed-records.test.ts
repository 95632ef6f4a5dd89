/** Records that no operation creates: regions with their availability, and VLANs. */
import { describe, expect } from 'vitest'
import { refused, test } from './fixture'

describe('regions', () => {
  test('are at least 20, sorted by id, each with all its fields', async ({ service: { call } }) => {
    const { body } = await call('GET /regions')
    expect(body.results).toBeGreaterThanOrEqual(20)
    const ids = body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...ids].sort())
    for (const region of body.data) {
      expect(region).toEqual({
        id: expect.stringMatching(/^[a-z]+(-[a-z0-9]+)+$/),
        label: expect.stringContaining(','),
        country: expect.stringMatching(/^[a-z]{2}$/),
        capabilities: expect.arrayContaining(['Computes']),
        status: expect.stringMatching(/^(ok|outage)$/),
        resolvers: { ipv4: expect.stringContaining('203.0.113.'), ipv6: expect.stringContaining('2001:db8:') },
      })
    }
  })

  test('include one with an outage, one without VLANs and one without block storage', async ({ service: { call } }) => {
    const { data } = (await call('GET /regions')).body as {
      data: { id: string; status: string; capabilities: string[] }[]
    }
    const without = (capability: string) => data.filter(({ capabilities }) => !capabilities.includes(capability))
    expect(data.filter(({ status }) => status === 'outage')).toHaveLength(1)
    expect(without('Vlans')).toHaveLength(1)
    expect(without('Block Storage')).toHaveLength(1)
  })

  test('are viewed by their id', async ({ service: { call } }) => {
    expect((await call('GET /regions/us-east')).body).toMatchObject({ id: 'us-east', label: 'Newark, NJ, USA' })
    expect((await call('GET /regions/us-ord')).body).toMatchObject({ label: 'Chicago, IL, USA', country: 'us' })
    expect((await call('GET /regions/eu-west')).body).toMatchObject({ label: 'London, UK', country: 'gb' })
  })

  test.for(['nowhere', 'US-EAST', '__proto__', 'us-east%2F', '%2e%2e'])(
    '%s is not found',
    async (id, { service: { call } }) => {
      expect(await call(`GET /regions/${id}`)).toMatchObject(refused(404, 'Not found'))
    },
  )
})

describe('regions availability', () => {
  test('has at least 200 rows, enough for several pages', async ({ service: { call } }) => {
    const { body } = await call('GET /regions/availability')
    expect(body.results).toBeGreaterThanOrEqual(200)
    expect(body.pages).toBe(Math.ceil(body.results / 100))
    for (const row of body.data) {
      expect(row).toEqual({ region: expect.any(String), plan: expect.any(String), available: expect.any(Boolean) })
    }
  })

  test('of one region is an array without an envelope', async ({ service: { call } }) => {
    const { body } = await call('GET /regions/us-ord/availability')
    expect(body).toContainEqual({ region: 'us-ord', plan: 'premium4096.7', available: true })
    expect(body).toContainEqual({ region: 'us-ord', plan: 'gpu-rtx6000-1.1', available: true })
    expect(new Set(body.map(({ region }: { region: string }) => region))).toEqual(new Set(['us-ord']))
  })

  test('of an unknown region is not found', async ({ service: { call } }) => {
    expect(await call('GET /regions/nowhere/availability')).toMatchObject(refused(404, 'Not found'))
  })
})

const vlans = 'GET /networking/vlans'

describe('VLANs', () => {
  test('are listed with the instances in them', async ({ service: { call } }) => {
    const { body } = await call(vlans)
    expect(body).toMatchObject({ page: 1, pages: 1, results: 3 })
    expect(body.data[0]).toEqual({
      label: 'backend',
      region: 'us-east',
      computes: [1001, 1002],
      created: '2025-10-08T11:00:00',
    })
  })

  test('are in regions that support them', async ({ service: { call, world } }) => {
    const { body } = await call(vlans)
    for (const { region } of body.data) {
      expect(world.regions.find(({ id }) => id === region)?.capabilities).toContain('Vlans')
    }
  })

  test.for(['POST', 'PUT', 'DELETE'])('cannot be changed: %s', async (method, { service: { call } }) => {
    expect((await call(`${method} /networking/vlans`)).status).toBe(405)
  })
})
