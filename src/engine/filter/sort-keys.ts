/** Defines the order of `--sort` for each kind of field. Loaded only if a list of the service is sorted. */
import { type FieldKind, fieldsOf } from '../../catalogue/field-types'
import type { Operation } from '../../catalogue/operation'
import type { SortKey } from '../../output/sort'
import { timeOf } from './times'

type KeyOf = (value: unknown) => SortKey | undefined

/** Returns a function that computes sort keys; undefined, or no function, if values are sorted unchanged. */
export async function sortKeyOf(path: string, operation: Operation): Promise<KeyOf | undefined> {
  const field = fieldsOf(operation).find((one) => one.path === path)
  return field && !field.list ? keysOf(field.kind) : undefined
}

async function keysOf(kind: FieldKind): Promise<KeyOf | undefined> {
  if (kind === 'address') return (await import('./addresses')).placeOf
  if (kind === 'time' || kind === 'deadline') return timeOf
  return kind === 'integer' || kind === 'size' ? wholeNumber : undefined
}

/** Sorts digits in a string by their value, as a filter compares them. */
function wholeNumber(value: unknown): SortKey | undefined {
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? BigInt(value) : undefined
}
