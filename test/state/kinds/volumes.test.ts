/** Plans of volumes: the steps to the state of a file, and states that cannot be reached (state.md). */
import { describe, expect, test } from 'vitest'
import { type Answers, linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const east = { address: '192.0.2.11', type: 'ipv4', public: true, compute_id: 1001, region: 'us-east', rdns: null }
const west = { ...east, address: '192.0.2.12', compute_id: 1002, region: 'eu-west' }
const neighbour = { ...east, address: '192.0.2.13', compute_id: 1003 }
const regions = ['us-east', 'eu-west']
const account: Answers = { volumes: [], rdns: [east, west, neighbour], regions }

const data = { id: 7, label: 'data', size: 20, region: 'us-east', compute_id: null, tags: ['a'], status: 'active' }
const attached = { ...data, compute_id: 1001 }

const accountWith = (...volumes: object[]): Answers => ({ ...account, volumes })
const fileWith = (fields: object, name = 'data') => JSON.stringify({ volumes: { [name]: fields } })
const misspelt = '"eu-wset" is not a region. Did you mean "eu-west"?'
const noMoon = '"moon" is not a region. See: skyctl regions list'
const unknown = (id: number) => `No address, volume or firewall names compute instance ${id}`

describe('a new volume', () => {
  const complete = { size: 30, region: 'us-east', tags: ['b'] }
  const withInstance = { region: 'us-east', compute_id: 1001 }

  test.for<[fields: object, line: string, body?: object]>([
    [{ region: 'us-east' }, '20 GiB, in us-east'],
    [complete, '30 GiB, in us-east, tags b'],
    [{ compute_id: 1002 }, '20 GiB, in eu-west, attached to 1002'],
    [withInstance, '20 GiB, in us-east, attached to 1001'],
    [{ region: 'us-east', compute_id: null, tags: [] }, '20 GiB, in us-east', { region: 'us-east' }],
  ])('is created with exactly the fields of the file: %j', async ([fields, line, body = fields]) => {
    expect(await stepsOf(fileWith(fields), account)).toEqual([['volumes create', { label: 'data', ...body }]])
    const [size] = line.split(',')
    expect(await linesOf(fileWith(fields), account)).toEqual([line, `starts billing: ${size}, until it is deleted`])
  })

  test('is in the region of its instance, even if that region is unknown', async () => {
    const answers = { ...account, volumes: [{ ...data, label: 'other', compute_id: 1004, region: undefined }] }
    expect((await linesOf(fileWith({ compute_id: 1004 }), answers))[0]).toBe(
      '20 GiB, in the region of compute instance 1004, attached to 1004',
    )
  })

  test('is in the default region, unless it has a region or an instance', async () => {
    const stepsFor = async (fields: object) =>
      stepsOf(JSON.stringify({ defaults: { region: 'eu-west' }, volumes: { data: fields } }), account)
    for (const [fields, sent] of [
      [{}, { region: 'eu-west' }],
      [{ region: 'us-east' }, { region: 'us-east' }],
      [{ compute_id: 1001 }, { compute_id: 1001 }],
    ] as const)
      expect(await stepsFor(fields)).toEqual([['volumes create', { label: 'data', ...sent }]])
  })

  test("gets the owner's tag once", async () => {
    const bodyWith = async (...tags: string[]) => {
      const text = JSON.stringify({ owner: 'team', volumes: { data: { region: 'us-east', tags } } })
      return (await stepsOf(text, account))[0]?.at(-1)
    }
    expect(await bodyWith()).toMatchObject({ tags: ['team'] })
    expect(await bodyWith('b')).toMatchObject({ tags: ['b', 'team'] })
    expect(await bodyWith('team', 'b')).toMatchObject({ tags: ['team', 'b'] })
  })

  test.for<[cause: string, fields: object, ...refusals: [field: string, code: string, message: string][]]>([
    ['no region', {}, ['region', 'usage', 'A new volume needs a region or a compute_id']],
    ['a region that does not exist', { region: 'eu-wset' }, ['region', 'not_found', misspelt]],
    ['a region that does not exist and resembles none', { region: 'moon' }, ['region', 'not_found', noMoon]],
    ['an unknown instance', { compute_id: 9999 }, ['compute_id', 'not_found', unknown(9999)]],
    [
      'an instance in another region',
      { region: 'us-east', compute_id: 1002 },
      ['compute_id', 'conflict', 'Compute instance 1002 is in eu-west, the volume in us-east'],
    ],
    [
      'an unknown region and instance',
      { region: 'moon', compute_id: 9999 },
      ['region', 'not_found', noMoon],
      ['compute_id', 'not_found', unknown(9999)],
    ],
  ])('is rejected with %s', async ([, fields, ...refusals]) => {
    expect(await refusalsOf(fileWith(fields), account)).toEqual(
      refusals.map(([field, code, message]) => ['a.yaml:1', code, `volumes.data.${field}: ${message}`]),
    )
  })
})

describe('an instance', () => {
  const device = (type: string, id = 9999) => ({
    firewall: { label: 'edge', tags: [] },
    devices: [{ entity: { type, id } }],
  })
  const other = { ...data, label: 'other', compute_id: 9999 }

  test.for<[what: string, answers: Answers, isUnknown: boolean]>([
    ['the addresses are of other instances', account, true],
    ['the only address is of another instance', { ...account, rdns: [east] }, true],
    ['a firewall protects another instance', { ...account, firewalls: [device('compute', 9998)] }, true],
    ['a firewall protects a balancer with its id', { ...account, firewalls: [device('balancer')] }, true],
    ['a firewall protects it', { ...account, firewalls: [device('compute')] }, false],
    ['an address names it', { ...account, rdns: [{ ...east, compute_id: 9999 }] }, false],
    ['a volume names it', { ...account, volumes: [other] }, false],
    ['no addresses were read', { volumes: [], regions }, false],
    ['the account has no addresses', { ...account, rdns: [] }, false],
    ['an answer lacks the instance of an address', { ...account, rdns: [east, { address: '192.0.2.19' }] }, false],
  ])('is unknown or may exist: %s', async ([, answers, isUnknown]) => {
    const refusals = await refusalsOf(fileWith({ compute_id: 9999 }), answers)
    expect(refusals.map(([, code]) => code)).toEqual(isUnknown ? ['not_found'] : [])
  })

  test.for<[source: string, answers: Answers, codes: string[]]>([
    ['an address', account, ['conflict']],
    ['a volume', { volumes: [{ ...data, label: 'other', compute_id: 1002, region: 'eu-west' }] }, ['conflict']],
    ['nothing, so the API decides', { volumes: [], rdns: [{ ...west, region: undefined }] }, []],
  ])('must be in the region of its volumes, if its region is known: from %s', async ([, answers, codes]) => {
    const refusals = await refusalsOf(fileWith({ region: 'us-east', compute_id: 1002 }), answers)
    expect(refusals.map(([, code]) => code)).toEqual(codes)
  })
})

describe('an existing volume', () => {
  const wait = ['volumes wait', '7']
  const grow = ['volumes resize', '7', { size: 30 }]
  const detach = ['volumes detach', '7']
  const attach = (compute_id: number) => ['volumes attach', '7', { compute_id }]

  test.for<[result: string, present: object, fields: object, ...steps: unknown[][]]>([
    ['stays unchanged if the file names no field', attached, {}],
    [
      'stays unchanged if all fields are equal',
      attached,
      { size: 20, region: 'us-east', compute_id: 1001, tags: ['a'] },
    ],
    ['stays detached', data, { compute_id: null }],
    ['grows', attached, { size: 30 }, grow],
    ['grows after its creation', { ...data, status: 'creating' }, { size: 30 }, wait, grow],
    ['grows after the current resize', { ...data, status: 'resizing' }, { size: 30 }, wait, grow],
    ['does not wait for a resize if the file has its size', { ...data, status: 'resizing' }, { size: 20 }],
    ['is attached', data, { compute_id: 1001 }, attach(1001)],
    ['grows before it is attached', data, { size: 30, compute_id: 1001 }, grow, attach(1001)],
    ['is detached', attached, { compute_id: null }, detach],
    ['is detached before it grows', attached, { size: 30, compute_id: null }, detach, grow],
    ['moves', attached, { compute_id: 1003 }, detach, attach(1003)],
    ['grows before it moves', attached, { size: 30, compute_id: 1003 }, grow, detach, attach(1003)],
    ['gets other tags, and keeps its instance', attached, { tags: ['b'] }, ['volumes update', '7', { tags: ['b'] }]],
    ['loses its tags', data, { tags: [] }, ['volumes update', '7', { tags: [] }]],
    ['gets tags in addition', data, { tags: ['a', 'b'] }, ['volumes update', '7', { tags: ['a', 'b'] }]],
    ['keeps its tags in another order', { ...data, tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
  ])('%s', async ([, present, fields, ...steps]) => {
    expect(await stepsOf(fileWith(fields), accountWith(present))).toEqual(steps)
  })

  test('has a plan with its old and new values, and with the costs', async () => {
    const file = fileWith({ size: 30, compute_id: 1003, tags: [] })
    expect(await linesOf(file, accountWith({ ...attached, status: 'resizing' }))).toEqual([
      'waits until it is active; it is resizing',
      'size: 20 GiB -> 30 GiB',
      'starts billing: 10 GiB more, for good: it cannot shrink again',
      'detached from compute instance 1001',
      'cuts off: compute instance 1001; unwritten data is lost',
      'attached to compute instance 1003',
      'tags: a -> none',
    ])
  })

  test('records the replaced values for the history', async () => {
    const [object] = (await planOf(fileWith({ compute_id: null, tags: ['b'] }), accountWith(attached))).objects
    expect(object?.steps.map(({ replaced }) => replaced)).toEqual([{ compute_id: 1001 }, { tags: ['a'] }])
    expect(object?.before()).toEqual({ size: 20, region: 'us-east', compute_id: 1001, tags: ['a'] })
  })

  test('is attached to its old instance again only if it cannot be attached to the new one', async () => {
    const undos = async (fields: object) => {
      const { objects } = await planOf(fileWith(fields), accountWith(attached))
      return objects.flatMap(({ steps }) => steps.map((step) => step.undo?.({})))
    }
    const options = { wait: true }
    expect(await undos({ compute_id: 1003 })).toEqual([
      { does: 'volumes attach', target: ['7'], body: { compute_id: 1001 }, options },
      undefined,
    ])
    expect(await undos({ compute_id: null })).toEqual([undefined])
  })

  test('is detached first if another volume gets its place', async () => {
    const isFirst = async (others: object) => {
      const text = JSON.stringify({ volumes: { data: { compute_id: null }, ...others } })
      const [object] = (await planOf(text, accountWith(attached))).objects
      return object?.steps[0]?.first
    }
    expect(await isFirst({ other: { compute_id: 1001 } })).toBe(true)
    expect(await isFirst({ other: { compute_id: 1003 }, more: { region: 'us-east' } })).toBeUndefined()
  })

  test("keeps the owner's tag, but does not get it", async () => {
    const text = JSON.stringify({ owner: 'team', volumes: { data: { tags: ['b'] } } })
    const bodyWith = async (...tags: string[]) => (await stepsOf(text, accountWith({ ...data, tags })))[0]?.at(-1)
    expect(await bodyWith('team', 'a')).toEqual({ tags: ['b', 'team'] })
    expect(await bodyWith('a')).toEqual({ tags: ['b'] })
  })

  test.for<[cause: string, present: object, fields: object, field: string, code: string, message: string]>([
    ['a smaller size', data, { size: 19 }, 'size', 'conflict', 'It has 20 GiB, and a volume cannot shrink'],
    [
      'another region',
      data,
      { region: 'eu-west' },
      'region',
      'conflict',
      'It is in us-east, and a volume cannot be moved',
    ],
    ['a region that does not exist', data, { region: 'eu-wset' }, 'region', 'not_found', misspelt],
    ['an unknown instance', data, { compute_id: 9999 }, 'compute_id', 'not_found', unknown(9999)],
    [
      'an instance in another region',
      attached,
      { compute_id: 1002 },
      'compute_id',
      'conflict',
      'Compute instance 1002 is in eu-west, the volume in us-east',
    ],
    [
      'a size that the answer lacks',
      { ...data, size: undefined },
      { size: 20 },
      'size',
      'defect',
      'The answer lacks the size, so skyctl cannot compare it',
    ],
  ])('is rejected once with %s', async ([, present, fields, field, code, message]) => {
    expect(await refusalsOf(fileWith(fields), accountWith(present))).toEqual([
      ['a.yaml:1', code, `volumes.data.${field}: ${message}`],
    ])
  })

  test('does not depend on detached volumes of other regions', async () => {
    const other = { ...data, id: 8, label: 'other', region: 'eu-west' }
    expect(await stepsOf(fileWith({ compute_id: null, tags: [] }), accountWith(other, data))).toEqual([
      ['volumes update', '7', { tags: [] }],
    ])
  })

  test('may be in a region that the list of regions lacks', async () => {
    const retired = { ...data, region: 'us-retired' }
    expect(await stepsOf(fileWith({ region: 'us-retired' }), accountWith(retired))).toEqual([])
  })

  test('is attached if the answer lacks its region, so the API decides', async () => {
    const present = { ...data, region: undefined }
    expect(await stepsOf(fileWith({ compute_id: 1001 }), accountWith(present))).toEqual([attach(1001)])
  })
})

describe('a volume that --prune deletes', () => {
  const old = { ...attached, label: 'old', tags: ['team'] }
  const prune = { prune: true }
  const file = (volumes: object = {}) => JSON.stringify({ owner: 'team', volumes })

  test('is detached before it is deleted if it is attached', async () => {
    expect(await stepsOf(file(), accountWith(old), prune)).toEqual([
      ['volumes detach', '7'],
      ['volumes delete', '7'],
    ])
    expect(await linesOf(file(), accountWith({ ...old, compute_id: null }), prune)).toEqual([
      'deleted, with 20 GiB',
      'destroys: all of its data, for ever',
    ])
  })

  test('may no longer exist, and is detached first if another volume needs its place', async () => {
    const { objects } = await planOf(file({ data: { compute_id: 1001 } }), accountWith(old, data), prune)
    const removed = objects.find(({ action }) => action === 'delete')
    expect(removed?.steps.map(({ does, first, options }) => [does, first, options?.ifPresent])).toEqual([
      ['volumes detach', true, true],
      ['volumes delete', undefined, true],
    ])
  })

  test("has the owner's tag, and is in no file", async () => {
    expect(await stepsOf(file({ old: {} }), accountWith(old), prune)).toEqual([])
    expect(await stepsOf(file(), accountWith({ ...old, tags: ['teams'] }), prune)).toEqual([])
  })

  test('is deleted even if the answer lacks its size', async () => {
    expect((await linesOf(file(), accountWith({ ...old, compute_id: null, size: undefined }), prune))[0]).toBe(
      'deleted',
    )
  })

  test.for<[field: string, message: string]>([
    ['compute_id', 'the answer lacks the compute_id of volume 7: it may have to be detached first'],
    ['tags', 'the answer lacks the tags of 7, so skyctl cannot tell whether it has the tag "team"'],
  ])('cannot be determined if the answer lacks its %s', async ([field, message]) => {
    expect(await refusalsOf(file(), accountWith({ ...old, [field]: undefined }), prune)).toEqual([
      ['', 'defect', message],
    ])
  })
})
