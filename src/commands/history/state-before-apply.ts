/** Builds the state before an apply, as far as a plan can restore it: the desired state of the objects that it changed. */
import { hasProtectedTag } from '../../account/protection'
import type { BackedUpChange } from '../../account/rule-backups'
import type { DesiredObject } from '../../account-file/desired-object'
import type { DesiredState } from '../../account-file/desired-state'
import type { AccountState, Kind } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { protectionOf } from '../../account-file/kinds/firewall/claims'
import { idsOf, kindOf, services } from '../../account-file/kinds/firewall/compare-services'
import { isGuarded } from '../../account-file/kinds/firewall/entry'
import { managedRules } from '../../account-file/kinds/firewall/plan-rules'
import type { Guarded } from '../../account-file/kinds/firewall/read-guarded'
import { type Fault, Place } from '../../account-file/places'
import type { PlanStep } from '../../account-file/plan-step'
import type { FirewallDevice } from '../../catalogue/firewalls'
import { isKnownStatus } from '../../firewall/status'
import { withoutOpenings } from '../../firewall/temporary-opening'
import { hasDefaultName } from '../../rules/host-names'
import { groupBy, isRecord } from '../../rules/records'
import { titleOf } from '../account-file/plan-screen'
import { type ChangeRecord, objectName } from './describe-change'
import { fileKinds } from './kinds'

type Values = Readonly<Record<string, unknown>>
type Service = Pick<FirewallDevice['entity'], 'type' | 'id'>

/** A change of an apply, and its object as it is now. */
export interface LocatedChange {
  change: ChangeRecord
  kind: Kind
  record: unknown
  backup?: BackedUpChange | undefined
  /** Service that it assigned to the firewall, or removed from it, and whether the firewall had it before. */
  device?: { service: Service; hadIt: boolean } | undefined
}

/** Returns the kind in account files that a change is about; undefined if files cannot set it. */
export const fileKindOf = ({ kind }: ChangeRecord): Kind | undefined =>
  kinds.find(({ key }) => key === fileKinds[kind?.kind ?? ''])

/** Finds the object that a change is about; undefined if the account no longer has it. */
export function recordOfChange(change: ChangeRecord, kind: Kind, world: AccountState): unknown {
  const id = String(change.kind?.kind === 'device' ? change.pathParameters.firewallId : change.id)
  const isIt = (record: unknown) =>
    kind.single || String(kind.idOf(record)) === id || kind.tidyName?.(id) === kind.nameOf(record)
  return world.get(kind.key)?.find(isIt)
}

/** Returns the current name of an object: `firewall "edge" (9100) at compute 1003`. */
export function nameOfObject({ change, kind, record, device, backup }: LocatedChange): string {
  if (kind.key !== 'firewalls' && kind.key !== 'volumes') return objectName(change)
  const label = kind.nameOf(record)
  const id = String(kind.idOf(record))
  const title = titleOf({ noun: kind.noun, name: label, id })
  if (device) return `${title} at ${device.service.type} ${device.service.id}`
  return backup ? `the rules of ${title}` : title
}

/** Returns the fields of an entry that undoing a change sets, as plans name them. */
const fieldsOf = ({ change, backup, device }: LocatedChange): string[] => {
  if (device) return [`devices.${device.service.type}s`]
  if (backup) return ['rules']
  return Object.keys(change.past.before ?? {}).flatMap((field) => namesOfField[field] ?? [field])
}

const namesOfField: Readonly<Record<string, readonly string[]>> = { label: ['was'], tags: ['tags', 'protect'] }

/** Reports whether a refused field is one that undoing a change sets; null is the whole object. */
const setsField = (located: LocatedChange, field: string | null) =>
  field === null || located.kind.key === 'rdns' || fieldsOf(located).includes(field)

export function isUndoneBy(located: LocatedChange, { action, body = {}, replaced = {} }: PlanStep): boolean {
  const { change, kind, backup, device } = located
  if (device) {
    const entity = action === 'assign' ? body : replaced.entity
    return isRecord(entity) && entity.id === device.service.id && entity.type === device.service.type
  }
  if (backup) return action === 'rules'
  const fields = Object.keys(change.past.before ?? {})
  if (kind.key === 'firewalls' && fields.includes('status') && (action === 'enable' || action === 'disable'))
    return true
  return fields.some((field) => Object.hasOwn(body, field))
}

interface ObjectBefore {
  kind: Kind
  object: DesiredObject
  changes: readonly LocatedChange[]
  /** True if only the changes protect it: a plan may end that first. */
  mayUnprotect: boolean
}

/** Returns the objects as they were before these changes, the last one first. */
export function objectsBefore(changes: readonly LocatedChange[]): ObjectBefore[] {
  return [...groupBy(changes, ({ record }) => record).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { kind } = first
    const { name, value, isUnprotected } = entryBefore(own, first)
    const object = { name, value, at: new Place({ name: 'history' }, [kind.key, name]) }
    return [{ kind, object, changes: own, mayUnprotect: isUnprotected === true }]
  })
}

/** Returns these objects as a plan wants them. */
export function stateOf(objects: readonly ObjectBefore[]): DesiredState {
  const named = [...groupBy(objects, ({ kind }) => kind.key)].map(([key, all]) => {
    return [key, new Map(all.map(({ object }) => [object.name, object]))] as const
  })
  return { settings: { defaults: {} }, entries: new Map(named) }
}

/** Returns the changes that set the field of a fault. */
export function changesAt({ at }: Fault, objects: readonly ObjectBefore[]): readonly LocatedChange[] {
  const [key, name, ...field] = at.path
  const { changes = [] } = objects.find(({ kind, object }) => kind.key === key && object.name === name) ?? {}
  const setting = changes.filter((one) => setsField(one, field.length === 0 ? null : field.join('.')))
  return setting.length > 0 ? setting : changes
}

function entryBefore(changes: readonly LocatedChange[], { kind, record }: LocatedChange) {
  // Those of the first change are the oldest ones.
  const fields: Values = Object.assign({}, ...changes.map(({ change: { past }, device }) => !device && past.before))
  const name = kind.nameOf(record)
  if (kind.key === 'rdns') return { name, value: nameBefore(record, fields) }
  const { label, tags, ...others } = fields
  const former = typeof label === 'string' ? label : name
  const present = kind.tagged?.(record).tags
  const entry = kind.entryOf(record)
  const before = Array.isArray(tags) ? tags.map(String) : []
  const value = {
    // The text of a key is required.
    ...(kind.key === 'sshkeys' && isRecord(entry) && entry),
    ...(isGuarded(record) ? firewallBefore(changes, record, others) : others),
    ...(tags !== undefined && { tags: before, protect: hasProtectedTag(before) }),
    ...(former !== name && { was: name }),
  }
  const isUnprotected = tags !== undefined && hasProtectedTag(present) && !hasProtectedTag(before)
  return { name: former, value, isUnprotected }
}

/** A default name is restored by a reset. */
function nameBefore(record: unknown, { rdns }: Values): string | null {
  const { address } = isRecord(record) ? record : {}
  return typeof rdns !== 'string' || hasDefaultName({ address: String(address), rdns }) ? null : rdns
}

function firewallBefore(changes: readonly LocatedChange[], record: Guarded, { status }: Values): Values {
  const backup = changes.findLast((one) => one.backup)?.backup
  return {
    ...(isKnownStatus(status) && { status }),
    ...(backup && { rules: rulesBefore(backup, record) }),
    ...(changes.some(({ device }) => device) && { devices: devicesBefore(changes, record) }),
  }
}

/** Returns the rules before a change without temporary openings: these are not opened again. */
function rulesBefore({ before }: BackedUpChange, record: Guarded) {
  return managedRules({ ...record, firewall: { ...record.firewall, rules: withoutOpenings(before) } })
}

/** Returns the lists of services that the changes concern: what others have assigned since stays. */
function devicesBefore(changes: readonly LocatedChange[], { devices }: Guarded): Values {
  const hadIt = new Map(
    changes.flatMap(({ device }) => (device ? [[protectionOf(device.service), device] as const] : [])),
  )
  const lists = services.map((list) => {
    const own = [...hadIt.values()].filter(({ service }) => service.type === kindOf(list))
    const others = idsOf(devices, list).filter((id) => !hadIt.has(protectionOf({ type: kindOf(list), id })))
    return [
      list,
      own.length > 0 ? [...others, ...own.flatMap(({ service, hadIt }) => (hadIt ? [service.id] : []))] : undefined,
    ]
  })
  return Object.fromEntries(lists)
}
