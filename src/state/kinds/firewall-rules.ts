/** The rules of a firewall as a file wants them: what is planned, shown and refused. */
import { check } from '../../catalogue/check'
import { type FirewallRules, firewallRules, newFirewallRules } from '../../catalogue/firewall-rules'
import type { Firewall } from '../../catalogue/firewalls'
import { diffRules } from '../../firewall/diff'
import { hashOf } from '../../firewall/hash'
import { openingOf } from '../../firewall/opening'
import { areRules, sendable, shapedRules } from '../../firewall/rules'
import { partUnmanaged, type Unmanaged, unknownPolicies, withUnmanaged } from '../../firewall/unmanaged'
import type { Refusal, Step } from '../kind'
import { type Entry, type Guarded, idsAfter, type One, type Services } from './firewall-devices'
import { failedTests } from './firewall-tests'

export const noRules: FirewallRules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }

const rulesOf = ({ rules }: Firewall): FirewallRules => shapedRules(rules) ?? noRules

const partsOf = ({ firewall, asOf }: Guarded) => partUnmanaged(rulesOf(firewall), asOf)

/** The rules and policies of a firewall that a file can set. */
export function managedRules(record: Guarded): Entry['rules'] {
  const unknown = unknownPolicies(rulesOf(record.firewall))
  const managed = Object.entries(sendable(partsOf(record).managed)).filter(([key]) => !(key in unknown))
  return Object.fromEntries(managed)
}

/** The rules and policies that a file leaves alone, a clause each. */
export const unmanagedIn = (record: Guarded) => [
  ...partsOf(record).unmanaged.map(({ direction, index, reason }) => `rules.${direction}[${index}] ${reason}`),
  ...Object.entries(unknownPolicies(rulesOf(record.firewall))).map(
    ([key, policy]) => `rules.${key} ${policy} is unknown`,
  ),
]

/** What the file says, over the rules that it can set. */
export function wantedRules({ wanted, record }: One): FirewallRules | undefined {
  const standing = record ? sendable(partsOf(record).managed) : { inbound: [], outbound: [] }
  const rules = { ...standing, ...wanted.rules, ...(record && unknownPolicies(rulesOf(record.firewall))) }
  return areRules(rules) ? withoutLiving(rules, record) : undefined
}

/** An opening that the file was exported with is left alone as long as it lives. */
function withoutLiving(rules: FirewallRules, record: Guarded | undefined): FirewallRules {
  if (!record) return rules
  const living = partsOf(record).unmanaged.flatMap(({ rule }) => openingOf(rule)?.mark ?? [])
  return { ...rules, inbound: rules.inbound.filter((rule) => !living.includes(openingOf(rule)?.mark ?? '')) }
}

/** All rules as they will be, with those that are left alone. */
export function plannedRules(one: One): FirewallRules | undefined {
  return withOthers(one, () => true)
}

function withOthers(one: One, isMeant: (other: Unmanaged) => boolean): FirewallRules | undefined {
  const { record } = one
  const rules = wantedRules(one)
  if (!rules || !record) return rules
  const unmanaged = partsOf(record).unmanaged.filter(isMeant)
  return unmanaged.length > 0 ? withUnmanaged(rules, rulesOf(record.firewall), unmanaged) : rules
}

/** What a new firewall needs, and nothing stands to take it from. */
export function lacking(rules: Entry['rules']): Refusal[] {
  if (rules === undefined) return [{ field: 'rules', reason: 'A new firewall needs rules' }]
  return check(newFirewallRules, rules).map(({ field, reason }) => ({
    field: 'rules',
    reason: `A new firewall needs all of it: ${reason.startsWith(`${field}`) ? reason : `${field}: ${reason}`}`,
  }))
}

/** Of rules that are wanted in part, and stand in part, the whole may be too much. */
export function mergedFaults(one: One): Refusal[] {
  const rules = one.record && one.wanted.rules && plannedRules(one)
  if (!rules) return []
  return check(firewallRules.update.body, rules).flatMap(({ field, reason }) =>
    field === null ? [{ field: 'rules', reason: `With those that stand: ${reason}` }] : [],
  )
}

/** Only of the rules that the plan shows: what others have changed since is not theirs to lose. */
export function replacing(one: One, record: Guarded): Step[] {
  const [wanted, planned] = [wantedRules(one), plannedRules(one)]
  if (!one.wanted.rules || !wanted || !planned) return []
  if (diffRules(partsOf(record).managed, wanted).length === 0) return []
  const present = rulesOf(record.firewall)
  // What is checked is checked: rules with unknown values are the service's own.
  const hasUnknown =
    partsOf(record).unmanaged.some(({ isOpening }) => !isOpening) || Object.keys(unknownPolicies(present)).length > 0
  return [
    {
      action: 'rules',
      command: ['firewalls', 'rules', 'update'],
      arguments: [String(record.firewall.id)],
      body: { ...sendable(planned) },
      flags: { 'if-match': hashOf(present), ...(hasUnknown && { validate: false }) },
      changes: [],
      rules: diffRules(present, planned),
    },
  ]
}

/** Tests hold without temporary openings: those are gone soon. */
export function testFaults(one: One): Refusal[] {
  const { tests = [], devices } = one.wanted
  const rules = withOthers(one, ({ isOpening }) => !isOpening)
  if (!rules) return []
  const count = (list: Services) => idsAfter(devices, one.record, list).length
  const isBalancer = count('balancers') > 0 && count('computes') === 0
  return failedTests(tests, { rules, service: isBalancer ? 'balancer' : 'compute' })
}
