/** World of the sandbox: created empty, filled with the built-in records, and described as JSON. */

import type { Ipv6Block } from '../catalogue/ipv6'
import type { Vlan } from '../catalogue/vlans'
import { formatTimestamp } from '../rules/times'
import type { Present, ServiceClock } from './clock'
import { Tables } from './database'
import { type Declaration, type DeclarationGroup, openTables, type TablesOf } from './declaration'
import { type AvailabilityRow, availability, pools, type Region, regions, vlans } from './fixed-records'
import type { AddressRecord } from './tables/addresses'
import type { FirewallDeviceRecord } from './tables/firewalls'
import { account, log, network, profile } from './tables/index'

type Account = TablesOf<typeof account>

/** Complete state of the service, read and changed by handlers. */
export interface World extends Account, Present {
  /** Duration of creating, cloning and resizing in milliseconds. */
  transitionMs: number
  readonly tables: Tables
  /** Fixed regions by ascending id. */
  readonly regions: readonly Region[]
  readonly availability: readonly AvailabilityRow[]
  readonly network: NetworkState
  readonly profile: TablesOf<typeof profile>
}

/** Creates an empty world. */
export function createWorld(clock: ServiceClock, transitionMs: number): World {
  const tables = new Tables()
  const self = () => world
  const world: World = {
    clock,
    transitionMs,
    tables,
    regions,
    availability,
    profile: openTables(profile, tables, self),
    network: networkOf({ ...openTables(network, tables, self), ...openTables(log, tables, self) }),
    ...openTables(account, tables, self),
    timestamp: timestampsOf(clock),
    transitionEnd: () => clock.now() + world.transitionMs,
  }
  return world
}

/** Returns a function that formats the current time; records that are made within one second share its text. */
function timestampsOf(clock: ServiceClock): () => string {
  let [second, text] = [Number.NaN, '']
  return () => {
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) [second, text] = [now, formatTimestamp(now * 1000)]
    return text
  }
}

type NetworkTables = TablesOf<typeof network & typeof log>

/** Network part of the world: firewalls with their devices, addresses and ranges with their instances. */
interface NetworkState extends NetworkTables {
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

function networkOf(tables: NetworkTables): NetworkState {
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
  fill(account, world, world)
  fill(network, world.network, world)
  fill(log, world.network, world)
  fill(profile, world.profile, world)
}

function fill<G extends DeclarationGroup<World>>(group: G, tables: TablesOf<G>, world: World): void {
  for (const [key, { builtIn }] of Object.entries(group)) for (const record of builtIn(world)) tables[key]?.add(record)
}

type Description<G extends DeclarationGroup<World>> = {
  [K in keyof G as G[K] extends Declaration<infer _R, infer _N, never, infer _K> ? never : K]: G[K] extends Declaration<
    infer _R,
    infer _N,
    infer Shown,
    infer _K
  >
    ? Shown[]
    : never
}

/**
 * Output of `sandbox world`: the complete data, including objects that the API cannot create. ./world-file can
 * rebuild the world from it.
 */
export type WorldDescription = ReturnType<typeof describe>

export function describe(world: World) {
  return {
    ...shown(account, world, world),
    ...shown(network, world.network, world),
    vlans: world.network.vlans,
    ...shown(profile, world.profile, world),
    ...shown(log, world.network, world),
    /** Last id of each table if its record was deleted, so that the id is not reused. */
    spent_ids: Object.fromEntries(spentIds(world)),
  }
}

/** Message that a real service would have sent, such as the SMS with a phone code. */
export type Message = ReturnType<typeof outbox>[number]

/** Lists the messages, oldest first. */
export function outbox(world: World) {
  return shown(profile, world.profile, world).messages
}

function shown<G extends DeclarationGroup<World>>(group: G, tables: TablesOf<G>, world: World): Description<G> {
  const entries = Object.entries(group).flatMap(([key, { form }]) => {
    const table = tables[key]
    return form && table ? [[key, form.show(table, world)]] : []
  })
  // The keys are those of the group.
  return Object.fromEntries(entries) as Description<G>
}

function* spentIds({ tables }: World): Iterable<[table: string, id: number]> {
  for (const [name, { last_id, records }] of Object.entries(tables.saved))
    if (records.at(-1)?.id !== last_id) yield [name, last_id]
}
