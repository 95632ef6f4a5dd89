/** Accepts a single value where a list is expected: `tags: db`, `computes: 1001`. */
import { partsOf, type Schema } from '../catalogue/operation'
import { isRecord } from '../rules/records'

/** Returns a value with a list for each single text or number that its schema has a list for. */
export function withLists(schema: Schema, value: unknown): unknown {
  const { wrapped, item, entries = {} } = partsOf(schema)
  if (wrapped) return withLists(wrapped, value)
  if (item && !Array.isArray(value)) return isItem(item, value) ? [value] : value
  if (item && Array.isArray(value)) {
    const items = value.map((one: unknown) => withLists(item, one))
    return items.every((one, index) => one === value[index]) ? value : items
  }
  return isRecord(value) ? withListsIn(entries, value) : value
}

/** Returns an object itself if none of its fields gets a list: a large account has a million of them. */
function withListsIn(entries: Readonly<Record<string, Schema>>, value: Record<string, unknown>): unknown {
  const changed: [key: string, list: unknown][] = []
  for (const key of Object.keys(value)) {
    const schema = Object.hasOwn(entries, key) ? entries[key] : undefined
    const content = schema ? withLists(schema, value[key]) : value[key]
    if (content !== value[key]) changed.push([key, content])
  }
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/** Reports whether a value can be the only item. A text such as `-a` is rather a list whose dashes lack their blank. */
function isItem(item: Schema, value: unknown): boolean {
  const { type } = partsOf(item)
  if (typeof value === 'number') return type === 'number'
  return (type === 'string' || type === 'number') && typeof value === 'string' && value !== '' && !value.startsWith('-')
}
