/**
 * Finds ports that firewalls leave open to large parts of the internet, with the rules and the policy that allow it.
 */
import { type FirewallRules, mostRules } from '../catalogue/firewall-rules'
import {
  type AddressCounts,
  type Entrance,
  exposureOf,
  isEverybody,
  type PortEntrances,
  publicAddresses,
  totalOf,
} from '../firewall/exposure'
import { families } from '../firewall/intervals'
import { bitsOf, type Family } from '../rules/address-syntax'
import { type PortRange, parsePorts } from '../rules/ports'
import { groupBy } from '../rules/records'
import type { CheckResult } from './check'
import { editRules, inboundNames, onlyBalancers, subjectOf } from './guards'
import type { ListeningService } from './risky-ports'
import type { AccountSnapshot, Guard } from './snapshot'

/** Size of the part of the internet that has access. */
export type Audience = 'everybody' | 'many'

/**
 * `everybody` is as in ../firewall/exposure. `many` is fewer, but at least an IPv4 /8 or an IPv6 /20. The largest
 * providers have that many for all their customers, so it is nobody's own network.
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

export function exposureAt({ rules }: Pick<Guard, 'rules'>): ReturnType<typeof exposureOf> {
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

/** Open ports of a listener, through one entry of a rule's ports or through the policy. */
interface OpenPorts {
  /** In the notation of rules: `tcp/22`, `tcp/5000-6000`, `tcp` for all ports. */
  part: string
  number: number | null
  name: string
  ports: PortRange
  from: string
}

interface Search extends Pick<AccountSnapshot, 'networkName'> {
  listeners: readonly ListeningService[]
  audience: Audience
}

/** Returns one finding for each entry of a rule's ports, so that a widened entry is a new finding. */
export function openPortsOf(guard: Guard, { listeners, audience, networkName }: Search): CheckResult[] {
  const judged = onlyBalancers(guard) ? listeners.filter(({ protocol }) => protocol === 'TCP') : listeners
  const open = judged.flatMap((listener) => openPorts(guard, listener, audience))
  return [...groupBy(open, ({ part }) => part)].map(([part, all]) => {
    const from = [...new Set(all.map((one) => one.from))].join(' and ')
    const by = inboundNames(guard, [...new Set(all.map(({ number }) => number))], networkName)
    return {
      subject: subjectOf(guard, part),
      reason: `${namesOf(all)} from ${from}, allowed by ${by}`,
      command: editRules(guard),
    }
  })
}

function openPorts(guard: Guard, { protocol, first, last, name }: ListeningService, audience: Audience): OpenPorts[] {
  const pieces = exposureAt(guard)(protocol)
  return pieces.flatMap(({ ports, entrances }, place) => {
    if (ports.last < first || last < ports.first) return []
    const total = totalOf(entrances)
    const open = familiesWithin(total, audience)
    return mainEntrances(entrances, open).map(({ number }) => ({
      part: `${protocol.toLowerCase()}${portsPart(number === null ? policyPorts(pieces, place) : ruleEntry(guard, number, ports))}`,
      number,
      name,
      ports: { first: Math.max(first, ports.first), last: Math.min(last, ports.last) },
      from: describeSources(total, open, audience),
    }))
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
function ruleEntry({ rules }: Guard, number: number, { first }: PortRange): PortRange | undefined {
  const ranges = parsePorts(rules.inbound[number - 1]?.ports ?? '')
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

const portsText = ({ first, last }: PortRange) => (first === last ? `${first}` : `${first}-${last}`)

const portsPart = (ports: PortRange | undefined) =>
  !ports || portsText(ports) === '1-65535' ? '' : `/${portsText(ports)}`

/** Returns `SSH (22), VNC (5900-5963)`. */
function namesOf(open: readonly OpenPorts[]): string {
  const byName = groupBy(open, ({ name }) => name)
  return [...byName].map(([name, all]) => `${name} (${joinPorts(all).map(portsText).join(', ')})`).join(', ')
}

function joinPorts(open: readonly OpenPorts[]): PortRange[] {
  const joined: PortRange[] = []
  for (const { first, last } of open.map(({ ports }) => ports).toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else joined.push({ first, last })
  }
  return joined
}

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
