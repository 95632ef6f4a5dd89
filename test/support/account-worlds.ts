/** Random accounts, one of which can be made of the other by a file: for properties of export, plan and apply. */
import fc from 'fast-check'
import type { World } from './sandbox'

/** Objects of the same names in both accounts, and some in one of them only. */
export interface Account {
  volumes: { label: string; size: number; region: string; compute_id: number | null; tags: string[] }[]
  firewalls: {
    label: string
    status: 'enabled' | 'disabled'
    tags: string[]
    rules: { ports: string; networks: string[]; action: string }[]
    policy: string
    computes: number[]
  }[]
  sshkeys: Record<string, string>
  rdns: Record<string, string | null>
  timezone: string
}

/** Instances that both accounts have, with room for all volumes (api.md, Limits), by region. */
const computes: Readonly<Record<string, readonly number[]>> = { 'us-east': [7001, 7002], 'eu-west': [7003] }
const regions = Object.keys(computes)
const addresses = ['192.0.2.11', '192.0.2.12', '192.0.2.13']

const tags = fc.uniqueArray(fc.constantFrom('db', 'edge', 'a b', 'ümlaut', 'x,y'), { maxLength: 3 })
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 })

const rule = fc.record({
  ports: fc.constantFrom('22', '80, 443', '1000-2000', '1-65535'),
  networks: fc.uniqueArray(fc.constantFrom('0.0.0.0/0', '198.51.100.0/24', '203.0.113.9/32'), {
    minLength: 1,
    maxLength: 2,
  }),
  action: fc.constantFrom('ACCEPT', 'DROP'),
})

/** Firewalls that are out of force may be assigned to any service, beside the one that protects it. */
const waiting = fc.uniqueArray(fc.constantFrom(...Object.values(computes).flat()), { maxLength: 2 })

const firewall = fc.record({
  waiting,
  status: fc.constantFrom('enabled' as const, 'disabled' as const),
  tags,
  rules: few(rule),
  policy: fc.constantFrom('ACCEPT', 'DROP'),
})

/** How one volume is in both: it may grow, and never move. */
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

/** Each service belongs to one firewall at most, in each account to another. */
const owners = fc.tuple(
  ...Object.values(computes)
    .flat()
    .map(() => fc.tuple(fc.nat(4), fc.nat(4))),
)

const rdns = fc.record(
  Object.fromEntries(
    addresses.map((address) => [address, fc.option(fc.constantFrom('a.example.com', 'b.example.com'))]),
  ),
)

const keyData = fc.constantFrom(
  ...['ILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA', 'IOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'].map(
    (data) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${data}`,
  ),
)
const sshkeys = fc.dictionary(fc.constantFrom('home', 'ci', 'old key'), keyData)

/** An account as it is, and one as it is wanted. */
export const accounts: fc.Arbitrary<{ before: Account; wanted: Account }> = fc
  .record({
    volumes: few(volume),
    firewalls: few(fc.record({ isThere: fc.boolean(), before: firewall, wanted: firewall })),
    owners,
    sshkeys: fc.tuple(sshkeys, sshkeys),
    rdns: fc.tuple(rdns, rdns),
    timezones: fc.tuple(fc.constantFrom('UTC', 'Europe/Berlin'), fc.constantFrom('UTC', 'Asia/Tokyo')),
  })
  .map(({ volumes, firewalls, owners, sshkeys, rdns, timezones }) => {
    const ids = Object.values(computes).flat()
    const ofOwner = (owner: number, side: 0 | 1) => ids.filter((_, index) => owners[index]?.[side] === owner)
    const account = (side: 0 | 1): Account => {
      const when = side === 0 ? 'before' : 'wanted'
      const isIn = ({ isThere }: { isThere: boolean }) => side === 1 || isThere
      return {
        volumes: volumes
          .map((one, index) => ({ ...one, label: `v${index}` }))
          .filter(isIn)
          .map((one) => ({ label: one.label, ...one[when] })),
        firewalls: firewalls
          .map((one, index) => ({ ...one, label: `fw-${index}`, computes: ofOwner(index, side) }))
          .filter(isIn)
          .map(({ label, computes, [when]: { waiting, ...one } }) => ({
            ...{ label, ...one },
            computes: one.status === 'enabled' ? computes : [...new Set([...computes, ...waiting])],
          })),
        // What an account has under a label that no file names stays.
        sshkeys: sshkeys[side],
        rdns: rdns[side],
        timezone: timezones[side],
      }
    }
    return { before: account(0), wanted: account(1) }
  })

/** Puts the objects of an account into a world, beside those that it has. */
export function fill(world: World, { volumes, firewalls, sshkeys, rdns, timezone }: Account): void {
  for (const [region, ids] of Object.entries(computes))
    for (const id of ids) {
      world.compute({ id, region, memory: 64 })
      world.network.address({ address: `203.0.113.${id - 7000}`, compute_id: id })
    }
  for (const { compute_id, ...volume } of volumes)
    world.volume({ ...volume, ...(compute_id !== null && { compute_id }) })
  for (const { label, status, tags, rules, policy, computes } of firewalls) {
    const inbound = rules.map(({ ports, networks, action }) => ({
      action,
      protocol: 'TCP',
      ports,
      addresses: { ipv4: networks },
    }))
    const all = { inbound, inbound_policy: policy, outbound: [], outbound_policy: 'ACCEPT' }
    const { id } = world.network.firewall({ label, status, tags, rules: all })
    for (const compute of computes) world.network.device(id, 'compute', compute)
  }
  for (const [label, ssh_key] of Object.entries(sshkeys)) world.profile.sshkeys.add({ user: 1, label, ssh_key })
  for (const address of world.network.addresses.all()) {
    const name = rdns[address.address]
    if (name !== undefined && name !== null) world.network.addresses.put({ ...address, rdns: name })
  }
  const user = world.users.get(1)
  if (user) world.users.put({ ...user, timezone })
}
