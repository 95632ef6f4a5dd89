/**
 * How much of the internet a firewall's rules let in, and which rules do. Exact but for networks under a 256th of it:
 * those decide nothing about everybody.
 */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { bitsOf, type Family } from '../rules/address-syntax'
import { covers, type Network, parseNetwork } from '../rules/addresses'
import { namesPort } from '../rules/ports'
import { networkTexts } from './rules'
import { knownProtocols } from './verdict'

export interface Exposure {
  /** Of the addresses of a family, 0 to 1: from so many a rule accepts it. What a policy decides is not counted. */
  share: number
  /** The rules that accept it, counted from 1. */
  by: ReadonlySet<number>
}

/** All addresses that anybody can have: of IPv6 the global unicast ones (RFC 4291, 2.4; IANA has assigned 2000::/3). */
const spaces: Readonly<Record<Family, Network>> = {
  ipv4: { family: 'ipv4', address: '0.0.0.0', prefix: 0, value: 0n },
  ipv6: { family: 'ipv6', address: '2000::', prefix: 3, value: 1n << 125n },
}

/** So many times the space is halved at most: smaller networks are left out. */
const depth = 8

interface Traffic {
  protocol: string
  port: number
}

/** From where inbound traffic is accepted by a rule. Rules of protocols that api.md does not name decide nothing here. */
export function exposureOf(rules: FirewallRules, traffic: Traffic, family: Family): Exposure {
  const by = new Set<number>()
  const all = rules.inbound.flatMap((rule, index) => {
    if (!isAbout(rule, traffic)) return []
    return [{ number: index + 1, accepts: rule.action === 'ACCEPT', networks: largeNetworks(rule, family) }]
  })
  return { share: shareIn(spaces[family], all, by), by }
}

/** Whether a rule of a protocol that api.md does not name lets in at least half of a family. */
export function isOpenOfUnknownProtocol(rule: FirewallRule): boolean {
  if (knownProtocols.includes(rule.protocol) || rule.action !== 'ACCEPT') return false
  return (['ipv4', 'ipv6'] as const).some((family) => {
    const one = { number: 1, accepts: true, networks: largeNetworks(rule, family) }
    return shareIn(spaces[family], [one], new Set()) >= 1 / 2
  })
}

function isAbout({ protocol, ports }: FirewallRule, traffic: Traffic): boolean {
  return protocol === traffic.protocol && (!ports || namesPort(ports, traffic.port))
}

/** Those of the other family are in no space of this one. */
function largeNetworks(rule: FirewallRule, family: Family): Network[] {
  const networks = networkTexts(rule).map(parseNetwork)
  return networks.filter((one) => one !== undefined).filter(({ prefix }) => prefix <= spaces[family].prefix + depth)
}

interface Reach {
  number: number
  accepts: boolean
  networks: readonly Network[]
}

/** The first rule that holds all of the space decides; where one holds a part of it, each half is looked at. */
function shareIn(space: Network, reaches: readonly Reach[], by: Set<number>): number {
  const touching = reaches.flatMap((reach) => {
    const networks = reach.networks.filter((network) => covers(network, space) || covers(space, network))
    return networks.length === 0 ? [] : [{ ...reach, networks }]
  })
  const [first] = touching
  if (!first) return 0
  if (first.networks.some((network) => covers(network, space))) {
    if (first.accepts) by.add(first.number)
    return first.accepts ? 1 : 0
  }
  const halves = halvesOf(space)
  return halves.reduce((sum, half) => sum + shareIn(half, touching, by) / 2, 0)
}

function halvesOf({ family, prefix, value }: Network): Network[] {
  const bit = 1n << BigInt(bitsOf[family] - prefix - 1)
  return [value, value + bit].map((start) => ({ family, address: '', prefix: prefix + 1, value: start }))
}
