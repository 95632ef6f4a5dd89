/** Checks the former labels (`was`) of entries against each other. Pure. */
import { isRecord } from '../rules/records'
import type { DesiredObject } from './desired-object'
import type { KindShape } from './kind'
import { kinds } from './kinds'
import type { Fault } from './places'

type Entry = Pick<DesiredObject, 'name' | 'value' | 'at'>

/** Returns the former label in an entry; undefined without one. */
export const formerLabel = ({ value }: Pick<Entry, 'value'>): string | undefined =>
  isRecord(value) && typeof value.was === 'string' ? value.was : undefined

/** Returns the errors of former labels that the files themselves contradict. */
export const formerLabelFaults = (entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>): readonly Fault[] =>
  kinds.flatMap((kind) => faultsIn(kind, entries.get(kind.key) ?? new Map()))

function faultsIn(kind: KindShape, named: ReadonlyMap<string, Entry>): Fault[] {
  const claims = new Map<string, Entry>()
  return [...named.values()].flatMap((entry) => {
    const was = formerLabel(entry)
    if (was === undefined) return []
    const other = claims.get(was)
    if (!other) claims.set(was, entry)
    const reason = kind.nameFault?.(was) ?? contradiction(was, entry, { declared: named.get(was), other })
    return reason === undefined ? [] : [{ at: entry.at.at('was'), reason }]
  })
}

function contradiction(
  was: string,
  { name }: Entry,
  { declared, other }: Record<'declared' | 'other', Entry | undefined>,
): string | undefined {
  if (was === name) return `"${was}" is the label itself`
  if (declared) return `"${was}" is also an entry, in ${declared.at}. Remove one of them`
  return other && `"${was}" is also the former label of "${other.name}", in ${other.at.at('was')}`
}
