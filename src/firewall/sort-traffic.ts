/** Sorting all traffic there is by what sets of rules do with it (api.md, Firewall behaviour 1 and 4). */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { parsePorts, protocolsWithPorts } from '../rules/ports'
import { protocols } from './cases'
import { cutAddresses, cutPorts, type PortCuts } from './cuts'
import { type Direction, directions, meaningOf, networkTexts, unnamed } from './rules'
import { type Found, type Piece, piecesOf, type Traffic, trafficOf } from './traffic'
import { knownProtocols, type Packet } from './verdict'

/** What a service has where no firewall is in force for it. */
export const open: FirewallRules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }

/** The rules of a set for traffic of one protocol and direction, in order. */
export interface Side {
  policy: string
  rules: readonly FirewallRule[]
  /** Those that may match what no packet of ./verdict says of itself. */
  foreign: string
}

/** Sets of ports, as bits: what becomes of them at some addresses. */
export interface Verdicts {
  passes: bigint
  drops: bigint
  unclear: bigint
}

type Several<T> = readonly [T, T, T?]

export interface Sorting<N extends string> {
  names: readonly N[]
  /** The rules that matter: what matches none of these is the same; undefined: everything matters. */
  decisive(sides: Several<Side>): readonly FirewallRule[] | undefined
  sort(verdicts: Several<Verdicts>, sides: Several<Side>): Readonly<Record<N, bigint>>
}

export function sortTraffic<N extends string>(
  sets: readonly FirewallRules[],
  service: Packet['service'],
  sorting: Sorting<N>,
): Record<N, Traffic[]> {
  const traffic = directions.map((direction) => {
    const pieces = protocols.map((protocol) => {
      const isFiltered = service === 'compute' || (direction === 'inbound' && protocol === 'TCP')
      const sides = sets.map((rules) => sideOf(isFiltered ? rules : open, direction, protocol))
      return sortProtocol(protocol, sides, sorting)
    })
    return (name: N) =>
      trafficOf(
        pieces.flatMap((piece) => piece(name)),
        direction,
      )
  })
  return Object.fromEntries(sorting.names.map((name) => [name, traffic.flatMap((of) => of(name))])) as Record<
    N,
    Traffic[]
  >
}

function sideOf(set: FirewallRules, direction: Direction, protocol: string): Side {
  const rules = set[direction].filter((rule) => isForeign(rule) || rule.protocol === protocol)
  return {
    policy: set[`${direction}_policy`],
    rules,
    foreign: rules
      .filter(isForeign)
      .map((rule) => meaningOf(unnamed(rule)))
      .join(),
  }
}

const isForeign = ({ protocol }: FirewallRule) => !knownProtocols.includes(protocol)

function sortProtocol<N extends string>(
  protocol: string,
  all: readonly Side[],
  { decisive, sort }: Sorting<N>,
): (name: N) => Piece[] {
  const hasPorts = protocolsWithPorts.includes(protocol)
  const sides = all as unknown as Several<Side>
  const ranges = all.flatMap(({ rules }) => rules.flatMap((rule) => parsePorts(rule.ports ?? '') ?? []))
  const ports = cutPorts(ranges)
  let next = 1n
  const judged = all.map(({ policy, rules }) => ({
    policy,
    rules: rules.map((rule): Marked => {
      const bit = next
      next <<= 1n
      return { rule, bit, networks: networkTexts(rule), ports: matchedPorts(rule, hasPorts, ports) }
    }),
  }))
  const marked = judged.flatMap(({ rules }) => rules)
  const matter = decisive(sides)
  const near = matter && together(marked.filter(({ rule }) => matter.includes(rule)))
  const sorted = new Map<bigint, Readonly<Record<N, bigint>>>()
  const sortedBy = (rules: bigint) => {
    const known = sorted.get(rules)
    if (known) return known
    const verdicts = judged.map((side) => verdictsOf(side, rules, ports.all))
    const made = sort(verdicts as unknown as Several<Verdicts>, sides)
    sorted.set(rules, made)
    return made
  }
  const reaching = near ? marked.filter((rule) => (rule.ports & near.ports) !== 0n) : marked
  const cuts = cutAddresses(reaching.map(({ bit, networks }) => ({ bits: bit, networks })))
    .filter(({ rules }) => !near || (rules & near.bits) !== 0n)
    .map((cut) => ({ cut, by: sortedBy(cut.rules) }))
  return (name) => {
    const found: Found[] = cuts.map(({ cut, by }) => ({ cut, bits: by[name] })).filter(({ bits }) => bits !== 0n)
    return piecesOf(found, ports).map((piece) => ({ ...piece, protocol }))
  }
}

/** What matches none of these, or has none of their ports, is the same in all sets. */
function together(rules: readonly Marked[]): { bits: bigint; ports: bigint } {
  const whole = { bits: 0n, ports: 0n }
  for (const { bit, ports } of rules) {
    whole.bits |= bit
    whole.ports |= ports
  }
  return whole
}

/** As ./verdict judges: of a protocol that is not known, only ports can rule it out. */
function matchedPorts(rule: FirewallRule, hasPorts: boolean, ports: PortCuts): bigint {
  if (!rule.ports) return ports.all
  if (!hasPorts) return isForeign(rule) ? ports.all : 0n
  return ports.bitsOf(parsePorts(rule.ports) ?? [])
}

interface Marked {
  rule: FirewallRule
  bit: bigint
  networks: readonly string[]
  ports: bigint
}

/** The first that matches decides; one whose protocol is not known may, or may not. */
function verdictsOf(side: { policy: string; rules: readonly Marked[] }, matching: bigint, all: bigint): Verdicts {
  let [left, mayPass, mayDrop] = [all, 0n, 0n]
  const decide = (action: string, bits: bigint) => {
    if (action !== 'DROP') mayPass |= bits
    if (action !== 'ACCEPT') mayDrop |= bits
  }
  for (const { rule, bit, ports } of side.rules) {
    if ((matching & bit) === 0n) continue
    decide(rule.action, left & ports)
    if (!isForeign(rule)) left &= ~ports
  }
  decide(side.policy, left)
  return { passes: mayPass & ~mayDrop, drops: mayDrop & ~mayPass, unclear: mayPass & mayDrop }
}
