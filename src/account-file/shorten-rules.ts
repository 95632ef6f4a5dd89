/** Writes the rules of exported firewalls as people do, with names for addresses: plans read both forms. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { canonicalAddress, everywhere, type NetworkNames } from '../firewall/networks'
import { type Direction, directions, isRule, networkTexts } from '../firewall/rules'
import { bitsOf, splitNetwork } from '../rules/address-syntax'
import { groupBy, isRecord } from '../rules/records'
import type { ExportedEntry, Records } from './export-entries'
import { firewallKind } from './kinds/firewalls'
import { peerKeys } from './rule-networks'

type Fields = Readonly<Record<string, unknown>>

/** Replaces addresses by the names of networks that have exactly these addresses, alone or together. */
type AddressNamer = (addresses: readonly string[]) => readonly string[]

/** Yields the entries, with the rules of firewalls in short form. */
export function* inShortForm(entries: Iterable<ExportedEntry>, networks: NetworkNames): Generator<ExportedEntry> {
  const nameAddresses = addressNamer(networks)
  for (const one of entries) {
    const isFirewall = one.path[0] === firewallKind.key
    yield isFirewall ? { ...one, entry: withShortRules(one.entry, nameAddresses) } : one
  }
}

/** Returns those of the networks that the short form of these records names. */
export function networksNamedIn(records: Records, networks: NetworkNames): NetworkNames {
  if (networks.size === 0) return networks
  const used = new Set<string>()
  const nameAddresses = addressNamer(networks)
  const noteNames: AddressNamer = (addresses) => {
    for (const name of nameAddresses(addresses)) if (networks.has(name)) used.add(name)
    return []
  }
  for (const [kind, all] of records)
    if (kind === firewallKind) for (const record of all) withShortRules(kind.entryOf(record), noteNames)
  return new Map([...networks].filter(([name]) => used.has(name)))
}

function withShortRules(entry: unknown, nameAddresses: AddressNamer): unknown {
  return isRecord(entry) && isRecord(entry.rules) ? { ...entry, rules: shortRules(entry.rules, nameAddresses) } : entry
}

function shortRules(rules: Fields, nameAddresses: AddressNamer): Fields {
  const fields = directions.flatMap((direction): [string, unknown][] => {
    const { [`${direction}_policy`]: policy, [direction]: list } = rules
    const short = Array.isArray(list) ? list.map((rule: unknown) => shortRule(rule, direction, nameAddresses)) : list
    return [
      [`${direction}_policy`, typeof policy === 'string' ? policy.toLowerCase() : policy],
      [direction, short],
    ]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function shortRule(rule: unknown, direction: Direction, nameAddresses: AddressNamer): unknown {
  if (!isRule(rule)) return rule
  const { action, protocol, ports, addresses: _, ...others }: FirewallRule = rule
  const peers = nameAddresses(networkTexts(rule))
  return {
    action: action.toLowerCase(),
    protocol: String(protocol).toLowerCase(),
    ...(ports && { ports: /^[1-9]\d*$/.test(ports) ? Number(ports) : ports }),
    [peerKeys[direction]]: peers.length === 1 ? peers[0] : peers,
    ...others,
  }
}

/** A network with its addresses in the form that equal ones share, and its place in the order of choice. */
interface Candidate {
  name: string
  addresses: readonly string[]
  rank: number
}

/** Networks by one of their addresses: a rule with a thousand networks is compared with the few that it may have. */
type Candidates = ReadonlyMap<string | undefined, readonly Candidate[]>

/** Large networks are chosen first. Addresses that no networks have exactly stay, without the mask of a single address. */
function addressNamer(networks: NetworkNames): AddressNamer {
  const anywhere = ['anywhere', everywhere] as const
  const bySize = [...networks].sort(([, some], [, others]) => others.length - some.length)
  const all = candidatesOf([anywhere, ...bySize])
  const only = candidatesOf([anywhere])
  return (addresses) => {
    const texts = new Map(addresses.map((address) => [canonicalAddress(address), address]))
    const cover = coverOf(texts, all)
    const { names, rest } = cover.rest.length === 0 ? cover : coverOf(texts, only)
    return [...names, ...rest.map(withoutHostMask)]
  }
}

function candidatesOf(networks: readonly (readonly [string, readonly string[]])[]): Candidates {
  const candidates = networks.map(([name, addresses], rank) => ({
    name,
    addresses: addresses.map(canonicalAddress),
    rank,
  }))
  return groupBy(candidates, ({ addresses: [first] }) => first)
}

const none: readonly Candidate[] = []

/** Returns the networks that are among some addresses, each address in one of them, and the addresses of none. */
function coverOf(texts: ReadonlyMap<string, string>, candidates: Candidates): { names: string[]; rest: string[] } {
  const possible: Candidate[] = []
  for (const address of texts.keys()) possible.push(...(candidates.get(address) ?? none))
  // Most rules have none, and a large account has a million addresses.
  if (possible.length === 0) return { names: [], rest: [...texts.values()] }
  const rest = new Map(texts)
  const names = possible
    .sort((one, other) => one.rank - other.rank)
    .flatMap(({ name, addresses }) => {
      if (!addresses.every((address) => rest.has(address))) return []
      for (const address of addresses) rest.delete(address)
      return [name]
    })
  return { names, rest: [...rest.values()] }
}

function withoutHostMask(text: string): string {
  const network = text.endsWith('/32') || text.endsWith('/128') ? splitNetwork(text) : undefined
  return network && network.prefix === bitsOf[network.family] ? network.address : text
}
