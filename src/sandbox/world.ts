import { formatTimestamp } from '../rules/times'
import { Tables } from './all-tables'
import type { Clock, Present } from './clock'
import { openTables, type TablesOf } from './declaration'
import { account, log, network, profile } from './declarations'
import { type Network, networkOf } from './network'
import { type AvailabilityRow, availability, type Region, regions } from './seed/regions'

type Account = TablesOf<typeof account>

/** Everything the service knows. Handlers read and change it. */
export interface World extends Account, Present {
  /** How long creating, cloning and resizing take, in milliseconds. */
  transitionMs: number
  readonly tables: Tables
  /** By id ascending; they never change. */
  readonly regions: readonly Region[]
  readonly availability: readonly AvailabilityRow[]
  readonly network: Network
  readonly profile: TablesOf<typeof profile>
}

/** An empty world. */
export function createWorld(clock: Clock, transitionMs: number): World {
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
    timestamp: () => formatTimestamp(clock.now()),
    transitionEnd: () => clock.now() + world.transitionMs,
  }
  return world
}
