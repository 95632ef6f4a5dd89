/** Checks whether two rules can match the same packet. Values that cannot be parsed count as matching everything. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { covers, parseNetwork } from '../rules/addresses'
import { parsePorts } from '../rules/ports'
import { networkTexts } from './rules'
import { knownProtocols } from './verdict'

/** Reports whether the order of two rules matters for any packet. */
export function orderMatters(one: FirewallRule, other: FirewallRule): boolean {
  return one.action !== other.action && sharesProtocol(one, other) && sharesPort(one, other) && sharesPeer(one, other)
}

function sharesProtocol({ protocol }: FirewallRule, { protocol: other }: FirewallRule): boolean {
  return protocol === other || ![protocol, other].every((name) => knownProtocols.includes(name))
}

function sharesPort({ ports }: FirewallRule, { ports: others }: FirewallRule): boolean {
  const [ranges, otherRanges] = [parsePorts(ports ?? ''), parsePorts(others ?? '')]
  if (!ranges || !otherRanges) return true
  return ranges.some((a) => otherRanges.some((b) => a.first <= b.last && b.first <= a.last))
}

function sharesPeer(one: FirewallRule, other: FirewallRule): boolean {
  const [texts, others] = [networkTexts(one), networkTexts(other)]
  if (texts.length === 0 || others.length === 0) return true
  return texts.some((text) => others.some((otherText) => sharesAddress(text, otherText)))
}

function sharesAddress(text: string, otherText: string): boolean {
  const [network, other] = [parseNetwork(text), parseNetwork(otherText)]
  return !network || !other || covers(network, other) || covers(other, network)
}
