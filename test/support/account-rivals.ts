/** Somebody else who works on the same account, for properties of apply: what they may do, and when. */

import type { Account } from './account-worlds'
import { between } from './between'
import fc from './fast-check'
import type { World } from './sandbox'

type Act = (world: World, index: number, wanted: Account) => void

const volumeOf = (world: World, index: number) => world.volumes.all().find(({ label }) => label === `v${index}`)
const firewallOf = (world: World, index: number) =>
  world.network.firewalls.all().find(({ label }) => label === `fw-${index}`)

const onVolume =
  (act: (volume: NonNullable<ReturnType<typeof volumeOf>>, world: World) => void): Act =>
  (world, index) => {
    const volume = volumeOf(world, index)
    if (volume) act(volume, world)
  }

const onFirewall =
  (act: (firewall: NonNullable<ReturnType<typeof firewallOf>>, world: World) => void): Act =>
  (world, index) => {
    const firewall = firewallOf(world, index)
    if (firewall) act(firewall, world)
  }

const theirs = { inbound: [], inbound_policy: 'DROP' as const, outbound: [], outbound_policy: 'DROP' as const }

/** Nothing of it puts what is wanted out of reach, such as a larger volume. */
const acts: Readonly<Record<string, Act>> = {
  'tag a volume': onVolume((volume, { volumes }) => volumes.put({ ...volume, tags: ['theirs'] })),
  'detach a volume': onVolume((volume, { volumes }) => volumes.put({ ...volume, compute_id: null, config_id: null })),
  'delete a volume': onVolume(({ id }, { volumes }) => volumes.delete(id)),
  'make a volume'(world, index, { volumes }) {
    const wanted = volumes[index]
    if (wanted && !volumeOf(world, index)) world.volume({ label: wanted.label, region: wanted.region, size: 10 })
  },
  'tag a firewall': onFirewall((firewall, { network }) => network.firewalls.put({ ...firewall, tags: ['theirs'] })),
  'replace rules': onFirewall((firewall, { network }) => network.firewalls.put({ ...firewall, rules: theirs })),
  'disable a firewall': onFirewall((one, { network }) => network.firewalls.put({ ...one, status: 'disabled' })),
  'unassign services': onFirewall(({ id }, { network }) => {
    for (const device of network.devicesOf(id)) network.devices.delete(device.id)
  }),
  'delete a firewall': onFirewall(({ id }, { network }) => {
    for (const device of network.devicesOf(id)) network.devices.delete(device.id)
    network.firewalls.delete(id)
  }),
  'make a firewall'(world, index, { firewalls }) {
    const wanted = firewalls[index]
    if (wanted && !firewallOf(world, index)) world.network.firewall({ label: wanted.label, rules: theirs })
  },
  'delete a key'(world, index) {
    const key = world.profile.sshkeys.all()[index]
    if (key) world.profile.sshkeys.delete(key.id)
  },
  'name an address'({ network: { addresses } }, index) {
    const address = addresses.all()[index]
    if (address) addresses.put({ ...address, rdns: 'theirs.example.com' })
  },
}

const touching = ['replace rules', 'disable a firewall', 'unassign services', 'delete a firewall']

/** Whether they do something to what no file has a say about. */
export const touchUnmanaged = (deeds: readonly Deed[]) => deeds.some(({ what }) => touching.includes(what))

export interface Deed {
  what: string
  index: number
  /** How many requests of ours come before it. */
  after: number
}

export const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({ what: fc.constantFrom(...Object.keys(acts)), index: fc.nat(3), after: fc.nat(60) }),
  { minLength: 1, maxLength: 8 },
)

/** The service, with somebody else at work between our requests. */
export function withRival(
  baseUrl: string,
  planned: readonly Deed[],
  { world, wanted }: { world: World; wanted: Account },
) {
  let count = 0
  return between(baseUrl, {
    before() {
      for (const { what, index, after } of planned) if (after === count) acts[what]?.(world, index, wanted)
      count += 1
    },
  })
}
