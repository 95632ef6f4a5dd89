/** What stands in the fields of a record, as text. */
import { isRecord } from '../rules/records'

/** The value at a dotted path; undefined where there is none. Only own keys count, so `toString` finds nothing. */
export function valueAt(record: unknown, path: string): unknown {
  if (hasKey(record, path)) return record[path]
  // A key may hold dots itself.
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot)
    const value = hasKey(record, key) ? valueAt(record[key], path.slice(dot + 1)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** What a record holds by dotted paths: objects are taken apart, but for empty ones; a list is one value. */
export function leaves(record: Record<string, unknown>, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(record).flatMap(([key, value]) =>
    isRecord(value) && Object.keys(value).length > 0 ? leaves(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  )
}

function hasKey(value: unknown, key: string): value is Record<string, unknown> {
  return isRecord(value) && Object.hasOwn(value, key)
}

/** The records of an array that holds nothing else; undefined where it is none. */
export function recordsIn(value: unknown): Record<string, unknown>[] | undefined {
  return Array.isArray(value) && value.every(isRecord) ? value : undefined
}

/** Every key that one of the records has, in the order in which they come up. */
export function keysOf(records: readonly Record<string, unknown>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))]
}

/** The record cut to the chosen paths: flat, the paths as keys, in their order; null where there is no value. */
export function cut(record: unknown, paths: readonly string[] | undefined): unknown {
  return paths ? Object.fromEntries(paths.map((path) => [path, valueAt(record, path) ?? null])) : record
}

/** A value on one line: strings as they are, nothing for null, anything with a structure as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? compactJson(value) : String(value)
}

/** JSON on one line, integers beyond 2^53 (bigint) as digits; not asynchronous, unlike formatJson. */
function compactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${compactJson(inner)}`)
    .join(',')}}`
}
