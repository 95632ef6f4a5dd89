/** Fields that a flag names and the catalogue does not know: the service may have added them, so records decide. */
import { leaves, valueAt } from '../output/cells'
import { unknownField } from '../output/column'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Session } from '../session'

/** Such a field, and the flag that names it. */
export interface Doubt {
  flag: string
  name: string
}

/**
 * Looks for the fields in records: throws `usage` for one that none of them has, with the nearest name, and warns of one
 * of which they cannot tell.
 */
export function lookFor(doubts: readonly Doubt[], known: readonly string[], session: Session) {
  return async (records: readonly unknown[]): Promise<void> => {
    for (const { flag, name } of doubts) {
      if (records.some((record) => valueAt(record, name) !== undefined)) continue
      if (records.length > 0 && !records.some((record) => mayHave(record, name)))
        throw unknownField(flag, name, [...new Set([...known, ...fieldsOf(records)])])
      const why = records.length === 0 ? 'no record' : 'no value above it'
      const near = didYouMean(name, known)
      await session.warn(
        `${flag}: "${name}" is no known field, and there is ${why} to look for it in${near ? `. ${near}` : ''}`,
      )
    }
  }
}

function fieldsOf(records: readonly unknown[]): string[] {
  return records.filter(isRecord).flatMap((record) => leaves(record).map(([path]) => path))
}

/** Whether the object that would hold the field is there without a value. */
function mayHave(record: unknown, path: string): boolean {
  const keys = path.split('.')
  return keys.some((_, index) => valueAt(record, keys.slice(0, index + 1).join('.')) === null)
}
