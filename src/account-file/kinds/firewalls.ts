import { checkValue } from '../../catalogue/check'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { firewalls } from '../../catalogue/firewalls'
import { copyWith } from '../../catalogue/normalize'
import { diffRules } from '../../firewall/diff'
import { tidyRules } from '../../firewall/normalize-rules'
import { directions } from '../../firewall/rules'
import { isKnownStatus } from '../../firewall/status'
import { isRecord } from '../../rules/records'
import { listed } from '../../rules/texts'
import type { Kind, PlanRefusal } from '../kind'
import { inOrder } from '../kind-functions'
import type { PlanStep } from '../plan-step'
import { isOwned, retag, tagFields, tagsOf } from '../tags'
import { checkFirewall } from './firewall/check-entry'
import { claimedTwice, handovers, protectionOf, unprotectedAfter } from './firewall/claims'
import {
  type Added,
  addedTo,
  assigning,
  idsAfter,
  idsOf,
  kindOf,
  listOf,
  type Services,
  services,
} from './firewall/compare-services'
import { entry, type FirewallEntry, type One } from './firewall/entry'
import { claiming, harmless, sorted, stepsOfExisting, switching } from './firewall/order-handover'
import { removing } from './firewall/plan-removal'
import {
  areApart,
  desiredRules,
  lacking,
  managedRules,
  mergedFaults,
  type NewRules,
  pathInRecord,
  replacing,
  rulesAfter,
  testFaults,
  traitsOf,
  unmanagedIn,
  withOthers,
} from './firewall/plan-rules'
import { type Guarded, readGuarded } from './firewall/read-guarded'
import { withEffects } from './firewall/traffic-effects'
import { isUnknownCompute, unknownCompute } from './infer-computes'

export const firewallKind: Kind<FirewallEntry, Guarded> = {
  key: 'firewalls',
  noun: 'firewall',
  entry,
  included: { field: 'rules', fills: 'rules', holds: 'an object' },
  services: { 'devices.computes': 'computes', 'devices.balancers': 'balancers' },
  tidy,
  needs: ['rdns'],
  nameFault: (label) => checkValue(firewalls.create.body.entries.label, label)[0]?.reason,
  read: (client, onUnreadable, { isReport = false, desired } = {}) =>
    readGuarded(client, onUnreadable, { needsList: isReport ? () => false : undefined, desired }),
  list: firewalls.list,
  listed: ({ firewall }) => firewall,
  noteOf: ({ firewall, devices }) =>
    listed([
      `id ${firewall.id}`,
      ...inOrder(devices.flatMap(({ entity: { type, id, label } }) => (label ? [`${type} ${id} is ${label}`] : []))),
    ]),
  nameOf: ({ firewall }) => firewall.label,
  idOf: ({ firewall }) => firewall.id,
  entryOf(record) {
    const { status, tags } = record.firewall
    const { devices } = record
    return {
      ...(isKnownStatus(status) && { status }),
      ...tagFields(tags),
      rules: managedRules(record),
      devices: { computes: idsOf(devices, 'computes'), balancers: idsOf(devices, 'balancers') },
    }
  },
  leftOut: unknownIn,
  pathInRecord,
  tagged: ({ firewall }) => firewall,
  rename: {
    does: 'firewalls update',
    relabel: ({ firewall, ...record }, label) => ({ ...record, firewall: copyWith(firewall, { label }) }),
    likeness: { traitsOf, desiredTraits: traitsOf, areApart },
  },
  plan: (one) => {
    const desired = desiredRules(one)
    const [unknown, claimed] = [unknownComputes(one), claimedTwice(one)]
    if (!desired) return { steps: [], refusals: [...lacking(one.desired.rules), ...unknown, ...claimed] }
    const planned = withOthers(desired, one)
    const steps = one.record ? planChange(one, one.record, { desired, planned }) : planMaking(one, desired)
    return {
      steps: withEffects(steps, one, planned),
      refusals: [...unknown, ...mergedFaults(one, planned), ...testFaults(one, desired), ...claimed],
      notes: notesOf(one),
    }
  },
  check: checkFirewall,
  fieldsAfter,
  unprotectedAfter,
  remove: (record, removal) =>
    isOwned(record.firewall, removal.owner) && isKnownStatus(record.firewall.status)
      ? removing(record, removal)
      : undefined,
}

function unknownComputes({ desired, record, world }: One): PlanRefusal[] {
  const added = addedTo(record?.devices ?? [], desired.devices).filter(({ type }) => type === 'compute')
  return added.flatMap(({ id }) => (isUnknownCompute(id, world) ? [unknownCompute(id, 'devices.computes')] : []))
}

function tidy(fields: Record<string, unknown>): Record<string, unknown> {
  const { rules, devices } = fields
  return {
    ...fields,
    ...(isRecord(rules) && { rules: { ...tidyRules(rules).value, ...leftEmpty(rules) } }),
    ...(isRecord(devices) && { devices: Object.fromEntries(Object.entries(devices).map(onceEach)) }),
  }
}

/** Keeps null for a list without a value, which is an error: read as "no rules" it would delete all current rules. */
const leftEmpty = (rules: Record<string, unknown>) =>
  Object.fromEntries(directions.flatMap((direction) => (rules[direction] === null ? [[direction, null]] : [])))

const onceEach = ([list, ids]: [string, unknown]) => [list, Array.isArray(ids) ? [...new Set(ids)] : ids]

/** Returns the fields of a firewall after the plan; unknown values stay, and no file can have them. */
function fieldsAfter(one: One): Readonly<Record<string, unknown>> {
  const { desired, record } = one
  const idsIn = (list: Services) => inOrder(idsAfter(desired.devices, record, list))
  const isUnknown = record && !isKnownStatus(record.firewall.status)
  const status = isUnknown ? undefined : (desired.status ?? record?.firewall.status ?? 'enabled')
  return { status, rules: rulesAfter(one), devices: { computes: idsIn('computes'), balancers: idsIn('balancers') } }
}

function planMaking(one: One, rules: FirewallRules): PlanStep[] {
  const { name, desired, settings } = one
  // A new firewall is always enabled (api.md, Firewall status): one to disable gets its services later.
  const isEnabled = desired.status !== 'disabled'
  const { claimed, plain } = sorted(addedTo([], desired.devices), name, handovers(one))
  const [computes, balancers] = services.map((list) => (isEnabled ? idsIn(plain, list) : []))
  const protectedOnes = isEnabled ? plain.map(protectionOf) : []
  const tags = tagsOf(desired, undefined, settings)
  const body = {
    label: name,
    rules,
    ...(protectedOnes.length > 0 && { devices: { computes, balancers } }),
    ...(tags.length > 0 && { tags }),
  }
  const making: PlanStep = {
    action: 'create',
    does: 'firewalls create',
    target: [],
    body,
    options: { ifAbsent: true },
    changes: [
      `protects ${protectedOnes.length > 0 ? listed(protectedOnes) : 'nothing yet'}${tags.length > 0 ? `, tags ${listed(tags)}` : ''}`,
    ],
    rules: diffRules({ inbound: [], inbound_policy: 'none', outbound: [], outbound_policy: 'none' }, rules),
  }
  const target = `label:${name}`
  const later = isEnabled
    ? claiming(target, name, claimed)
    : [{ ...switching('disabled', target), ...harmless }, ...plain.map((one) => assigning(target, one))]
  return [making, ...later]
}

const idsIn = (added: readonly Added[], list: Services) =>
  added.flatMap(({ type, id }) => (type === kindOf(list) ? [id] : []))

function planChange(one: One, record: Guarded, rules: NewRules): PlanStep[] {
  const { desired, settings } = one
  const { id, tags } = record.firewall
  return [
    ...stepsOfExisting(one, record, replacing(record, rules)),
    ...retag('firewalls update', id, { desired, present: tags, settings }),
  ]
}

/** Returns the parts of a firewall that the plan leaves unchanged although the file sets them. */
function notesOf({ desired, record }: One): string[] {
  if (!record) return []
  const { status } = record.firewall
  return [
    ...(desired.status !== undefined && !isKnownStatus(status) ? [`its status "${status}" is unknown`] : []),
    ...(desired.devices === undefined ? [] : unknownDevices(record)),
    ...(desired.rules === undefined ? [] : unmanagedIn(record)),
  ].map((text) => `${text}, and stays unchanged`)
}

/** Returns the parts of a firewall that no file can have. */
function unknownIn(record: Guarded): string[] {
  const { status } = record.firewall
  return [
    ...(isKnownStatus(status) ? [] : [`its status "${status}" is unknown`]),
    ...unknownDevices(record),
    ...unmanagedIn(record),
  ]
}

const unknownDevices = ({ devices }: Guarded) =>
  devices.flatMap(({ entity: { type, id, label } }) =>
    listOf(type) ? [] : [`${type} ${id}${label ? ` "${label}"` : ''} is of an unknown type`],
  )
