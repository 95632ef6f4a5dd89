import type { Declaration, DeclarationGroup, TablesOf } from './declaration'
import { account, log, network, profile } from './declarations'
import type { World } from './world'

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
 * Output of `sandbox world`: the complete data, including objects that the API cannot create. ./seed/restore can
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
  for (const [table, id, record] of tables.contents()) if (record === null) yield [table, id]
}
