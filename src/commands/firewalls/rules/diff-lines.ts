/** Formats the difference between two sets of rules. */

import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { FieldChange, RulesChange } from '../../../firewall/diff'
import { trafficText } from '../../../firewall/effects'
import type { FieldValue } from '../../../firewall/rules'
import { allowedByText, type StillAllowed, stillAllowed } from '../../../firewall/still-allowed'
import { escapeText } from '../../../rules/escape'
import type { Session } from '../../../session'
import { ruleHead, rulePeers } from '../rule-text'

/** Returns a line such as `changed  inbound 3: ports 22 -> 2222`. */
export function changeLine(change: RulesChange): string {
  const { direction, kind } = change
  const text = `${kind.padEnd(8)} ${direction}`
  if (kind === 'policy') return escapeText(`${text}: ${change.from} -> ${change.to}`)
  if (kind === 'changed')
    return `${text} ${numbers(change)}${change.moved ? ', moved' : ''}: ${change.fields.map(fieldText).join('; ')}`
  const number = kind === 'added' ? change.to : kind === 'removed' ? change.from : numbers(change)
  return `${text} ${number}: ${ruleHead(change.rule)} ${rulePeers(change.rule, direction)}`
}

const numbers = ({ from, to }: { from: number; to: number }) => (from === to ? `${to}` : `${from} -> ${to}`)

function fieldText({ field, from, to }: FieldChange): string {
  if (!field.startsWith('addresses.')) return escapeText(`${field} ${scalar(from)} -> ${scalar(to)}`)
  const [old, now] = [listed(from), listed(to)]
  const added = now.filter((one) => !old.includes(one)).map((one) => `+${one}`)
  const removed = old.filter((one) => !now.includes(one)).map((one) => `-${one}`)
  return escapeText(`${field} ${[...removed, ...added].join(' ')}`)
}

const mostWarnings = 3

/** Warns of removed rules whose traffic is still allowed; of many, only the first ones. */
export async function warnOfStillAllowed(before: FirewallRules, after: FirewallRules, session: Session): Promise<void> {
  const all = stillAllowed(before, after)
  for (const one of all.slice(0, mostWarnings)) await session.ui.warn(stillAllowedText(one, after))
  const more = all.length - mostWarnings
  if (more > 0) await session.ui.warn(`${more} more of these changes block nothing. See: skyctl help lockout`)
}

/** Returns `tcp/5432 from 0.0.0.0/0 is still allowed by the inbound policy`. */
const stillAllowedText = (one: StillAllowed, rules: FirewallRules) =>
  escapeText(`${trafficText(one.traffic)} is still allowed by ${allowedByText(one, rules)}`)

function scalar(value: FieldValue | null): string {
  return value === null ? 'none' : String(value)
}

function listed(value: FieldValue | null): readonly string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}
