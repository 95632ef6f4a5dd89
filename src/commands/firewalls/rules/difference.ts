/** The difference between two sets of rules, in words. */

import type { FieldChange, RulesChange } from '../../../firewall/diff'
import type { FieldValue } from '../../../firewall/rules'
import { safe } from '../../../output/safe'
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

function scalar(value: FieldValue | null): string {
  return value === null ? 'none' : String(value)
}

function listed(value: FieldValue | null): readonly string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}
