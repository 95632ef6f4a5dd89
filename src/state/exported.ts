/** The file of what an account has, with comments for what no file can set: the same account gives the same text. */
import { check } from '../catalogue/check'
import { stepsOf } from '../data/places'
import type { FieldError } from '../errors'
import { groupBy } from '../rules/groups'
import { isRecord } from '../rules/records'
import type { Kind } from './kind'

/** One object as the file has it. */
export interface ExportedEntry {
  /** The keys that lead to it: `['volumes', 'data']`, `['profile']`. */
  path: readonly string[]
  entry: unknown
  /** What no file can set. */
  comment: string
}

/**
 * Yields what the file holds, an object at a time: all of them together take far more memory than the records.
 * `records` are those of each kind, in the order of the file; `leave` is called for what is not in it, with a sentence.
 */
export function* exportedOf(
  records: ReadonlyMap<Kind, readonly unknown[]>,
  leave: (sentence: string) => void,
): Generator<ExportedEntry> {
  for (const [kind, all] of records) {
    for (const [name, same] of byName(kind, all)) {
      const [record] = same
      if (same.length > 1) {
        leave(`${same.length} ${kind.noun}s have the label "${name}"`)
        continue
      }
      const { entry, unsaid: unsayable } = sayable(kind, name, kind.entryOf(record))
      const unsaid = [...(kind.leftOut?.(record) ?? []), ...unsayable]
      for (const reason of unsaid) leave(`${kind.noun}${name === '' ? '' : ` "${name}"`}: ${reason}`)
      if (entry === undefined) continue
      const comment = [kind.noteOf(record), ...unsaid.map((reason) => `left out: ${reason}`)].join('; ')
      yield { path: kind.single ? [kind.key] : [kind.key, name], entry, comment }
    }
  }
}

/** In the order of names; what shares its name with another cannot be told from it. */
const byName = (kind: Kind, records: readonly unknown[]) =>
  [...groupBy(records, (record) => kind.nameOf(record))].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * Without the fields that the service has and no file takes, such as rules with a protocol that nobody has heard of.
 * No entry at all where a file cannot have the name, or cannot do without those fields.
 */
function sayable({ entry: schema, nameFault }: Kind, name: string, entry: unknown): Sayable {
  const unnamable = nameFault?.(name)
  if (unnamable !== undefined) return { entry: undefined, unsaid: [unnamable] }
  const faults = check(schema, entry)
  if (faults.length === 0) return { entry, unsaid: [] }
  const unsaid = new Map<string | undefined, string>()
  for (const fault of faults) {
    const [key] = stepsOf(fault.field ?? '')
    if (!unsaid.has(key)) unsaid.set(key, textOf(fault))
  }
  const kept = isRecord(entry) ? Object.fromEntries(Object.entries(entry).filter(([key]) => !unsaid.has(key))) : entry
  return { entry: check(schema, kept).length === 0 ? kept : undefined, unsaid: [...unsaid.values()] }
}

const textOf = ({ field, reason }: FieldError) =>
  field === null || reason.startsWith(field) ? reason : `${field}: ${reason}`

interface Sayable {
  entry: unknown
  /** What no file takes of it, and why. */
  unsaid: readonly string[]
}
