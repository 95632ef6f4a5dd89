/** Changes that another administrator makes to the account while skyctl applies it, for properties of apply. */

import fc from './fast-check'
import { openProxy } from './proxy'
import type { Account } from './random-accounts'
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

const theirRules = { inbound: [], inbound_policy: 'DROP' as const, outbound: [], outbound_policy: 'DROP' as const }

/** None of these makes the desired state unreachable, as a larger volume would. */
const acts: Readonly<Record<string, Act>> = {
  'tag a volume': onVolume((volume, { volumes }) => volumes.put({ ...volume, tags: ['theirs'] })),
  'detach a volume': onVolume((volume, { volumes }) => volumes.put({ ...volume, compute_id: null, config_id: null })),
  'delete a volume': onVolume(({ id }, { volumes }) => volumes.delete(id)),
  'make a volume'(world, index, { volumes }) {
    const volume = volumes[index]
    if (volume && !volumeOf(world, index)) world.volume({ label: volume.label, region: volume.region, size: 10 })
  },
  'tag a firewall': onFirewall((firewall, { network }) => network.firewalls.put({ ...firewall, tags: ['theirs'] })),
  'replace rules': onFirewall((firewall, { network }) => network.firewalls.put({ ...firewall, rules: theirRules })),
  'disable a firewall': onFirewall((one, { network }) => network.firewalls.put({ ...one, status: 'disabled' })),
  'unassign services': onFirewall(({ id }, { network }) => {
    for (const device of network.devicesOf(id)) network.devices.delete(device.id)
  }),
  'delete a firewall': onFirewall(({ id }, { network }) => {
    for (const device of network.devicesOf(id)) network.devices.delete(device.id)
    network.firewalls.delete(id)
  }),
  'make a firewall'(world, index, { firewalls }) {
    const firewall = firewalls[index]
    if (firewall && !firewallOf(world, index)) world.network.firewall({ label: firewall.label, rules: theirRules })
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

const unmanagedActs = ['replace rules', 'disable a firewall', 'unassign services', 'delete a firewall']

/** Reports whether some of these change what no account file manages. */
export const touchUnmanaged = (deeds: readonly Deed[]) => deeds.some(({ what }) => unmanagedActs.includes(what))

export interface Deed {
  what: string
  index: number
  /** Number of our requests that precede it. */
  after: number
}

export const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({ what: fc.constantFrom(...Object.keys(acts)), index: fc.nat(3), after: fc.nat(60) }),
  { minLength: 1, maxLength: 8 },
)

/** Starts a proxy before the service that runs these acts between our requests. */
export function withRival(
  baseUrl: string,
  planned: readonly Deed[],
  { world, wanted }: { world: World; wanted: Account },
) {
  let count = 0
  return openProxy(baseUrl, {
    before() {
      for (const { what, index, after } of planned) if (after === count) acts[what]?.(world, index, wanted)
      count += 1
    },
  })
}
