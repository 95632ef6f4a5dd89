import { describe, expect } from 'vitest'
import { seedFrom } from '../../src/sandbox/restore-world'
import { refused, test } from './fixture'

const everyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: everyone, label: 'accept-ssh' }
const empty = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }
const create = 'POST /networking/firewalls'
const path = '/networking/firewalls'

describe('firewall create', () => {
  test('creates an enabled firewall', async ({ service: { call } }) => {
    const rules = { inbound: [ssh], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { status, body } = await call(create, { body: { label: 'edge', rules, tags: ['a'] } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      label: 'edge',
      status: 'enabled',
      rules,
      tags: ['a'],
      created: '2026-01-15T12:30:00',
      updated: '2026-01-15T12:30:00',
    })
    expect((await call(`GET ${path}/${body.id}`)).body).toEqual(body)
  })

  test('creates a device for each instance and the balancer', async ({ service: { call } }) => {
    const devices = { computes: [1004, 1006], balancers: [2002] }
    const { body } = await call(create, { body: { label: 'edge', rules: empty, devices } })
    expect(body).not.toHaveProperty('devices')
    const list = await call(`GET ${path}/${body.id}/devices`)
    expect(list.body.data.map(({ entity }: { entity: object }) => entity)).toEqual([
      { id: 1004, label: 'tiny-1', type: 'compute', url: '/v4/compute/instances/1004' },
      { id: 1006, label: 'batch-1', type: 'compute', url: '/v4/compute/instances/1006' },
      { id: 2002, label: 'front-2', type: 'balancer', url: '/v4/balancers/2002' },
    ])
  })

  test.for<[body: object, field: string]>([
    [{ rules: empty }, 'label'],
    [{ label: 'edge' }, 'rules'],
    [{ label: 'edge', rules: { inbound_policy: 'DROP' } }, 'rules.outbound_policy'],
    [{ label: 'edge', rules: { outbound_policy: 'DROP' } }, 'rules.inbound_policy'],
  ])('requires label, rules and both policies: %j', async ([body, field], { service: { call } }) => {
    expect(await call(create, { body })).toMatchObject(refused(400, `${field} is required`, field))
  })

  test('refuses a label that another firewall has', async ({ service: { call } }) => {
    expect(await call(create, { body: { label: 'web', rules: empty } })).toMatchObject(
      refused(400, 'Label must be unique among your Cloud Firewalls', 'label'),
    )
  })

  test.for<[body: object, field: string]>([
    [{ devices: [] }, 'devices'],
    [{ rules: [] }, 'rules'],
    [{ rules: { ...empty, inbound: [[]] } }, 'rules.inbound[0]'],
    [{ rules: { ...empty, inbound: [{ ...ssh, addresses: [] }] } }, 'rules.inbound[0].addresses'],
  ])('refuses a list instead of an object: %j', async ([body, field], { service: { call } }) => {
    const reply = await call(create, { body: { label: 'edge', rules: empty, ...body } })
    expect(reply).toMatchObject(refused(400, 'Must be an object', field))
  })

  test('refuses a second balancer', async ({ service: { call } }) => {
    const devices = { balancers: [2001, 2002] }
    expect(await call(create, { body: { label: 'edge', rules: empty, devices } })).toMatchObject(
      refused(400, 'Only one balancer can be assigned to a firewall', 'devices.balancers'),
    )
  })

  test('refuses a service that has an active firewall, and creates nothing', async ({ service: { call } }) => {
    const body = { label: 'edge', rules: empty, devices: { computes: [1004, 1001] } }
    expect(await call(create, { body })).toMatchObject(
      refused(400, 'Compute 1001 already has an active firewall: web (4001)', 'devices.computes[1]'),
    )
    const { results } = (await call(`GET ${path}`)).body
    expect(results).toBe(6)
    expect((await call(create, { body: { ...body, devices: { computes: [1004] } } })).status).toBe(200)
  })

  test('refuses an instance during a live migration', async ({ service: { call, world } }) => {
    const { id } = world.compute({ live_migration: true })
    const body = { label: 'edge', rules: empty, devices: { computes: [id] } }
    expect(await call(create, { body })).toMatchObject(refused(400, 'Compute busy.', 'devices.computes[0]'))
  })

  test('refuses services that do not exist', async ({ service: { call } }) => {
    const body = (devices: object) => ({ body: { label: 'edge', rules: empty, devices } })
    expect(await call(create, body({ computes: [7] }))).toMatchObject(
      refused(400, 'Invalid Compute ID 7', 'devices.computes[0]'),
    )
    expect(await call(create, body({ balancers: [7] }))).toMatchObject(
      refused(400, 'Invalid Balancer ID 7', 'devices.balancers[0]'),
    )
  })
})

describe('firewalls list and view', () => {
  test('show all firewalls by id', async ({ service: { call } }) => {
    const { body } = await call(`GET ${path}`)
    expect(body).toMatchObject({ page: 1, pages: 1, results: 6 })
    expect(body.data.map(({ id, label, status }: Record<string, unknown>) => [id, label, status])).toEqual([
      [4001, 'web', 'enabled'],
      [4002, 'web-strict', 'disabled'],
      [4003, 'database', 'enabled'],
      [4004, 'mover', 'enabled'],
      [4005, 'spare', 'enabled'],
      [4006, 'legacy', 'enabled'],
    ])
  })

  test.for(['GET /4711', 'PUT /4711', 'DELETE /4711', 'GET /4711/rules', 'PUT /4711/rules', 'GET /4711/devices'])(
    'do not find an unknown firewall: %s',
    async (line, { service: { call } }) => {
      expect(await call(line.replace('/', `${path}/`))).toMatchObject(refused(404, 'Not found'))
    },
  )
})

describe('firewall update', () => {
  test('changes label and tags, and leaves omitted fields unchanged', async ({ service: { call, clock } }) => {
    clock.advance(60_000)
    const { body } = await call(`PUT ${path}/4005`, { body: { label: 'other', tags: ['x'] } })
    expect(body).toMatchObject({ label: 'other', tags: ['x'], status: 'enabled', updated: '2026-01-15T12:31:00' })
    expect((await call(`PUT ${path}/4005`, { body: {} })).body).toMatchObject({ label: 'other', tags: ['x'] })
  })

  test('accepts the firewall’s own label, but not another firewall’s', async ({ service: { call } }) => {
    expect((await call(`PUT ${path}/4005`, { body: { label: 'spare' } })).status).toBe(200)
    expect(await call(`PUT ${path}/4005`, { body: { label: 'web' } })).toMatchObject(
      refused(400, 'Label must be unique among your Cloud Firewalls', 'label'),
    )
  })

  test.for(['deleted', 'active', '', true])('cannot set the status %j', async (status, { service: { call } }) => {
    expect(await call(`PUT ${path}/4005`, { body: { status } })).toMatchObject(
      refused(400, 'Must be one of: enabled, disabled', 'status'),
    )
  })

  test('disables, and enables again', async ({ service: { call } }) => {
    expect((await call(`PUT ${path}/4003`, { body: { status: 'disabled' } })).body.status).toBe('disabled')
    expect((await call(`GET ${path}/4003`)).body.status).toBe('disabled')
    expect((await call(`PUT ${path}/4003`, { body: { status: 'enabled' } })).body.status).toBe('enabled')
  })

  test('does not enable a firewall whose service has another active firewall', async ({ service }) => {
    const { call } = service
    const enable = () => call(`PUT ${path}/4002`, { body: { status: 'enabled' } })
    expect(await enable()).toMatchObject(
      refused(400, 'Compute 1001 already has an active firewall: web (4001)', 'status'),
    )
    expect((await call(`GET ${path}/4002`)).body.status).toBe('disabled')
    await call(`PUT ${path}/4001`, { body: { status: 'disabled' } })
    expect((await enable()).body.status).toBe('enabled')
    expect((await call(`PUT ${path}/4001`, { body: { status: 'enabled' } })).status).toBe(400)
  })

  test('accepts the status "enabled" for an enabled firewall', async ({ service: { call } }) => {
    expect((await call(`PUT ${path}/4001`, { body: { status: 'enabled' } })).status).toBe(200)
  })

  test('does not enable a firewall whose balancer has another active firewall', async ({
    service: { call, world },
  }) => {
    const { id } = world.network.firewall({ status: 'disabled' })
    world.network.device(id, 'balancer', 2001)
    expect(await call(`PUT ${path}/${id}`, { body: { status: 'enabled' } })).toMatchObject(
      refused(400, 'Balancer 2001 already has an active firewall: web (4001)', 'status'),
    )
  })
})

describe('live migration of an assigned instance', () => {
  test.for<[line: string, body?: unknown]>([
    ['PUT /4004', { tags: ['x'] }],
    ['PUT /4004', { status: 'disabled' }],
    ['DELETE /4004'],
    ['POST /4004/devices', { type: 'compute', id: 1004 }],
    ['DELETE /4004/devices/4106'],
    ['PUT /4004/rules', { inbound: [] }],
  ])('blocks %s until it ends', async ([line, body], { service: { call, world } }) => {
    const request = () => call(line.replace('/', `${path}/`), { body })
    expect(await request()).toMatchObject(refused(400, 'Compute busy.'))
    const compute = world.computes.get(1007)
    if (compute) world.computes.put({ ...compute, live_migration: false })
    expect((await request()).status).toBe(200)
  })

  test('blocks assigning that instance', async ({ service: { call } }) => {
    expect(await call(`POST ${path}/4005/devices`, { body: { type: 'compute', id: 1007 } })).toMatchObject(
      refused(400, 'Compute busy.', 'id'),
    )
  })

  test('does not block GET requests', async ({ service: { call } }) => {
    for (const line of ['', '/rules', '/devices']) expect((await call(`GET ${path}/4004${line}`)).status).toBe(200)
  })
})

describe('firewall delete', () => {
  test('removes the firewall and its devices permanently', async ({ service: { call } }) => {
    const { status, body } = await call(`DELETE ${path}/4001`)
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await call(`GET ${path}/4001`)).toMatchObject(refused(404, 'Not found'))
    expect(await call(`GET ${path}/4001/devices/4101`)).toMatchObject(refused(404, 'Not found'))
    expect((await call(`PUT ${path}/4002`, { body: { status: 'enabled' } })).status).toBe(200)
    expect((await call(create, { body: { label: 'web', rules: empty } })).status).toBe(200)
  })

  test('removes a disabled firewall too', async ({ service: { call } }) => {
    expect((await call(`DELETE ${path}/4002`)).status).toBe(200)
  })
})

describe('firewall devices', () => {
  const device = {
    id: 4101,
    entity: { id: 1001, label: 'web-1', type: 'compute', url: '/v4/compute/instances/1001' },
    created: '2025-10-07T10:05:00',
    updated: '2025-10-07T10:05:00',
  }

  test('are listed and viewed', async ({ service: { call } }) => {
    const { body } = await call(`GET ${path}/4001/devices`)
    expect(body).toMatchObject({ page: 1, pages: 1, results: 3 })
    expect(body.data[0]).toEqual(device)
    expect((await call(`GET ${path}/4001/devices/4101`)).body).toEqual(device)
  })

  test('of another firewall are not found', async ({ service: { call } }) => {
    expect(await call(`GET ${path}/4002/devices/4101`)).toMatchObject(refused(404, 'Not found'))
    expect(await call(`DELETE ${path}/4002/devices/4101`)).toMatchObject(refused(404, 'Not found'))
    expect(await call(`DELETE ${path}/4001/devices/999`)).toMatchObject(refused(404, 'Not found'))
  })

  test('are added: one firewall protects several services', async ({ service: { call } }) => {
    for (const body of [
      { type: 'compute', id: 1004 },
      { type: 'compute', id: 1006 },
      { type: 'balancer', id: 2002 },
    ]) {
      const reply = await call(`POST ${path}/4005/devices`, { body })
      expect(reply.status).toBe(200)
      expect(reply.body.entity).toMatchObject(body)
    }
    expect((await call(`GET ${path}/4005/devices`)).body.results).toBe(3)
  })

  test('are not added twice', async ({ service: { call } }) => {
    expect(await call(`POST ${path}/4001/devices`, { body: { type: 'compute', id: 1001 } })).toMatchObject(
      refused(400, 'Compute 1001 is already assigned to this firewall', 'id'),
    )
  })

  test('are not added to a service with an active firewall', async ({ service: { call } }) => {
    expect(await call(`POST ${path}/4005/devices`, { body: { type: 'compute', id: 1001 } })).toMatchObject(
      refused(400, 'Compute 1001 already has an active firewall: web (4001)', 'id'),
    )
  })

  test('of disabled firewalls can be added to a service with an active firewall', async ({
    service: { call, world },
  }) => {
    for (const _ of [1, 2]) {
      const { id } = world.network.firewall({ status: 'disabled' })
      expect((await call(`POST ${path}/${id}/devices`, { body: { type: 'compute', id: 1001 } })).status).toBe(200)
    }
  })

  test('include at most one balancer', async ({ service: { call } }) => {
    const add = () => call(`POST ${path}/4001/devices`, { body: { type: 'balancer', id: 2002 } })
    expect(await add()).toMatchObject(refused(400, 'Only one balancer can be assigned to a firewall', 'id'))
    await call(`DELETE ${path}/4001/devices/4103`)
    expect((await add()).status).toBe(200)
  })

  test('distinguish an instance from a balancer with the same id', async ({ service: { call, world } }) => {
    const [one = 0, other = 0] = [2001, 2002].map((id) => world.compute({ id }).id)
    const add = async (firewall: number, type: string, id: number) =>
      (await call(`POST ${path}/${firewall}/devices`, { body: { type, id } })).status
    await call(`DELETE ${path}/4001`)
    expect([await add(4005, 'compute', one), await add(4005, 'balancer', one)]).toEqual([200, 200])
    const { id } = world.network.firewall()
    expect([await add(4005, 'compute', other), await add(id, 'balancer', other)]).toEqual([200, 200])
    world.compute({ id: other, live_migration: true })
    expect((await call(`PUT ${path}/${id}`, { body: { tags: ['x'] } })).status).toBe(200)
  })

  test('have no label for a service that is not in the world', async ({ open }) => {
    const { call } = await open({ seed: seedFrom({ computes: [] }) })
    expect((await call(`GET ${path}/4001/devices/4101`)).body.entity).toMatchObject({ id: 1001, label: null })
  })

  test.for<[body: object, field: string]>([
    [{ type: 'compute' }, 'id'],
    [{ id: 1004 }, 'type'],
    [{ id: 1004, type: 'volume' }, 'type'],
    [{ id: '1004a', type: 'compute' }, 'id'],
    [{ id: 7, type: 'compute' }, 'id'],
    [{ id: 1004, type: 'balancer' }, 'id'],
  ])('are not created from %j', async ([body, field], { service: { call } }) => {
    expect(await call(`POST ${path}/4005/devices`, { body })).toMatchObject(refused(400, expect.any(String), field))
  })

  test('are removed, and those of other firewalls stay', async ({ service: { call } }) => {
    const { status, body } = await call(`DELETE ${path}/4001/devices/4101`)
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect((await call(`GET ${path}/4001/devices`)).body.results).toBe(2)
    expect((await call(`GET ${path}/4002/devices`)).body.data).toMatchObject([{ id: 4104, entity: { id: 1001 } }])
  })
})

describe('firewall grants', () => {
  test('hide firewalls and forbid changes', async ({ service: { call, world } }) => {
    const token = world.token('*', 2)
    const { body } = await call(`GET ${path}`, { token })
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([4001, 4005])
    expect(await call(`GET ${path}/4003/rules`, { token })).toMatchObject(refused(404, 'Not found'))
    expect((await call(`GET ${path}/4001/devices/4101`, { token })).status).toBe(200)
    const unauthorized = refused(403, 'Unauthorized')
    expect(await call(`PUT ${path}/4001`, { token, body: { tags: [] } })).toMatchObject(unauthorized)
    expect(await call(`DELETE ${path}/4001`, { token })).toMatchObject(unauthorized)
    expect(await call(`PUT ${path}/4001/rules`, { token, body: {} })).toMatchObject(unauthorized)
    expect(await call(`DELETE ${path}/4001/devices/4101`, { token })).toMatchObject(unauthorized)
    expect(await call(create, { token, body: { label: 'mine', rules: empty } })).toMatchObject(unauthorized)
    expect((await call(`PUT ${path}/4005`, { token, body: { tags: ['x'] } })).status).toBe(200)
  })

  test('must be read_write on a service to protect it', async ({ service: { call, world } }) => {
    const token = world.token('*', 2)
    const add = (type: string, id: number) => call(`POST ${path}/4005/devices`, { token, body: { type, id } })
    await call(`DELETE ${path}/4001`)
    expect(await add('compute', 1002)).toMatchObject(refused(403, 'Unauthorized'))
    expect(await add('balancer', 2001)).toMatchObject(refused(403, 'Unauthorized'))
    expect(await add('compute', 1004)).toMatchObject(refused(400, 'Invalid Compute ID 1004', 'id'))
    expect((await add('compute', 1001)).status).toBe(200)
  })

  test('with add_firewalls allow creating firewalls for services granted read_write', async ({
    service: { call, world },
  }) => {
    const user = world.users.get(2)
    if (!user?.grants) throw new Error('the world holds no restricted user')
    world.users.put({ ...user, grants: { ...user.grants, global: { add_firewalls: true } } })
    const token = world.token('*', 2)
    await call(`DELETE ${path}/4001`)
    const mine = (computes: number[]) => ({ token, body: { label: 'mine', rules: empty, devices: { computes } } })
    expect(await call(create, mine([1001, 1002]))).toMatchObject(refused(403, 'Unauthorized'))
    const { status, body } = await call(create, mine([1001]))
    expect(status).toBe(200)
    expect((await call(`DELETE ${path}/${body.id}`, { token })).status).toBe(200)
  })
})

describe('firewall events', () => {
  const events = 'GET /account/events'

  test('record each change, newest first', async ({ service: { call, clock } }) => {
    const { id } = (await call(create, { body: { label: 'edge', rules: empty } })).body
    clock.advance(1000)
    const device = await call(`POST ${path}/${id}/devices`, { body: { type: 'compute', id: 1004 } })
    await call(`PUT ${path}/${id}`, { body: { status: 'disabled' } })
    await call(`PUT ${path}/${id}`, { body: { status: 'enabled' } })
    // No event, since the status stays the same.
    await call(`PUT ${path}/${id}`, { body: { status: 'enabled' } })
    await call(`PUT ${path}/${id}`, { body: { tags: ['web'] } })
    await call(`PUT ${path}/${id}/rules`, { body: { inbound: [ssh] } })
    await call(`DELETE ${path}/${id}/devices/${device.body.id}`)
    await call(`DELETE ${path}/${id}`)
    const { body } = await call(events)
    expect(body).toMatchObject({ page: 1, pages: 1, results: 8 })
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'firewall_delete',
      'firewall_device_remove',
      'firewall_rules_update',
      'firewall_update',
      'firewall_enable',
      'firewall_disable',
      'firewall_device_add',
      'firewall_create',
    ])
    expect(body.data[7]).toEqual({
      id: expect.any(Number),
      action: 'firewall_create',
      created: '2026-01-15T12:30:00',
      entity: { id, label: 'edge', type: 'firewall', url: `/v4/networking/firewalls/${id}` },
      username: 'owner',
      status: 'finished',
    })
  })

  test('do not record requests that changed nothing or were refused', async ({ service: { call } }) => {
    await call(`PUT ${path}/4005`, { body: { status: 'enabled' } })
    await call(`PUT ${path}/4005`, { body: { label: 'spare' } })
    await call(`PUT ${path}/4005/rules`, { body: { inbound_policy: 'DROP' } })
    await call(`PUT ${path}/4002`, { body: { status: 'enabled' } })
    await call(create, { body: { label: 'edge', rules: empty, devices: { computes: [1001] } } })
    expect((await call(events)).body.results).toBe(0)
  })

  test('need events:read_only', async ({ service: { call, world } }) => {
    expect((await call(events, { token: world.token('events:read_only') })).status).toBe(200)
    expect((await call(events, { token: world.token('firewall:read_write') })).status).toBe(401)
  })
})
