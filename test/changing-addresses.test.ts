/**
 * Lists of addresses of several pages that others change while they are read. An address has no time of its creation, so
 * only the number of addresses, or a second look, shows that one has moved to a page that was read before.
 */
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import { test as base, type Fixtures } from './support/skyctl'

type World = Fixtures['world']

const count = 1203
const addressAt = (place: number) => `198.18.${Math.floor(place / 250)}.${1 + (place % 250)}`
const lasting = Array.from({ length: count - 1 }, (_, index) => addressAt(index + 1))

const first = (world: World) => world.network.addresses.all().find(({ address }) => address === addressAt(0))
const remove = (world: World) => void world.network.addresses.delete(first(world)?.id ?? 0)
const add = (world: World) =>
  void world.network.address({ address: '198.19.0.1', compute_id: 1001, type: 'ipv4', public: true })

/** Changes that others make while the list is read. */
const changes: Record<string, (world: World) => void> = {
  'one disappears': remove,
  'one appears': add,
  'one disappears and another appears': (world) => {
    remove(world)
    add(world)
  },
}

const test = base.extend<{ changing(change: string, page: number): Promise<void> }>({
  changing: async ({ world, meanwhile }, use) => {
    for (let place = 0; place < count; place += 1)
      world.network.address({ address: addressAt(place), compute_id: 1001, type: 'ipv4', public: true })
    await use(async (change, page) => {
      let isOver = false
      await meanwhile({
        after({ method, path }) {
          const isPage = path.startsWith('/networking/ips?') && /[?&]page=(\d+)/.exec(path)?.[1] === String(page)
          if (isOver || method !== 'GET' || !isPage) return
          isOver = true
          changes[change]?.(world)
        },
      })
    })
  },
})

const cases = Object.keys(changes).flatMap((change) => [1, 2].map((page) => [change, page] as const))

describe.for(cases)('While addresses are read, %s after page %i', ([change, page]) => {
  test.for(['ips list -q', 'export rdns --json'])(
    '%s lacks none that was there all the time',
    async (line, { skyctl, changing, world }) => {
      await changing(change, page)
      const before = world.network.addresses.all()
      const { exit, stdout, stderr } = await skyctl(line)
      expect(exit, stderr).toBe(0)
      expect(world.network.addresses.all()).not.toEqual(before)
      const exported: unknown = line.includes('json') ? JSON.parse(stdout) : undefined
      const addresses = new Set(isRecord(exported) ? Object.keys(Object(exported.rdns)) : stdout.trim().split('\n'))
      expect(lasting.filter((address) => !addresses.has(address))).toEqual([])
    },
  )
})
