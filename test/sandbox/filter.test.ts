import { describe, expect } from 'vitest'
import { lineOf, rows } from '../operations'
import { refused, type Service, test } from './fixture'

/** Creates five volumes, and returns the labels of those that pass a filter, in order. */
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

describe('X-Filter', () => {
  test.for<[name: string, filter: unknown, labels: string[]]>([
    ['combines keys with AND', { tags: 'blue', label: 'beta' }, ['beta']],
    [
      'accepts +or within +and',
      { '+and': [{ tags: 'old' }, { '+or': [{ label: 'beta' }, { label: 'x' }] }] },
      ['beta'],
    ],
    ['combines a condition with an order', { tags: 'blue', '+order_by': 'label', '+order': 'desc' }, ['gamma', 'beta']],
    ['matches escaped text beyond ASCII', '{"label":"Gr\\u00fcn"}', ['Grün']],
    ['matches UTF-8 text beyond ASCII', Buffer.from('{"label":"Grün"}').toString('latin1'), ['Grün']],
  ])('%s', async ([, filter, expected], { service }) => {
    expect(await labels(service, filter)).toEqual(expected)
  })

  test('is refused unless it is a JSON object', async ({ service: { call } }) => {
    expect(await call('GET /volumes', { headers: { 'X-Filter': 'label=a' } })).toMatchObject(
      refused(400, 'Filter not valid JSON', 'X-Filter'),
    )
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

  test.for(lists)('filters and orders %s by: %s', async ([line, keys], { service: { call } }) => {
    const ask = (filter: object) => call(line, { headers: { 'X-Filter': JSON.stringify(filter) } })
    const all: Record<string, unknown>[] = (await call(`${line}?page_size=500`)).body.data
    expect(all.length).toBeGreaterThan(0)
    for (const key of keys === 'none' ? [] : keys.split(' ')) {
      const value = [all[0]?.[key]].flat()[0]
      const { status, body } = await ask({ [key]: value })
      const matches = all.filter((one) => [one[key]].flat().includes(value))
      expect({ key, status, data: body.data }).toEqual({ key, status: 200, data: matches.slice(0, 100) })
      expect((await ask({ '+order_by': key, '+order': 'desc' })).status).toBe(200)
    }
    for (const key of ['uid', 'nothing', ...(keys.includes('label') ? [] : ['label'])]) {
      expect(await ask({ [key]: 1 })).toMatchObject(refused(400, `Cannot filter on ${key}`, 'X-Filter'))
    }
  })
})
