/** Parses ports of firewall rules (api.md, Firewall rule, Ports rules 1 to 6). */

export interface PortRange {
  first: number
  last: number
}

export const allPorts: PortRange = { first: 1, last: 65_535 }

/** Maximum number of pieces: a single port counts 1, a range counts 2. */
const mostPieces = 15

export const protocolsWithPorts: readonly string[] = ['TCP', 'UDP']

/** Parses ports to inclusive ranges in their written order; undefined if `portsFault` finds a fault. */
export function parsePorts(text: string): PortRange[] | undefined {
  const ranges = read(text)
  return typeof ranges === 'string' ? undefined : ranges
}

/** Returns the fewest ranges with the same ports, in order. */
export function joinedRanges(ranges: readonly PortRange[]): PortRange[] {
  const joined: PortRange[] = []
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else joined.push({ first, last })
  }
  return joined
}

/** Returns the reason why a text such as `22, 80-90, 443` is invalid; undefined if it is valid. */
export function portsFault(text: string): string | undefined {
  const ranges = read(text)
  return typeof ranges === 'string' ? ranges : undefined
}

function read(text: string): PortRange[] | string {
  if (text === '') return 'Must not be empty; leave ports out for all of them'
  const ranges: PortRange[] = []
  let pieces = 0
  // Splitting at one piece more than allowed is enough to detect too many.
  for (const [index, written] of text.split(',', mostPieces + 1).entries()) {
    const part = index > 0 && written.startsWith(' ') ? written.slice(1) : written
    const range = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(part)
    if (range === null) return `${quoted(part)} is neither a port nor a range of ports${adviceOn(part)}`
    const first = Number(range[1])
    const last = Number(range[2] ?? range[1])
    if (first > 65_535 || last > 65_535) return `${quoted(part)} is out of range: ports are 1 to 65535`
    if (range[2] !== undefined && last <= first) return `${quoted(part)} must end above its start`
    pieces += range[2] === undefined ? 1 : 2
    if (pieces > mostPieces) return `Too many pieces. Max allowed is ${mostPieces}: a port is one, a range is two`
    ranges.push({ first, last })
  }
  return ranges
}

/** Ports by the names of their services, as people type them in place of a port (IANA registry). */
export const portsByName: Readonly<Record<string, number | undefined>> = {
  dns: 53,
  http: 80,
  https: 443,
  mysql: 3306,
  postgres: 5432,
  postgresql: 5432,
  rdp: 3389,
  smtp: 25,
  ssh: 22,
}

/** Returns how to write ports that other tools write like this, as a sentence. */
function adviceOn(part: string): string {
  if (/^(any|all|\*)$/i.test(part)) return '. For all ports, leave ports out, or write 1-65535'
  const port = portsByName[part.toLowerCase()]
  if (port !== undefined) return `. Write ${port}`
  const [, protocol, ports] = /^(tcp|udp)\/(\d[\d-]*)$/i.exec(part) ?? []
  if (protocol !== undefined) return `. Write ${ports}, and ${protocol.toLowerCase()} as the protocol`
  const [, first, last] = /^(\d{1,5})[:\u2013](\d{1,5})$/.exec(part) ?? []
  return first === undefined ? '' : `. Write ${first}-${last}`
}

const quoted = (part: string) => JSON.stringify(part.length > 20 ? `${part.slice(0, 20)}...` : part)
