import { describe, expect } from 'vitest'
import type { Grants } from '../../src/sandbox/tables/users'
import { test as base, refused, type Service } from './fixture'

/** Adds a restricted user: read_only on 3001 and 1002, read_write on 3002 and 1001, no other grants. */
const test = base.extend<{
  restricted: Service & { grant(changes: Partial<Grants>): void; grantOnly(grants: Grants): void }
}>({
  restricted: async ({ service }, use) => {
    const { world, call } = service
    const user = world.users.get(2)
    const token = world.token('*', 2)
    if (!user?.grants) throw new Error('the world holds no restricted user')
    const { grants } = user
    await use({
      ...service,
      call: (line, options) => call(line, { token, ...options }),
      grant: (changes) => world.users.put({ ...user, grants: { ...grants, ...changes } }),
      grantOnly: (only) => world.users.put({ ...user, grants: only }),
    })
  },
})

type Level = 'read_only' | 'read_write' | null
const unauthorized = refused(403, 'Unauthorized')

describe('a restricted user', () => {
  test('lists only the volumes that they may view', async ({ restricted: { call } }) => {
    const { body } = await call('GET /volumes')
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([3001, 3002])
    expect(body.results).toBe(2)
  })

  test('does not find volumes without a grant', async ({ restricted: { call } }) => {
    expect(await call('GET /volumes/3003')).toMatchObject(refused(404, 'Not found'))
    expect(await call('DELETE /volumes/3003')).toMatchObject(refused(404, 'Not found'))
    expect(await call('POST /volumes/3003/resize', { body: { size: 500 } })).toMatchObject(refused(404, 'Not found'))
  })

  test('can view but not change volumes granted read_only', async ({ restricted: { call, world } }) => {
    expect((await call('GET /volumes/3001')).status).toBe(200)
    expect(await call('PUT /volumes/3001', { body: { label: 'x' } })).toMatchObject(unauthorized)
    expect(await call('POST /volumes/3001/resize', { body: { size: 100 } })).toMatchObject(unauthorized)
    expect(await call('POST /volumes/3001/detach')).toMatchObject(unauthorized)
    expect(await call('DELETE /volumes/3001')).toMatchObject(unauthorized)
    expect(world.volumes.get(3001)).toMatchObject({ label: 'data-1', size: 40, compute_id: 1001 })
  })

  test('can change volumes granted read_write', async ({ restricted: { call } }) => {
    expect((await call('PUT /volumes/3002', { body: { label: 'x' } })).status).toBe(200)
    expect((await call('POST /volumes/3002/resize', { body: { size: 30 } })).status).toBe(200)
    expect((await call('DELETE /volumes/3002')).status).toBe(200)
  })

  test('can create and clone only with add_volumes', async ({ restricted: { call, grant } }) => {
    const create = { body: { label: 'mine', region: 'us-east' } }
    expect(await call('POST /volumes', create)).toMatchObject(unauthorized)
    expect(await call('POST /volumes/3001/clone', { body: { label: 'mine' } })).toMatchObject(unauthorized)
    grant({ global: { add_volumes: true } })
    expect((await call('POST /volumes', create)).status).toBe(200)
    expect((await call('POST /volumes/3001/clone', { body: { label: 'mine' } })).status).toBe(200)
    expect(await call('POST /volumes/3003/clone', { body: { label: 'mine' } })).toMatchObject({ status: 404 })
  })

  test('can use a volume that they created', async ({ restricted: { call, grant } }) => {
    grant({ global: { add_volumes: true } })
    const { body } = await call('POST /volumes', { body: { label: 'mine', region: 'us-east' } })
    expect((await call(`GET /volumes/${body.id}`)).status).toBe(200)
    expect((await call(`DELETE /volumes/${body.id}`)).status).toBe(200)
  })

  test('can use a volume that they created, and no other, if none was granted before', async ({
    restricted: { call, grantOnly, world },
  }) => {
    grantOnly({ global: { add_volumes: true } })
    const { id } = (await call('POST /volumes', { body: { label: 'mine', region: 'us-east' } })).body
    expect((await call('GET /volumes')).body.data).toMatchObject([{ id }])
    expect(world.users.get(2)?.grants?.volume).toEqual([{ id, permissions: 'read_write' }])
  })

  test('does not list granted volumes that were deleted', async ({ restricted: { call }, service }) => {
    expect((await service.call('DELETE /volumes/3002')).status).toBe(200)
    expect((await call('GET /volumes')).body).toMatchObject({ data: [{ id: 3001 }], results: 1 })
  })

  test('can attach only with read_write on volume and compute instance', async ({ restricted: { call, grant } }) => {
    const attach = 'POST /volumes/3002/attach'
    expect(await call(attach, { body: { compute_id: 1002 } })).toMatchObject(unauthorized)
    grant({ volume: [{ id: 3002, permissions: 'read_only' }] })
    expect(await call(attach, { body: { compute_id: 1001 } })).toMatchObject(unauthorized)
    grant({})
    expect((await call(attach, { body: { compute_id: 1001 } })).status).toBe(200)
  })

  test('gets the same error for a hidden and a missing compute instance', async ({ restricted: { call } }) => {
    for (const id of [1004, 4711]) {
      expect(await call('POST /volumes/3002/attach', { body: { compute_id: id } })).toMatchObject(
        refused(400, `Invalid Compute ID ${id}`, 'compute_id'),
      )
    }
  })

  test('can add a device only with read_write on firewall and service', async ({
    restricted: { call, grant, world },
  }) => {
    const { id } = world.network.firewall()
    const compute = world.compute().id
    const addWith = (firewall: Level, service: Level) => {
      const grantsOn = (one: number, permissions: Level) => (permissions ? [{ id: one, permissions }] : [])
      grant({ firewall: grantsOn(id, firewall), compute: grantsOn(compute, service) })
      return call(`POST /networking/firewalls/${id}/devices`, { body: { id: compute, type: 'compute' } })
    }
    expect(await addWith('read_only', 'read_write')).toMatchObject(unauthorized)
    expect(await addWith('read_write', 'read_only')).toMatchObject(unauthorized)
    expect(await addWith(null, 'read_write')).toMatchObject(refused(404, 'Not found'))
    expect(await addWith('read_write', null)).toMatchObject(refused(400, `Invalid Compute ID ${compute}`, 'id'))
    expect(world.network.devicesOf(id)).toEqual([])
    expect((await addWith('read_write', 'read_write')).status).toBe(200)
  })

  test('can create an attached volume only on an instance granted read_write', async ({
    restricted: { call, grant },
  }) => {
    grant({ global: { add_volumes: true } })
    expect(await call('POST /volumes', { body: { label: 'a', compute_id: 1002 } })).toMatchObject(unauthorized)
    expect((await call('POST /volumes', { body: { label: 'a', compute_id: 1001 } })).status).toBe(200)
  })

  test('can detach only with read_write on the compute instance too', async ({ restricted: { call, grant } }) => {
    grant({ volume: [{ id: 3001, permissions: 'read_write' }], compute: [{ id: 1001, permissions: 'read_only' }] })
    expect(await call('POST /volumes/3001/detach')).toMatchObject(unauthorized)
    grant({ volume: [{ id: 3001, permissions: 'read_write' }] })
    expect((await call('POST /volumes/3001/detach')).status).toBe(200)
  })

  test('gets missing grants reported before errors of the body', async ({ restricted: { call } }) => {
    expect(await call('POST /volumes', { body: {} })).toMatchObject(unauthorized)
    expect(await call('POST /volumes', { body: '{' })).toMatchObject(refused(400, 'Body not valid JSON'))
  })
})

describe('the proxy user and the owner', () => {
  test('are not restricted', async ({ service: { call, world } }) => {
    for (const user of [1, 3]) {
      expect((await call('GET /volumes', { token: world.token('*', user) })).body.results).toBe(6)
    }
  })
})
