import { valueAt, valueText } from './cells'

/**
 * Records by a dotted path, from the greatest to the least with a leading `-`. Numbers go by value and stand before
 * text; text goes by UTF-16 code units, the same in every locale; what has no value stands last either way. Equal
 * ones keep their order.
 */
export function sorted(records: readonly unknown[], by: string): unknown[] {
  const descending = by.startsWith('-')
  const path = descending ? by.slice(1) : by
  const keyed = records.map((record) => ({ record, key: sortKey(valueAt(record, path)) }))
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined)
    return descending ? compare(b.key, a.key) : compare(a.key, b.key)
  })
  return keyed.map(({ record }) => record)
}

type Key = number | bigint | string

function sortKey(value: unknown): Key | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'number' || typeof value === 'bigint' ? value : valueText(value)
}

function compare(a: Key, b: Key): number {
  const texts = Number(typeof a === 'string') - Number(typeof b === 'string')
  if (texts !== 0) return texts
  return a < b ? -1 : Number(a > b)
}
