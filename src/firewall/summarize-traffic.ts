/** Groups traffic into few readable pieces by merging ports and addresses with the same verdict. */

import { type AddressRange, joined, networksOf } from '../rules/address-ranges'
import type { Family } from '../rules/address-syntax'
import type { PortRange } from '../rules/ports'
import { type AddressInterval, families, type PortIntervals } from './intervals'
import type { Direction } from './rules'

/** Traffic with the same peers. */
export interface Traffic {
  direction: Direction
  /** Protocols with ports as rules write them; null if all ports match or the protocol has none. */
  protocols: readonly { protocol: string; ports: string | null }[]
  /** Peers: sources (inbound) or destinations (outbound), of both families. */
  networks: readonly string[]
  /** Exceptions within these networks. */
  except: readonly string[]
}

/** Ports of a protocol combined with addresses: every port with every address. */
export interface PortAddressGroup {
  protocol: string
  /** Port ranges; all ports if the protocol has none. */
  ports: readonly PortRange[]
  addresses: Readonly<Record<Family, readonly AddressRange[]>>
}

/** Bitmask of ports at some addresses. */
export interface TrafficCell {
  cut: AddressInterval
  bits: bigint
}

/** Groups by ports, which people find easier to read, or by addresses if that gives fewer pieces. */
export function groupCells(cells: readonly TrafficCell[], ports: PortIntervals): Omit<PortAddressGroup, 'protocol'>[] {
  const sets = [...new Set(cells.map(({ bits }) => bits))]
  const places = new Map(sets.map((set, place) => [set, place]))
  const placed = cells.map(({ cut, bits }) => ({ cut, place: Number(places.get(bits)) }))
  const split = splitPorts(sets)
  return (split ?? sets).map((part) => {
    const isWithin = sets.map((set) => (split ? (set & part) !== 0n : set === part))
    const some = placed.filter(({ place }) => isWithin[place])
    const addressesOf = (family: Family) =>
      joined(some.filter(({ cut }) => cut.family === family).map(({ cut }) => cut))
    return { ports: ports.rangesOf(part), addresses: { ipv4: addressesOf('ipv4'), ipv6: addressesOf('ipv6') } }
  })
}

/** Splits sets into parts, each inside or outside of every set; undefined if that gives more parts than sets. */
function splitPorts(sets: readonly bigint[]): bigint[] | undefined {
  let parts: bigint[] = []
  let covered = 0n
  for (const set of sets) {
    const split = [...parts.flatMap((part) => [part & set, part & ~set]), set & ~covered]
    parts = split.filter((bits) => bits !== 0n)
    if (parts.length > sets.length) return undefined
    covered |= set
  }
  return parts
}

/** Merges pieces with the same addresses into one. */
export function trafficOf(pieces: readonly PortAddressGroup[], direction: Direction): Traffic[] {
  const byPeers = new Map<string, { protocols: Traffic['protocols'][number][] } & Traffic>()
  for (const { protocol, ports, addresses } of pieces) {
    const written = families.map((family) => networksOf(family, addresses[family]))
    const networks = written.flatMap((each) => each.networks)
    const except = written.flatMap((each) => each.except)
    const key = `${networks} ${except}`
    const traffic = byPeers.get(key) ?? { direction, protocols: [], networks, except }
    traffic.protocols.push({ protocol, ports: portsText(ports) })
    byPeers.set(key, traffic)
  }
  return [...byPeers.values()]
}

/** Writes ports as rules do; null if all ports are covered. */
function portsText(ranges: readonly PortRange[]): string | null {
  const text = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join()
  return text === '1-65535' ? null : text
}
