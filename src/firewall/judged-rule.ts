/**
 * Reads what a rule matches (api.md, Firewall rule), for everything that judges rules. A rule of an answer may have
 * parts that api.md does not describe: then it may match more than is certain, and the reason says why.
 */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { addressFamily, bitsOf, type Family, splitNetwork } from '../rules/address-syntax'
import { allPorts, type PortRange, parsePorts, protocolsWithPorts } from '../rules/ports'
import { isKnownProtocol, protocols } from '../rules/protocols'
import { keysOf } from '../rules/records'

/** Stands for all other protocols, such as GRE, ESP and SCTP: no rule can name them, so the policy decides about them. */
export const otherProtocols = 'OTHER'

/** Protocols of all traffic. */
export const allProtocols: readonly string[] = [...protocols, otherProtocols]

/** Traffic of a rule: each of its ports at each of its networks. Without ports it has all of them. */
export interface RuleTraffic {
  networks: readonly string[]
  ports: readonly PortRange[]
}

export interface JudgedRule {
  /** Traffic that the rule matches. */
  certain?: RuleTraffic
  /** Traffic that the rule may match besides, as it cannot be judged. */
  possible?: RuleTraffic & {
    /** Clause for `rule 3 cannot be judged: …`. */
    reason: string
  }
}

const allOf: Readonly<Record<Family, string>> = { ipv4: '0.0.0.0/0', ipv6: '::/0' }

/** Reads what a rule matches for certain, and what else it may match. It never takes an unreadable rule to match nothing. */
export function asJudged(rule: FirewallRule): JudgedRule {
  const { networks, strange } = addressesOf(rule)
  const ports = rule.ports ? parsePorts(rule.ports) : [allPorts]
  const fault = faultOf(rule, ports)
  const some = networks.length > 0 ? { certain: { networks, ports: ports ?? [allPorts] } } : {}
  if (fault === undefined && strange.length === 0) return some
  const wide = [...new Set([...networks, ...strange.map(({ family }) => allOf[family])])]
  const reason = fault ?? strange[0]?.reason ?? ''
  const possible = { networks: wide, ports: ports ?? [allPorts], reason }
  return fault === undefined ? { ...some, possible } : { possible }
}

/** Returns the reason why all that a rule matches is uncertain. */
function faultOf({ protocol, ports }: FirewallRule, ranges: readonly PortRange[] | undefined): string | undefined {
  if (!isKnownProtocol(protocol)) return `the API does not document what protocol ${protocol} matches`
  if (ranges === undefined) return `its ports "${ports}" are invalid`
  return ports && !protocolsWithPorts.includes(protocol) ? `it has ports, and ${protocol} has none` : undefined
}

interface Addresses {
  networks: string[]
  /** Families of which the rule may have any address. */
  strange: { family: Family; reason: string }[]
}

function addressesOf({ addresses }: FirewallRule): Addresses {
  const read: Addresses = { networks: [], strange: [] }
  for (const family of keysOf(allOf)) {
    for (const text of addresses[family] ?? []) {
      const network = networkIn(text)
      if (network !== undefined) read.networks.push(network)
      else read.strange.push({ family, reason: `"${text}" is neither an address nor a network` })
    }
  }
  if (read.networks.length + read.strange.length > 0) return read
  return { networks: [], strange: keysOf(allOf).map((family) => ({ family, reason: 'it has no addresses' })) }
}

/** Returns an address as a network; a network stays as it is written. */
function networkIn(text: string): string | undefined {
  if (splitNetwork(text)) return text
  const family = addressFamily(text)
  return family && `${text}/${bitsOf[family]}`
}
