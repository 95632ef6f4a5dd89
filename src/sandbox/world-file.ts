/** Restores a world from a file: the inverse of `describe` in ./world. */

import * as v from 'valibot'
import { checkValue, isValid } from '../catalogue/check'
import type { Schema } from '../catalogue/operation'
import { type FieldError, Problem } from '../errors'
import type { DeclarationGroup, TablesOf } from './declaration'
import { id, string } from './fields'
import { account, log, network, profile } from './tables/index'
import { seed, type World } from './world'

/** Creates a seed for `openSandbox`; Problem `usage` with all errors if `input` is not a valid world. */
export function seedFrom(input: unknown): (world: World) => void {
  if (!isValid(worldFile, input)) throw wrongWorld(checkValue(worldFile, input))
  const { spent_ids = {}, vlans: _fixed, ...lists } = input
  return (world) => {
    seed(world)
    for (const [table, id] of Object.entries(spent_ids)) world.tables.spend(table, id)
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
    hint: 'skyctl sandbox world --json prints one. If a newer version of skyctl printed this one, update skyctl',
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
    const records = lists[key]
    if (table && records) form?.restore(records, { table, world, key })
  }
}

/**
 * Schema of a world file (`sandbox world --json`). Omitted tables keep their built-in records, and omitted fields take
 * their defaults, so that a file can be written by hand.
 */
export const worldFile = v.strictObject({
  ...recordsOf(account),
  ...recordsOf(network),
  /** Accepted but ignored: VLANs are fixed. */
  vlans: v.exactOptional(v.unknown()),
  ...recordsOf(log),
  ...recordsOf(profile),
  spent_ids: v.exactOptional(v.record(string, id, 'Must be an object')),
})

function recordsOf(group: DeclarationGroup<World>): Record<string, Schema> {
  const lists = Object.entries(group).flatMap(([key, { form }]) =>
    form ? [[key, v.exactOptional(v.array(form.file, 'Must be an array'))]] : [],
  )
  return Object.fromEntries(lists)
}
