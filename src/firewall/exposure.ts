/**
 * Counts the public addresses from which inbound traffic is accepted, per accepting rule or policy. The count is exact:
 * ports and addresses are split where rules begin and end, and each piece is judged as ./verdict judges its packets.
 */

import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import type { Family } from '../rules/address-syntax'
import { boundsOf } from '../rules/addresses'
import { allPorts, type PortRange, protocolsWithPorts } from '../rules/ports'
import { isKnownProtocol, protocols } from '../rules/protocols'
import { addressIntervals, families, intervalsOf, type Marked, portIntervals } from './intervals'
import { asJudged } from './judged-rule'

export type AddressCounts = Record<Family, bigint>

/** Reports whether addresses count as the whole internet: they are at least a quarter of all public ones. */
export const isEverybody = (family: Family, count: bigint) => count * 4n >= publicAddresses[family]

export interface Entrance {
  /** Number of the accepting rule, counted from 1; null is the inbound policy. */
  number: number | null
  addresses: Readonly<AddressCounts>
}

/** Port range with uniform matches, and everything that accepts traffic there: rules in order, then the policy. */
export interface PortEntrances {
  ports: PortRange
  entrances: readonly Entrance[]
}

/**
 * Addresses without a host on the internet: special purposes (IANA, IPv4 Special-Purpose Address Registry), multicast
 * and reserved ones. Of IPv6, only 2000::/3 is assigned (IANA, IPv6 Global Unicast Address Assignments).
 */
const notPublic: readonly string[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ...['::/3', '4000::/2', '8000::/1'],
]

/** The lowest bit marks addresses that are not public; each rule has one bit above it. */
const notPublicBit = 1n
const notPublicIntervals = intervalsOf([{ bits: notPublicBit, networks: notPublic }])
const bitOf = (index: number) => 2n << BigInt(index)

/** Numbers of addresses, keyed by the bits of the rules that match them. */
type AddressSets = Map<bigint, AddressCounts>

function countAddresses(rules: readonly Marked[]): AddressSets {
  const sets: AddressSets = new Map()
  const cuts = addressIntervals(rules, notPublicIntervals)
  for (const { family, first, last, rules: bits } of cuts) {
    if ((bits & notPublicBit) !== 0n) continue
    const sum = sets.get(bits) ?? { ipv4: 0n, ipv6: 0n }
    sum[family] += last - first + 1n
    sets.set(bits, sum)
  }
  return sets
}

/** Total number of public addresses per family. */
export const publicAddresses: Readonly<AddressCounts> = countAddresses([]).get(0n) ?? { ipv4: 0n, ipv6: 0n }

/**
 * Parses the rules once and returns a function that judges them for one protocol. Only rules of exactly that protocol
 * count. api.md does not define what unknown protocols match, so their rules are not trusted to drop anything.
 */
export function exposureOf({ inbound, inbound_policy }: FirewallRules): (protocol: string) => PortEntrances[] {
  const all = inbound.flatMap(judgedRule)
  const sets = countAddresses(all.map(({ bit, networks }) => ({ bits: bit, networks })))
  return (protocol) => {
    const rules = all.filter((rule) => rule.protocol === protocol)
    const own = rules.reduce((bits, { bit }) => bits | bit, 0n)
    const merged: AddressSets = new Map()
    for (const [bits, counts] of sets) addTo(merged, bits & own, counts)
    return piecesBetween(rules.flatMap(({ ranges }) => ranges)).map((ports) => ({
      ports,
      entrances: entrancesAt(ports, { rules, sets: merged, policy: inbound_policy }),
    }))
  }
}

function addTo<K>(sums: Map<K, AddressCounts>, key: K, more: Readonly<AddressCounts>): void {
  const sum = sums.get(key) ?? { ipv4: 0n, ipv6: 0n }
  sums.set(key, sum)
  for (const family of families) sum[family] += more[family]
}

interface RuleExposure {
  number: number
  bit: bigint
  protocol: string
  accepts: boolean
  networks: readonly string[]
  ranges: readonly PortRange[]
}

/** Reports whether an action accepts. Undocumented actions and policies are not trusted to drop anything either. */
const isAccepting = (action: string) => action !== 'DROP'

/** Reads the certain part of a rule: nothing else counts. A rule of an unknown protocol is certain for that protocol. */
function judgedRule(rule: FirewallRule, index: number): RuleExposure[] {
  const protocol = String(rule.protocol)
  const { certain } = asJudged(isKnownProtocol(protocol) ? rule : { ...rule, protocol: 'TCP' })
  if (!certain) return []
  const { networks, ports: ranges } = certain
  return [{ number: index + 1, bit: bitOf(index), protocol, accepts: isAccepting(rule.action), networks, ranges }]
}

/** Splits all ports where one of the ranges begins or ends. */
function piecesBetween(ranges: readonly PortRange[]): PortRange[] {
  const { starts } = portIntervals(ranges)
  return starts.map((first, place) => ({ first, last: (starts[place + 1] ?? allPorts.last + 1) - 1 }))
}

interface Judged {
  rules: readonly RuleExposure[]
  sets: AddressSets
  policy: string
}

/** Counts accepted addresses at a port. The first matching rule decides; without one, the policy does. */
function entrancesAt({ first }: PortRange, { rules, sets, policy }: Judged): Entrance[] {
  const matching = rules.filter(({ ranges }) => ranges.some((range) => range.first <= first && first <= range.last))
  const accepted = new Map<number, AddressCounts>()
  for (const [bits, counts] of sets) {
    const { number, accepts } = matching.find(({ bit }) => (bits & bit) !== 0n) ?? {
      number: behindAll,
      accepts: isAccepting(policy),
    }
    if (accepts) addTo(accepted, number, counts)
  }
  const inOrder = [...accepted].sort(([one], [other]) => one - other)
  return inOrder.map(([number, addresses]) => ({ number: number === behindAll ? null : number, addresses }))
}

/** Sort key of the policy: it decides after all rules. */
const behindAll = Number.POSITIVE_INFINITY

/** Adds up the addresses of all entries. They are disjoint, so no address counts twice. */
export function totalOf(entrances: readonly Entrance[]): AddressCounts {
  const sumOf = (family: Family) => entrances.reduce((sum, { addresses }) => sum + addresses[family], 0n)
  return { ipv4: sumOf('ipv4'), ipv6: sumOf('ipv6') }
}

/** Ports of a protocol that everybody can reach; null for a protocol without ports. */
export interface OpenToInternet {
  protocol: string
  from_port: number | null
  to_port: number | null
  families: readonly Family[]
}

/**
 * Reports whether everybody might get in: the policy accepts, or the accepting rules have enough addresses together. Most
 * rules have a few, and to find out takes a tenth of the time that it takes to count exactly.
 */
function mayBeOpen({ inbound, inbound_policy }: FirewallRules): boolean {
  const sum: AddressCounts = { ipv4: 0n, ipv6: 0n }
  for (const { family, first, last } of inbound
    .flatMap(judgedRule)
    .filter(({ accepts }) => accepts)
    .flatMap(boundsIn))
    sum[family] += last - first + 1n
  return isAccepting(inbound_policy) || families.some((family) => isEverybody(family, sum[family]))
}

const boundsIn = ({ networks }: RuleExposure) => networks.flatMap((network) => boundsOf(network) ?? [])

/** Lists what rules let everybody on the internet reach, as few ranges as possible. */
export function openToInternet(rules: FirewallRules): OpenToInternet[] {
  if (!mayBeOpen(rules)) return []
  const exposure = exposureOf(rules)
  return protocols.flatMap((protocol) => {
    const open: OpenToInternet[] = []
    for (const { ports, entrances } of exposure(protocol)) {
      const total = totalOf(entrances)
      const reached = families.filter((family) => isEverybody(family, total[family]))
      const before = open.at(-1)
      const isJoined = before?.to_port === ports.first - 1 && before.families.join() === reached.join()
      if (before && isJoined) before.to_port = ports.last
      else if (reached.length > 0)
        open.push({ protocol, from_port: ports.first, to_port: ports.last, families: reached })
    }
    return protocolsWithPorts.includes(protocol)
      ? open
      : open.map((one) => ({ ...one, from_port: null, to_port: null }))
  })
}
