/** Fields that records have beyond those that are known, where every field was asked for. */
import { isRecord } from '../rules/records'
import { leaves } from './cells'
import type { Choice } from './column'

/** The choice with the fields that these records have besides. */
export function withOthers<C extends Choice>(choice: C, records: readonly unknown[]): C {
  const { chosen = [], others } = choice
  if (others === undefined) return choice
  const found = otherFields(records, chosen)
  return { ...choice, chosen: chosen.toSpliced(others, 0, ...found), others: others + found.length }
}

/** The dotted paths of what `named` does not show, in the order in which they come up. */
function otherFields(records: readonly unknown[], named: readonly string[]): string[] {
  const shown = new Set(named)
  const parents = new Set(named.flatMap(aboveOf))
  const found = new Set<string>()
  for (const [path, value] of records.filter(isRecord).flatMap((record) => leaves(record))) {
    if (shown.has(path) || aboveOf(path).some((above) => shown.has(above))) continue
    // No object where one is known to be: then its fields show that they have no value.
    if (parents.has(path) && (value === null || isRecord(value))) continue
    found.add(path)
  }
  return [...found]
}

/** `a.b.c` stands below `a` and `a.b`. */
function aboveOf(path: string): string[] {
  const keys = path.split('.')
  return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'))
}
