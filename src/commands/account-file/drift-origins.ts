/** Finds out since when the account differs from its files, and who changed it: only what the evidence shows. Pure. */

import type { DesiredState } from '../../account-file/desired-state'
import type { DriftedObject, FieldDrift } from '../../account-file/drift'
import type { AccountState } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { formatTimestamp } from '../../rules/times'
import { isTimeOf, type Showing, shownRecord, type Trace, timeIn, tolerance } from './drift-evidence'

/** Since when the account has a value. */
interface Since {
  time: string
  /**
   * `probable`: nothing shows a later change, but the value cannot be compared; `at_latest`: the value is at least as old
   * as that; `at_earliest`: it is not older.
   */
  precision: 'exact' | 'probable' | 'at_latest' | 'at_earliest'
  /** Evidence for the time: `event firewall_disable`. */
  source: string
}

export interface Origin {
  /** Null if it is unknown. */
  since: Since | null
  /** Login name of the user; null if it is unknown. */
  by: string | null
}

interface OriginInput {
  traces: readonly Trace[]
  /** Tag of the owner. */
  owner: string | undefined
}

/** Returns since when the account has the value of a field, and who has set it. */
export function originOf(
  object: DriftedObject,
  { field }: Pick<FieldDrift, 'field'>,
  { traces, owner }: OriginInput,
): Origin {
  if (object.state === 'missing') return deletionOf(object, traces)
  const own = traces.filter(
    ({ kind, id }) => kind === object.kind && (id === undefined || id === String(object.id ?? id)),
  )
  if (object.state === 'extra') return taggingOf(object, own, owner)
  // The service cannot change a key: it has been the same since it was added.
  if (field === 'ssh_key') return creationOf(object, own)
  const [newest] = own.filter(({ fields }) => field !== null && fields.includes(field))
  const showing = newest && showingOf(newest, object, own)
  if (newest && showing) return tracedTo(newest, showing)
  const updated = timeOf(object, 'updated')
  // A firewall's own times say nothing about its services.
  if (updated === undefined || field === 'devices') return { since: null, by: null }
  return { since: { time: formatTimestamp(updated), precision: 'at_latest', source: 'last update' }, by: null }
}

const tracedTo = ({ time, source, by }: Trace, showing: Showing): Origin => ({
  since: { time: formatTimestamp(time), precision: showing === 'value' ? 'exact' : 'probable', source },
  by,
})

const timeOf = ({ record }: DriftedObject, field: string) => timeIn(shownRecord(record), field)

/**
 * Returns how the account shows the value of a change. Undefined after a later update without a known change: that one
 * could have been the removal and the restoration of the value.
 */
function showingOf(trace: Trace, object: DriftedObject, own: readonly Trace[]): Showing | undefined {
  const updated = timeOf(object, 'updated')
  const isLast = trace.end === undefined || updated === undefined || updated <= trace.end + tolerance
  return isLast || own.some((later) => isTimeOf(later, updated)) ? trace.shownBy(object) : undefined
}

function deletionOf({ kind, name }: DriftedObject, traces: readonly Trace[]): Origin {
  const ends = traces.filter((one) => one.kind === kind && one.label === name)
  const [newest] = ends.filter(({ fields }) => fields.includes('created') || fields.includes('deleted'))
  return newest?.fields.includes('deleted') ? tracedTo(newest, 'value') : { since: null, by: null }
}

/** Returns since when an object has the owner's tag. That may be later than its creation if anything has updated it. */
function taggingOf(object: DriftedObject, own: readonly Trace[], owner: string | undefined): Origin {
  const [tagging] = own.filter(({ fields }) => fields.includes('tags'))
  const { tags } = tagging?.before ?? {}
  const isAdding = Array.isArray(tags) && !tags.includes(owner)
  const showing = tagging && isAdding ? showingOf(tagging, object, own) : undefined
  if (tagging && showing) return tracedTo(tagging, showing)
  const { since, by } = creationOf(object, own)
  if (since === null || isAsCreated(object, own)) return { since, by }
  const source = by === null ? since.source : `${since.source} by ${by}`
  return { since: { ...since, precision: 'at_earliest', source }, by: null }
}

function isAsCreated(object: DriftedObject, own: readonly Trace[]): boolean {
  const [created = Number.NaN, updated = Number.NaN] = [timeOf(object, 'created'), timeOf(object, 'updated')]
  const creation = own.find(({ fields }) => fields.includes('created'))
  return updated <= created + tolerance || (creation !== undefined && isTimeOf(creation, updated))
}

function creationOf(object: DriftedObject, own: readonly Trace[]): Origin {
  const by = own.find(({ fields }) => fields.includes('created'))?.by ?? null
  const created = timeOf(object, 'created')
  if (created === undefined) return { since: null, by }
  return { since: { time: formatTimestamp(created), precision: 'exact', source: 'created' }, by }
}

interface Both extends Pick<DesiredState, 'entries'> {
  world: AccountState
}

/**
 * Returns the object that had the label of a missing one, by the id in the newest known change, unless the files have
 * its new label: then they mean another object.
 */
export function renamedFrom(object: DriftedObject, traces: readonly Trace[], { entries, world }: Both) {
  const kind = kinds.find(({ key, rename }) => key === object.kind && rename !== undefined)
  if (object.state !== 'missing' || !kind) return undefined
  const isOfLabel = ({ label, before }: Trace) => label === object.name || before?.label === object.name
  const last = traces.find((one) => one.kind === object.kind && isOfLabel(one))
  const record = world.get(kind.key)?.find((one) => String(kind.idOf(one)) === last?.id)
  if (record === undefined || entries.get(kind.key)?.has(kind.nameOf(record))) return undefined
  return { ...object, state: 'differs' as const, name: kind.nameOf(record), id: kind.idOf(record), record }
}
