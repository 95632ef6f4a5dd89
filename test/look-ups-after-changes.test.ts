/** Many changes are verified in one list that is read after them; a list that does not show a change proves nothing. */
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import { type Fixtures, test } from './support/skyctl'

type World = Fixtures['world']

const labels = Array.from({ length: 20 }, (_, index) => `v-${index}`)
const stdin = labels.join('\n')
const bodies = labels.map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n')

const volumesIn = (world: World) => labels.map((label) => world.volume({ label, region: 'us-east', tags: ['a'] }).id)
const tagsOf = (world: World, ids: readonly number[]) => ids.map((id) => world.volumes.get(id)?.tags)
const views = (world: World) => world.requests('GET').filter(({ path }) => /^\/volumes\/\d+/.test(path))

describe('volumes update --add-tag on many volumes', () => {
  const line = 'volumes update - --add-tag many'

  test('reads each before the change, and not after it', async ({ skyctl, world }) => {
    const ids = volumesIn(world)
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 0 })
    expect(tagsOf(world, ids)).toEqual(labels.map(() => ['a', 'many']))
    expect(views(world).length).toBeLessThan(1.5 * labels.length)
  })

  test('is repeated for one that a slower writer has overwritten', async ({ skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    const [first = 0] = ids
    let isOver = false
    await meanwhile({
      after({ method, path }) {
        const volume = world.volumes.get(first)
        if (isOver || method !== 'PUT' || path !== `/volumes/${first}` || !volume) return
        isOver = true
        world.volumes.put({ ...volume, tags: ['a', 'theirs'] })
      },
    })
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 0 })
    expect(tagsOf(world, ids)).toEqual([['a', 'theirs', 'many'], ...labels.slice(1).map(() => ['a', 'many'])])
  })

  test('reads each by itself if the list is old', async ({ skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    const old = (record: unknown) => (isRecord(record) ? { ...record, tags: ['a'] } : record)
    await meanwhile({
      change: (body) => (isRecord(body) && Array.isArray(body.data) ? { ...body, data: body.data.map(old) } : body),
    })
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 0 })
    expect(tagsOf(world, ids)).toEqual(labels.map(() => ['a', 'many']))
    expect({ views: views(world).length, puts: world.requests('PUT').length }).toEqual({ views: 40, puts: 20 })
  })
})

describe('volumes create --if-absent of many volumes', () => {
  const line = 'volumes create --body - --if-absent'
  const own = (world: World) => world.volumes.all().filter(({ label }) => labels.includes(label))

  test('looks for others with the label in a list', async ({ skyctl, world }) => {
    expect(await skyctl(line, { stdin: bodies })).toMatchObject({ exit: 0 })
    expect(
      own(world)
        .map(({ label }) => label)
        .sort(),
    ).toEqual([...labels].sort())
    expect(world.requests('GET').length).toBeLessThan(0.75 * labels.length)
  })

  test.for(['new', 'old', 'without its label'] as const)(
    'keeps the volume that somebody else created at the same time, with a list that is %s',
    async (age, { skyctl, world, meanwhile }) => {
      let rival: number | undefined
      await meanwhile({
        before({ method, body }) {
          if (method === 'POST' && body.includes('"v-7"'))
            rival ??= world.volume({ label: 'v-7', region: 'us-east' }).id
        },
        change(body) {
          if (age === 'new' || !isRecord(body) || !Array.isArray(body.data) || body.data.length < 7) return body
          if (age === 'without its label') {
            const data = body.data.map(({ label, ...one }) => ({ ...one, ...(one.id !== rival && { label }) }))
            return { ...body, data }
          }
          // The list does not show what was just created; a filter by label does.
          const data = body.data.filter(({ label }) => !labels.includes(label))
          return { ...body, data, results: data.length }
        },
      })
      expect(await skyctl(line, { stdin: bodies })).toMatchObject({ exit: 0 })
      expect(own(world).flatMap(({ id, label }) => (label === 'v-7' ? [id] : []))).toEqual([rival])
    },
  )
})

describe('A list that was read before a change', () => {
  test('is read again after ten seconds, as somebody may have given a label to another volume', async ({
    skyctl,
    world,
    clock,
    meanwhile,
  }) => {
    const ids = volumesIn(world)
    const last = ids.at(-1) ?? 0
    let other: number | undefined
    await meanwhile({
      after({ method }) {
        const volume = world.volumes.get(last)
        if (method !== 'DELETE' || other !== undefined || !volume) return
        world.volumes.put({ ...volume, label: 'kept' })
        other = world.volume({ label: volume.label, region: 'us-east' }).id
        clock.advance(11_000)
      },
    })
    expect(await skyctl('volumes delete - --yes --concurrency 1', { stdin })).toMatchObject({ exit: 0 })
    expect([...ids, other ?? 0].filter((id) => world.volumes.get(id))).toEqual([last])
  })

  test('does not describe what was changed since: a volume with two names is detached once', async ({
    skyctl,
    world,
  }) => {
    const [first = 0] = labels.map((label) => world.volume({ label, region: 'us-east', compute_id: 1001 }).id)
    const targets = `${stdin}\n${first}`
    expect(await skyctl('volumes detach - --yes --concurrency 1', { stdin: targets })).toMatchObject({ exit: 0 })
    expect(world.requests('POST')).toHaveLength(labels.length)
  })
})
