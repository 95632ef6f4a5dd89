/** Classifies all traffic by how rule sets treat it (api.md, Firewall behaviour 1 and 4). */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { parsePorts, protocolsWithPorts } from '../rules/ports'
import { addressIntervals, type PortIntervals, portIntervals } from './intervals'
import { type Direction, directions, meaningOf, networkTexts, unnamed } from './rules'
import { groupCells, type PortAddressGroup, type Traffic, type TrafficCell, trafficOf } from './summarize-traffic'
import { protocols } from './test-cases'
import { knownProtocols, type Packet } from './verdict'

/** Rules of a service without an enabled firewall: everything is allowed. */
export const open: FirewallRules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }

/** Rules of one set for one protocol and direction, in order. */
export interface TrafficRules {
  policy: string
  rules: readonly FirewallRule[]
  /** Rules with unknown protocols as one comparable text. A packet alone does not tell whether they match. */
  foreign: string
}

/** Bitmasks of ports, by verdict at some addresses. */
export interface Verdicts {
  passes: bigint
  drops: bigint
  unclear: bigint
  /** Ports at which the first rule that may match has an unknown protocol: ./verdict does not judge them. */
  foreign: bigint
  /** Ports that no rule may match: the policy decides. */
  rest: bigint
}

type Several<T> = readonly [T, T, T?]

const each = <T, R>([one, other, third]: Several<T>, act: (item: T) => R): Several<R> =>
  third === undefined ? [act(one), act(other)] : [act(one), act(other), act(third)]

export interface TrafficClasses<N extends string> {
  names: readonly N[]
  /** Returns the rules that can cause a difference; undefined if all traffic may differ. */
  decisive(sides: Several<TrafficRules>): readonly FirewallRule[] | undefined
  sort(verdicts: Several<Verdicts>, sides: Several<TrafficRules>): Readonly<Record<N, bigint>>
}

export function classifyTraffic<N extends string>(
  sets: Several<FirewallRules>,
  service: Packet['service'],
  sorting: TrafficClasses<N>,
): Record<N, Traffic[]> {
  const traffic = directions.map((direction) => {
    const pieces = protocols.map((protocol) => {
      const isFiltered = service === 'compute' || (direction === 'inbound' && protocol === 'TCP')
      const sides = each(sets, (rules) => sideOf(isFiltered ? rules : open, direction, protocol))
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

function sideOf(set: FirewallRules, direction: Direction, protocol: string): TrafficRules {
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
  sides: Several<TrafficRules>,
  { decisive, sort }: TrafficClasses<N>,
): (name: N) => PortAddressGroup[] {
  const hasPorts = protocolsWithPorts.includes(protocol)
  const ranges = sides.flatMap((side) => side?.rules.flatMap((rule) => parsePorts(rule.ports ?? '') ?? []) ?? [])
  const ports = portIntervals(ranges)
  let next = 1n
  const judged = each(sides, ({ policy, rules }) => ({
    policy,
    rules: rules.map((rule): Marked => {
      const bit = next
      next <<= 1n
      return { rule, bit, networks: networkTexts(rule), ports: matchedPorts(rule, hasPorts, ports) }
    }),
  }))
  const marked = judged.flatMap((side) => side?.rules ?? [])
  const matter = decisive(sides)
  const near = matter && together(marked.filter(({ rule }) => matter.includes(rule)))
  const sorted = new Map<bigint, Readonly<Record<N, bigint>>>()
  const sortedBy = (rules: bigint) => {
    const cached = sorted.get(rules)
    if (cached) return cached
    const verdicts = each(judged, (side) => verdictsOf(side, rules, ports.all))
    const result = sort(verdicts, sides)
    sorted.set(rules, result)
    return result
  }
  const reaching = near ? marked.filter((rule) => (rule.ports & near.ports) !== 0n) : marked
  const cuts = addressIntervals(reaching.map(({ bit, networks }) => ({ bits: bit, networks })))
    .filter(({ rules }) => !near || (rules & near.bits) !== 0n)
    .map((cut) => ({ cut, by: sortedBy(cut.rules) }))
  return (name) => {
    const cells: TrafficCell[] = cuts.map(({ cut, by }) => ({ cut, bits: by[name] })).filter(({ bits }) => bits !== 0n)
    return groupCells(cells, ports).map((piece) => ({ ...piece, protocol }))
  }
}

/** Combines rule bits and ports. Traffic outside of both is treated alike by all sets. */
function together(rules: readonly Marked[]): { bits: bigint; ports: bigint } {
  const whole = { bits: 0n, ports: 0n }
  for (const { bit, ports } of rules) {
    whole.bits |= bit
    whole.ports |= ports
  }
  return whole
}

/** Returns the ports that a rule may match, as ./verdict. Of unknown protocols, only ports can exclude a match. */
function matchedPorts(rule: FirewallRule, hasPorts: boolean, ports: PortIntervals): bigint {
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

/** Computes verdicts. The first matching rule decides; a rule with an unknown protocol may or may not match. */
function verdictsOf(side: { policy: string; rules: readonly Marked[] }, matching: bigint, all: bigint): Verdicts {
  let [left, rest, foreign, mayPass, mayDrop] = [all, all, 0n, 0n, 0n]
  const decide = (action: string, bits: bigint) => {
    if (action !== 'DROP') mayPass |= bits
    if (action !== 'ACCEPT') mayDrop |= bits
  }
  for (const { rule, bit, ports } of side.rules) {
    if ((matching & bit) === 0n) continue
    decide(rule.action, left & ports)
    if (isForeign(rule)) foreign |= rest & ports
    else left &= ~ports
    rest &= ~ports
  }
  decide(side.policy, left)
  return { passes: mayPass & ~mayDrop, drops: mayDrop & ~mayPass, unclear: mayPass & mayDrop, foreign, rest }
}
