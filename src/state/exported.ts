/** The file of what an account has, with comments for what no file can set: the same account gives the same text. */
import { check } from '../catalogue/check'
import { stepsOf } from '../data/places'
import type { FieldError } from '../errors'
import { groupBy } from '../rules/groups'
import { isRecord } from '../rules/records'
import type { Kind } from './kind'

export interface Exported {
  document: Record<string, unknown>
  /** By the keys that lead to what they are about, as `["volumes","data"]`. */
  comments: ReadonlyMap<string, string>
  /** What is not in the file, a sentence each. */
  left: readonly string[]
}

export const commentKey = (path: readonly string[]) => JSON.stringify(path)

/** `records` are those of each kind that are wanted, in the order of the file. */
export function exportedOf(records: ReadonlyMap<Kind, readonly unknown[]>): Exported {
  const document: Record<string, unknown> = {}
  const comments = new Map<string, string>()
  const left: string[] = []
  for (const [kind, all] of records) {
    const entries: [name: string, entry: unknown][] = []
    for (const [name, same] of byName(kind, all)) {
      const [record] = same
      if (same.length > 1) {
        left.push(`${same.length} ${kind.noun}s have the label "${name}"`)
        continue
      }
      const { entry, unsaid } = sayable(kind, name, kind.entryOf(record))
      const path = kind.single ? [kind.key] : [kind.key, name]
      for (const reason of unsaid) left.push(`${kind.noun}${name === '' ? '' : ` "${name}"`}: ${reason}`)
      if (entry === undefined) continue
      comments.set(commentKey(path), [kind.noteOf(record), ...unsaid.map((reason) => `left out: ${reason}`)].join('; '))
      if (kind.single) document[kind.key] = entry
      else entries.push([name, entry])
    }
    // Not key by key: `__proto__` is a label like any other.
    if (entries.length > 0) document[kind.key] = Object.fromEntries(entries)
  }
  return { document, comments, left }
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
