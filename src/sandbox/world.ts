/** World of the sandbox: created empty, filled with the built-in records, and described as JSON. */

import type { Ipv6Block } from '../catalogue/ipv6'
import type { Vlan } from '../catalogue/vlans'
import { formatTimestamp } from '../rules/times'
import type { Present, ServiceClock } from './clock'
import { Tables } from './database'
import { type Declaration, openTable, type TableOf } from './declaration'
import { type AvailabilityRow, availability, pools, type Region, regions, vlans } from './fixed-records'
import type { Identified } from './table'
import type { AddressRecord } from './tables/addresses'
import type { FirewallDeviceRecord } from './tables/firewall-device'
import { declarations } from './tables/index'

type Declarations = typeof declarations
type AllTables = { readonly [K in keyof Declarations]: TableOf<Declarations[K]> }

/** Tables of `world.network`. */
type NetworkTable = 'firewalls' | 'devices' | 'addresses' | 'events'

/** Tables of `world.profile`: each record belongs to one user. */
type ProfileTable =
  | ('apps' | 'trusted_devices' | 'logins' | 'sshkeys' | 'security_answers' | 'preferences')
  | ('phone_codes' | 'tfa_secrets' | 'messages')

/** Complete state of the service, read and changed by handlers. */
export interface World extends Omit<AllTables, NetworkTable | ProfileTable>, Present {
  /** Duration of creating, cloning and resizing in milliseconds. */
  transitionMs: number
  readonly tables: Tables
  /** Fixed regions by ascending id. */
  readonly regions: readonly Region[]
  readonly availability: readonly AvailabilityRow[]
  readonly network: NetworkState
  readonly profile: Pick<AllTables, ProfileTable>
}

/** Creates an empty world. */
export function createWorld(clock: ServiceClock, transitionMs: number): World {
  const tables = new Tables()
  const opened = entries.map(([key, one]) => [key, openTable(one, tables, () => world)])
  // The keys are those of the declarations.
  const byKey: AllTables = Object.fromEntries(opened)
  const world: World = {
    ...byKey,
    clock,
    transitionMs,
    tables,
    regions,
    availability,
    profile: byKey,
    network: networkOf(byKey),
    timestamp: () => formatTimestamp(clock.now()),
    transitionEnd: () => clock.now() + world.transitionMs,
  }
  return world
}

const entries = Object.entries<Declaration<Identified, object, object>>(declarations)

/** Network part of the world: firewalls with their devices, addresses and ranges with their instances. */
interface NetworkState extends Pick<AllTables, NetworkTable> {
  /** Fixed records: no operation creates them. */
  readonly pools: readonly Ipv6Block[]
  readonly vlans: readonly Vlan[]
  devicesOf(firewall: number): FirewallDeviceRecord[]
  addressesOf(compute: number): AddressRecord[]
  /** Returns the address or range that starts with this address. */
  findAddress(address: string): AddressRecord | undefined
  ranges(): AddressRecord[]
  /** Returns the instance's SLAAC address, to which its range is routed. */
  slaacOf(compute: number): AddressRecord | undefined
}

function networkOf(tables: Pick<AllTables, NetworkTable>): NetworkState {
  const { devices, addresses } = tables
  const addressesOf = (compute: number) => addresses.where('compute_id', compute)
  return {
    ...tables,
    pools,
    vlans,
    devicesOf: (firewall) => devices.where('firewall', firewall),
    addressesOf,
    findAddress: (address) => addresses.where('address', address)[0],
    ranges: () => addresses.where('type', 'ipv6/range'),
    slaacOf: (compute) => addressesOf(compute).find(({ type }) => type === 'ipv6'),
  }
}

/** Fills an empty world with the built-in records; their ids are always the same. */
export function seed(world: World): void {
  for (const [, { name, builtIn }] of entries)
    for (const record of builtIn?.(world) ?? []) world.tables.get(name)?.add(record)
}

type Description = {
  [K in keyof Declarations as Declarations[K] extends Declaration<infer _R, infer _N, never>
    ? never
    : K]: Declarations[K] extends Declaration<infer _R, infer _N, infer Shown> ? Shown[] : never
}

/**
 * Output of `sandbox world`: the complete data, including objects that the API cannot create. ./restore-world can
 * rebuild the world from it.
 */
export type WorldDescription = ReturnType<typeof describe>

export function describe(world: World) {
  const shown = entries.flatMap(([key, { name, form }]) => {
    const table = world.tables.get(name)
    return form && table ? [[key, form.show(table, world)]] : []
  })
  return {
    // The keys are those of the declarations.
    ...(Object.fromEntries(shown) as Description),
    /** Last id of each table if its record was deleted, so that the id is not reused. */
    spent_ids: Object.fromEntries(spentIds(world)),
  }
}

/** Message that a real service would have sent, such as the SMS with a phone code. */
export type Message = ReturnType<typeof outbox>[number]

/** Lists the messages, oldest first. */
export const outbox = (world: World) => describe(world).messages

function* spentIds({ tables }: World): Iterable<[table: string, id: number]> {
  for (const [name, { last_id, records }] of Object.entries(tables.saved))
    if (records.at(-1)?.id !== last_id) yield [name, last_id]
}
