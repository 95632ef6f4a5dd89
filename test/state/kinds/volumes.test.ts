/** Plans of volumes: which steps bring a volume to what a file says, and what is out of reach (state.md). */
import { describe, expect, test } from 'vitest'
import { type Answers, linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const east = { address: '192.0.2.11', type: 'ipv4', public: true, compute_id: 1001, region: 'us-east', rdns: null }
const west = { ...east, address: '192.0.2.12', compute_id: 1002, region: 'eu-west' }
const neighbour = { ...east, address: '192.0.2.13', compute_id: 1003 }
const regions = ['us-east', 'eu-west']
const usual: Answers = { volumes: [], rdns: [east, west, neighbour], regions }

const data = { id: 7, label: 'data', size: 20, region: 'us-east', compute_id: null, tags: ['a'], status: 'active' }
const attached = { ...data, compute_id: 1001 }

const having = (...volumes: object[]): Answers => ({ ...usual, volumes })
const wanting = (fields: object, name = 'data') => JSON.stringify({ volumes: { [name]: fields } })
const misspelt = '"eu-wset" is not a region. Did you mean "eu-west"?'
const noMoon = '"moon" is not a region. See: skyctl regions list'
const unknown = (id: number) => `No address, volume or firewall names compute instance ${id}`

describe('a new volume', () => {
  const whole = { size: 30, region: 'us-east', tags: ['b'] }
  const placed = { region: 'us-east', compute_id: 1001 }

  test.for<[wanted: object, line: string, body?: object]>([
    [{ region: 'us-east' }, '20 GiB, in us-east'],
    [whole, '30 GiB, in us-east, tags b'],
    [{ compute_id: 1002 }, '20 GiB, in eu-west, attached to 1002'],
    [placed, '20 GiB, in us-east, attached to 1001'],
    [{ region: 'us-east', compute_id: null, tags: [] }, '20 GiB, in us-east', { region: 'us-east' }],
  ])('is created with what the file says, and nothing else: %j', async ([wanted, line, body = wanted]) => {
    expect(await stepsOf(wanting(wanted), usual)).toEqual([['volumes create', { label: 'data', ...body }]])
    const [size] = line.split(',')
    expect(await linesOf(wanting(wanted), usual)).toEqual([line, `starts billing: ${size}, until it is deleted`])
  })

  test('is in the region of its instance, also where nothing tells which that is', async () => {
    const answers = { ...usual, volumes: [{ ...data, label: 'other', compute_id: 1004, region: undefined }] }
    expect((await linesOf(wanting({ compute_id: 1004 }), answers))[0]).toBe(
      '20 GiB, in the region of compute instance 1004, attached to 1004',
    )
  })

  test('is in the default region, unless it has a region or an instance', async () => {
    const created = async (fields: object) =>
      stepsOf(JSON.stringify({ defaults: { region: 'eu-west' }, volumes: { data: fields } }), usual)
    for (const [fields, sent] of [
      [{}, { region: 'eu-west' }],
      [{ region: 'us-east' }, { region: 'us-east' }],
      [{ compute_id: 1001 }, { compute_id: 1001 }],
    ] as const)
      expect(await created(fields)).toEqual([['volumes create', { label: 'data', ...sent }]])
  })

  test("gets the owner's tag once", async () => {
    const tagged = async (...tags: string[]) => {
      const text = JSON.stringify({ owner: 'team', volumes: { data: { region: 'us-east', tags } } })
      return (await stepsOf(text, usual))[0]?.at(-1)
    }
    expect(await tagged()).toMatchObject({ tags: ['team'] })
    expect(await tagged('b')).toMatchObject({ tags: ['b', 'team'] })
    expect(await tagged('team', 'b')).toMatchObject({ tags: ['team', 'b'] })
  })

  test.for<[what: string, wanted: object, ...refused: [field: string, cause: string, message: string][]]>([
    ['no region', {}, ['region', 'usage', 'A new volume needs a region or a compute_id']],
    ['a region that does not exist', { region: 'eu-wset' }, ['region', 'not_found', misspelt]],
    ['no region of such a name, nor one like it', { region: 'moon' }, ['region', 'not_found', noMoon]],
    ['an unknown instance', { compute_id: 9999 }, ['compute_id', 'not_found', unknown(9999)]],
    [
      'an instance elsewhere',
      { region: 'us-east', compute_id: 1002 },
      ['compute_id', 'conflict', 'Compute instance 1002 is in eu-west, the volume in us-east'],
    ],
    [
      'an unknown region and instance',
      { region: 'moon', compute_id: 9999 },
      ['region', 'not_found', noMoon],
      ['compute_id', 'not_found', unknown(9999)],
    ],
  ])('is refused with %s', async ([, wanted, ...refused]) => {
    expect(await refusalsOf(wanting(wanted), usual)).toEqual(
      refused.map(([field, cause, message]) => ['a.yaml:1', cause, `volumes.data.${field}: ${message}`]),
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
    ['there are addresses of others', usual, true],
    ['the only address is of another', { ...usual, rdns: [east] }, true],
    ['a firewall protects another', { ...usual, firewalls: [device('compute', 9998)] }, true],
    ['a firewall protects a balancer of its id', { ...usual, firewalls: [device('balancer')] }, true],
    ['a firewall protects it', { ...usual, firewalls: [device('compute')] }, false],
    ['an address names it', { ...usual, rdns: [{ ...east, compute_id: 9999 }] }, false],
    ['a volume names it', { ...usual, volumes: [other] }, false],
    ['no addresses were read', { volumes: [], regions }, false],
    ['the account has no addresses', { ...usual, rdns: [] }, false],
    ['an answer lacks the instance of an address', { ...usual, rdns: [east, { address: '192.0.2.19' }] }, false],
  ])('is unknown, or not, where %s', async ([, answers, isUnknown]) => {
    const refused = await refusalsOf(wanting({ compute_id: 9999 }), answers)
    expect(refused.map(([, cause]) => cause)).toEqual(isUnknown ? ['not_found'] : [])
  })

  test.for<[what: string, answers: Answers, refused: string[]]>([
    ['an address tells it', usual, ['conflict']],
    [
      'a volume tells it',
      { volumes: [{ ...data, label: 'other', compute_id: 1002, region: 'eu-west' }] },
      ['conflict'],
    ],
    ['nothing tells it', { volumes: [], rdns: [{ ...west, region: undefined }] }, []],
  ])('is in a region that decides about its volumes where %s', async ([, answers, refused]) => {
    const found = await refusalsOf(wanting({ region: 'us-east', compute_id: 1002 }), answers)
    expect(found.map(([, cause]) => cause)).toEqual(refused)
  })
})

describe('a volume that exists', () => {
  const wait = ['volumes wait', '7']
  const grow = ['volumes resize', '7', { size: 30 }]
  const detach = ['volumes detach', '7']
  const attach = (compute_id: number) => ['volumes attach', '7', { compute_id }]

  test.for<[what: string, present: object, wanted: object, ...steps: unknown[][]]>([
    ['stays where the file names no field', attached, {}],
    ['stays where all is so', attached, { size: 20, region: 'us-east', compute_id: 1001, tags: ['a'] }],
    ['stays detached', data, { compute_id: null }],
    ['grows', attached, { size: 30 }, grow],
    ['grows when it is created', { ...data, status: 'creating' }, { size: 30 }, wait, grow],
    ['grows when it is resized', { ...data, status: 'resizing' }, { size: 30 }, wait, grow],
    ['waits for no growth that is not wanted', { ...data, status: 'resizing' }, { size: 20 }],
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
  ])('%s', async ([, present, wanted, ...steps]) => {
    expect(await stepsOf(wanting(wanted), having(present))).toEqual(steps)
  })

  test('is told with what it was and will be, and what that costs', async () => {
    const wanted = wanting({ size: 30, compute_id: 1003, tags: [] })
    expect(await linesOf(wanted, having({ ...attached, status: 'resizing' }))).toEqual([
      'waits until it is active; it is resizing',
      'size: 20 GiB -> 30 GiB',
      'starts billing: 10 GiB more, for good: it cannot shrink again',
      'detached from compute instance 1001',
      'cuts off: compute instance 1001; unwritten data is lost',
      'attached to compute instance 1003',
      'tags: a -> none',
    ])
  })

  test('says what stood before, for the history', async () => {
    const [object] = (await planOf(wanting({ compute_id: null, tags: ['b'] }), having(attached))).objects
    expect(object?.steps.map(({ replaced }) => replaced)).toEqual([{ compute_id: 1001 }, { tags: ['a'] }])
    expect(object?.before()).toEqual({ size: 20, region: 'us-east', compute_id: 1001, tags: ['a'] })
  })

  test('goes back to its instance only where it cannot be attached to another one', async () => {
    const undos = async (wanted: object) => {
      const { objects } = await planOf(wanting(wanted), having(attached))
      return objects.flatMap(({ steps }) => steps.map((step) => step.undo?.({})))
    }
    const options = { wait: true }
    expect(await undos({ compute_id: 1003 })).toEqual([
      { does: 'volumes attach', target: ['7'], body: { compute_id: 1001 }, options },
      undefined,
    ])
    expect(await undos({ compute_id: null })).toEqual([undefined])
  })

  test('leaves its place first where another volume gets it', async () => {
    const isFirst = async (others: object) => {
      const text = JSON.stringify({ volumes: { data: { compute_id: null }, ...others } })
      const [object] = (await planOf(text, having(attached))).objects
      return object?.steps[0]?.first
    }
    expect(await isFirst({ other: { compute_id: 1001 } })).toBe(true)
    expect(await isFirst({ other: { compute_id: 1003 }, more: { region: 'us-east' } })).toBeUndefined()
  })

  test("keeps the owner's tag, and does not get it", async () => {
    const text = JSON.stringify({ owner: 'team', volumes: { data: { tags: ['b'] } } })
    const tagged = async (...tags: string[]) => (await stepsOf(text, having({ ...data, tags })))[0]?.at(-1)
    expect(await tagged('team', 'a')).toEqual({ tags: ['b', 'team'] })
    expect(await tagged('a')).toEqual({ tags: ['b'] })
  })

  test.for<[what: string, present: object, wanted: object, field: string, cause: string, message: string]>([
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
      'an instance elsewhere',
      attached,
      { compute_id: 1002 },
      'compute_id',
      'conflict',
      'Compute instance 1002 is in eu-west, the volume in us-east',
    ],
    [
      'its size, which the answer lacks',
      { ...data, size: undefined },
      { size: 20 },
      'size',
      'defect',
      'The answer lacks the size, so skyctl cannot compare it',
    ],
  ])('is refused %s, once', async ([, present, wanted, field, cause, message]) => {
    expect(await refusalsOf(wanting(wanted), having(present))).toEqual([
      ['a.yaml:1', cause, `volumes.data.${field}: ${message}`],
    ])
  })

  test('has nothing to do with volumes of other regions that are attached nowhere', async () => {
    const other = { ...data, id: 8, label: 'other', region: 'eu-west' }
    expect(await stepsOf(wanting({ compute_id: null, tags: [] }), having(other, data))).toEqual([
      ['volumes update', '7', { tags: [] }],
    ])
  })

  test('may be in a region that the list of regions lacks', async () => {
    const retired = { ...data, region: 'us-retired' }
    expect(await stepsOf(wanting({ region: 'us-retired' }), having(retired))).toEqual([])
  })

  test('is attached where the answer lacks its region: the service decides', async () => {
    const present = { ...data, region: undefined }
    expect(await stepsOf(wanting({ compute_id: 1001 }), having(present))).toEqual([attach(1001)])
  })
})

describe('a volume that --prune removes', () => {
  const old = { ...attached, label: 'old', tags: ['team'] }
  const prune = { prune: true }
  const file = (volumes: object = {}) => JSON.stringify({ owner: 'team', volumes })

  test('is detached before it is deleted, where it is attached', async () => {
    expect(await stepsOf(file(), having(old), prune)).toEqual([
      ['volumes detach', '7'],
      ['volumes delete', '7'],
    ])
    expect(await linesOf(file(), having({ ...old, compute_id: null }), prune)).toEqual([
      'deleted, with 20 GiB',
      'destroys: all of its data, for ever',
    ])
  })

  test('may be gone already, and makes room for another volume first', async () => {
    const { objects } = await planOf(file({ data: { compute_id: 1001 } }), having(old, data), prune)
    const removed = objects.find(({ action }) => action === 'delete')
    expect(removed?.steps.map(({ does, first, options }) => [does, first, options?.ifPresent])).toEqual([
      ['volumes detach', true, true],
      ['volumes delete', undefined, true],
    ])
  })

  test("has the owner's tag, and is in no file", async () => {
    expect(await stepsOf(file({ old: {} }), having(old), prune)).toEqual([])
    expect(await stepsOf(file(), having({ ...old, tags: ['teams'] }), prune)).toEqual([])
  })

  test('is deleted without its size where the answer lacks it', async () => {
    expect((await linesOf(file(), having({ ...old, compute_id: null, size: undefined }), prune))[0]).toBe('deleted')
  })

  test.for<[field: string, message: string]>([
    ['compute_id', 'the answer lacks the compute_id of volume 7: it may have to be detached first'],
    ['tags', 'the answer lacks the tags of 7, so skyctl cannot tell whether it has the tag "team"'],
  ])('is not known where the answer lacks its %s', async ([field, message]) => {
    expect(await refusalsOf(file(), having({ ...old, [field]: undefined }), prune)).toEqual([['', 'defect', message]])
  })
})
