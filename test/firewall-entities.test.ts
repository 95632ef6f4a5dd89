/**
 * A service may name the services of a firewall in its record (`entities`), which api.md does not document. Reports rely on
 * that instead of listing the devices of each firewall; changes do not, so a wrong record misleads none of them.
 */
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import { test as base } from './support/account-files'
import { ruleSet, ssh } from './support/firewall-rules'
import type { World } from './support/sandbox'

type Entity = { id: number; type: string; label: string | null; url: string }
type Named = (entities: Entity[], firewall: string) => unknown

interface Entities {
  /** Lets the service name the services in the records of firewalls; `change` makes them wrong. */
  naming(change?: Named): Promise<void>
  /** Runs a line that must succeed; resolves to its output without the time and the address. */
  output(line: string): Promise<string>
}

const entitiesOf = ({ network, computes }: World, id: number): Entity[] =>
  network.devices.all().flatMap(({ firewall, type, entity }) => {
    const url = `/v4/${type}/instances/${entity}`
    return firewall === id ? [{ id: entity, type, label: computes.get(entity)?.label ?? null, url }] : []
  })

const test = base.extend<Entities>({
  naming: async ({ world, meanwhile }, use) =>
    use(async (change = (entities) => entities) => {
      const withEntities = (record: unknown) =>
        isRecord(record) && isRecord(record.rules)
          ? { ...record, entities: change(entitiesOf(world, Number(record.id)), String(record.label)) }
          : record
      await meanwhile({
        change: (body) =>
          isRecord(body) && Array.isArray(body.data)
            ? { ...body, data: body.data.map(withEntities) }
            : withEntities(body),
      })
    }),
  output: async ({ skyctl }, use) =>
    use(async (line) => {
      const { exit, stdout, stderr } = await skyctl(line)
      expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' })
      return stdout.replace(/^# .*\n/gm, '')
    }),
})

const listed = (world: World) =>
  world.requests('GET').flatMap(({ path }) => /firewalls\/(\d+)\/devices/.exec(path)?.[1] ?? [])

/** Arranges firewalls with instances 7001 and 7002, and no others. */
function arrange({ network, compute }: World): void {
  for (const { id } of network.devices.all()) network.devices.delete(id)
  for (const { id } of network.firewalls.all()) network.firewalls.delete(id)
  for (const id of [7001, 7002, 7003]) {
    compute({ id, label: `web-${id}`, region: 'us-east' })
    network.address({ address: `203.0.113.${id - 6900}`, compute_id: id })
  }
  network.firewall({ id: 9101, label: 'edge', rules: ruleSet(ssh) })
  network.firewall({ id: 9102, label: 'spare', status: 'disabled', rules: ruleSet(ssh) })
  network.device(9101, 'compute', 7001)
  network.device(9101, 'compute', 7002)
}

const assigned = ({ network }: World, firewall: number) =>
  network.devices.all().flatMap((device) => (device.firewall === firewall ? [device.entity] : []))

describe('a report lists no devices if records name the services', () => {
  test.beforeEach(({ world }) => arrange(world))

  test.for(['audit --json', 'overview --json', 'export firewalls'])('%s', async (line, { output, naming, world }) => {
    const expected = await output(line)
    const before = listed(world).length
    await naming()
    expect(await output(line)).toBe(expected)
    expect(listed(world).slice(before)).toEqual([])
  })

  test('a plan without changes', async ({ skyctl, output, naming, file, world }) => {
    const path = file('a.yaml', await output('export firewalls'))
    const before = listed(world).length
    await naming()
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0, stdout: 'No changes; 2 unchanged\n' })
    expect(listed(world).slice(before)).toEqual([])
  })

  test('but audit lists those of a disabled firewall, whose ids its advice has', async ({ skyctl, naming, world }) => {
    const { id } = world.network.device(9102, 'compute', 7001)
    await naming()
    const { stdout } = await skyctl('audit --json')
    expect(stdout).toContain(`firewalls devices delete 9102 ${id}`)
    expect(listed(world)).toEqual(['9102'])
  })

  test.for<[string, Named]>([
    ['null', () => null],
    ['no array', () => ({})],
    ['an entry without an id', ([first, ...rest]) => [{ ...first, id: undefined }, ...rest]],
    ['an entry twice', (entities) => [...entities, ...entities]],
  ])('unless the record is no list of services: %s', async ([, change], { output, naming, world }) => {
    const expected = await output('export firewalls')
    await naming(onEdge(change))
    const before = listed(world).length
    expect(await output('export firewalls')).toBe(expected)
    expect(listed(world).slice(before)).toEqual(['9101'])
  })
})

/** Wrong lists of services, each with the same change of the devices, and what the plan of such a file prints. */
const wrong: [string, Named, (world: World) => void, RegExp][] = [
  [
    'a service too few',
    (entities) => entities.filter(({ id }) => id !== 7002),
    (world) => remove(world, 7002),
    /compute 7002 is open/,
  ],
  ['none', () => [], (world) => remove(world, 7001, 7002), /compute 7001 is open/],
  [
    'a service too many',
    (entities) => [...entities, { id: 7003, type: 'compute', label: 'web-7003', url: '/v4/compute/instances/7003' }],
    ({ network }) => void network.device(9101, 'compute', 7003),
    /compute 7003/,
  ],
]

function remove({ network }: World, ...services: number[]): void {
  for (const { id, entity } of network.devices.all()) if (services.includes(entity)) network.devices.delete(id)
}

const onEdge =
  (change: Named): Named =>
  (entities, label) =>
    label === 'edge' ? change(entities, label) : entities

describe('a report says what the record names, and nothing else, also if the list of devices differs', () => {
  test.beforeEach(({ world }) => arrange(world))

  const reports = ['audit --json', 'overview --json', 'export firewalls']
  test.for(wrong.flatMap(([name, ...rest]) => reports.map((line) => [line, name, ...rest] as const)))(
    '%s: %s',
    async ([line, , change, changeDevices], { output, naming, world }) => {
      await naming(onEdge(change))
      const report = await output(line)
      changeDevices(world)
      await naming()
      expect(await output(line)).toBe(report)
    },
  )

  test.for(wrong)(
    '%s: a plan of the right file has no changes',
    async ([, change], { skyctl, output, naming, file }) => {
      const path = file('a.yaml', await output('export firewalls'))
      await naming(onEdge(change))
      expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0, stdout: 'No changes; 2 unchanged\n' })
    },
  )

  test.for(wrong)(
    '%s: a file exported from it changes nothing unseen',
    async ([, change, , seen], { skyctl, output, naming, file }) => {
      await naming(onEdge(change))
      const path = file('a.yaml', await output('export firewalls'))
      await naming()
      expect((await skyctl(`plan ${path}`)).stdout).toMatch(seen)
    },
  )
})

describe('a change relies on the list of devices, also if the record names', () => {
  test.beforeEach(({ world }) => arrange(world))

  test.for(wrong)('%s: a plan names what it leaves unprotected', async ([, change], { skyctl, naming, file }) => {
    await naming(onEdge(change))
    const { stdout } = await skyctl(`plan ${file('a.yaml', 'firewalls: { edge: { status: disabled } }')}`)
    expect(stdout.match(/compute \d+ is open/g)).toEqual(['compute 7001 is open', 'compute 7002 is open'])
  })

  test.for(wrong)('%s: apply assigns and removes what differs', async ([, change], { skyctl, naming, file, world }) => {
    await naming(onEdge(change))
    const path = file('a.yaml', 'firewalls: { edge: { tags: [new], devices: { computes: [7001, 7003] } } }')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(assigned(world, 9101).sort()).toEqual([7001, 7003])
  })

  test.for(wrong)(
    '%s: --prune names what a deletion leaves unprotected',
    async ([, change], { skyctl, naming, file, world }) => {
      world.network.firewall({ id: 9103, label: 'old', tags: ['team'], rules: ruleSet(ssh) })
      for (const id of [7001, 7002]) world.network.device(9103, 'compute', id)
      await naming((entities, label) => (label === 'old' ? change(entities, label) : entities))
      const { stdout } = await skyctl(`plan ${file('a.yaml', 'owner: team\nfirewalls: {}')} --prune`)
      expect(stdout.match(/compute \d+ is open/g)).toEqual(['compute 7001 is open', 'compute 7002 is open'])
    },
  )
})
