/** Compares entries of files that are only expected, such as tokens: no step of a plan changes them. Pure. */
import type { DesiredObject } from './desired-object'
import type { ExpectationOutcome, Kind } from './kind'

/** An entry that is only expected, and that the account does not meet. */
export interface UnmetExpectation {
  kind: string
  noun: string
  name: string
  /** Undefined unless exactly one object has the name. */
  id?: number | string | undefined
  /** False if the token may not read the kind, so that nothing was compared. */
  isChecked: boolean
  /** Differences with their fields and positions in the files. */
  differences: readonly { field: string | null; place: string; text: string }[]
  /** Sentence with the command that ends the differences. */
  fix?: string | undefined
}

/** Compares an entry that is only expected; returns nothing if the account meets it. */
export function unmetBy(
  { name, value, at }: DesiredObject,
  kind: Kind,
  around: { records: ReadonlyMap<string, readonly unknown[]>; isRead: boolean; now: number | undefined },
): UnmetExpectation[] {
  const { isRead, now } = around
  const records = around.records.get(name) ?? []
  const id = records.length === 1 ? kind.idOf(records[0]) : undefined
  const object = { kind: kind.key, noun: kind.noun, name, id, isChecked: isRead }
  const { differences = [], fix } = (isRead && kind.expect?.({ name, desired: value, records, now })) || unread(kind)
  if (differences.length === 0) return []
  const placed = differences.map((one) => ({ ...one, place: String(at.of(one.field)) }))
  return [{ ...object, differences: placed, fix }]
}

const unread = ({ noun }: Kind): ExpectationOutcome => ({
  differences: [{ field: null, text: `Not checked: the token may not read ${noun}s` }],
})
