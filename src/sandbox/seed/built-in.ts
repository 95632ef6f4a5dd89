import type { DeclarationGroup, TablesOf } from '../declaration'
import { account, log, network, profile } from '../declarations'
import type { World } from '../world'

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
