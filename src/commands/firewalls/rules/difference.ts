/** The difference between two sets of rules, in words. */

import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { FieldChange, RulesChange } from '../../../firewall/diff'
import { trafficText } from '../../../firewall/effects'
import type { FieldValue } from '../../../firewall/rules'
import { type StillAllowed, stillAllowed } from '../../../firewall/still-allowed'
import { safe } from '../../../output/safe'
import type { Session } from '../../../session'
import { ruleHead, rulePeers } from '../rule-text'

/** `changed  inbound 3: ports 22 -> 2222`, a line each. */
export function changeLine(change: RulesChange): string {
  const { direction, kind } = change
  const text = `${kind.padEnd(8)} ${direction}`
  if (kind === 'policy') return safe(`${text}: ${change.from} -> ${change.to}`)
  if (kind === 'changed')
    return `${text} ${numbers(change)}${change.moved ? ', moved' : ''}: ${change.fields.map(fieldText).join('; ')}`
  const number = kind === 'added' ? change.to : kind === 'removed' ? change.from : numbers(change)
  return `${text} ${number}: ${ruleHead(change.rule)} ${rulePeers(change.rule, direction)}`
}

const numbers = ({ from, to }: { from: number; to: number }) => (from === to ? `${to}` : `${from} -> ${to}`)

function fieldText({ field, from, to }: FieldChange): string {
  if (!field.startsWith('addresses.')) return safe(`${field} ${scalar(from)} -> ${scalar(to)}`)
  const [old, now] = [listed(from), listed(to)]
  const added = now.filter((one) => !old.includes(one)).map((one) => `+${one}`)
  const removed = old.filter((one) => !now.includes(one)).map((one) => `-${one}`)
  return safe(`${field} ${[...removed, ...added].join(' ')}`)
}

const mostWarnings = 3

/** Warns of what a change takes away and does not close: of many, the first. */
export async function warnOfStillAllowed(before: FirewallRules, after: FirewallRules, session: Session): Promise<void> {
  const all = stillAllowed(before, after)
  for (const one of all.slice(0, mostWarnings)) await session.warn(stillAllowedText(one, after))
  const more = all.length - mostWarnings
  if (more > 0) await session.warn(`${more} more of these changes close nothing. See: skyctl help lockout`)
}

/** `tcp/5432 from 0.0.0.0/0 is still allowed by the inbound policy` */
function stillAllowedText({ direction, traffic, by }: StillAllowed, rules: FirewallRules): string {
  const names = by.map((number) => {
    const label = number !== null && rules[direction][number - 1]?.label
    return number === null ? `the ${direction} policy` : `${direction} rule ${number}${label ? ` "${label}"` : ''}`
  })
  return safe(`${trafficText(traffic)} is still allowed by ${names.join(' and ')}`)
}

function scalar(value: FieldValue | null): string {
  return value === null ? 'none' : String(value)
}

function listed(value: FieldValue | null): readonly string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}
