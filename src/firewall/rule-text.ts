/** Formats rules as text for screens, differences and verdicts. Escapes control characters. */

import type { FirewallRule } from '../catalogue/firewall-rules'
import { escapeText } from '../rules/escape'
import { protocolsWithPorts } from '../rules/ports'
import type { FieldChange, RulesChange } from './diff'
import { type Direction, type FieldValue, networkTexts } from './rules'

/** Returns `ACCEPT TCP 22, 80-90 "ssh"`. */
export function ruleHead({ action, protocol, ports, label }: FirewallRule): string {
  const all = protocolsWithPorts.includes(protocol) ? ' all ports' : ''
  return escapeText(`${action} ${protocol}${ports ? ` ${ports}` : all}${label ? ` "${label}"` : ''}`)
}

/** Returns the name of the network that has exactly these addresses; undefined without one. */
export type NetworkNamer = (networks: readonly string[]) => string | undefined

/** Returns `from 203.0.113.0/24, 2001:db8::/32 (office)`: the sources or destinations, with the name of their network. */
export function rulePeers(rule: FirewallRule, direction: Direction, nameOf?: NetworkNamer): string {
  const networks = networkTexts(rule)
  const name = nameOf?.(networks)
  const named = name === undefined ? '' : ` (${name})`
  return escapeText(`${direction === 'inbound' ? 'from' : 'to'} ${networks.join(', ') || 'nowhere'}${named}`)
}

/** Returns `ACCEPT TCP 22 "ssh" from 203.0.113.0/24`, shortened: only the first of many networks are named. */
export function ruleBrief(rule: FirewallRule, direction: Direction): string {
  const networks = networkTexts(rule)
  if (networks.length <= mostNamed) return `${ruleHead(rule)} ${rulePeers(rule, direction)}`
  const [ipv4, more] = [networks.slice(0, mostNamed), networks.length - mostNamed]
  return `${ruleHead(rule)} ${rulePeers({ ...rule, addresses: { ipv4 } }, direction)} and ${more} more`
}

const mostNamed = 3

/** Returns a line such as `changed  inbound 3 "ssh": ports 22 -> 2222`. */
export function changeLine(change: RulesChange): string {
  const { direction, kind } = change
  const text = `${kind.padEnd(8)} ${direction}`
  if (kind === 'policy') return escapeText(`${text}: ${change.from} -> ${change.to}`)
  if (kind === 'changed')
    return `${text} ${numbers(change)}${labelOf(change)}${change.moved ? ', moved' : ''}: ${change.fields.map(fieldText).join('; ')}`
  const number = kind === 'added' ? change.to : kind === 'removed' ? change.from : numbers(change)
  return `${text} ${number}: ${ruleHead(change.rule)} ${rulePeers(change.rule, direction)}`
}

/** Returns the label that stays; a new one is among the fields. */
const labelOf = ({ rule: { label }, fields }: Extract<RulesChange, { kind: 'changed' }>) =>
  label && fields.every(({ field }) => field !== 'label') ? ` "${escapeText(label)}"` : ''

const numbers = ({ from, to }: { from: number; to: number }) => (from === to ? `${to}` : `${from} -> ${to}`)

function fieldText({ field, from, to }: FieldChange): string {
  if (!field.startsWith('addresses.')) return escapeText(`${field} ${scalar(from)} -> ${scalar(to)}`)
  const [old, now] = [listed(from), listed(to)]
  const added = now.filter((one) => !old.includes(one)).map((one) => `+${one}`)
  const removed = old.filter((one) => !now.includes(one)).map((one) => `-${one}`)
  return escapeText(`${field} ${[...removed, ...added].join(' ')}`)
}

function scalar(value: FieldValue | null): string {
  return value === null ? 'none' : String(value)
}

function listed(value: FieldValue | null): readonly string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}
