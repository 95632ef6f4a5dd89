/** Formats traffic as text. Pieces and ports that matter most come first, as long lists are cut. */
import { bitsOf, familyOf } from '../rules/address-syntax'
import { allPorts, type PortRange } from '../rules/ports'
import { nameList } from '../rules/texts'
import { allProtocols, otherProtocols } from './judged-rule'
import { type KnownPort, knownPorts } from './known-ports'
import type { Traffic } from './summarize-traffic'

export interface TrafficForm {
  /** Lists everything; otherwise long lists are cut after the pieces and ports that matter most. */
  full?: boolean | undefined
}

const mostPieces = 4
const mostRanges = 6

/**
 * Formats traffic: `tcp/22, icmp from 198.51.100.0/24; tcp/443 from 0.0.0.0/0 but 203.0.113.7`. Long lists begin with
 * known ports, so that a cut never hides SSH.
 */
export function trafficText(traffic: readonly Traffic[], { full = false }: TrafficForm = {}): string {
  const sorted =
    traffic.length > mostPieces ? byImportance(traffic, ({ protocols }) => importanceOf(protocols)) : traffic
  const pieces = sorted.slice(0, full ? sorted.length : mostPieces).map((one) => pieceText(one, full))
  const more = traffic.length - pieces.length
  return [...pieces, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function pieceText({ direction, protocols: some, networks, except }: Traffic, full: boolean): string {
  const names = (list: readonly string[]) => nameList(list.map(networkText), full ? list.length : undefined)
  const what = protocolsText(some, full ? Number.POSITIVE_INFINITY : mostRanges)
  const left = except.length > 0 ? ` but ${names(except)}` : ''
  return `${what} ${direction === 'inbound' ? 'from' : 'to'} ${names(networks)}${left}`
}

/** Formats protocols with their ports; of a protocol with many port ranges, the first `most`. */
export function protocolsText(some: Traffic['protocols'], most = mostRanges): string {
  const isWhole = (name: string) => some.some(({ protocol, ports }) => protocol === name && ports === null)
  if (allProtocols.every(isWhole)) return 'all traffic'
  return isOther({ protocols: some }) ? otherText : some.map((one) => protocolText(one, most)).join(', ')
}

/** Reports whether traffic has none of the protocols that rules can name. */
export const isOther = ({ protocols }: Pick<Traffic, 'protocols'>) =>
  protocols.every(({ protocol }) => protocol === otherProtocols)

/** Text for the protocols that only a policy decides about. */
export const otherText = 'other protocols (such as GRE and ESP)'

/** Formats a network; a network of one address is written without prefix length. */
export function networkText(text: string): string {
  const [address = '', prefix] = text.split('/')
  return Number(prefix) === bitsOf[familyOf(address)] ? address : text
}

/** Formats a protocol with its ports: `tcp/22,80-90`, or `tcp (but 22,443)` if that is shorter. */
function protocolText({ protocol, ports }: Traffic['protocols'][number], most: number): string {
  const name = protocol === otherProtocols ? 'other protocols' : protocol.toLowerCase()
  if (ports === null) return name
  const included = rangesIn(ports)
  const left = otherRanges(included)
  const short = (ranges: readonly PortRange[]) => rangesText(protocol, ranges, most)
  return left.length < included.length ? `${name} (but ${short(left)})` : `${name}/${short(included)}`
}

function rangesText(protocol: string, ranges: readonly PortRange[], most: number): string {
  const texts = (some: readonly PortRange[]) =>
    some.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join()
  if (ranges.length <= most) return texts(ranges)
  const sorted = byImportance(ranges, (range) => placeOf((one) => one.protocol === protocol && overlaps(one, range)))
  return `${texts(sorted.slice(0, most))} and ${ranges.length - most} more`
}

/** Sorts by number; items with equal numbers keep their order. */
const byImportance = <T>(items: readonly T[], importance: (item: T) => number): T[] =>
  items
    .map((item) => ({ item, place: importance(item) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)

/** Returns the place of the first known port in traffic. */
function importanceOf(some: Traffic['protocols']): number {
  const parsed = some.map(({ protocol, ports }) => ({
    protocol,
    ranges: ports === null ? [allPorts] : rangesIn(ports),
  }))
  return placeOf((one) =>
    parsed.some(({ protocol, ranges }) => protocol === one.protocol && ranges.some((range) => overlaps(one, range))),
  )
}

function placeOf(isIncluded: (one: KnownPort) => boolean): number {
  const place = knownPorts.findIndex(isIncluded)
  return place < 0 ? knownPorts.length : place
}

const overlaps = (one: PortRange, other: PortRange) => one.first <= other.last && other.first <= one.last

/** Parses ports in the form of `Traffic`, which may have more pieces than a rule. */
const rangesIn = (ports: string): PortRange[] =>
  ports.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return { first, last }
  })

function otherRanges(ranges: readonly PortRange[]): PortRange[] {
  const starts = [allPorts.first, ...ranges.map(({ last }) => last + 1)]
  const ends = [...ranges.map(({ first }) => first - 1), allPorts.last]
  return starts.flatMap((first, index) => {
    const last = ends[index] ?? 0
    return first <= last ? [{ first, last }] : []
  })
}
