/** What checks say of firewalls. */
import type { FirewallDevice } from '../catalogue/firewalls'
import { hashOf } from '../firewall/hash'
import type { Direction } from '../firewall/rules'
import { mayFilter as isEnforceable } from '../firewall/status'
import type { Subject } from './check'
import type { Guard } from './world'

export const subjectOf = ({ id, label }: Guard, part?: string): Subject => ({
  kind: 'firewall',
  id,
  label,
  part,
})

export const editRules = ({ id }: Guard) => ['firewalls', 'rules', 'edit', String(id)]

/** It protects something. */
export const isActive = ({ status, devices }: Guard) => status === 'enabled' && devices.length > 0

/** Its rules may decide about the traffic of something. */
export const mayFilter = ({ status, devices }: Guard) => isEnforceable(status) && devices.length > 0

export const onlyBalancers = ({ devices }: Guard) =>
  devices.length > 0 && devices.every(({ entity }) => entity.type === 'balancer')

/** Whether a firewall is assigned to a service, enabled or not. */
export const isAssigned = ({ devices }: Guard, type: string, id: number) =>
  devices.some(({ entity }) => entity.type === type && entity.id === id)

/** `compute "web-1"`, or `compute 1001` where no label is known. */
export const serviceName = ({ type, id, label }: Pick<FirewallDevice['entity'], 'type' | 'id' | 'label'>) =>
  `${type} ${label ? `"${label}"` : id}`

/** The label of a rule, where no other rule of its side has it, and else its number. */
export function ruleName({ rules }: Guard, direction: Direction, index: number): string | number {
  const label = rules[direction][index]?.label
  const isOnly = label && rules[direction].filter((rule) => rule.label === label).length === 1
  return isOnly ? label : index + 1
}

/** How a command names a rule: a number is one only among just these rules. */
export function ruleTarget(guard: Guard, direction: Direction, index: number): string[] {
  const name = ruleName(guard, direction, index)
  return typeof name === 'string' ? [`label:${name}`] : [String(name), '--if-match', hashOf(guard.rules)]
}

/** `inbound rules 2 "ssh", 3 and the inbound policy`: rules by their numbers from 1, null is the policy. */
export function inboundNames({ rules }: Guard, numbers: readonly (number | null)[]): string {
  const named = numbers.flatMap((number) => {
    const label = number === null ? undefined : rules.inbound[number - 1]?.label
    return number === null ? [] : [label ? `${number} "${label}"` : `${number}`]
  })
  const ofRules = named.length === 0 ? [] : [`inbound rule${named.length === 1 ? '' : 's'} ${named.join(', ')}`]
  return [...ofRules, ...(numbers.includes(null) ? ['the inbound policy'] : [])].join(' and ')
}
