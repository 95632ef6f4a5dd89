/** Finds the firewall rule that decides about a packet (api.md, Firewall behaviour 1 and 4). */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, type IpNetwork, parseNetwork } from '../rules/addresses'
import { namesPort } from '../rules/ports'
import { type Direction, networkTexts } from './rules'

export interface Packet {
  direction: Direction
  protocol: string
  /** Destination port; absent if the protocol has none. */
  port?: number | undefined
  /** Source (inbound) or destination (outbound). */
  address: IpNetwork
  /** Kind of service that the packet reaches or leaves. */
  service: 'compute' | 'balancer'
}

export interface Verdict {
  /** Action; null if it cannot be determined. */
  action: string | null
  /**
   * Reason for the verdict. `exempt`: balancers filter only inbound TCP. `unknown`: the rule may decide, but api.md
   * does not define what its protocol matches.
   */
  by: 'rule' | 'policy' | 'exempt' | 'unknown'
  /** Number of the deciding, or possibly deciding, rule, counted from 1. */
  number: number | null
  rule: FirewallRule | null
}

/** Returns the kind of service at which a firewall is judged: a balancer if it protects nothing else. */
export function judgedService(devices: readonly { entity: { type: string } }[]): Packet['service'] {
  const isBalancers = devices.length > 0 && devices.every(({ entity }) => entity.type === 'balancer')
  return isBalancers ? 'balancer' : 'compute'
}

/** Judges a packet. The first matching rule decides; without one, the policy does. */
export function judge(rules: FirewallRules, packet: Packet): Verdict {
  const { direction, protocol, service } = packet
  if (service === 'balancer' && !(direction === 'inbound' && protocol === 'TCP')) {
    return { action: 'ACCEPT', by: 'exempt', number: null, rule: null }
  }
  const index = rules[direction].findIndex((rule) => mayMatch(rule, packet))
  const rule = rules[direction][index]
  if (!rule) return { action: rules[`${direction}_policy`], by: 'policy', number: null, rule: null }
  const isKnown = knownProtocols.includes(rule.protocol)
  return { action: isKnown ? rule.action : null, by: isKnown ? 'rule' : 'unknown', number: index + 1, rule }
}

/** Documented protocols (api.md, Firewall rules). Nobody knows what others match. */
export const knownProtocols: readonly string[] = ['TCP', 'UDP', 'ICMP', 'IPENCAP']

/** Reports whether a rule may match a packet. For an unknown protocol, only ports and addresses can exclude a match. */
function mayMatch(rule: FirewallRule, { protocol, port, address }: Packet): boolean {
  if (!matchesAddress(rule, address)) return false
  if (knownProtocols.includes(rule.protocol)) return rule.protocol === protocol && matchesPort(rule, port)
  return port === undefined || matchesPort(rule, port)
}

function matchesPort({ ports }: FirewallRule, port: number | undefined): boolean {
  return !ports || namesPort(ports, Number(port))
}

function matchesAddress(rule: FirewallRule, address: IpNetwork): boolean {
  return networkTexts(rule).some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && covers(network, address)
  })
}
