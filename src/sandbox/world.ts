import { formatTimestamp } from '../rules/times'
import type { Present, ServiceClock } from './clock'
import { Tables } from './database'
import { openTables, type TablesOf } from './declaration'
import { account, log, network, profile } from './declarations'
import { type NetworkState, networkOf } from './network'
import { type AvailabilityRow, availability, type Region, regions } from './seed/regions'

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
    timestamp: () => formatTimestamp(clock.now()),
    transitionEnd: () => clock.now() + world.transitionMs,
  }
  return world
}
