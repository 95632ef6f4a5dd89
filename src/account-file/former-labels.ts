/** Checks the former labels (`was`) of entries against each other. Pure. */
import { isRecord } from '../rules/records'
import type { Kind } from './kind'
import { kinds } from './kinds'

/** An entry of a file, and the positions of its fields. */
interface Entry {
  name: string
  value: unknown
  placeOf(field: string | null): string
}

/** An error in the former label of an entry. */
interface FormerLabelFault {
  place: string
  field: string
  reason: string
}

/** Returns the former label in an entry; undefined without one. */
export const formerLabel = ({ value }: Pick<Entry, 'value'>): string | undefined =>
  isRecord(value) && typeof value.was === 'string' ? value.was : undefined

/** Returns the field of a former label in messages: `volumes.pgdata.was`. */
export const formerLabelField = ({ key }: Kind, name: string) => `${key}.${name}.was`

/** Returns the errors of former labels that the files themselves contradict. */
export const formerLabelFaults = (
  entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>,
): readonly FormerLabelFault[] => kinds.flatMap((kind) => faultsIn(kind, entries.get(kind.key) ?? new Map()))

function faultsIn(kind: Kind, named: ReadonlyMap<string, Entry>): FormerLabelFault[] {
  const claims = new Map<string, Entry>()
  return [...named.values()].flatMap((entry) => {
    const was = formerLabel(entry)
    if (was === undefined) return []
    const other = claims.get(was)
    if (!other) claims.set(was, entry)
    const reason = kind.nameFault?.(was) ?? contradiction(was, entry, { declared: named.get(was), other })
    if (reason === undefined) return []
    return [{ place: entry.placeOf('was'), field: formerLabelField(kind, entry.name), reason }]
  })
}

function contradiction(
  was: string,
  { name }: Entry,
  { declared, other }: Record<'declared' | 'other', Entry | undefined>,
): string | undefined {
  if (was === name) return `"${was}" is the label itself`
  if (declared) return `"${was}" is also an entry, in ${declared.placeOf(null)}. Remove one of them`
  return other && `"${was}" is also the former label of "${other.name}", in ${other.placeOf('was')}`
}
