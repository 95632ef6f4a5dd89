/**
 * Random pairs of accounts, of which a file can turn the first into the second: for properties of export, plan and
 * apply.
 */

import { openingRule } from '../../src/firewall/temporary-opening'
import fc from './fast-check'
import type { World } from './sandbox'

/** An account of a pair. Most of its objects are in both, under the same names. */
export interface Account {
  volumes: { label: string; size: number; region: string; compute_id: number | null; tags: string[] }[]
  firewalls: {
    label: string
    status: 'enabled' | 'disabled'
    tags: string[]
    rules: { ports: string; networks: string[]; action: string }[]
    policy: string
    computes: number[]
    /** At most one (api.md, Firewall behaviour 4). */
    balancers: number[]
    unmanaged: Unmanaged
  }[]
  sshkeys: Record<string, string>
  rdns: Record<string, string | null>
  /** Instance of each address and range. */
  holders: Record<string, number>
  timezone: string
}

/** Parts of a firewall that no file manages (gaps.md, Unknown kinds in answers; state.md, Open for a while). */
interface Unmanaged {
  isPaused: boolean
  isOpened: boolean
  /** Number of devices of unknown type. */
  devices: number
  /** Position of a rule of unknown protocol. */
  foreign: { direction: 'inbound' | 'outbound'; index: number } | null
}

/** Instances of both accounts by region, large enough for all volumes (api.md, Limits). */
const computes: Readonly<Record<string, readonly number[]>> = { 'us-east': [7001, 7002], 'eu-west': [7003] }
const regions = Object.keys(computes)
/** Balancers, each with one firewall at most. */
const balancers = [8101, 8102, 8103]
/** Addresses and a range that belong to either instance of a region; each instance needs an address. */
const [east = [], west = []] = [computes['us-east'], computes['eu-west']]
const movable = ['203.0.113.1', '203.0.113.2', '203.0.113.101', '203.0.113.102']
const movableRange = '2001:db8:114:700::'
const addresses = ['192.0.2.11', '192.0.2.12', '192.0.2.13']

const tags = fc.uniqueArray(fc.constantFrom('db', 'edge', 'a b', 'ümlaut', 'x,y'), { maxLength: 3 })
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 })

const rule = fc.record({
  ports: fc.constantFrom('22', '80, 443', '1000-2000', '1-65535'),
  networks: fc.uniqueArray(fc.constantFrom('0.0.0.0/0', '::/0', '198.51.100.0/24', '203.0.113.9/32'), {
    minLength: 1,
    maxLength: 3,
  }),
  action: fc.constantFrom('ACCEPT', 'DROP'),
})

/** Services of a disabled firewall. They may be any, beside the firewall that protects them. */
const extraComputes = fc.uniqueArray(fc.constantFrom(...Object.values(computes).flat()), { maxLength: 2 })

const unmanaged: fc.Arbitrary<Unmanaged> = fc.record({
  isPaused: fc.boolean(),
  isOpened: fc.boolean(),
  devices: fc.nat(2),
  foreign: fc.option(
    fc.record({ direction: fc.constantFrom('inbound' as const, 'outbound' as const), index: fc.nat(5) }),
  ),
})

const firewall = fc.record({
  extraComputes,
  /** Whether it keeps its former services if it is disabled, beside the firewall that gets them. */
  keepsServices: fc.boolean(),
  unmanaged,
  status: fc.constantFrom('enabled' as const, 'disabled' as const),
  tags,
  rules: few(rule),
  policy: fc.constantFrom('ACCEPT', 'DROP'),
})

/**
 * A firewall in both accounts. Beside a rule of unknown protocol, which the sandbox does not accept, its rules are the
 * same in both. An unknown status cannot be in a file, so only the first account has one.
 */
const firewallPair = fc
  .record({ isThere: fc.boolean(), before: firewall, wanted: firewall })
  .map(({ isThere, before, wanted }) => {
    const isKept = isThere && before.unmanaged.foreign !== null
    const unchanged = isKept ? { rules: before.rules, policy: before.policy } : {}
    return {
      ...{ isThere, before },
      wanted: { ...wanted, ...unchanged, unmanaged: { ...wanted.unmanaged, isPaused: false } },
    }
  })

/** A volume in both accounts: it may grow, but never changes its region. */
const volume = fc
  .record({
    region: fc.constantFrom(...regions),
    sizes: fc.tuple(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 0, max: 40 })),
    places: fc.tuple(fc.option(fc.nat(1)), fc.option(fc.nat(1))),
    tags: fc.tuple(tags, tags),
    isThere: fc.boolean(),
  })
  .map(({ region, sizes: [size, growth], places, tags, isThere }) => {
    const at = (index: number | null) => (index === null ? null : (computes[region]?.[index] ?? null))
    return {
      isThere,
      before: { region, size, compute_id: at(places[0]), tags: tags[0] },
      wanted: { region, size: size + growth, compute_id: at(places[1]), tags: tags[1] },
    }
  })

/** Index of the firewall of each service, in both accounts. */
const owners = fc.tuple(
  ...Object.values(computes)
    .flat()
    .map(() => fc.tuple(fc.nat(4), fc.nat(4))),
)

/** Indexes of the firewalls of the balancers, in both accounts: they change places, and replace each other. */
const balancerOwners = fc.tuple(
  fc.shuffledSubarray([0, 1, 2, 3], { maxLength: balancers.length }),
  fc.shuffledSubarray([0, 1, 2, 3], { maxLength: balancers.length }),
)

const rdns = fc.record(
  Object.fromEntries(
    addresses.map((address) => [address, fc.option(fc.constantFrom('a.example.com', 'b.example.com'))]),
  ),
)

const holder = fc.constantFrom(...east)
const holders = fc
  .tuple(fc.tuple(...movable.map(() => holder)), holder)
  .filter(([each]) => east.every((id) => each.includes(id)))
  .map(([each, ofRange]) => ({
    ...Object.fromEntries(movable.map((address, index) => [address, Number(each[index])])),
    [movableRange]: ofRange,
    '203.0.113.3': Number(west[0]),
  }))

const keyData = fc.constantFrom(
  ...['ILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA', 'IOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'].map(
    (data) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${data}`,
  ),
)
const sshkeys = fc.dictionary(fc.constantFrom('home', 'ci', 'old key'), keyData)

/** The current account and the desired one. */
export const accounts: fc.Arbitrary<{ before: Account; wanted: Account }> = fc
  .record({
    volumes: few(volume),
    firewalls: few(firewallPair),
    owners,
    balancerOwners,
    sshkeys: fc.tuple(sshkeys, sshkeys),
    rdns: fc.tuple(rdns, rdns),
    holders: fc.tuple(holders, holders),
    timezones: fc.tuple(fc.constantFrom('UTC', 'Europe/Berlin'), fc.constantFrom('UTC', 'Asia/Tokyo')),
  })
  .map(({ volumes, firewalls, owners, balancerOwners, sshkeys, rdns, holders, timezones }) => {
    const ids = Object.values(computes).flat()
    const ofOwner = (owner: number, side: 0 | 1) => ids.filter((_, index) => owners[index]?.[side] === owner)
    const balancersAt = (owner: number, side: 0 | 1) =>
      balancers.filter((_, index) => balancerOwners[side][index] === owner)
    const account = (side: 0 | 1): Account => {
      const when = side === 0 ? 'before' : 'wanted'
      const isIn = ({ isThere }: { isThere: boolean }) => side === 1 || isThere
      return {
        volumes: volumes
          .map((one, index) => ({ ...one, label: `v${index}` }))
          .filter(isIn)
          .map((one) => ({ label: one.label, ...one[when] })),
        firewalls: firewalls
          .map((one, index) => ({
            ...one,
            label: `fw-${index}`,
            computes: ofOwner(index, side),
            former: ofOwner(index, 0),
            balancers: balancersAt(index, side),
          }))
          .filter(isIn)
          .map(({ label, computes, former, balancers, [when]: { extraComputes, keepsServices, ...one } }) => ({
            ...{ label, balancers, ...one },
            computes:
              one.status === 'enabled'
                ? computes
                : [...new Set([...computes, ...extraComputes, ...(keepsServices ? former : [])])],
          })),
        // A key under a label that no file names stays unchanged.
        sshkeys: sshkeys[side],
        rdns: rdns[side],
        holders: holders[side],
        timezone: timezones[side],
      }
    }
    return { before: account(0), wanted: account(1) }
  })

/** Adds the objects of an account to a world. */
export function fill(world: World, { volumes, firewalls, sshkeys, rdns, holders, timezone }: Account): void {
  for (const [region, ids] of Object.entries(computes)) for (const id of ids) world.compute({ id, region, memory: 64 })
  for (const id of balancers) world.balancers.add({ id, label: `lb-${id}`, region: 'us-east' })
  for (const [address, compute_id] of Object.entries(holders))
    world.network.address({ address, compute_id, ...(address === movableRange && { type: 'ipv6/range', prefix: 64 }) })
  for (const { compute_id, ...volume } of volumes)
    world.volume({ ...volume, ...(compute_id !== null && { compute_id }) })
  for (const one of firewalls) {
    const { label, tags, computes, balancers, unmanaged } = one
    const status = unmanaged.isPaused ? 'paused' : one.status
    const { id } = world.network.firewall({ label, status, tags, rules: rulesOf(one) } as never)
    for (const compute of computes) world.network.device(id, 'compute', compute)
    for (const balancer of balancers) world.network.device(id, 'balancer', balancer)
    for (let left = unmanaged.devices; left > 0; left -= 1)
      world.network.device(id, 'compute_interface' as never, 100 * id + left)
  }
  for (const [label, ssh_key] of Object.entries(sshkeys)) world.profile.sshkeys.add({ user: 1, label, ssh_key })
  for (const address of world.network.addresses.all()) {
    const name = rdns[address.address]
    if (name !== undefined && name !== null) world.network.addresses.put({ ...address, rdns: name })
  }
  const user = world.users.get(1)
  if (user) world.users.put({ ...user, timezone })
}

const access = { action: 'ACCEPT', protocol: 'TCP', ports: '2222', addresses: { ipv4: ['198.51.100.7/32'] } } as const
/** The rule of `firewalls open`. It does not expire in any test. */
const opening = openingRule(access as never, { mark: '0123456789abcdef', until: Date.UTC(2099, 0) })
const foreignRule = { action: 'ACCEPT', protocol: 'GRE', addresses: { ipv4: ['203.0.113.0/24'] }, label: 'tunnel' }

function addressesOf(networks: readonly string[]) {
  const [ipv4, ipv6] = [networks.filter((one) => !one.includes(':')), networks.filter((one) => one.includes(':'))]
  return { ...(ipv4.length > 0 && { ipv4 }), ...(ipv6.length > 0 && { ipv6 }) }
}

function rulesOf({ rules, policy, unmanaged: { isOpened, foreign } }: Account['firewalls'][number]) {
  const managed = rules.map(({ ports, networks, action }) => ({
    action,
    protocol: 'TCP',
    ports,
    addresses: addressesOf(networks),
  }))
  const sides = { inbound: isOpened ? [opening, ...managed] : managed, outbound: [] as object[] }
  if (foreign) sides[foreign.direction].splice(foreign.index, 0, foreignRule)
  return { ...sides, inbound_policy: policy, outbound_policy: 'ACCEPT' }
}

/** Whether a firewall has a status that a file can set. */
export const isManaged = ({ status }: { status: string }) => status === 'enabled' || status === 'disabled'

/** Whether a file can have a rule of an account. */
export const isManagedRule = ({ protocol, label }: { protocol: string; label?: string | null | undefined }) =>
  protocol !== foreignRule.protocol && label !== opening.label

/** Collects what no file manages, by the label of its firewall. */
export function unmanagedIn({ network }: World): Record<string, object> {
  const isUnmanaged = (rule: Parameters<typeof isManagedRule>[0]) => !isManagedRule(rule)
  return Object.fromEntries(
    network.firewalls.all().flatMap(({ id, label, status, rules }) => {
      const all = {
        status: isManaged({ status }) ? [] : [status],
        devices: network
          .devicesOf(id)
          .flatMap(({ type, entity }) => ((type as string) === 'compute_interface' ? [entity] : [])),
        inbound: rules.inbound.filter(isUnmanaged),
        outbound: rules.outbound.filter(isUnmanaged),
      }
      return Object.values(all).some(({ length }) => length > 0) ? [[label, all]] : []
    }),
  )
}

/**
 * Labels of volumes, firewalls and SSH keys that one account has in a former form, and that its file names with `was`.
 */
export const formerLabels = fc.uniqueArray(
  fc.constantFrom('v0', 'v1', 'v2', 'v3', 'fw-0', 'fw-1', 'fw-2', 'fw-3', 'home', 'ci', 'old key'),
)

const formerOf = (label: string) => `was-${label}`

/** Returns an account that has these labels in their former form. */
export function underFormerLabels(account: Account, former: readonly string[]): Account {
  const nameOf = (label: string) => (former.includes(label) ? formerOf(label) : label)
  const relabeled = <T extends { label: string }>(all: readonly T[]) =>
    all.map((one) => ({ ...one, label: nameOf(one.label) }))
  const sshkeys = Object.fromEntries(Object.entries(account.sshkeys).map(([label, key]) => [nameOf(label), key]))
  return { ...account, volumes: relabeled(account.volumes), firewalls: relabeled(account.firewalls), sshkeys }
}

/** Adds `was` to the entries of these labels in an exported file. */
export function namingFormerLabels(file: string, former: readonly string[]): string {
  const value: Record<string, Record<string, object>> = JSON.parse(file)
  for (const kind of ['volumes', 'firewalls', 'sshkeys'])
    for (const [label, entry] of Object.entries(value[kind] ?? {}))
      if (former.includes(label)) Object.assign(entry, { was: formerOf(label) })
  return JSON.stringify(value)
}

/** Collects the protected objects of an account, which no plan without --force may change. Labels may change. */
export function protectedIn({ volumes, network }: World): Map<string, object> {
  const isKept = ({ tags }: { tags: readonly string[] }) => tags.includes('protected')
  return new Map<string, object>([
    ...volumes
      .all()
      .filter(isKept)
      .map(({ id, compute_id }) => [`volume ${id}`, { compute_id }] as const),
    ...network.firewalls
      .all()
      .filter(isKept)
      .map(({ id, status }) => {
        const services = network.devicesOf(id).map(({ type, entity }) => `${type} ${entity}`)
        return [`firewall ${id}`, { status, services }] as const
      }),
  ])
}

/** Collects what an undo of an apply restores, of the objects of an account that were there before it. */
export function undoableIn({ volumes, network, users }: World, before: Account): Record<string, unknown> {
  const labels = before.firewalls.map(({ label }) => label)
  const firewalls = network.firewalls.all().filter(({ label }) => labels.includes(label))
  return {
    firewalls: firewalls.map(({ id, label, status, tags, rules }) => {
      const services = network.devicesOf(id).map(({ type, entity }) => `${type} ${entity}`)
      return { label, status, tags: tags.toSorted(), rules, services: services.sort() }
    }),
    tags: before.volumes.map(({ label }) =>
      volumes
        .all()
        .find((one) => one.label === label)
        ?.tags.toSorted(),
    ),
    rdns: network.addresses.all().map(({ address, rdns }) => [address, rdns]),
    timezone: users.get(1)?.timezone,
  }
}
