/** Finds the firewall rule that decides about a packet (api.md, Firewall behaviour 1 and 4). */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, type IpNetwork, parseNetwork } from '../rules/addresses'
import { asJudged, knownProtocols, type RuleTraffic } from './judged-rule'
import type { Direction } from './rules'

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
   * Decider. `exempt`: balancers filter only inbound TCP. `unknown`: the rule may decide, but it cannot be judged.
   */
  by: 'rule' | 'policy' | 'exempt' | 'unknown'
  /** Number of the deciding, or possibly deciding, rule, counted from 1. */
  number: number | null
  rule: FirewallRule | null
  /** Reason why the rule cannot be judged, as a clause; only for `unknown`. */
  reason?: string
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
  for (const [index, rule] of rules[direction].entries()) {
    const match = matchOf(rule, packet)
    if (!match) continue
    const number = index + 1
    if (match === 'certain') return { action: rule.action, by: 'rule', number, rule }
    return { action: null, by: 'unknown', number, rule, reason: match.reason }
  }
  return { action: rules[`${direction}_policy`], by: 'policy', number: null, rule: null }
}

/** Reports whether a rule matches a packet; undefined if certainly not, and the reason if nobody can tell. */
function matchOf(rule: FirewallRule, packet: Packet): 'certain' | { reason: string } | undefined {
  if (knownProtocols.includes(rule.protocol) && rule.protocol !== packet.protocol) return undefined
  const { certain, possible } = asJudged(rule)
  if (certain && includes(certain, packet, !rule.ports)) return 'certain'
  return possible && includes(possible, packet, true) ? possible : undefined
}

/** Reports whether traffic includes a packet; `withoutPort` is the answer for one without a port. */
function includes({ networks, ports }: RuleTraffic, { address, port }: Packet, withoutPort: boolean): boolean {
  const isPort = port === undefined ? withoutPort : ports.some(({ first, last }) => first <= port && port <= last)
  return isPort && networks.some((text) => isWithin(text, address))
}

function isWithin(text: string, address: IpNetwork): boolean {
  const network = parseNetwork(text)
  return network !== undefined && covers(network, address)
}
