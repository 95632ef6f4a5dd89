import type { Declaration, Group, TablesOf } from './declaration'
import { account, log, network, profile } from './declarations'
import type { World } from './world'

type Description<G extends Group<World>> = {
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
 * What `sandbox world` shows: what cannot be made through the API, and what is there to try it on. It is all that the
 * world holds, so that ./seed/restore can make the same world from it.
 */
export type WorldDescription = ReturnType<typeof describe>

export function describe(world: World) {
  return {
    ...shown(account, world, world),
    ...shown(network, world.network, world),
    vlans: world.network.vlans,
    ...shown(profile, world.profile, world),
    ...shown(log, world.network, world),
    /** Given and deleted since, so that they are not given again: the last id of a table. */
    spent_ids: Object.fromEntries(spentIds(world)),
  }
}

/** A message that a real service would have sent, such as the SMS with a phone code. */
export type Message = ReturnType<typeof outbox>[number]

/** Oldest first. */
export function outbox(world: World) {
  return shown(profile, world.profile, world).messages
}

function shown<G extends Group<World>>(group: G, tables: TablesOf<G>, world: World): Description<G> {
  const entries = Object.entries(group).flatMap(([key, { form }]) => {
    const table = tables[key]
    return form && table ? [[key, form.show(table, world)]] : []
  })
  // Key by key what the group declares.
  return Object.fromEntries(entries) as Description<G>
}

function* spentIds({ tables }: World): Iterable<[table: string, id: number]> {
  for (const [table, id, record] of tables.contents()) if (record === null) yield [table, id]
}
