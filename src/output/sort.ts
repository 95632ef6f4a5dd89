import { valueAt, valueText } from './cells'

/** What values are ordered by. */
export type SortKey = number | bigint | string

/** A field that records are sorted by. */
export interface SortBy {
  /** Dotted. */
  path: string
  descending: boolean
  /** What some of its values stand for, such as an address for a number; undefined for those that go as they are. */
  keyOf?: ((value: unknown) => SortKey | undefined) | undefined
}

/** `-size`: from the greatest to the least. */
export function sortBy(text: string): SortBy {
  return { path: text.replace(/^-/, ''), descending: text.startsWith('-') }
}

/**
 * Records by one field, those that are equal there by the next. Numbers go by value and stand before text; text goes by
 * UTF-16 code units, the same in every locale; what has no value stands last either way. Equal ones keep their order.
 */
export function sorted(records: readonly unknown[], fields: readonly SortBy[]): unknown[] {
  const keyed = records.map((record) => ({ record, keys: fields.map((field) => keyIn(record, field)) }))
  keyed.sort((a, b) => {
    for (const [index, { descending }] of fields.entries()) {
      const order = compared(a.keys[index], b.keys[index], descending)
      if (order !== 0) return order
    }
    return 0
  })
  return keyed.map(({ record }) => record)
}

function keyIn(record: unknown, { path, keyOf }: SortBy): SortKey | undefined {
  const value = valueAt(record, path)
  return keyOf?.(value) ?? plainKey(value)
}

function compared(a: SortKey | undefined, b: SortKey | undefined, descending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return descending ? compare(b, a) : compare(a, b)
}

function plainKey(value: unknown): SortKey | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'number' || typeof value === 'bigint' ? value : valueText(value)
}

function compare(a: SortKey, b: SortKey): number {
  const texts = Number(typeof a === 'string') - Number(typeof b === 'string')
  if (texts !== 0) return texts
  return a < b ? -1 : Number(a > b)
}
