/** Handles fields in flags that are not in the catalogue: the service may have added them, so records decide. */
import { leaves, valueAt } from '../output/cells'
import { unknownField } from '../output/column'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Session } from './session'

/** An unknown field, and the flag that names it. */
export interface Doubt {
  flag: string
  name: string
}

/**
 * Returns a function that looks for the fields in records. It throws `usage` for a field that no record has, with the
 * nearest name, and warns if the records cannot show it.
 */
export function lookFor(doubts: readonly Doubt[], fields: readonly string[], session: Session) {
  return async (records: readonly unknown[]): Promise<void> => {
    for (const { flag, name } of doubts) {
      if (records.some((record) => valueAt(record, name) !== undefined)) continue
      if (records.length > 0 && !records.some((record) => mayHave(record, name)))
        throw unknownField(flag, name, [...new Set([...fields, ...fieldsOf(records)])])
      const why = records.length === 0 ? 'no record' : 'no value above it'
      const near = didYouMean(name, fields)
      await session.ui.warn(
        `${flag}: "${name}" is not a known field, and there is ${why} to check${near ? `. ${near}` : ''}`,
      )
    }
  }
}

function fieldsOf(records: readonly unknown[]): string[] {
  return records.filter(isRecord).flatMap((record) => leaves(record).map(([path]) => path))
}

/** Reports whether the parent of the field is null, so that the field may exist. */
function mayHave(record: unknown, path: string): boolean {
  const keys = path.split('.')
  return keys.some((_, index) => valueAt(record, keys.slice(0, index + 1).join('.')) === null)
}
