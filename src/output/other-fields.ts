/** Additional fields of records beyond the known ones, printed if all fields were requested. */
import { isRecord } from '../rules/records'
import { leaves } from './cells'
import type { ColumnChoice } from './column'

/** Adds the records' additional fields to the choice. */
export function withOthers<C extends ColumnChoice>(choice: C, records: readonly unknown[]): C {
  const { chosen = [], others } = choice
  if (others === undefined) return choice
  const found = otherFields(records, chosen)
  return { ...choice, chosen: chosen.toSpliced(others, 0, ...found), others: others + found.length }
}

/** Lists the dotted paths of all fields missing in `named`, in order of first appearance. */
function otherFields(records: readonly unknown[], named: readonly string[]): string[] {
  const shown = new Set(named)
  const parents = new Set(named.flatMap(aboveOf))
  const found = new Set<string>()
  for (const [path, value] of records.filter(isRecord).flatMap((record) => leaves(record))) {
    if (shown.has(path) || aboveOf(path).some((above) => shown.has(above))) continue
    // If an expected object is missing, its fields are printed without values instead.
    if (parents.has(path) && (value === null || isRecord(value))) continue
    found.add(path)
  }
  return [...found]
}

/** Lists the parent paths of a path: `a` and `a.b` for `a.b.c`. */
function aboveOf(path: string): string[] {
  const keys = path.split('.')
  return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'))
}
