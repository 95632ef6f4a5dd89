/** Formats rules as text for screens, differences and verdicts. Escapes control characters. */

import type { FirewallRule } from '../../catalogue/firewall-rules'
import { type Direction, networkTexts } from '../../firewall/rules'
import { escapeText } from '../../rules/escape'
import { protocolsWithPorts } from '../../rules/ports'

/** Returns `ACCEPT TCP 22, 80-90 "ssh"`. */
export function ruleHead({ action, protocol, ports, label }: FirewallRule): string {
  const all = protocolsWithPorts.includes(protocol) ? ' all ports' : ''
  return escapeText(`${action} ${protocol}${ports ? ` ${ports}` : all}${label ? ` "${label}"` : ''}`)
}

/** Returns `from 203.0.113.0/24, 2001:db8::/32`: the sources or destinations. */
export function rulePeers(rule: FirewallRule, direction: Direction): string {
  return escapeText(`${direction === 'inbound' ? 'from' : 'to'} ${networkTexts(rule).join(', ') || 'nowhere'}`)
}

/** Returns `ACCEPT TCP 22 "ssh" from 203.0.113.0/24`, shortened: only the first of many networks are named. */
export function ruleBrief(rule: FirewallRule, direction: Direction): string {
  const networks = networkTexts(rule)
  if (networks.length <= mostNamed) return `${ruleHead(rule)} ${rulePeers(rule, direction)}`
  const [ipv4, more] = [networks.slice(0, mostNamed), networks.length - mostNamed]
  return `${ruleHead(rule)} ${rulePeers({ ...rule, addresses: { ipv4 } }, direction)} and ${more} more`
}

const mostNamed = 3
