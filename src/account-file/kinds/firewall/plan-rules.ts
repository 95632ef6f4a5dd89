/** Plans the rules of a firewall from a file: steps, differences and refusals. */

import { checkValue } from '../../../catalogue/check'
import { type FirewallRules, firewallRules, newFirewallRules } from '../../../catalogue/firewall-rules'
import type { Firewall } from '../../../catalogue/firewalls'
import { diffRules, withoutServiceKeys, withServiceKeys } from '../../../firewall/diff'
import { opensAll } from '../../../firewall/effects'
import { hashOf } from '../../../firewall/hash'
import { areRules, directions, meaningOf, sendable, shapedRules } from '../../../firewall/rules'
import { allowedByText, stillAllowed } from '../../../firewall/still-allowed'
import { temporaryOpening } from '../../../firewall/temporary-opening'
import { trafficText } from '../../../firewall/traffic-text'
import { partUnmanaged, type Unmanaged, unknownPolicies, withUnmanaged } from '../../../firewall/unmanaged'
import { judgedServices } from '../../../firewall/verdict'
import { rememberLast } from '../../../rules/remember-last'
import type { PlanRefusal } from '../../kind'
import { inOrder } from '../../kind-functions'
import type { PlanStep } from '../../plan-step'
import { listedServices, servicesAfter } from './compare-services'
import type { FirewallEntry, One } from './entry'
import type { Guarded } from './read-guarded'
import { failedTests } from './run-tests'

/** Returns the rules of a firewall without null lists; `readGuarded` requires them to be valid. */
export const rulesOf = rememberLast(
  ({ rules }: Pick<Firewall, 'rules'>) => rules,
  ({ rules }): FirewallRules => shapedRules(rules) ?? rules,
)

const partsOf = rememberLast(
  (record: Guarded) => record,
  ({ firewall, asOf }) => partUnmanaged(rulesOf(firewall), asOf),
)

export function managedRules(record: Guarded): FirewallEntry['rules'] {
  return knownPart(sendable(withoutServiceKeys(partsOf(record).managed)), record)
}

/** Removes the policies that a file cannot set. */
function knownPart(rules: FirewallRules, record: Guarded) {
  const unknown = unknownPolicies(rulesOf(record.firewall))
  return Object.fromEntries(Object.entries(rules).filter(([key]) => !(key in unknown)))
}

/** Returns the rules and policies that a file cannot set, as clauses. */
export const unmanagedIn = (record: Guarded) => [
  ...partsOf(record).unmanaged.map(({ direction, index, reason }) => `${direction} rule ${index + 1} ${reason}`),
  ...Object.entries(unknownPolicies(rulesOf(record.firewall))).map(
    ([key, policy]) => `rules.${key} ${policy} is unknown`,
  ),
]

const rulePath = /^(?<before>rules\.(?<direction>\w+))\[(?<index>\d+)\](?<after>.*)$/

/** Returns the path of a rule with its position among all rules of the firewall: the entry has only those a file can set. */
export function pathInRecord(record: Guarded, field: string): string {
  const { before, direction, index, after } = rulePath.exec(field)?.groups ?? {}
  const { firewall } = record
  const side = directions.find((one) => one === direction)
  if (side === undefined) return field
  const unmanaged = partsOf(record).unmanaged.filter((one) => one.direction === side)
  const positions = rulesOf(firewall)[side].map((_, position) => position)
  const managed = positions.filter((position) => !unmanaged.some((one) => one.index === position))
  return `${before}[${managed[Number(index)]}]${after}`
}

/**
 * Returns the file's rules, completed with the current ones that a file can set. Undefined if rules of a new firewall
 * are missing.
 */
export function desiredRules({ desired, record }: One): FirewallRules | undefined {
  const current = record ? sendable(partsOf(record).managed) : { inbound: [], outbound: [] }
  const rules = { ...current, ...desired.rules, ...(record && unknownPolicies(rulesOf(record.firewall))) }
  if (!areRules(rules)) return undefined
  return record ? withServiceKeys(withoutLiving(rules, record), partsOf(record).managed) : rules
}

/** Returns the rules and policies that a file can set, after the plan; those of equal meaning stay as they are. */
export function rulesAfter(one: One): Readonly<Record<string, unknown>> | undefined {
  const { record } = one
  const desired = desiredRules(one)
  if (!desired) return one.desired.rules
  if (!record) return sendable(desired)
  const { managed } = partsOf(record)
  return knownPart(sendable(diffRules(managed, desired).length === 0 ? managed : desired), record)
}

/** Removes openings that were exported with the file while they are still open: they are not managed. */
function withoutLiving(rules: FirewallRules, record: Guarded): FirewallRules {
  const living = partsOf(record).unmanaged.map(({ rule }) => temporaryOpening(rule)?.mark)
  return { ...rules, inbound: rules.inbound.filter((rule) => !living.includes(temporaryOpening(rule)?.mark ?? '')) }
}

export interface NewRules {
  /** Those that a file can set. */
  desired: FirewallRules
  /** All, with the unmanaged ones. */
  planned: FirewallRules
}

export function withOthers(
  rules: FirewallRules,
  { record }: One,
  isMeant: (other: Unmanaged) => boolean = () => true,
): FirewallRules {
  if (!record) return rules
  const unmanaged = partsOf(record).unmanaged.filter(isMeant)
  return unmanaged.length === 0 ? rules : withUnmanaged(rules, rulesOf(record.firewall), unmanaged)
}

/** Returns the services of an entry, and the meaning of its rules; policies alone say too little without all other fields. */
export function traitsOf({ status, tags, devices, rules }: FirewallEntry): string[] {
  const some = [...new Set(servicesIn(devices))].sort()
  const meaning = areRules(rules) && directions.map((side) => [rules[`${side}_policy`], rules[side].map(meaningOf)])
  const hasRules = areRules(rules) && rules.inbound.length + rules.outbound.length > 0
  const isWhole = status !== undefined && tags !== undefined && devices !== undefined
  return [
    ...(some.length > 0 ? [JSON.stringify(some)] : []),
    ...(hasRules ? [JSON.stringify(meaning)] : []),
    ...(meaning && isWhole && some.length === 0 && !hasRules ? [JSON.stringify([status, inOrder(tags), meaning])] : []),
  ]
}

/** Reports whether two entries have no service in common: they describe two firewalls, even with the same rules. */
export function areApart({ devices: present }: FirewallEntry, { devices: desired }: FirewallEntry): boolean {
  const [some, others] = [servicesIn(present), servicesIn(desired)]
  return some.length > 0 && others.length > 0 && !some.some((one) => others.includes(one))
}

const servicesIn = (devices: FirewallEntry['devices']) => listedServices(devices).map(({ type, id }) => `${type} ${id}`)

export function lacking(rules: FirewallEntry['rules']): PlanRefusal[] {
  if (rules === undefined) return [{ field: 'rules', reason: 'A new firewall needs rules', code: 'usage' }]
  return checkValue(newFirewallRules, rules).map(({ field, reason }) => ({
    field: 'rules',
    reason: `A new firewall needs all of it: ${reason.startsWith(`${field}`) ? reason : `${field}: ${reason}`}`,
    code: 'usage',
  }))
}

/** Returns refusals if the file's rules and the current ones exceed the limits together: `planned`. */
export function mergedFaults({ desired }: One, planned: FirewallRules): PlanRefusal[] {
  if (!desired.rules) return []
  return checkValue(firewallRules.update.body, planned).flatMap(({ field, reason }) =>
    field === null ? [{ field: 'rules', reason: `With the current rules: ${reason}` }] : [],
  )
}

/**
 * Returns the step that replaces the rules. It only applies to the rules in the plan, so changes by others are not
 * lost.
 */
export function replacing(record: Guarded, { desired, planned }: NewRules): PlanStep[] {
  if (diffRules(partsOf(record).managed, desired).length === 0) return []
  const present = rulesOf(record.firewall)
  return [
    {
      action: 'rules',
      does: 'firewalls rules update',
      target: [String(record.firewall.id)],
      body: { ...sendable(planned) },
      // The planned rules were validated; unknown values are from the service itself.
      options: { ifMatch: hashOf(present), validate: false },
      changes: [],
      rules: diffRules(present, planned),
      ...(opensAll(present, planned) && { opensAll: true }),
      consequences: stillAllowed(present, planned).map((one) => ({
        kind: 'still allowed',
        text: `${trafficText(one.traffic)} by ${allowedByText(one, planned)}`,
        traffic: one.traffic,
      })),
    },
  ]
}

/** Returns failed tests. They run without temporary openings, which will soon be gone. */
export function testFaults(one: One, desired: FirewallRules): PlanRefusal[] {
  const { tests = [] } = one.desired
  const rules = withOthers(desired, one, ({ isOpening }) => !isOpening)
  const devices = servicesAfter(one.desired.devices, one.record).map((entity) => ({ entity }))
  return failedTests(tests, { rules, services: judgedServices(devices) })
}
