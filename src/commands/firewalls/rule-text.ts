/** Rules in words: as the screen, the difference and the verdict show them. Made for a person: hostile text is escaped. */

import type { FirewallRule } from '../../catalogue/firewall-rules'
import { type Direction, networkTexts } from '../../firewall/rules'
import { safe } from '../../output/safe'
import { protocolsWithPorts } from '../../rules/ports'

/** `ACCEPT TCP 22, 80-90 "ssh"` */
export function ruleHead({ action, protocol, ports, label }: FirewallRule): string {
  const all = protocolsWithPorts.includes(protocol) ? ' all ports' : ''
  return safe(`${action} ${protocol}${ports ? ` ${ports}` : all}${label ? ` "${label}"` : ''}`)
}

/** `from 203.0.113.0/24, 2001:db8::/32`: where traffic comes from, or goes to. */
export function rulePeers(rule: FirewallRule, direction: Direction): string {
  return safe(`${direction === 'inbound' ? 'from' : 'to'} ${networkTexts(rule).join(', ') || 'nowhere'}`)
}

/** `ACCEPT TCP 22 "ssh" from 203.0.113.0/24`, where it must not fill a screen: of many networks the first are named. */
export function ruleBrief(rule: FirewallRule, direction: Direction): string {
  const networks = networkTexts(rule)
  if (networks.length <= mostNamed) return `${ruleHead(rule)} ${rulePeers(rule, direction)}`
  const [ipv4, more] = [networks.slice(0, mostNamed), networks.length - mostNamed]
  return `${ruleHead(rule)} ${rulePeers({ ...rule, addresses: { ipv4 } }, direction)} and ${more} more`
}

const mostNamed = 3
