/** Classifies all traffic by how rule sets treat it (api.md, Firewall behaviour 1 and 4). */

import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { protocolsWithPorts } from '../rules/ports'
import { isKnownProtocol } from '../rules/protocols'
import { addressIntervals, portIntervals } from './intervals'
import { allProtocols, asJudged, type JudgedRule, type RuleTraffic } from './judged-rule'
import { type Direction, directions, meaningOf, unnamed } from './rules'
import { groupCells, type PortAddressGroup, type Traffic, type TrafficCell, trafficOf } from './summarize-traffic'
import type { Packet } from './verdict'

/** Rules of a service without an enabled firewall: everything is allowed. */
export const open: FirewallRules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }

/** Rules of one set for one protocol and direction, in order. */
export interface TrafficRules {
  policy: string
  rules: readonly FirewallRule[]
  /** Rules that cannot be judged as one comparable text. A packet alone does not tell whether they match. */
  unjudged: string
}

/** Bitmasks of ports, by verdict at some addresses. */
export interface Verdicts {
  passes: bigint
  drops: bigint
  unclear: bigint
  /** Ports at which the first rule that may match cannot be judged: ./verdict does not judge them either. */
  unjudged: bigint
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
    const all = each(sets, (rules) => sideOf(rules, direction))
    const pieces = allProtocols.map((protocol) => {
      const isFiltered = service === 'compute' || (direction === 'inbound' && protocol === 'TCP')
      const sides = each(all, (side) => ofProtocol(isFiltered ? side : unfiltered, protocol))
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

interface Side {
  policy: string
  rules: readonly (JudgedRule & { rule: FirewallRule })[]
}

const unfiltered: Side = { policy: 'ACCEPT', rules: [] }

const sideOf = (set: FirewallRules, direction: Direction): Side => ({
  policy: set[`${direction}_policy`],
  rules: set[direction].map((rule) => ({ rule, ...asJudged(rule) })),
})

/** Reduces rules to those that match a protocol, or may match it. */
function ofProtocol({ policy, rules }: Side, protocol: string): Side & { all: TrafficRules } {
  const some = rules.filter(({ rule }) => rule.protocol === protocol || !isKnownProtocol(rule.protocol))
  const unjudged = some.flatMap(({ rule, possible }) => (possible ? meaningOf(unnamed(rule)) : [])).join()
  return { policy, rules: some, all: { policy, rules: some.map(({ rule }) => rule), unjudged } }
}

function sortProtocol<N extends string>(
  protocol: string,
  sides: Several<ReturnType<typeof ofProtocol>>,
  { decisive, sort }: TrafficClasses<N>,
): (name: N) => PortAddressGroup[] {
  const summaries = each(sides, ({ all }) => all)
  const matter = decisive(summaries)
  if (matter?.length === 0) return () => []
  const hasPorts = protocolsWithPorts.includes(protocol)
  const ranges = hasPorts ? sides.flatMap((side) => side?.rules.flatMap(rangesOf) ?? []) : []
  const ports = portIntervals(ranges)
  const { judged, marked } = markedBy(sides, ({ ports: some }) => (hasPorts ? ports.bitsOf(some) : ports.all))
  const near = matter && together(marked.filter(({ rule }) => matter.includes(rule)))
  const sorted = new Map<bigint, Readonly<Record<N, bigint>>>()
  const sortedBy = (rules: bigint) => {
    const cached = sorted.get(rules)
    if (cached) return cached
    const verdicts = each(judged, (side) => verdictsOf(side, rules, ports.all))
    const result = sort(verdicts, summaries)
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

const rangesOf = ({ certain, possible }: JudgedRule) => [...(certain?.ports ?? []), ...(possible?.ports ?? [])]

/** Gives each rule a bit, and one more for the traffic that it only may match. */
function markedBy(sides: Several<Side>, portsOf: (traffic: RuleTraffic) => bigint) {
  let next = 1n
  const mark = (rule: FirewallRule, traffic: RuleTraffic | undefined, isCertain: boolean): Marked[] => {
    if (!traffic) return []
    const bit = next
    next <<= 1n
    return [{ rule, bit, isCertain, networks: traffic.networks, ports: portsOf(traffic) }]
  }
  const judged = each(sides, ({ policy, rules }) => ({
    policy,
    rules: rules.flatMap(({ rule, certain, possible }) => [
      ...mark(rule, certain, true),
      ...mark(rule, possible, false),
    ]),
  }))
  return { judged, marked: judged.flatMap((side) => side?.rules ?? []) }
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

interface Marked {
  rule: FirewallRule
  bit: bigint
  /** False for traffic that the rule only may match. */
  isCertain: boolean
  networks: readonly string[]
  ports: bigint
}

/** Computes verdicts. The first matching rule decides; one that cannot be judged may or may not match. */
function verdictsOf(side: { policy: string; rules: readonly Marked[] }, matching: bigint, all: bigint): Verdicts {
  let [left, rest, unjudged, mayPass, mayDrop] = [all, all, 0n, 0n, 0n]
  const decide = (action: string, bits: bigint) => {
    if (action !== 'DROP') mayPass |= bits
    if (action !== 'ACCEPT') mayDrop |= bits
  }
  for (const { rule, bit, isCertain, ports } of side.rules) {
    if ((matching & bit) === 0n) continue
    decide(rule.action, left & ports)
    if (isCertain) left &= ~ports
    else unjudged |= rest & ports
    rest &= ~ports
  }
  decide(side.policy, left)
  return { passes: mayPass & ~mayDrop, drops: mayDrop & ~mayPass, unclear: mayPass & mayDrop, unjudged, rest }
}
