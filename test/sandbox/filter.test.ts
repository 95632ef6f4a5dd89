import { describe, expect } from 'vitest'
import { lineOf, rows } from '../operations'
import { refused, type Service, test } from './fixture'

/** The labels that a filter leaves of five volumes, in order. */
async function labels({ call, world }: Service, filter: unknown): Promise<string[]> {
  for (const { id } of world.volumes.all()) world.volumes.delete(id)
  world.volume({ label: 'beta', tags: ['blue', 'old'] })
  world.volume({ label: 'alpha', tags: [] })
  world.volume({ label: 'gamma', tags: ['blue'] })
  world.volume({ label: 'alphabet', tags: ['red'] })
  world.volume({ label: 'Grün', tags: ['old'] })
  const header = typeof filter === 'string' ? filter : JSON.stringify(filter)
  const { status, body } = await call('GET /volumes', { headers: { 'X-Filter': header } })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.results).toBe(body.data.length)
  return body.data.map(({ label }: { label: string }) => label)
}

const everything = ['beta', 'alpha', 'gamma', 'alphabet', 'Grün']

describe('X-Filter', () => {
  test.for<[name: string, filter: unknown, labels: string[]]>([
    ['an empty object leaves everything', {}, everything],
    ['a plain value asks for equality', { label: 'alpha' }, ['alpha']],
    ['equality on tags matches a member', { tags: 'blue' }, ['beta', 'gamma']],
    ['several keys must all hold', { tags: 'blue', label: 'beta' }, ['beta']],
    ['+neq', { label: { '+neq': 'alpha' } }, ['beta', 'gamma', 'alphabet', 'Grün']],
    ['+neq on tags asks that no member is equal', { tags: { '+neq': 'blue' } }, ['alpha', 'alphabet', 'Grün']],
    ['+contains', { label: { '+contains': 'alpha' } }, ['alpha', 'alphabet']],
    ['+contains on tags', { tags: { '+contains': 'ol' } }, ['beta', 'Grün']],
    ['+gt and +lte together', { label: { '+gt': 'alpha', '+lte': 'beta' } }, ['beta', 'alphabet']],
    ['+gte', { label: { '+gte': 'beta' } }, ['beta', 'gamma']],
    ['+lt', { label: { '+lt': 'alphabet' } }, ['alpha', 'Grün']],
    ['+or', { '+or': [{ label: 'alpha' }, { tags: 'red' }] }, ['alpha', 'alphabet']],
    ['+and', { '+and': [{ tags: 'blue' }, { tags: 'old' }] }, ['beta']],
    ['+or within +and', { '+and': [{ tags: 'old' }, { '+or': [{ label: 'beta' }, { label: 'x' }] }] }, ['beta']],
    ['another type is not equal', { label: 1 }, []],
    ['+order_by', { '+order_by': 'label' }, ['Grün', 'alpha', 'alphabet', 'beta', 'gamma']],
    ['+order desc', { '+order_by': 'label', '+order': 'desc' }, ['gamma', 'beta', 'alphabet', 'alpha', 'Grün']],
    ['order and condition', { tags: 'blue', '+order_by': 'label', '+order': 'desc' }, ['gamma', 'beta']],
    ['text beyond ASCII, escaped', '{"label":"Gr\\u00fcn"}', ['Grün']],
    ['text beyond ASCII, as UTF-8', Buffer.from('{"label":"Grün"}').toString('latin1'), ['Grün']],
  ])('%s', async ([, filter, expected], { service }) => {
    expect(await labels(service, filter)).toEqual(expected)
  })

  test.for(['{', 'label=a', '[]', '1', 'null', '"a"', '{"label":}'])(
    'that is no JSON object is refused: %s',
    async (filter, { service: { call } }) => {
      expect(await call('GET /volumes', { headers: { 'X-Filter': filter } })).toMatchObject(
        refused(400, 'Filter not valid JSON', 'X-Filter'),
      )
    },
  )

  test.for(['filesystem_path', 'updated', '__proto__', 'toString', '+xor'])(
    'refuses the key %s, which is not filterable',
    async (key, { service: { call } }) => {
      expect(await call('GET /volumes', { headers: { 'X-Filter': `{"${key}":1}` } })).toMatchObject(
        refused(400, `Cannot filter on ${key}`, 'X-Filter'),
      )
    },
  )

  test.for([
    '{"label":{"+like":"a"}}',
    '{"+or":{"label":"a"}}',
    '{"+and":[1]}',
    '{"+order_by":"updated"}',
    '{"+order_by":1}',
    '{"+order":"up"}',
    '{"+or":[{"updated":1}]}',
  ])('refuses what it does not know: %s', async (filter, { service: { call } }) => {
    const { status, body } = await call('GET /volumes', { headers: { 'X-Filter': filter } })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'X-Filter' }])
  })

  test('works on availability by region, plan and available', async ({ service: { call } }) => {
    const filter = { region: 'us-ord', plan: { '+contains': 'gpu' }, available: true }
    const { body } = await call('GET /regions/availability', { headers: { 'X-Filter': JSON.stringify(filter) } })
    expect(body.results).toBeGreaterThan(0)
    for (const row of body.data) {
      expect(row).toMatchObject({ region: 'us-ord', plan: expect.stringContaining('gpu'), available: true })
    }
  })

  const lists = rows.flatMap(([, row]) => (row.paged ? [[lineOf(row), row.paged.filters] as const] : []))

  test.for(lists)(
    'leaves of %s what has the value, and orders, by: %s',
    async ([line, keys], { service: { call } }) => {
      const ask = (filter: object) => call(line, { headers: { 'X-Filter': JSON.stringify(filter) } })
      const all: Record<string, unknown>[] = (await call(`${line}?page_size=500`)).body.data
      expect(all.length).toBeGreaterThan(0)
      for (const key of keys === 'none' ? [] : keys.split(' ')) {
        const value = [all[0]?.[key]].flat()[0]
        const { status, body } = await ask({ [key]: value })
        const wanted = all.filter((one) => [one[key]].flat().includes(value))
        expect({ key, status, data: body.data }).toEqual({ key, status: 200, data: wanted.slice(0, 100) })
        expect((await ask({ '+order_by': key, '+order': 'desc' })).status).toBe(200)
      }
      for (const key of ['uid', 'nothing', ...(keys.includes('label') ? [] : ['label'])]) {
        expect(await ask({ [key]: 1 })).toMatchObject(refused(400, `Cannot filter on ${key}`, 'X-Filter'))
      }
    },
  )

  test('takes numbers by their value, and not by their digits', async ({ service: { call, world } }) => {
    for (const { id } of world.volumes.all()) world.volumes.delete(id)
    for (const size of [100, 20, 1000, 9]) world.volume({ size })
    const sizes = async (filter: object) => {
      const { body } = await call('GET /volumes', { headers: { 'X-Filter': JSON.stringify(filter) } })
      return body.data.map(({ size }: { size: number }) => size)
    }
    expect(await sizes({ '+order_by': 'size' })).toEqual([9, 20, 100, 1000])
    expect(await sizes({ '+order_by': 'size', '+order': 'desc' })).toEqual([1000, 100, 20, 9])
    expect(await sizes({ size: { '+gt': 20 } })).toEqual([100, 1000])
    expect(await sizes({ size: { '+gte': 20, '+lt': 1000 } })).toEqual([100, 20])
    expect(await sizes({ size: { '+lte': 9 } })).toEqual([9])
    expect(await sizes({ size: { '+gt': '20' } })).toEqual([])
  })

  test('bounds the pages', async ({ service: { call, world } }) => {
    for (let count = 0; count < 30; count += 1) world.volume({ tags: ['many'] })
    const { body } = await call('GET /volumes?page_size=25&page=2', { headers: { 'X-Filter': '{"tags":"many"}' } })
    expect(body).toMatchObject({ page: 2, pages: 2, results: 30 })
    expect(body.data).toHaveLength(5)
  })
})
