/** Sorts the records of a list. */
import { valueAt, valueText } from './cells'

/** Value by which records are ordered. */
export type SortKey = number | bigint | string

/** Field to sort by. */
export interface SortBy {
  /** Dotted path. */
  path: string
  descending: boolean
  /** Converts a value to its sort key, such as an address to a number; undefined to use the value itself. */
  keyOf?: ((value: unknown) => SortKey | undefined) | undefined
}

/** Parses a sort field; `-size` sorts in descending order. */
export function sortBy(text: string): SortBy {
  return { path: text.replace(/^-/, ''), descending: text.startsWith('-') }
}

interface Keyed {
  record: unknown
  keys: readonly (SortKey | undefined)[]
}

/**
 * Sorts records by the fields in order. Numbers sort by value, before texts. Texts sort by UTF-16 code units, in any
 * locale alike. Records without a value come last in both directions. The sort is stable.
 */
export function sorted(records: readonly unknown[], fields: readonly SortBy[]): unknown[] {
  return records
    .map((record) => keyed(record, fields))
    .sort((a, b) => compareKeyed(a, b, fields))
    .map(({ record }) => record)
}

function keyed(record: unknown, fields: readonly SortBy[]): Keyed {
  return { record, keys: fields.map((field) => keyIn(record, field)) }
}

function compareKeyed(a: Keyed, b: Keyed, fields: readonly SortBy[]): number {
  for (const [index, { descending }] of fields.entries()) {
    const order = compared(a.keys[index], b.keys[index], descending)
    if (order !== 0) return order
  }
  return 0
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
