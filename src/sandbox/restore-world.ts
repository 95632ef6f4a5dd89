/** Restores a world from a file: the inverse of `describe` in ./world. */

import * as v from 'valibot'
import { checkValue, isValid } from '../catalogue/check'
import type { Schema } from '../catalogue/operation'
import { type FieldError, Problem } from '../errors'
import type { Declaration } from './declaration'
import { id, string } from './record-fields'
import type { Identified } from './table'
import { declarations } from './tables/index'
import { seed, type World } from './world'

/** Creates a seed for `openSandbox`; Problem `usage` with all errors if `input` is not a valid world. */
export function seedFrom(input: unknown): (world: World) => void {
  if (!isValid(worldFile, input)) throw wrongWorld(checkValue(worldFile, input))
  const { spent_ids = {}, ...records } = input
  const lists: Readonly<Record<string, readonly object[] | undefined>> = records
  return (world) => {
    seed(world)
    for (const [table, id] of Object.entries(spent_ids)) world.tables.get(table)?.spend(id)
    // Tables that the file lacks keep their built-in records.
    for (const [key, { name, form }] of entries) {
      const [table, list] = [world.tables.get(name), lists[key]]
      if (table && list) form?.restore(list, { table, world, key })
    }
  }
}

const entries = Object.entries<Declaration<Identified, object, object>>(declarations)

function wrongWorld(errors: FieldError[]): Problem {
  const [first, ...others] = errors
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return new Problem('usage', `this is not a sandbox world: ${first?.field ?? ''}: ${first?.reason}${more}`, {
    errors,
    hint: 'skyctl sandbox world --json prints one. If a newer version of skyctl printed this one, update skyctl',
  })
}

/**
 * Schema of a world file (`sandbox world --json`). Omitted tables keep their built-in records, and omitted fields take
 * their defaults, so that a file can be written by hand.
 */
export const worldFile = v.strictObject({
  ...recordLists(),
  spent_ids: v.exactOptional(v.record(string, id, 'Must be an object')),
})

function recordLists(): Record<string, Schema> {
  const lists = entries.flatMap(([key, { form }]) =>
    form ? [[key, v.exactOptional(v.array(form.file, 'Must be an array'))]] : [],
  )
  return Object.fromEntries(lists)
}
