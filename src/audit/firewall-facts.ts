/** Helpers that firewall checks share. */
import type { FirewallDevice } from '../catalogue/firewalls'
import { hashOf } from '../firewall/hash'
import type { NetworkNamer } from '../firewall/rule-text'
import { type Direction, networkTexts } from '../firewall/rules'
import { mayBeEnforced } from '../firewall/status'
import { judgedService } from '../firewall/verdict'
import { joinNames } from '../rules/texts'
import type { AuditSubject } from './check'
import type { Guard } from './snapshot'

export const subjectOf = ({ id, label }: Guard, part?: string): AuditSubject => ({
  kind: 'firewall',
  id,
  label,
  part,
})

export const editRules = ({ id }: Guard) => ['firewalls', 'rules', 'edit', String(id)]

/**
 * Returns the command that ends access from everybody: by a rule, by its number, or by the policy (null). Several, and a
 * rule that no name identifies, are edited.
 */
export function restrictInbound(guard: Guard, numbers: readonly (number | null)[]): string[] {
  const [number, other] = numbers
  const update = ['firewalls', 'rules', 'update', String(guard.id)]
  if (number === null && other === undefined) return [...update, '--inbound-policy', 'drop']
  const name = typeof number === 'number' && other === undefined ? ruleName(guard, 'inbound', number - 1) : undefined
  return typeof name === 'string' ? [...update, 'inbound', `label:${name}`, '--from', 'NETWORK'] : editRules(guard)
}

export const isActive = ({ status, devices }: Guard) => status === 'enabled' && devices.length > 0

export const mayFilter = ({ status, devices }: Guard) => mayBeEnforced(status) && devices.length > 0

export const onlyBalancers = ({ devices }: Guard) => judgedService(devices) === 'balancer'

/** Reports whether a firewall, enabled or not, is assigned to a service. */
export const isAssigned = ({ devices }: Guard, type: string, id: number) =>
  devices.some(({ entity }) => entity.type === type && entity.id === id)

/** Returns `compute "web-1"`, or `compute 1001` if the label is unknown. */
export const serviceName = ({ type, id, label }: Pick<FirewallDevice['entity'], 'type' | 'id' | 'label'>) =>
  `${type} ${label ? `"${label}"` : id}`

/** Returns a rule's label if it is unique in its direction, otherwise its number. */
export function ruleName({ rules }: Guard, direction: Direction, index: number): string | number {
  const label = rules[direction][index]?.label
  const isOnly = label && rules[direction].filter((rule) => rule.label === label).length === 1
  return isOnly ? label : index + 1
}

/** Arguments that name a rule in a command. A number is only valid for the current rules, so it needs --if-match. */
export function ruleTarget(guard: Guard, direction: Direction, index: number): string[] {
  const name = ruleName(guard, direction, index)
  return typeof name === 'string' ? [`label:${name}`] : [String(name), '--if-match', hashOf(guard.rules)]
}

/**
 * Returns `inbound rules 2 "ssh" (office), 3 and the inbound policy`: with the name of the network whose addresses a rule
 * has. Numbers count from 1; null is the policy.
 */
export function inboundNames({ rules }: Guard, numbers: readonly (number | null)[], networkName: NetworkNamer): string {
  const named = numbers.flatMap((number) => {
    if (number === null) return []
    const rule = rules.inbound[number - 1]
    const network = rule && networkName(networkTexts(rule))
    return [`${number}${rule?.label ? ` "${rule.label}"` : ''}${network === undefined ? '' : ` (${network})`}`]
  })
  const ofRules = named.length === 0 ? [] : [`inbound rule${named.length === 1 ? '' : 's'} ${named.join(', ')}`]
  return joinNames([...ofRules, ...(numbers.includes(null) ? ['the inbound policy'] : [])], 'and')
}
