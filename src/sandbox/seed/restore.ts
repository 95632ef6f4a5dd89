/** Makes a world from what a file says (./world-file): the inverse of ../describe. */
import { check } from '../../catalogue/check'
import { Problem } from '../../errors'
import type { Group, TablesOf } from '../declaration'
import { account, log, network, profile } from '../declarations'
import type { World } from '../world'
import { seed } from './built-in'
import { type WorldFile, worldFile } from './world-file'

/** A seed for `openSandbox`; Problem `usage` where `given` is no world, with everything that is wrong with it. */
export function seedFrom(given: unknown): (world: World) => void {
  const [first, ...others] = check(worldFile, given)
  if (first) {
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    throw new Problem('usage', `this is no world for the sandbox: ${first.field ?? ''}: ${first.reason}${more}`, {
      errors: [first, ...others],
      hint: 'skyctl sandbox world --json prints one',
    })
  }
  const { spent_ids = {}, ...lists } = given as WorldFile
  return (world) => {
    seed(world)
    for (const [table, id] of Object.entries(spent_ids)) world.tables.load([table, id, null])
    restore(account, world, { lists, world })
    restore(network, world.network, { lists, world })
    restore(log, world.network, { lists, world })
    restore(profile, world.profile, { lists, world })
  }
}

type Lists = Record<string, readonly object[] | undefined>

/** Where the file has nothing, what the built-in world has stays. */
function restore<G extends Group<World>>(
  group: G,
  tables: TablesOf<G>,
  { lists, world }: { lists: Lists; world: World },
): void {
  for (const [key, { form }] of Object.entries(group)) {
    const table = tables[key]
    const given = lists[key]
    if (form && table && given) form.restore(given, { table, world, key })
  }
}
