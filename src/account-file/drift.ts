/** Lists how an account differs from its files, field by field: a plan, read in the other direction. Pure. */
import type { ActionName } from '../account/actions'
import type { RulesChange } from '../firewall/diff'
import { isRecord } from '../rules/records'
import { nameList } from '../rules/texts'
import type { DesiredState } from './desired-state'
import type { AccountState, Kind, PlanRefusal } from './kind'
import { kinds } from './kinds'
import { type Named, namesOf, type Plan, type PlannedObject } from './plan'
import type { PlanStep } from './plan-step'

/** A field of an object that differs; the whole object if `field` is null. */
export interface FieldDrift {
  field: string | null
  /** Values; null if the account or the files do not have the object. */
  account: unknown
  files: unknown
  /** Differences of rules, from the account to the files. */
  rules?: readonly RulesChange[]
  /** Change that apply would make, if no field differs: a replaced key may have been left behind. */
  change?: string
  /** Reason why apply cannot change it. */
  reason?: string
}

export interface DriftedObject extends Named {
  /** `missing` in the account, or `extra`: it has the tag of the owner and is in no file. */
  state: 'differs' | 'missing' | 'extra'
  fields: readonly FieldDrift[]
}

/** Returns the differences, in the order of the plan; extra objects are the last. */
export function driftOf({ objects, left }: Plan, { entries }: DesiredState, world: AccountState): DriftedObject[] {
  const differing = objects.map((object): DriftedObject => {
    const desired = entries.get(object.kind)?.get(object.name)?.value
    const names = namesOf(object)
    if (object.action !== 'create') return { ...names, state: 'differs', fields: fieldsOf(object, desired) }
    const [refusal] = object.refusals ?? []
    const whole = { field: null, account: null, files: desired, ...(refusal && { reason: refusal.reason }) }
    return { ...names, state: 'missing', fields: [whole] }
  })
  const extra = left.map((object): DriftedObject => {
    const kind = kinds.find(({ key }) => key === object.kind)
    const account = kind?.entryOf(world.get(object.kind)?.find((record) => kind.idOf(record) === object.id))
    return { ...namesOf(object), state: 'extra', fields: [{ field: null, account, files: null }] }
  })
  return [...differing, ...extra]
}

/**
 * Returns sentences about records in no file, of kinds that the files have. They are no differences: what a file does not
 * have is not managed. Those with the tag of the owner are differences, and left out.
 */
export function unlistedIn({ left }: Pick<Plan, 'left'>, { entries }: DesiredState, world: AccountState): string[] {
  return kinds.flatMap((kind) => {
    const listed = entries.get(kind.key)
    const owned = new Set(left.filter((object) => object.kind === kind.key).map(({ id }) => id))
    const records = (world.get(kind.key) ?? []).filter(
      (record) => listed && !listed.has(kind.nameOf(record)) && !owned.has(kind.idOf(record)),
    )
    if (kind.noteOfUnlisted) return kind.noteOfUnlisted(records) ?? []
    // Expected tokens are compared elsewhere, and addresses cannot be created by a file.
    return kind.single || kind.expect || kind.isOnRequest ? [] : unlistedNote(kind, records)
  })
}

/** Names the latest first: somebody may have created them by hand. */
function unlistedNote({ noun, nameOf, idOf }: Kind, records: readonly unknown[]): string[] {
  if (records.length === 0) return []
  const latest = records.toSorted((one, other) => Number(idOf(other)) - Number(idOf(one)))
  const names = nameList(latest.map((record) => `"${nameOf(record)}" (${idOf(record)})`))
  return [`In no file, so not compared: ${records.length === 1 ? noun : `${noun}s`} ${names}`]
}

/** Fields that a step changes, if they are not those of its body. */
const fieldsByStep: Partial<Record<ActionName, string>> = {
  'volumes attach': 'compute_id',
  'volumes detach': 'compute_id',
  'firewalls enable': 'status',
  'firewalls disable': 'status',
  'firewalls devices add': 'devices',
  'firewalls devices delete': 'devices',
  'firewalls rules update': 'rules',
  'ips assign': 'compute_id',
  'profile sshkeys add': 'ssh_key',
}

function fieldsOf({ before, steps, refusals = [] }: PlannedObject, desired: unknown): FieldDrift[] {
  const fields = new Map<string, FieldDrift>()
  const present = before()
  for (const refusal of refusals) {
    const one = refusedField(refusal, present, desired)
    fields.set(String(one.field), one)
  }
  for (const step of steps) for (const one of changedFields(step, present, desired)) fields.set(String(one.field), one)
  if (fields.size > 0) return [...fields.values()]
  return [{ field: null, account: present, files: desired, change: steps.flatMap(({ changes }) => changes).join('; ') }]
}

function refusedField({ field: path, reason }: PlanRefusal, before: unknown, desired: unknown): FieldDrift {
  const field = path?.split('.')[0] ?? null
  if (field === null) return { field, account: before, files: desired, reason }
  return { field, account: valueIn(before, field), files: valueIn(desired, field), reason }
}

function changedFields(
  { does, body = {}, replaced = {}, rules }: PlanStep,
  before: unknown,
  desired: unknown,
): FieldDrift[] {
  const own = fieldsByStep[does]
  // A key is replaced by adding the new one first, so the addition has the field.
  if (does === 'profile sshkeys delete') return []
  if (own !== undefined) {
    const values = { account: valueIn(before, own), files: valueIn(desired, own) ?? null }
    return [{ field: own, ...values, ...(rules && { rules }) }]
  }
  return Object.keys(body).map((field) => ({
    field,
    account: Object.hasOwn(replaced, field) ? replaced[field] : valueIn(before, field),
    files: body[field],
  }))
}

/** Returns the field of an entry; an entry that is a single value has no fields. */
const valueIn = (entry: unknown, field: string): unknown => (isRecord(entry) ? entry[field] : entry)
