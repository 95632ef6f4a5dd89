/** Restores a world from a file (./world-file): the inverse of ../describe. */
import { check } from '../../catalogue/check'
import { Problem } from '../../errors'
import type { DeclarationGroup, TablesOf } from '../declaration'
import { account, log, network, profile } from '../declarations'
import type { World } from '../world'
import { seed } from './built-in'
import { type WorldFile, worldFile } from './world-file'

/** Creates a seed for `openSandbox`; Problem `usage` with all errors if `given` is not a valid world. */
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

/** Restores the tables that the file contains; other tables keep their built-in records. */
function restore<G extends DeclarationGroup<World>>(
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
