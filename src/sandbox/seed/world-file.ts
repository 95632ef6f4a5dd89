/**
 * Schema of a world file (`sandbox world --json`). Omitted tables keep their built-in records, and omitted fields take
 * their defaults, so that a file can be written by hand.
 */
import * as v from 'valibot'
import type { Schema } from '../../catalogue/operation'
import type { DeclarationGroup } from '../declaration'
import { account, log, network, profile } from '../declarations'
import { id, string } from '../fields'
import type { World } from '../world'

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
