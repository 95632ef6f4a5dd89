/** Exports an account to a file, with comments for facts that no file can set. The same account gives the same text. */
import { checkValue } from '../catalogue/check'
import { stepsOf } from '../data/source-nodes'
import type { FieldError } from '../errors'
import { groupBy, isRecord } from '../rules/records'
import { knownEntry } from './entry-before-after'
import type { Kind } from './kind'
import { inOrder, unknownIn } from './kind-functions'

export interface ExportedEntry {
  /** Keys of the object: `['volumes', 'data']`, `['profile']`. */
  path: readonly string[]
  entry: unknown
  /** Facts that no file can set. */
  comment: string
}

export type Records = ReadonlyMap<Kind, readonly unknown[]>

interface ExportedRecords {
  records: Records
  /** Number of records by kind that are as the service sets them by itself, and left out for that. */
  defaults: ReadonlyMap<Kind, number>
}

/**
 * Yields the contents of the file, an object at a time: all together take far more memory than the records. `leave` is
 * called with a sentence for everything that is left out. `now` is for what expires.
 */
export function* exportedOf(
  { records, defaults }: ExportedRecords,
  leave: (sentence: string) => void,
  now?: number,
): Generator<ExportedEntry> {
  for (const [kind, all] of records) {
    const settable = all.filter((record) => kind.isSettable?.(record, now) ?? true)
    const byName = groupBy(settable, (record) => kind.nameOf(record))
    for (const name of inOrder([...byName.keys()])) {
      // Objects with the same name cannot be distinguished.
      const same = byName.get(name) ?? []
      const [record] = same
      if (same.length > 1) {
        leave(`${same.length} ${kind.noun}s have the label "${name}"`)
        continue
      }
      const unknown = unknownIn(kind, record)
      const { entry, unsaid: unsayable } = sayable(kind, name, record)
      const lacking = unknown.map((field) => `the answer lacks its ${field}`)
      const unsaid = [...(kind.leftOut?.(record) ?? []), ...(lacking.length > 0 ? lacking : unsayable)]
      for (const reason of unsaid) leave(`${kind.noun}${name === '' ? '' : ` "${name}"`}: ${reason}`)
      if (entry === undefined) continue
      const comment = [kind.noteOf(record), ...unsaid.map((reason) => `left out: ${reason}`)].join('; ')
      yield { path: kind.single ? [kind.key] : [kind.key, name], entry, comment }
    }
    // With the kind in the file, plan --drift mentions what is set later.
    if (all.length === 0 && defaults.has(kind)) yield { path: [kind.key], entry: {}, comment: 'all have the default' }
  }
}

/** Leaves out the records that are as the service sets them by itself. */
export function withoutDefaults(records: Records): ExportedRecords {
  const defaults = new Map<Kind, number>()
  const others = [...records].map(([kind, all]) => {
    const isDefault = (record: unknown) => kind.isDefault?.(record) === true && unknownIn(kind, record).length === 0
    const chosen = all.filter((record) => !isDefault(record))
    if (chosen.length < all.length) defaults.set(kind, all.length - chosen.length)
    return [kind, chosen] as const
  })
  return { records: new Map(others), defaults }
}

/**
 * Removes fields with values that no file accepts, such as rules with an unknown protocol, and says why. Returns no entry if a
 * file cannot have the name, or if a required field is removed.
 */
function sayable(kind: Kind, name: string, record: unknown): { entry: unknown; unsaid: readonly string[] } {
  const { entry: schema, pathInRecord } = kind
  const entry = knownEntry(kind, record)
  const unnamable = kind.nameFault?.(name)
  if (unnamable !== undefined) return { entry: undefined, unsaid: [unnamable] }
  const faults = checkValue(schema, entry)
  if (faults.length === 0) return { entry, unsaid: [] }
  const unsaid = new Map<string | undefined, string>()
  for (const fault of faults) {
    const [key] = stepsOf(fault.field ?? '')
    const field = fault.field === null ? null : (pathInRecord?.(record, fault.field) ?? fault.field)
    if (!unsaid.has(key)) unsaid.set(key, textOf({ ...fault, field }))
  }
  const remaining = isRecord(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([key]) => !unsaid.has(key)))
    : entry
  return { entry: checkValue(schema, remaining).length === 0 ? remaining : undefined, unsaid: [...unsaid.values()] }
}

const textOf = ({ field, reason }: FieldError) => (field === null ? reason : `${field}: ${reason}`)
