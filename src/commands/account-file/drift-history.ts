/** Finds the last change that the history of this machine has of each difference: when it was made, and by whom. */

import { isOtherUser } from '../../account/identity'
import { readHistory } from '../../account/ledger/reader'
import type { DesiredState } from '../../account-file/desired-state'
import type { DriftedObject } from '../../account-file/drift'
import type { AccountState } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { firewallRules } from '../../catalogue/firewall-rules'
import { firewallDevices } from '../../catalogue/firewalls'
import { volumes } from '../../catalogue/volumes'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isRecord } from '../../rules/records'
import { formatTimestamp } from '../../rules/times'
import { type ChangeRecord, changeRecordOf } from '../history/describe-change'
import { fileKinds } from '../history/kinds'

export interface LastChange {
  /** Argument of `history view`. */
  number: number
  /** Time in the service's format. */
  time: string
  command: string
  /** Login name of the user; null if it is unknown. */
  by: string | null
}

/** Change of one object, or of one address. */
interface OwnChange extends LastChange {
  kind: string
  id: string | undefined
  labels: readonly unknown[]
  /** Changed fields, or `created` and `deleted`. */
  fields: readonly string[]
}

export interface OwnChanges {
  /** The newest change first. */
  changes: readonly OwnChange[]
  /** Reason why the history was not read: the report is complete without it. */
  unread: string | null
}

/** Reads the changes that were made from this machine in this account. */
export async function readOwnChanges({ account }: Session): Promise<OwnChanges> {
  try {
    const all = await readHistory(account)
    if (all.length === 0) return { changes: [], unread: null }
    const now = await account.identity()
    if (!now.user) throw now.problem
    const own = all.filter(({ service, user }) => service === now.service && user && !isOtherUser(user, now.user))
    const done = own.filter(({ result }) => result?.outcome === 'ok').map(changeRecordOf)
    return { changes: done.toReversed().flatMap(ownChanges), unread: null }
  } catch (error) {
    if (!(error instanceof Problem) || account.signal.aborted) throw error
    return { changes: [], unread: error.message }
  }
}

function ownChanges(change: ChangeRecord): OwnChange[] {
  const { past, pathParameters, label } = change
  const kind = fileKinds[change.kind?.kind ?? '']
  if (kind === undefined) return []
  const { number, command, before, user } = past
  const time = formatTimestamp(Date.parse(past.time))
  const common = { number, time, command, by: user?.username || null, kind, labels: [label, before?.label] }
  if (kind !== 'ips') {
    const id = change.kind?.kind === 'device' ? String(pathParameters.firewallId) : change.id
    return [{ ...common, id, fields: fieldsOf(change) }]
  }
  const assignments = Array.isArray(before?.assignments) ? before.assignments.filter(isRecord) : []
  return assignments.map(({ address }) => ({ ...common, id: String(address), fields: ['compute_id'] }))
}

function fieldsOf({ past, kind }: ChangeRecord): readonly string[] {
  const operation = kind?.action.operation
  if (operation === volumes.resize) return ['size']
  if (operation === volumes.attach || operation === volumes.detach) return ['compute_id']
  if (operation === firewallRules.update) return ['rules']
  if (operation === firewallDevices.create || operation === firewallDevices.delete) return ['devices']
  if (operation?.creates !== undefined) return ['created']
  return operation?.method === 'DELETE' ? ['deleted'] : Object.keys(past.before ?? {})
}

/** Returns the last change of a field; null if the history has none. Others may have changed it since. */
export function lastChangeOf(object: DriftedObject, field: string | null, changes: readonly OwnChange[]) {
  const last = changes.find(isAbout(object, fieldsFor(object, field)))
  if (!last || (object.state === 'missing' && !last.fields.includes('deleted'))) return null
  const { number, time, command, by } = last
  return { number, time, command, by }
}

/** Returns the fields whose change explains a difference. */
function fieldsFor({ state }: DriftedObject, field: string | null): readonly string[] {
  if (state === 'missing') return ['created', 'deleted']
  // A resource in no file has the owner's tag, from its creation or later. A key never changes after its creation.
  if (state === 'extra') return ['created', 'tags']
  return field === 'ssh_key' ? ['created'] : field === null ? [] : [field]
}

const isAbout =
  ({ kind, id, name, state }: DriftedObject, fields: readonly string[]) =>
  (one: OwnChange) => {
    const isIt = state === 'missing' ? one.labels.includes(name) : (one.id ?? String(id)) === String(id)
    return one.kind === kind && isIt && fields.some((field) => one.fields.includes(field))
  }

/**
 * Returns the object that had the label of a missing one, by the id in the last change with this label, unless the files
 * have its new label: then they mean another object.
 */
export function renamedFrom(
  object: DriftedObject,
  changes: readonly OwnChange[],
  { entries, world }: Pick<DesiredState, 'entries'> & { world: AccountState },
): DriftedObject | undefined {
  const kind = kinds.find(({ key, rename }) => key === object.kind && rename !== undefined)
  if (object.state !== 'missing' || !kind) return undefined
  const last = changes.find((one) => one.kind === object.kind && one.labels.includes(object.name))
  const record = world.get(kind.key)?.find((one) => String(kind.idOf(one)) === last?.id)
  if (record === undefined || entries.get(kind.key)?.has(kind.nameOf(record))) return undefined
  return { ...object, state: 'differs', name: kind.nameOf(record), id: kind.idOf(record) }
}
