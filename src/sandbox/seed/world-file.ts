/**
 * A world as a file has it (`sandbox world --json`). A key that is left out keeps what the built-in world has of it;
 * of a record, what is left out takes what is usual, so that a world can also be written by hand.
 */
import * as v from 'valibot'
import type { Schema } from '../../catalogue/operation'
import type { Group } from '../declaration'
import { account, log, network, profile } from '../declarations'
import { id, string } from '../fields'
import type { World } from '../world'

export const worldFile = v.strictObject({
  ...recordsOf(account),
  ...recordsOf(network),
  /** No operation makes them, and no file does. */
  vlans: v.exactOptional(v.unknown()),
  ...recordsOf(log),
  ...recordsOf(profile),
  spent_ids: v.exactOptional(v.record(string, id, 'Must be an object')),
})

/** What `worldFile` lets in, but for the fields of the records. */
export type WorldFile = { spent_ids?: Record<string, number> } & { [key: string]: readonly object[] | undefined }

function recordsOf(group: Group<World>): Record<string, Schema> {
  const lists = Object.entries(group).flatMap(([key, { form }]) =>
    form ? [[key, v.exactOptional(v.array(form.file, 'Must be an array'))]] : [],
  )
  return Object.fromEntries(lists)
}
