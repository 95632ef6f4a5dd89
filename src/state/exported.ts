/** The file of what an account has, with comments for what no file can set: the same account gives the same text. */
import { check } from '../catalogue/check'
import { stepsOf } from '../data/places'
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
    const entries: Record<string, unknown> = {}
    for (const [name, same] of byName(kind, all)) {
      const [record] = same
      if (same.length > 1) {
        left.push(`${same.length} ${kind.noun}s have the label "${name}"`)
        continue
      }
      const { entry, unsaid } = sayable(kind, kind.entryOf(record, { defaults: {} }))
      const path = kind.single ? [kind.key] : [kind.key, name]
      for (const reason of unsaid) left.push(`${kind.noun}${name === '' ? '' : ` "${name}"`}: ${reason}`)
      const comment = [kind.noteOf?.(record), ...unsaid.map((reason) => `left out: ${reason}`)]
        .filter(Boolean)
        .join('; ')
      if (comment !== '') comments.set(commentKey(path), comment)
      if (kind.single) document[kind.key] = entry
      else entries[name] = entry
    }
    if (Object.keys(entries).length > 0) document[kind.key] = entries
  }
  return { document, comments, left }
}

/** In the order of names; what shares its name with another cannot be told from it. */
function byName(kind: Kind, records: readonly unknown[]): [name: string, records: unknown[]][] {
  const named = new Map<string, unknown[]>()
  for (const record of records) {
    const name = kind.nameOf(record)
    named.set(name, [...(named.get(name) ?? []), record])
  }
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Without the fields that the service has and no file takes, such as rules with a protocol that nobody has heard of. */
function sayable({ entry: schema }: Kind, entry: unknown): { entry: unknown; unsaid: string[] } {
  const faults = check(schema, entry)
  if (faults.length === 0 || !isRecord(entry)) return { entry, unsaid: [] }
  const fields = new Set(faults.map(({ field }) => stepsOf(field ?? '')[0] ?? ''))
  const kept = Object.entries(entry).filter(([field]) => !fields.has(field))
  const reasons = [...fields].map((field) => {
    const fault = faults.find((one) => stepsOf(one.field ?? '')[0] === field)
    return `${fault?.field}: ${fault?.reason}`
  })
  return { entry: Object.fromEntries(kept), unsaid: reasons }
}
