/** Finds known ports that rules leave open to large parts of the internet, with the rules and the policy that allow it. */
import { type FirewallRules, mostRules } from '../catalogue/firewall-rules'
import { bitsOf, type Family } from '../rules/address-syntax'
import { joinedRanges, type PortRange, parsePorts } from '../rules/ports'
import { groupBy } from '../rules/records'
import { joinNames, nameList } from '../rules/texts'
import {
  type AddressCounts,
  type Entrance,
  exposureOf,
  isEverybody,
  type PortEntrances,
  publicAddresses,
  totalOf,
} from './exposure'
import { families } from './intervals'
import { type KnownPort, knownPorts } from './known-ports'

/** Size of the part of the internet that has access. */
export type Audience = 'everybody' | 'many'

/**
 * `everybody` is as in ./exposure. `many` is fewer, but at least an IPv4 /8 or an IPv6 /20. The largest providers have
 * that many for all their customers, so it is nobody's own network.
 */
const mostOwn: Readonly<AddressCounts> = { ipv4: 1n << 24n, ipv6: 1n << 108n }
const isMany = (family: Family, count: bigint) => count >= mostOwn[family]

/** Returns the families with so many addresses; none for `many` if everybody has access in any family. */
export function familiesWithin(total: AddressCounts, audience: Audience): Family[] {
  const open = families.filter((family) => isEverybody(family, total[family]))
  if (audience === 'everybody') return open
  return open.length > 0 ? [] : families.filter((family) => isMany(family, total[family]))
}

/** Caches exposures: a large account has a million networks, which are read once and judged once for each protocol. */
const exposures = new WeakMap<FirewallRules, ReturnType<typeof exposureOf>>()

export function exposureAt(rules: FirewallRules): ReturnType<typeof exposureOf> {
  const exposure = exposures.get(rules) ?? eachOnce(exposureOf(rules))
  exposures.set(rules, exposure)
  return exposure
}

function eachOnce<V extends object>(make: (key: string) => V): (key: string) => V {
  const cache = new Map<string, V>()
  return (key) => {
    const value = cache.get(key) ?? make(key)
    cache.set(key, value)
    return value
  }
}

/** Ports of a known service that are open through one entry of a rule's ports, or through the policy. */
export interface OpenPort {
  service: KnownPort
  /** Open ports of the service. */
  ports: PortRange
  /** Number of the rule, counted from 1; null is the policy. */
  number: number | null
  /** The entry, or the range of open ports around the service: `tcp/22`, `tcp/5000-6000`, `tcp` for all ports. */
  part: string
  /** Number of public addresses that have access. */
  total: AddressCounts
  /** Sources that have access: `anywhere`, `any IPv4 address`, `71 % of IPv4`. */
  from: string
  /** The range, if it is wide and has no other known port: probably it was opened for something else. */
  wideRange: string | undefined
}

/** Port range that an audience can reach. */
interface OpenPiece extends PortEntrances {
  /** Place among the pieces of the protocol. */
  place: number
  total: AddressCounts
  open: readonly Family[]
}

export function openPortsOf(rules: FirewallRules, services: readonly KnownPort[], audience: Audience): OpenPort[] {
  // Most firewalls have no open piece: they are found once for a hundred services.
  const openPieces = eachOnce((protocol) => openPiecesIn(exposureAt(rules)(protocol), audience))
  return services.flatMap((service) => {
    const open = openPieces(service.protocol).filter(
      ({ ports }) => service.first <= ports.last && ports.first <= service.last,
    )
    return open.flatMap((piece) => openPorts(rules, service, piece, audience))
  })
}

const openPiecesIn = (pieces: readonly PortEntrances[], audience: Audience): OpenPiece[] =>
  pieces.flatMap((piece, place) => {
    const total = totalOf(piece.entrances)
    const open = familiesWithin(total, audience)
    return open.length > 0 ? [{ ...piece, place, total, open }] : []
  })

function openPorts(
  rules: FirewallRules,
  service: KnownPort,
  { ports, entrances, place, total, open }: OpenPiece,
  audience: Audience,
): OpenPort[] {
  const { protocol, first, last } = service
  return mainEntrances(entrances, open).map(({ number }) => {
    const around = number === null ? policyPorts(exposureAt(rules)(protocol), place) : ruleEntry(rules, number, ports)
    return {
      service,
      ports: { first: Math.max(first, ports.first), last: Math.min(last, ports.last) },
      number,
      part: `${protocol.toLowerCase()}${portsPart(around)}`,
      total,
      from: describeSources(total, open, audience),
      wideRange: around && isWide(around, protocol) ? portsText(around) : undefined,
    }
  })
}

/**
 * Returns the entrances that matter. A firewall has at most `mostRules` rules, so at least one has this share of all.
 */
function mainEntrances(entrances: readonly Entrance[], open: readonly Family[]): Entrance[] {
  const total = totalOf(entrances)
  const isMain = (family: Family, count: bigint) => count * BigInt(mostRules + 1) >= total[family]
  return entrances.filter(({ addresses }) => open.some((family) => isMain(family, addresses[family])))
}

/** Finds the entry of the rule's ports that contains these ports. */
function ruleEntry({ inbound }: FirewallRules, number: number, { first }: PortRange): PortRange | undefined {
  const ranges = parsePorts(inbound[number - 1]?.ports ?? '')
  return ranges?.find((range) => range.first <= first && first <= range.last)
}

/** Returns the range around these ports in which the policy accepts traffic. */
function policyPorts(pieces: readonly PortEntrances[], place: number): PortRange {
  const accepts = (at: number) => pieces[at]?.entrances.some(({ number }) => number === null) === true
  let [start, end] = [place, place]
  while (accepts(start - 1)) start -= 1
  while (accepts(end + 1)) end += 1
  return { first: pieces[start]?.ports.first ?? 1, last: pieces[end]?.ports.last ?? 1 }
}

/** Returns the open ports that more addresses can reach than before. */
export function newlyOpen(open: readonly OpenPort[], before: readonly OpenPort[]): OpenPort[] {
  const totals = new Map(before.flatMap((one) => portKeys(one).map((key) => [key, one.total])))
  const isNew = ({ total }: OpenPort, key: string) =>
    families.some((family) => total[family] > (totals.get(key)?.[family] ?? 0n))
  return open.filter((one) => portKeys(one).some((key) => isNew(one, key)))
}

const portKeys = ({ service: { protocol }, ports: { first, last } }: OpenPort) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${protocol}/${first + index}`)

/** Ranges with more ports are wide: media servers and games use them, mostly over UDP. */
const mostNarrow = 100

/** Reports whether a range is wide, and has only one known port. */
function isWide({ first, last }: PortRange, protocol: string): boolean {
  if (last - first < mostNarrow) return false
  const shared = knownPorts.filter((one) => one.protocol === protocol && one.first <= last && first <= one.last)
  const countOf = (one: KnownPort) => Math.min(one.last, last) - Math.max(one.first, first) + 1
  return shared.reduce((sum, one) => sum + countOf(one), 0) === 1
}

const portsText = ({ first, last }: PortRange) => (first === last ? `${first}` : `${first}-${last}`)

const portsPart = (ports: PortRange | undefined) =>
  !ports || portsText(ports) === '1-65535' ? '' : `/${portsText(ports)}`

/** Lists services with their ports: `SSH (22)`, `Memcached (11211, the only known port in 10000-20000)`. */
export function serviceNames(open: readonly OpenPort[]): string[] {
  const byName = groupBy(open, ({ service }) => service.name)
  return [...byName].map(([name, all]) => {
    const range = all.find(({ wideRange }) => wideRange !== undefined)?.wideRange
    const only = range === undefined ? '' : `, the only known port in ${range}`
    const ports = joinedRanges(all.map((one) => one.ports)).map(portsText)
    return `${name} (${ports.join(', ')}${only})`
  })
}

/** Returns `a shell and data`, or `a shell, data, files and 2 more`, for "gives away". */
export function lossesOf(open: readonly OpenPort[]): string {
  const all = [...new Set(open.map(({ service }) => service.gives))]
  return all.length > mostLosses ? nameList(all, mostLosses) : joinNames(all, 'and')
}

const mostLosses = 3

const names = { ipv4: 'IPv4', ipv6: 'IPv6' } as const

function describeSources(total: AddressCounts, open: readonly Family[], audience: Audience): string {
  if (audience === 'many') return open.map((family) => sizeText(family, total[family])).join(' and ')
  const isWhole = open.every((family) => total[family] === publicAddresses[family])
  if (isWhole) return open.length === 2 ? 'anywhere' : open.map((family) => `any ${names[family]} address`).join()
  return open.map((family) => `${(total[family] * 100n) / publicAddresses[family]} % of ${names[family]}`).join(' and ')
}

/** Returns `as many IPv4 addresses as a /8`. */
const sizeText = (family: Family, count: bigint) =>
  `as many ${names[family]} addresses as a /${bitsOf[family] + 1 - count.toString(2).length}`
