/** Finds the firewall rule that decides about a packet (api.md, Firewall behaviour 1 and 4). */

import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, type IpNetwork, parseNetwork } from '../rules/addresses'
import { isKnownProtocol } from '../rules/protocols'
import { asJudged, type RuleTraffic } from './judged-rule'
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

/** Returns the kinds of services that a firewall protects; a compute instance if there is none, or an unknown one. */
export function judgedServices(devices: readonly { entity: { type: string } }[]): Packet['service'][] {
  const isBalancer = ({ entity }: (typeof devices)[number]) => entity.type === 'balancer'
  if (!devices.some(isBalancer)) return ['compute']
  return devices.every(isBalancer) ? ['balancer'] : ['compute', 'balancer']
}

/** Returns the kind of service at which a firewall is judged: a balancer if it protects nothing else. */
export const judgedService = (devices: Parameters<typeof judgedServices>[0]): Packet['service'] =>
  judgedServices(devices)[0] ?? 'compute'

/** Judges a packet at several kinds of services: one verdict for each, or the first if all have the same action. */
export function judgeAt(
  rules: FirewallRules,
  packet: Omit<Packet, 'service'>,
  services: readonly Packet['service'][],
): (Verdict & Pick<Packet, 'service'>)[] {
  const verdicts = services.map((service) => ({ service, ...judge(rules, { ...packet, service }) }))
  return verdicts.every(({ action }) => action === verdicts[0]?.action) ? verdicts.slice(0, 1) : verdicts
}

/** Names of the kinds of services in sentences. */
export const placesOfServices: Readonly<Record<Packet['service'], string>> = {
  compute: 'at compute instances',
  balancer: 'at the balancer',
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
  if (isKnownProtocol(rule.protocol) && rule.protocol !== packet.protocol) return undefined
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
