/** Traffic in as few pieces as can be read: ports and addresses that were judged alike, put together. */

import { type AddressRange, joined, networksOf } from '../rules/address-ranges'
import type { Family } from '../rules/address-syntax'
import type { PortRange } from '../rules/ports'
import { type AddressCut, families, type PortCuts } from './cuts'
import type { Direction } from './rules'

/** Traffic that has the same peers. */
export interface Traffic {
  direction: Direction
  /** Ports as rules have them; null: all of them, or the protocol has none. */
  protocols: readonly { protocol: string; ports: string | null }[]
  /** Where it comes from, or goes to; of both families. */
  networks: readonly string[]
  /** What of these networks is not meant. */
  except: readonly string[]
}

/** Ports of a protocol and addresses: every one of these with every one of those. */
export interface Piece {
  protocol: string
  /** All of them, where the protocol has none. */
  ports: readonly PortRange[]
  addresses: Readonly<Record<Family, readonly AddressRange[]>>
}

/** Ports, as bits, at some addresses. */
export interface Found {
  cut: AddressCut
  bits: bigint
}

/** By ports, since people think of those, or by addresses where that makes fewer pieces. */
export function piecesOf(found: readonly Found[], ports: PortCuts): Omit<Piece, 'protocol'>[] {
  const sets = [...new Set(found.map(({ bits }) => bits))]
  const places = new Map(sets.map((set, place) => [set, place]))
  const placed = found.map(({ cut, bits }) => ({ cut, place: Number(places.get(bits)) }))
  const split = splitPorts(sets)
  return (split ?? sets).map((part) => {
    const isWithin = sets.map((set) => (split ? (set & part) !== 0n : set === part))
    const some = placed.filter(({ place }) => isWithin[place])
    const addressesOf = (family: Family) =>
      joined(some.filter(({ cut }) => cut.family === family).map(({ cut }) => cut))
    return { ports: ports.rangesOf(part), addresses: { ipv4: addressesOf('ipv4'), ipv6: addressesOf('ipv6') } }
  })
}

/** Parts of which each is in a set wholly or not at all; undefined where there would be more of them than sets. */
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

/** Of those that have the same addresses, one. */
export function trafficOf(pieces: readonly Piece[], direction: Direction): Traffic[] {
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

/** As rules write them; null: all of them. */
function portsText(ranges: readonly PortRange[]): string | null {
  const text = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join()
  return text === '1-65535' ? null : text
}
