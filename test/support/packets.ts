/** Packets for tests of rules: those at which a verdict can change. Also checks whether traffic includes a packet. */
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { directions, networkTexts } from '../../src/firewall/rules'
import type { Traffic } from '../../src/firewall/summarize-traffic'
import type { Packet } from '../../src/firewall/verdict'
import { covers, type IpNetwork, networkOf, parseAddress, parseNetwork } from '../../src/rules/addresses'
import { parsePorts } from '../../src/rules/ports'

const bits = { ipv4: 32n, ipv6: 128n } as const

/** Returns the first and the last address of every network of these rules, and their neighbours. */
export function addressesAt(sets: readonly FirewallRules[]): IpNetwork[] {
  const ends = sets
    .flatMap((set) => directions.flatMap((direction) => set[direction].flatMap(networkTexts)))
    .flatMap((text) => {
      const network = parseNetwork(text)
      if (!network) return []
      const { value: first } = networkOf(network)
      const last = first + (1n << (bits[network.family] - BigInt(network.prefix))) - 1n
      return [first - 1n, first, last, last + 1n].map((value) => addressOf(network.family, value))
    })
  return ends.filter((address) => address !== undefined)
}

/** Returns undefined if there is no such address. */
export function addressOf(family: IpNetwork['family'], value: bigint): IpNetwork | undefined {
  if (value < 0n || value >= 1n << bits[family]) return undefined
  const groups = (count: bigint, size: bigint, radix: number) =>
    Array.from({ length: Number(count) }, (_, index) =>
      ((value >> (size * (count - 1n - BigInt(index)))) & ((1n << size) - 1n)).toString(radix),
    )
  return parseAddress(family === 'ipv4' ? groups(4n, 8n, 10).join('.') : groups(8n, 16n, 16).join(':'))
}

/** Returns both ends of every port range of these rules, and their neighbours. */
export function portsAt(sets: readonly FirewallRules[]): number[] {
  const ranges = sets.flatMap((set) =>
    directions.flatMap((direction) => set[direction].flatMap(({ ports }) => parsePorts(ports ?? '') ?? [])),
  )
  const ports = ranges.flatMap(({ first, last }) => [first - 1, first, last, last + 1])
  return [...new Set([1, 65_535, ...ports])].filter((port) => port >= 1 && port <= 65_535)
}

export function includesPacket(traffic: readonly Traffic[], { direction, protocol, port, address }: Packet): boolean {
  const isIn = (networks: readonly string[]) =>
    networks.some((text) => {
      const network = parseNetwork(text)
      return network !== undefined && covers(network, address)
    })
  return traffic.some(
    (one) =>
      one.direction === direction &&
      one.protocols.some(({ protocol: other, ports }) => other === protocol && hasPort(ports, port)) &&
      isIn(one.networks) &&
      !isIn(one.except),
  )
}

const hasPort = (ports: string | null, port: number | undefined) =>
  ports === null ||
  (port !== undefined &&
    ports.split(',').some((text) => {
      const [first = Number.NaN, last = first] = text.split('-').map(Number)
      return first <= port && port <= last
    }))
