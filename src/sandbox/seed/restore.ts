/** Restores a world from a file (./world-file): the inverse of ../describe. */
import { check, isValid } from '../../catalogue/check'
import { type FieldError, Problem } from '../../errors'
import type { DeclarationGroup, TablesOf } from '../declaration'
import { account, log, network, profile } from '../declarations'
import type { World } from '../world'
import { seed } from './built-in'
import { worldFile } from './world-file'

/** Creates a seed for `openSandbox`; Problem `usage` with all errors if `given` is not a valid world. */
export function seedFrom(given: unknown): (world: World) => void {
  if (!isValid(worldFile, given)) throw wrongWorld(check(worldFile, given))
  const { spent_ids = {}, vlans: _fixed, ...lists } = given
  return (world) => {
    seed(world)
    for (const [table, id] of Object.entries(spent_ids)) world.tables.load([table, id, null])
    restore(account, world, { lists, world })
    restore(network, world.network, { lists, world })
    restore(log, world.network, { lists, world })
    restore(profile, world.profile, { lists, world })
  }
}

function wrongWorld(errors: FieldError[]): Problem {
  const [first, ...others] = errors
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return new Problem('usage', `this is not a sandbox world: ${first?.field ?? ''}: ${first?.reason}${more}`, {
    errors,
    hint: 'skyctl sandbox world --json prints one',
  })
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
