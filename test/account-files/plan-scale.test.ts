/** Work of plans by the number of objects: counted in reads of fields of the account and of the file, which no machine changes. */
import { describe, expect, test } from 'vitest'
import { readDesiredState } from '../../src/account-file/desired-state'
import { planFor, recordsOf } from '../support/pure-plans'

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
const address = (index: number) => `198.18.${index >> 8}.${index % 256}`
const publicAddress = (compute_id: number, place: number) => ({
  ...{ address: address(place), type: 'ipv4', public: true, prefix: 24, region: 'us-east', compute_id, rdns: null },
  ...{ gateway: null, subnet_mask: null, vpc_nat_1_1: null },
})
const volume = (id: number, compute_id: number | null = null) => ({
  ...{ id, label: `v-${id}`, size: 20, region: 'us-east', status: 'active', compute_id, compute_label: null },
  ...{ tags: ['a'], filesystem_path: '', hardware_type: 'nvme', created: '2026-01-01T00:00:00', updated: null },
})
const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
const firewall = (id: number) => ({
  firewall: { id, label: `other-${id}`, status: 'enabled', tags: [], rules, created: '2026-01-01T00:00:00' },
  devices: [],
  asOf: 0,
})
const byName = (count: number, entry: (index: number) => [string, object]) => Object.fromEntries(many(count, entry))

/** An account, and a file for it. */
interface Scene {
  addresses: readonly object[]
  volumes?: readonly object[]
  firewalls?: readonly object[]
  file: Record<string, object>
}

const sorts = {
  'moves of addresses': (count: number) => ({
    // Each instance keeps its second address.
    addresses: many(2 * count, (index) => publicAddress(8000 + (index % count), index)),
    file: { ips: byName(count, (index) => [address(index), { compute_id: 8000 + ((index + 1) % count) }]) },
  }),
  'volumes to attach': (count: number) => ({
    addresses: many(count, (index) => publicAddress(8000 + index, index)),
    volumes: many(count, (index) => volume(index + 1)),
    file: { volumes: byName(count, (index) => [`v-${index + 1}`, { compute_id: 8000 + index }]) },
  }),
  'volumes to move': (count: number) => ({
    addresses: many(count, (index) => publicAddress(8000 + index, index)),
    volumes: many(count, (index) => volume(index + 1, 8000 + index)),
    file: { volumes: byName(count, (index) => [`v-${index + 1}`, { compute_id: 8000 + ((index + 1) % count) }]) },
  }),
  'firewalls, each with a new one beside it,': (count: number) => ({
    addresses: many(count, (index) => publicAddress(8000 + index, index)),
    firewalls: many(count, firewall),
    file: {
      firewalls: {
        ...byName(count, (index) => [`other-${index}`, {}]),
        ...byName(count, (index) => [`fw-${index}`, { rules, devices: { computes: [8000 + index] } }]),
      },
    },
  }),
  'volumes with a former label': (count: number) => ({
    addresses: [],
    volumes: many(count, (index) => volume(index + 1)),
    file: { volumes: byName(count, (index) => [`new-${index}`, { was: `v-${index + 1}` }]) },
  }),
  'new volumes beside as many that no file has': (count: number) => ({
    addresses: many(count, (index) => publicAddress(8000 + index, index)),
    volumes: many(count, (index) => volume(index + 1, 8000 + index)),
    file: { volumes: byName(count, (index) => [`new-${index}`, { size: 40, compute_id: 8000 + index }]) },
  }),
  'new volumes, each like one that no file has,': (count: number) => ({
    addresses: [],
    volumes: many(count, (index) => ({ ...volume(index + 1), size: 100 + index })),
    file: { volumes: byName(count, (index) => [`new-${index}`, { size: 100 + index, region: 'us-east' }]) },
  }),
  'new volumes, all like as many that no file has,': (count: number) => ({
    addresses: [],
    volumes: many(count, (index) => volume(index + 1)),
    file: { volumes: byName(count, (index) => [`new-${index}`, { size: 20, region: 'us-east', tags: ['a'] }]) },
  }),
  'new firewalls beside as many that no file has': (count: number) => ({
    addresses: many(count, (index) => publicAddress(8000 + index, index)),
    firewalls: many(count, firewall),
    file: { firewalls: byName(count, (index) => [`fw-${index}`, { rules, devices: { computes: [8000 + index] } }]) },
  }),
} satisfies Record<string, (count: number) => Scene>

/** Plans all objects, and returns how many fields of the account's records and of the file's entries were read. */
async function readsOf({ addresses, volumes = [], firewalls = [], file }: Scene): Promise<number> {
  let reads = 0
  const counted = (record: unknown) =>
    new Proxy(record as object, {
      get(target, key, receiver) {
        reads += 1
        return Reflect.get(target, key, receiver)
      },
    })
  const all = recordsOf('ips', addresses).map(counted)
  const world = new Map([
    ['ips', all],
    ['rdns', all],
    ['volumes', recordsOf('volumes', volumes).map(counted)],
    ['firewalls', firewalls.map(counted)],
  ])
  const source = { name: 'a.json', text: JSON.stringify(file), read: () => Promise.reject(new Error('none is named')) }
  const desired = await readDesiredState([source], {})
  const entries = new Map(
    [...desired.entries].map(([kind, named]) => {
      const all = [...named].map(([name, object]) => [name, { ...object, value: counted(object.value) }] as const)
      return [kind, new Map(all)]
    }),
  )
  const { objects, same } = planFor({ ...desired, entries }, world, { prune: false })
  expect(objects.length + same).toBe(Object.values(file).flatMap((all) => Object.keys(all)).length)
  return reads
}

describe('A plan', () => {
  test.for(Object.keys(sorts) as (keyof typeof sorts)[])(
    'of eight times as many %s reads at most nine times as many fields',
    async (name) => {
      const [few, all] = [await readsOf(sorts[name](50)), await readsOf(sorts[name](400))]
      expect(few).toBeGreaterThan(100)
      expect(all / few).toBeLessThan(9)
    },
  )
})
