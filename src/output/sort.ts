import { valueAt, valueText } from './cells'

/** What values are ordered by. */
export type SortKey = number | bigint | string

/**
 * Records by a dotted path, from the greatest to the least with a leading `-`. Numbers go by value and stand before
 * text; text goes by UTF-16 code units, the same in every locale; what has no value stands last either way. Equal
 * ones keep their order. `keyOf` knows what some values stand for, such as an address for a number.
 */
export function sorted(
  records: readonly unknown[],
  by: string,
  keyOf: (value: unknown) => SortKey | undefined = () => undefined,
): unknown[] {
  const descending = by.startsWith('-')
  const path = descending ? by.slice(1) : by
  const keyed = records.map((record) => {
    const value = valueAt(record, path)
    return { record, key: keyOf(value) ?? plainKey(value) }
  })
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined)
    return descending ? compare(b.key, a.key) : compare(a.key, b.key)
  })
  return keyed.map(({ record }) => record)
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
