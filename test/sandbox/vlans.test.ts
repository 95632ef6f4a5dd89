import { describe, expect } from 'vitest'
import { refused, test } from './fixture'

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

  test('are filtered by label and region', async ({ service: { call } }) => {
    for (const filter of ['{"label":"replication"}', '{"region":"us-ord"}']) {
      const { body } = await call(vlans, { headers: { 'X-Filter': filter } })
      expect(body.data).toMatchObject([{ label: 'replication' }])
    }
  })

  test('are in regions that support them', async ({ service: { call, world } }) => {
    const { body } = await call(vlans)
    for (const { region } of body.data) {
      expect(world.regions.find(({ id }) => id === region)?.capabilities).toContain('Vlans')
    }
  })

  test('need computes:read_only', async ({ service: { call, world } }) => {
    expect((await call(vlans, { token: world.token('computes:read_only') })).status).toBe(200)
    expect(await call(vlans, { token: world.token('ips:read_write') })).toMatchObject(
      refused(401, 'Your OAuth token is not authorized to use this endpoint.'),
    )
  })

  test.for(['POST', 'PUT', 'DELETE'])('cannot be changed: %s', async (method, { service: { call } }) => {
    expect((await call(`${method} /networking/vlans`)).status).toBe(405)
  })
})
