/** Which rule of a firewall decides about a packet (api.md, Firewall behaviour 1 and 4). */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, type Network, parseNetwork } from '../rules/addresses'
import { namesPort } from '../rules/ports'
import { type Direction, networkTexts } from './rules'

export interface Packet {
  direction: Direction
  protocol: string
  /** Of the packet's destination; absent where the protocol has none. */
  port?: number | undefined
  /** Where it comes from (inbound) or goes to (outbound). */
  address: Network
  /** The kind of service at which it is judged. */
  service: 'compute' | 'balancer'
}

export interface Verdict {
  /** null: it cannot be told. */
  action: string | null
  /**
   * `exempt`: at a balancer only inbound TCP is filtered. `unknown`: the rule may decide, but api.md does not say what
   * its protocol matches.
   */
  by: 'rule' | 'policy' | 'exempt' | 'unknown'
  /** The rule that decides, or may, counted from 1. */
  number: number | null
  rule: FirewallRule | null
}

/** The first rule that matches decides; where none does, the policy. */
export function judge(rules: FirewallRules, packet: Packet): Verdict {
  const { direction, protocol, service } = packet
  if (service === 'balancer' && !(direction === 'inbound' && protocol === 'TCP')) {
    return { action: 'ACCEPT', by: 'exempt', number: null, rule: null }
  }
  const index = rules[direction].findIndex((rule) => mayMatch(rule, packet))
  const rule = rules[direction][index]
  if (!rule) return { action: rules[`${direction}_policy`], by: 'policy', number: null, rule: null }
  const known = knownProtocols.includes(rule.protocol)
  return { action: known ? rule.action : null, by: known ? 'rule' : 'unknown', number: index + 1, rule }
}

/** api.md, Firewall rules: what others match is not known. */
export const knownProtocols: readonly string[] = ['TCP', 'UDP', 'ICMP', 'IPENCAP']

/** Of a protocol that is not known, only ports and addresses can rule it out. */
function mayMatch(rule: FirewallRule, { protocol, port, address }: Packet): boolean {
  if (!matchesAddress(rule, address)) return false
  if (knownProtocols.includes(rule.protocol)) return rule.protocol === protocol && matchesPort(rule, port)
  return port === undefined || matchesPort(rule, port)
}

function matchesPort({ ports }: FirewallRule, port: number | undefined): boolean {
  return !ports || namesPort(ports, Number(port))
}

function matchesAddress(rule: FirewallRule, address: Network): boolean {
  return networkTexts(rule).some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && covers(network, address)
  })
}
