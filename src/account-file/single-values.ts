/** Accepts a single value where a list is expected: `tags: db`, `computes: 1001`. */
import { partsOf, type Schema } from '../catalogue/operation'
import { isRecord } from '../rules/records'

/** Returns a value with a list for each single text or number that its schema has a list for. */
export function withLists(schema: Schema, value: unknown): unknown {
  const { wrapped, item, entries = {} } = partsOf(schema)
  if (wrapped) return withLists(wrapped, value)
  if (item && !Array.isArray(value)) return isItem(item, value) ? [value] : value
  if (item && Array.isArray(value)) return value.map((one: unknown) => withLists(item, one))
  if (!isRecord(value)) return value
  const inner = ([key, content]: [string, unknown]): [string, unknown] => {
    const fieldSchema = Object.hasOwn(entries, key) ? entries[key] : undefined
    return [key, fieldSchema ? withLists(fieldSchema, content) : content]
  }
  return Object.fromEntries(Object.entries(value).map(inner))
}

/** Reports whether a value can be the only item. A text such as `-a` is rather a list whose dashes lack their blank. */
function isItem(item: Schema, value: unknown): boolean {
  const { type } = partsOf(item)
  if (typeof value === 'number') return type === 'number'
  return (type === 'string' || type === 'number') && typeof value === 'string' && value !== '' && !value.startsWith('-')
}
