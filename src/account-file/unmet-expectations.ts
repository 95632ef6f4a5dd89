/** Compares what files only expect, such as tokens: no step of a plan changes it. Pure. */
import type { DesiredObject } from './desired-object'
import type { ExpectationOutcome, Kind, PlanInput, PlanRefusal } from './kind'

/** An entry that is only expected, and that the account does not meet; or failed tests of an entry. */
export interface UnmetExpectation {
  kind: string
  noun: string
  name: string
  /** Undefined unless exactly one object has the name. */
  id?: number | string | undefined
  /** False if the token may not read the kind, or the files contradict themselves, so that nothing was compared. */
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

/**
 * Returns the failed tests of an entry, for reports of differences. Those that fail with the rules of the entry itself say
 * nothing about the account.
 */
export function unmetTests(
  failed: readonly PlanRefusal[],
  { name, value, at }: DesiredObject,
  { kind, record, entries }: { kind: Kind } & Pick<PlanInput<unknown, unknown>, 'record' | 'entries'>,
): UnmetExpectation[] {
  if (failed.length === 0) return []
  const own = new Set((kind.check?.({ name, desired: value, entries }) ?? []).map(({ field }) => field))
  const isOwn = ({ field }: PlanRefusal) => record === undefined || own.has(field)
  const id = record === undefined ? undefined : kind.idOf(record)
  const unmet = (isChecked: boolean, prefix: string): UnmetExpectation[] => {
    const tests = failed.filter((one) => isOwn(one) !== isChecked)
    const differences = tests.map(({ field, reason }) => ({
      field,
      place: String(at.of(field)),
      text: prefix + reason,
    }))
    return tests.length > 0 ? [{ kind: kind.key, noun: kind.noun, name, id, isChecked, differences }] : []
  }
  return [...unmet(true, 'Failed test: '), ...unmet(false, 'It contradicts the rules of the file: ')]
}

const unread = ({ noun }: Kind): ExpectationOutcome => ({
  differences: [{ field: null, text: `Not checked: the token may not read ${noun}s` }],
})
