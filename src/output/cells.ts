/** Reads fields of records and formats their values as text. */
import { isRecord } from '../rules/records'

/** Returns the value at a dotted path; undefined if missing. Only own keys count, so `toString` is missing. */
export function valueAt(record: unknown, path: string): unknown {
  if (hasKey(record, path)) return record[path]
  // A key may itself contain dots.
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot)
    const value = hasKey(record, key) ? valueAt(record[key], path.slice(dot + 1)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** Flattens a record to dotted paths with values. Lists and empty objects count as values. */
export function leaves(record: Record<string, unknown>, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(record).flatMap(([key, value]) =>
    isRecord(value) && Object.keys(value).length > 0 ? leaves(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  )
}

function hasKey(value: unknown, key: string): value is Record<string, unknown> {
  return isRecord(value) && Object.hasOwn(value, key)
}

/** Returns the records of an array of records; undefined for any other value. */
export function recordsIn(value: unknown): Record<string, unknown>[] | undefined {
  return Array.isArray(value) && value.every(isRecord) ? value : undefined
}

/** Lists all keys of the records in order of first appearance. */
export function keysOf(records: readonly Record<string, unknown>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))]
}

/** Reduces a record to the chosen paths: a flat object with the paths as keys, and null for missing values. */
export function cut(record: unknown, paths: readonly string[] | undefined): unknown {
  return paths ? Object.fromEntries(paths.map((path) => [path, valueAt(record, path) ?? null])) : record
}

/** Formats a value on one line: text unchanged, null as empty text, and objects and lists as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? compactJson(value) : String(value)
}

/** Formats JSON on one line, with bigints (beyond 2^53) as digits. Synchronous, unlike formatJson. */
function compactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${compactJson(inner)}`)
    .join(',')}}`
}

export interface FieldChoice {
  /** Chosen dotted paths in order. JSON and YAML are reduced to flat objects with these paths as keys. */
  chosen?: readonly string[] | undefined
  /** Position in `chosen` for additional fields of the records, set if all fields were requested. */
  others?: number | undefined
}

/** Adds the records' additional fields to the choice. */
export function withOthers<C extends FieldChoice>(choice: C, records: readonly unknown[]): C {
  const { chosen = [], others } = choice
  if (others === undefined) return choice
  const moreFields = otherFields(records, chosen)
  return { ...choice, chosen: chosen.toSpliced(others, 0, ...moreFields), others: others + moreFields.length }
}

/** Lists the dotted paths of all fields missing in `named`, in order of first appearance. */
function otherFields(records: readonly unknown[], named: readonly string[]): string[] {
  const shown = new Set(named)
  const parents = new Set(named.flatMap(aboveOf))
  const fields = new Set<string>()
  for (const [path, value] of records.filter(isRecord).flatMap((record) => leaves(record))) {
    if (shown.has(path) || aboveOf(path).some((above) => shown.has(above))) continue
    // If an expected object is missing, its fields are printed without values instead.
    if (parents.has(path) && (value === null || isRecord(value))) continue
    fields.add(path)
  }
  return [...fields]
}

/** Lists the parent paths of a path: `a` and `a.b` for `a.b.c`. */
function aboveOf(path: string): string[] {
  const keys = path.split('.')
  return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'))
}
