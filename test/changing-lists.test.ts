/**
 * Lists of several pages that others change while they are read: an item moves to a page that was read before, or is on
 * two pages. Late pages arrive in another order.
 */
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import type { ProxyHooks } from './support/proxy'
import { test as base, type Fixtures } from './support/skyctl'

type World = Fixtures['world']

/** Objects of a full page. */
const pageSize = 500
const pages = 3
const old = { created: '2025-01-01T00:00:00', region: 'us-east', size: 20 }

/** Number of an object by its place in the list: names at the edges of pages are those that move. */
const labelAt = (place: number) => `v-${String(place).padStart(4, '0')}`
const edges = [pageSize, pageSize + 1, 2 * pageSize, 2 * pageSize + 1].map(labelAt)

const others = Array.from({ length: 12 }, (_, index) => `other-${index}`)

const pageOf = (path: string) => Number(/[?&]page=(\d+)/.exec(path)?.[1])

/** Changes that others make while the list is read. */
const changes: Record<string, (world: World) => void> = {
  'one is deleted': (world) => void world.volumes.delete(first(world)),
  'one is created': (world) => void world.volume({ ...old, created: world.timestamp(), label: 'newcomer' }),
  'one is deleted and another created': (world) => {
    world.volumes.delete(first(world))
    world.volume({ ...old, created: world.timestamp(), label: 'newcomer' })
  },
}
const first = (world: World) => world.volumes.all().find(({ label }) => label.startsWith('v-'))?.id ?? 0

const moments: Record<string, (list: string, change: () => void) => ProxyHooks> = {
  'after its first page': (list, change) => ({
    after({ method, path }) {
      if (method === 'GET' && path.startsWith(list) && pageOf(path) === 1) change()
    },
  }),
  'between its last pages, which are late': (list, change) => {
    let isSecondRead = () => {}
    const second = new Promise<void>((resolve) => {
      isSecondRead = resolve
    })
    return {
      async before({ method, path }) {
        if (method === 'GET' && path.startsWith(list) && pageOf(path) === 3) await second
      },
      async after({ method, path }) {
        if (method !== 'GET' || !path.startsWith(list) || pageOf(path) !== 2) return
        change()
        isSecondRead()
        // The third page comes before the second one.
        await setTimeout(50)
      },
    }
  },
}

const test = base.extend<{
  /** Lets others change the list of volumes while it is read for the first time. */
  changing(change: string, moment: string): Promise<void>
}>({
  changing: async ({ world, meanwhile }, use) => {
    for (const { id } of world.volumes.all()) world.volumes.delete(id)
    for (let place = 1; place <= pages * pageSize - 100; place += 1) world.volume({ ...old, label: labelAt(place) })
    await use(async (change, moment) => {
      let isOver = false
      const once = () => {
        if (!isOver) changes[change]?.(world)
        isOver = true
      }
      await meanwhile(moments[moment]?.('/volumes?', once) ?? {})
    })
  },
})

const cases = Object.keys(changes).flatMap((change) => Object.keys(moments).map((moment) => [change, moment] as const))

describe.for(cases)('While a list is read, %s %s', ([change, moment]) => {
  const files = JSON.stringify({
    volumes: Object.fromEntries(edges.map((label) => [label, { ...old, created: undefined }])),
  })

  test('plan has nothing to do', async ({ skyctl, changing }) => {
    await changing(change, moment)
    const { exit, stdout } = await skyctl('plan - --exit-code', { stdin: files })
    expect(exit, stdout).toBe(0)
  })

  test('apply creates nothing that exists', async ({ skyctl, changing, world }) => {
    await changing(change, moment)
    const { exit, stderr } = await skyctl('apply - --yes', { stdin: files })
    expect(exit, stderr).toBe(0)
    expect(world.requests('POST')).toEqual([])
  })

  test('export has each object once', async ({ skyctl, changing, world }) => {
    await changing(change, moment)
    const { exit, stdout, stderr } = await skyctl('export volumes --json')
    expect(exit, stderr).toBe(0)
    const exported: unknown = JSON.parse(stdout)
    const labels = isRecord(exported) && isRecord(exported.volumes) ? Object.keys(exported.volumes) : []
    const lacking = world.volumes.all().filter(({ label }) => label !== 'newcomer' && !labels.includes(label))
    expect(lacking.map(({ label }) => label)).toEqual([])
  })

  test('audit has each object', async ({ skyctl, changing }) => {
    await changing(change, moment)
    const { exit, stdout, stderr } = await skyctl('audit --json')
    expect(exit, stderr).toBe(0)
    for (const label of edges) expect(stdout).toContain(label)
  })

  test('many labels are found, and those in use are refused', async ({ skyctl, changing, world }) => {
    await changing(change, moment)
    const stdin = [...edges, ...others].map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n')
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin })
    expect({ exit, created: world.requests('POST').length }, stderr).toEqual({ exit: 9, created: others.length })
  })

  test.for(['volumes update - --add-tag x', 'volumes delete - --yes', 'volumes wait -'])(
    '%s finds all',
    async (line, { skyctl, changing }) => {
      await changing(change, moment)
      const stdin = [...edges, ...Array.from({ length: 12 }, (_, index) => labelAt(100 + index))].join('\n')
      const { exit, stderr } = await skyctl(line, { stdin })
      expect(exit, stderr).toBe(0)
    },
  )

  test('list has each object once', async ({ skyctl, changing, world }) => {
    await changing(change, moment)
    const { exit, stdout, stderr } = await skyctl('volumes list -q')
    expect(exit, stderr).toBe(0)
    const ids = stdout.trim().split('\n').map(Number)
    expect(new Set(ids).size).toBe(ids.length)
    const lacking = world.volumes.all().filter(({ id, label }) => label !== 'newcomer' && !ids.includes(id))
    expect(lacking).toEqual([])
  })
})
