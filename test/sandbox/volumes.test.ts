import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

describe('volume create', () => {
  test('creates an unattached volume of 20 GiB, first creating, then active', async ({ service: { call, clock } }) => {
    const { status, body } = await call('POST /volumes', { body: { label: 'data', region: 'us-east' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      label: 'data',
      status: 'creating',
      size: 20,
      region: 'us-east',
      compute_id: null,
      compute_label: null,
      filesystem_path: '/dev/disk/by-id/scsi-0Cloud_Volume_data',
      hardware_type: expect.stringMatching(/^(hdd|nvme)$/),
      tags: [],
      created: '2026-01-15T12:30:00',
      updated: '2026-01-15T12:30:00',
    })
    clock.advance(999)
    expect((await call(`GET /volumes/${body.id}`)).body.status).toBe('creating')
    clock.advance(1)
    expect((await call(`GET /volumes/${body.id}`)).body.status).toBe('active')
  })

  test('stores size and tags', async ({ service: { call } }) => {
    const body = { label: 'a', region: 'us-east', size: 10_240, tags: ['x', 'y'] }
    expect((await call('POST /volumes', { body })).body).toMatchObject({ size: 10_240, tags: ['x', 'y'] })
  })

  test('attaches to a compute instance and uses its region', async ({ service: { call } }) => {
    expect((await call('POST /volumes', { body: { label: 'a', compute_id: 1003 } })).body).toMatchObject({
      region: 'us-ord',
      compute_id: 1003,
      compute_label: 'db-1',
    })
  })

  test('accepts only the region of the compute instance', async ({ service: { call } }) => {
    const body = { label: 'a', compute_id: 1003 }
    expect((await call('POST /volumes', { body: { ...body, region: 'us-ord' } })).status).toBe(200)
    expect(await call('POST /volumes', { body: { ...body, region: 'us-east' } })).toMatchObject(
      refused(400, 'Compute instance 1003 is in us-ord, not in us-east', 'region'),
    )
  })

  test('needs a region or a compute instance', async ({ service: { call } }) => {
    expect(await call('POST /volumes', { body: { label: 'a' } })).toMatchObject(
      refused(400, 'Must provide a region or a Compute ID', 'region'),
    )
  })

  test.for(['nowhere', '', 'US-EAST', '__proto__'])(
    'refuses the region "%s"',
    async (region, { service: { call } }) => {
      expect(await call('POST /volumes', { body: { label: 'a', region } })).toMatchObject(
        refused(400, 'region is not valid', 'region'),
      )
    },
  )

  test('refuses a region without block storage', async ({ service: { call } }) => {
    expect(await call('POST /volumes', { body: { label: 'a', region: 'ca-mtl' } })).toMatchObject(
      refused(400, 'ca-mtl has no Block Storage', 'region'),
    )
  })

  test('accepts 10 GiB, the smallest size', async ({ service: { call } }) => {
    expect((await call('POST /volumes', { body: { label: 'a', region: 'us-east', size: 10 } })).body.size).toBe(10)
  })

  test.for([9, 10_241])('refuses the size %d', async (size, { service: { call } }) => {
    expect(await call('POST /volumes', { body: { label: 'a', region: 'us-east', size } })).toMatchObject(
      refused(400, 'Must be 10-10240', 'size'),
    )
  })

  test.for([0, -1, 19.5, '20 GiB'])('refuses the size %j', async (size, { service: { call } }) => {
    expect(await call('POST /volumes', { body: { label: 'a', region: 'us-east', size } })).toMatchObject(
      refused(400, expect.any(String), 'size'),
    )
  })

  test.for(['', 'a'.repeat(33), 1, null])('refuses the label %j', async (label, { service: { call } }) => {
    expect(await call('POST /volumes', { body: { label, region: 'us-east' } })).toMatchObject(
      refused(400, expect.any(String), 'label'),
    )
  })

  test.for(['a', 'a'.repeat(32), '1-_-', '😀'.repeat(32)])(
    'accepts the label "%s" of 1 to 32 characters',
    async (label, { service: { call } }) => {
      expect((await call('POST /volumes', { body: { label, region: 'us-east' } })).body.label).toBe(label)
    },
  )

  test('accepts a label that another volume has', async ({ service: { call } }) => {
    expect((await call('POST /volumes', { body: { label: 'data-1', region: 'us-east' } })).status).toBe(200)
  })

  test('never uses an id twice', async ({ service: { call } }) => {
    const body = { label: 'a', region: 'us-east' }
    const first = await call('POST /volumes', { body })
    await call(`DELETE /volumes/${first.body.id}`)
    expect((await call('POST /volumes', { body })).body.id).toBe(first.body.id + 1)
  })

  test('refuses a compute instance that does not exist', async ({ service: { call } }) => {
    expect(await call('POST /volumes', { body: { label: 'a', compute_id: 7 } })).toMatchObject(
      refused(400, 'Invalid Compute ID 7', 'compute_id'),
    )
  })
})

describe('the configuration of a volume that is created attached', () => {
  const create = 'POST /volumes'

  test('is the only one, even if it was never booted', async ({ service: { call, world } }) => {
    const { id } = world.compute({ configs: [{ id: 71, label: 'one' }], last_booted_config: null })
    const { body } = await call(create, { body: { label: 'a', compute_id: id } })
    expect(world.volumes.get(body.id)?.config_id).toBe(71)
  })

  test('is the last booted of several', async ({ service: { call, world } }) => {
    const { body } = await call(create, { body: { label: 'a', compute_id: 1002 } })
    expect(world.volumes.get(body.id)?.config_id).toBe(10_022)
  })

  test('is the requested one', async ({ service: { call, world } }) => {
    const { body } = await call(create, { body: { label: 'a', compute_id: 1002, config_id: 10_023 } })
    expect(world.volumes.get(body.id)?.config_id).toBe(10_023)
  })

  test.for([1005, 1008])(
    'cannot be selected for instance %d, which has none or never booted one',
    async (id, { service: { call } }) => {
      expect(await call(create, { body: { label: 'a', compute_id: id } })).toMatchObject(
        refused(400, `No config of compute instance ${id} can be selected; set a config_id`, 'config_id'),
      )
    },
  )

  test('must belong to the compute instance', async ({ service: { call } }) => {
    expect(await call(create, { body: { label: 'a', compute_id: 1001, config_id: 10_031 } })).toMatchObject(
      refused(400, 'Config 10031 does not belong to compute instance 1001', 'config_id'),
    )
  })

  test('is refused without a compute instance', async ({ service: { call } }) => {
    expect(await call(create, { body: { label: 'a', region: 'us-east', config_id: 10_011 } })).toMatchObject(
      refused(400, expect.any(String), 'config_id'),
    )
  })
})

describe('volume view and update', () => {
  test('shows where a volume is attached', async ({ service: { call } }) => {
    const { body } = await call('GET /volumes/3001')
    expect(body).toMatchObject({ id: 3001, label: 'data-1', compute_id: 1001, compute_label: 'web-1' })
  })

  test('accepts page and page_size', async ({ service: { call } }) => {
    expect((await call('GET /volumes/3001?page=1&page_size=100')).body.id).toBe(3001)
  })

  test('renames a volume, and its filesystem_path at once', async ({ service: { call, clock } }) => {
    clock.advance(60_000)
    const { body } = await call('PUT /volumes/3002', { body: { label: 'renamed' } })
    expect(body).toMatchObject({
      label: 'renamed',
      filesystem_path: '/dev/disk/by-id/scsi-0Cloud_Volume_renamed',
      tags: [],
      updated: '2026-01-15T12:31:00',
    })
    expect((await call('GET /volumes/3002')).body).toEqual(body)
  })

  test('replaces the tags, and leaves omitted fields unchanged', async ({ service: { call } }) => {
    expect((await call('PUT /volumes/3001', { body: { tags: ['a'] } })).body).toMatchObject({
      label: 'data-1',
      tags: ['a'],
      size: 40,
    })
    expect((await call('PUT /volumes/3001', { body: { tags: [] } })).body.tags).toEqual([])
  })

  test.for([{ label: '' }, { label: 'a'.repeat(33) }, { tags: 'a' }])(
    'refuses %j',
    async (body, { service: { call } }) => {
      const reply = await call('PUT /volumes/3002', { body })
      expect(reply.status).toBe(400)
      expect(reply.body.errors[0].field).toBe(Object.keys(body)[0])
    },
  )

  test.for(['GET', 'PUT', 'DELETE'])('does not find an unknown volume: %s', async (method, { service: { call } }) => {
    expect(await call(`${method} /volumes/999`)).toMatchObject(refused(404, 'Not found'))
  })
})

describe('volume delete', () => {
  test('removes a volume permanently', async ({ service: { call } }) => {
    expect(await call('DELETE /volumes/3002')).toMatchObject({ status: 200, body: {} })
    expect((await call('GET /volumes/3002')).status).toBe(404)
    expect((await call('DELETE /volumes/3002')).status).toBe(404)
    expect((await call('GET /volumes')).body.results).toBe(5)
  })

  test('is refused for an attached volume', async ({ service: { call } }) => {
    expect(await call('DELETE /volumes/3001')).toMatchObject(
      refused(400, 'This volume must be detached before it can be deleted.'),
    )
  })

  test('is refused until a migration has finished', async ({ service: { call, world, clock } }) => {
    const { id } = world.volume({ status: 'migrating' })
    expect(await call(`DELETE /volumes/${id}`)).toMatchObject(refused(400, expect.stringContaining('migration')))
    expect((await call('DELETE /volumes/3006')).status).toBe(400)
    clock.advance(1000)
    expect((await call(`DELETE /volumes/${id}`)).status).toBe(200)
  })

  test('is refused for a migrating volume, which the API shows and filters as active', async ({
    service: { call, sandbox },
  }) => {
    expect((await call('GET /volumes/3006')).body.status).toBe('active')
    const { body } = await call('GET /volumes', { headers: { 'X-Filter': '{"status":"active"}' } })
    expect(body.data.map(({ id }: { id: number }) => id)).toContain(3006)
    expect(sandbox.describe().volumes.find(({ id }) => id === 3006)?.status).toBe('migrating')
  })

  test('is allowed while a volume is creating', async ({ service: { call, world } }) => {
    expect((await call(`DELETE /volumes/${world.volume({ status: 'creating' }).id}`)).status).toBe(200)
  })
})

describe('volume resize', () => {
  test('grows a volume: first resizing with the new size, then active', async ({ service: { call, clock } }) => {
    expect((await call('POST /volumes/3002/resize', { body: { size: 40 } })).body).toMatchObject({
      size: 40,
      status: 'resizing',
    })
    clock.advance(1000)
    expect((await call('GET /volumes/3002')).body).toMatchObject({ size: 40, status: 'active' })
  })

  test.for([19, 20, 1])('refuses %d GiB for a volume of 20 GiB', async (size, { service: { call } }) => {
    expect(await call('POST /volumes/3002/resize', { body: { size } })).toMatchObject(
      refused(400, 'Storage volumes can only be resized up', 'size'),
    )
  })

  test('is limited to 10240 GiB', async ({ service: { call } }) => {
    expect(await call('POST /volumes/3002/resize', { body: { size: 10_241 } })).toMatchObject(
      refused(400, 'Must be 10-10240', 'size'),
    )
    expect((await call('POST /volumes/3002/resize', { body: { size: 10_240 } })).status).toBe(200)
  })

  test.for(['creating', 'resizing', 'migrating'] as const)(
    'is refused while a volume is %s',
    async (status, { service: { call, world } }) => {
      const { id } = world.volume({ status })
      expect(await call(`POST /volumes/${id}/resize`, { body: { size: 40 } })).toMatchObject(
        refused(400, expect.stringContaining('Only an active volume')),
      )
      expect(world.volumes.get(id)?.size).toBe(20)
    },
  )

  test('is allowed for an attached volume', async ({ service: { call } }) => {
    expect((await call('POST /volumes/3001/resize', { body: { size: 41 } })).body.compute_id).toBe(1001)
  })

  test('needs a size', async ({ service: { call } }) => {
    expect(await call('POST /volumes/3002/resize', { body: {} })).toMatchObject(
      refused(400, 'size is required', 'size'),
    )
  })
})

describe('volume clone', () => {
  test('creates an unattached volume with size and region of its source', async ({ service: { call, clock } }) => {
    const { body } = await call('POST /volumes/3001/clone', { body: { label: 'copy' } })
    expect(body).toMatchObject({
      label: 'copy',
      size: 40,
      region: 'us-east',
      status: 'creating',
      compute_id: null,
      filesystem_path: '/dev/disk/by-id/scsi-0Cloud_Volume_copy',
    })
    clock.advance(1000)
    expect((await call(`GET /volumes/${body.id}`)).body.status).toBe('active')
  })

  test.for(['', 'a'.repeat(33)])('refuses an invalid label: "%s"', async (label, { service: { call } }) => {
    const reply = await call('POST /volumes/3001/clone', { body: { label } })
    expect(reply).toMatchObject(refused(400, expect.any(String), 'label'))
  })

  test.for(['creating', 'resizing', 'migrating'] as const)(
    'is refused while the source is %s',
    async (status, { service: { call, world } }) => {
      const { id } = world.volume({ status })
      const count = world.volumes.size
      expect(await call(`POST /volumes/${id}/clone`, { body: { label: 'copy' } })).toMatchObject(
        refused(400, expect.stringContaining('Only an active volume')),
      )
      expect(world.volumes.size).toBe(count)
    },
  )
})

describe('volume attach', () => {
  const attach = 'POST /volumes/3002/attach'

  test('attaches to a compute instance of the same region', async ({ service: { call } }) => {
    expect((await call(attach, { body: { compute_id: 1001 } })).body).toMatchObject({
      id: 3002,
      compute_id: 1001,
      compute_label: 'web-1',
    })
  })

  test('is refused across regions', async ({ service: { call } }) => {
    expect(await call(attach, { body: { compute_id: 1003 } })).toMatchObject(
      refused(400, 'The volume is in us-east, the compute instance in us-ord', 'compute_id'),
    )
  })

  test('is refused for a volume that is attached already', async ({ service: { call } }) => {
    expect(await call('POST /volumes/3001/attach', { body: { compute_id: 1002 } })).toMatchObject(
      refused(400, 'This volume is already attached to compute instance 1001'),
    )
  })

  test('is allowed while the volume is creating', async ({ service: { call, world } }) => {
    const { id } = world.volume({ status: 'creating' })
    expect((await call(`POST /volumes/${id}/attach`, { body: { compute_id: 1001 } })).status).toBe(200)
  })

  test('uses the last booted configuration', async ({ service: { call, world } }) => {
    await call(attach, { body: { compute_id: 1002 } })
    expect(world.volumes.get(3002)?.config_id).toBe(10_022)
  })

  test('uses the requested configuration if it belongs to the instance', async ({ service: { call, world } }) => {
    expect(await call(attach, { body: { compute_id: 1002, config_id: 10_011 } })).toMatchObject(
      refused(400, 'Config 10011 does not belong to compute instance 1002', 'config_id'),
    )
    await call(attach, { body: { compute_id: 1002, config_id: 10_021 } })
    expect(world.volumes.get(3002)?.config_id).toBe(10_021)
  })

  test.for([1005, 1008])(
    'selects no configuration for instance %d, which has none or never booted one',
    async (id, { service: { call } }) => {
      expect(await call(attach, { body: { compute_id: id } })).toMatchObject(
        refused(400, `No config of compute instance ${id} can be selected; set a config_id`, 'config_id'),
      )
    },
  )

  test('without persistence adds the volume to no configuration', async ({ service: { call, world } }) => {
    const { status } = await call(attach, { body: { compute_id: 1001, persist_across_boots: false } })
    expect(status).toBe(200)
    expect(world.volumes.get(3002)).toMatchObject({ compute_id: 1001, config_id: null })
  })

  test('without persistence refuses a config_id', async ({ service: { call } }) => {
    const body = { compute_id: 1001, config_id: 10_011, persist_across_boots: false }
    expect(await call(attach, { body })).toMatchObject(refused(400, expect.any(String), 'config_id'))
  })

  test('without persistence needs a running instance', async ({ service: { call } }) => {
    expect(await call(attach, { body: { compute_id: 1006, persist_across_boots: false } })).toMatchObject(
      refused(400, 'Compute instance 1006 is not running', 'persist_across_boots'),
    )
    expect((await call(attach, { body: { compute_id: 1006 } })).status).toBe(200)
  })

  test.for([{}, { compute_id: 'web-1' }, { compute_id: null }, { compute_id: 0 }])(
    'needs the id of an instance: %j',
    async (body, { service: { call } }) => {
      expect(await call(attach, { body })).toMatchObject(refused(400, expect.any(String), 'compute_id'))
    },
  )

  test('refuses an instance that does not exist', async ({ service: { call } }) => {
    expect(await call(attach, { body: { compute_id: 4711 } })).toMatchObject(
      refused(400, 'Invalid Compute ID 4711', 'compute_id'),
    )
  })
})

describe('volumes per compute instance', () => {
  /** Attaches volumes until one is refused. */
  async function fill({ call, world }: Service, id: number, body = {}) {
    for (let count = 0; ; count += 1) {
      const region = world.computes.get(id)?.region ?? ''
      const volume = world.volume({ region })
      const reply = await call(`POST /volumes/${volume.id}/attach`, { body: { compute_id: id, ...body } })
      if (reply.status !== 200) return { count, reply }
    }
  }
  const temporary = { persist_across_boots: false }

  test('are at most 1 with 1 GB of RAM', async ({ service }) => {
    const { count, reply } = await fill(service, 1004)
    expect(count).toBe(1)
    expect(reply).toMatchObject(refused(400, 'Too many volumes for 1 GB of RAM. Max allowed is 1', 'compute_id'))
  })

  test('are at most 8 in a configuration', async ({ service }) => {
    const { id } = service.world.compute({ memory: 16 })
    const { count, reply } = await fill(service, id)
    expect(count).toBe(8)
    expect(reply).toMatchObject(
      refused(400, expect.stringMatching(/^Too many volumes in config \d+. Max allowed is 8$/), 'config_id'),
    )
  })

  test('are counted separately for each configuration', async ({ service }) => {
    const configs = [71, 72].map((id) => ({ id, label: `config-${id}` }))
    const { id } = service.world.compute({ memory: 32, configs })
    expect((await fill(service, id, { config_id: 71 })).count).toBe(8)
    expect((await fill(service, id, { config_id: 72 })).count).toBe(8)
  })

  test('are at most 16 with 16 GB of RAM, of which 8 persist', async ({ service }) => {
    const { id } = service.world.compute({ memory: 16 })
    await fill(service, id)
    expect(await fill(service, id, temporary)).toMatchObject({ count: 8, reply: { status: 400 } })
  })

  test('are at most 64 with any amount of RAM', async ({ service }) => {
    expect((await fill(service, 1009, temporary)).count).toBe(64)
  })

  test('are counted at creation too', async ({ service: { call } }) => {
    const body = { label: 'a', compute_id: 1004 }
    expect((await call('POST /volumes', { body })).status).toBe(200)
    expect((await call('POST /volumes', { body })).status).toBe(400)
  })

  test('are counted without detached ones', async ({ service: { call, world } }) => {
    const { body } = await call('POST /volumes', { body: { label: 'a', compute_id: 1004 } })
    await call(`POST /volumes/${body.id}/detach`)
    expect((await call(`POST /volumes/${world.volume().id}/attach`, { body: { compute_id: 1004 } })).status).toBe(200)
  })
})

describe('volume detach', () => {
  test('returns {} and leaves the volume unattached', async ({ service: { call, world } }) => {
    expect(await call('POST /volumes/3001/detach')).toMatchObject({ status: 200, body: {} })
    expect((await call('GET /volumes/3001')).body).toMatchObject({ compute_id: null, compute_label: null })
    expect(world.volumes.get(3001)?.config_id).toBe(null)
  })

  test('accepts an empty object as body', async ({ service: { call } }) => {
    expect((await call('POST /volumes/3001/detach', { body: {} })).status).toBe(200)
  })

  test('is refused for a volume that is not attached', async ({ service: { call } }) => {
    expect(await call('POST /volumes/3002/detach')).toMatchObject(refused(400, 'This volume is not attached'))
  })
})
