/**
 * Merges two concurrent edits of the same rules (three-way merge). A rule edited by one side is taken from that side.
 * The order of two rules comes from the side that changed it. If neither did and no packet is affected, rules are
 * sorted by meaning, so that both sides get the same result.
 */

import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, parseNetwork } from '../rules/addresses'
import { isKnownProtocol } from '../rules/protocols'
import { type Pairing, pairRules } from './diff'
import { asJudged, type RuleTraffic } from './judged-rule'
import { type Direction, directions, meaningOf } from './rules'

/** Common ancestor and the two versions edited from it. */
export interface Versions<T> {
  base: T
  mine: T
  theirs: T
}

/** Item that both sides changed in different ways. */
export type Conflict = { direction: Direction } & (
  | ({ kind: 'policy' } & Versions<string>)
  /** Rule conflict: `number` counts from 1 in the base; null is a removed rule. */
  | { kind: 'rule'; number: number; base: FirewallRule; mine: FirewallRule | null; theirs: FirewallRule | null }
  /** Order conflict: nothing decides the order of these rules. */
  | { kind: 'order'; rules: FirewallRule[] }
)

export interface Merge {
  /** Merged rules; for a conflict, the rules of `mine`. */
  rules: FirewallRules
  conflicts: Conflict[]
}

export function mergeRules({ base, mine, theirs }: Versions<FirewallRules>): Merge {
  const rules = { ...base }
  const conflicts: Conflict[] = []
  for (const direction of directions) {
    const key = `${direction}_policy` as const
    const policy = { base: base[key], mine: mine[key], theirs: theirs[key] }
    rules[key] = policy.mine === policy.base ? policy.theirs : policy.mine
    if (new Set(Object.values(policy)).size === 3) conflicts.push({ direction, kind: 'policy', ...policy })
    const side = mergeSide({ base: base[direction], mine: mine[direction], theirs: theirs[direction] })
    rules[direction] = side.rules
    conflicts.push(...side.conflicts.map((conflict) => ({ direction, ...conflict })))
  }
  return { rules, conflicts }
}

type Lists = Versions<readonly FirewallRule[]>

type SideConflict = Conflict extends infer C ? (C extends Conflict ? Omit<C, 'direction'> : never) : never

function mergeSide(lists: Lists): { rules: FirewallRule[]; conflicts: SideConflict[] } {
  const mine = pairRules(lists.base, lists.mine)
  const theirs = pairRules(lists.base, lists.theirs)
  const merged = lists.base.map((base, index) => mergeRule({ base, index }, lists, { mine, theirs }))
  const nodes = [...merged.flatMap(({ node }) => node ?? []), ...addedNodes(lists, { mine, theirs })]
  const { order, unclear } = orderNodes(nodes)
  const conflicts: SideConflict[] = merged.flatMap(({ conflict }) => conflict ?? [])
  if (unclear.length > 0) conflicts.push({ kind: 'order', rules: unclear.map(({ rule }) => rule) })
  return { rules: order.map(({ rule }) => rule), conflicts }
}

interface Sides {
  mine: Pairing
  theirs: Pairing
}

/** Merges one base rule. The result has no node if the rule was removed. */
function mergeRule(
  { base, index }: { base: FirewallRule; index: number },
  lists: Lists,
  sides: Sides,
): { node?: MergeNode; conflict?: SideConflict } {
  const [mineAt, theirsAt] = [sides.mine.pairs.get(index), sides.theirs.pairs.get(index)]
  const [mine, theirs] = [lists.mine[mineAt ?? -1], lists.theirs[theirsAt ?? -1]]
  const at = { base: index, mine: mineAt, theirs: theirsAt }
  if (collides(index, { mine, theirs }, sides)) {
    const conflict = { kind: 'rule' as const, number: index + 1, base, mine: mine ?? null, theirs: theirs ?? null }
    return { conflict, ...(mine && { node: { rule: mine, ...at } }) }
  }
  if (!mine || !theirs) return {}
  // An edit that only changes notation is kept too, unless the other side changed the meaning.
  const isTheirs = sides.mine.equal.has(index) && JSON.stringify(theirs) !== JSON.stringify(base)
  return { node: { rule: isTheirs ? theirs : mine, ...at } }
}

/** Reports whether both sides changed a rule in different ways. */
function collides(index: number, now: Record<'mine' | 'theirs', FirewallRule | undefined>, sides: Sides): boolean {
  if (!touched(index, sides.mine) || !touched(index, sides.theirs)) return false
  const { mine, theirs } = now
  if (!mine || !theirs) return mine !== theirs
  return meaningOf(mine) !== meaningOf(theirs) || !sameOrder(index, sides)
}

const touched = (index: number, { equal, ordered }: Pairing) => !equal.has(index) || !ordered.has(index)

/** Reports whether both sides placed a rule alike relative to all rules that both have. */
function sameOrder(index: number, { mine, theirs }: Sides): boolean {
  const after = ({ pairs }: Pairing, other: number) => Number(pairs.get(index)) > Number(pairs.get(other))
  return [...mine.pairs.keys()].every(
    (other) => !theirs.pairs.has(other) || after(mine, other) === after(theirs, other),
  )
}

/** Collects the rules added by one side, or by both sides alike. */
function addedNodes(lists: Lists, sides: Sides): MergeNode[] {
  const added = (side: 'mine' | 'theirs') => {
    const paired = new Set(sides[side].pairs.values())
    return lists[side].flatMap((rule, index): MergeNode[] => (paired.has(index) ? [] : [{ rule, [side]: index }]))
  }
  const theirs = added('theirs')
  const mine = added('mine').map((node) => {
    const twin = theirs.find(({ rule }) => meaningOf(rule) === meaningOf(node.rule))
    if (!twin) return node
    theirs.splice(theirs.indexOf(twin), 1)
    return { ...node, theirs: twin.theirs }
  })
  return [...mine, ...theirs]
}

/** Rule of the merged result, with its index in each version that contains it. */
export interface MergeNode {
  rule: FirewallRule
  base?: number | undefined
  mine?: number | undefined
  theirs?: number | undefined
}

interface Row {
  node: MergeNode
  /** `[i]` is true if this node comes before node i. */
  before: boolean[]
}

/** Sorts the nodes, and lists those whose order is ambiguous. If any order is ambiguous, the order of `mine` wins. */
export function orderNodes(nodes: readonly MergeNode[]): { order: MergeNode[]; unclear: MergeNode[] } {
  const rows = closure(nodes)
  const unclear = rows.filter((row, i) =>
    rows.some((other, j) => {
      const isBefore = row.before[j]
      return isBefore === other.before[i] && (isBefore || orderMatters(row.node.rule, other.node.rule))
    }),
  )
  return { order: unclear.length > 0 ? mineFirst(nodes) : sorted(rows), unclear: unclear.map(({ node }) => node) }
}

/** Combines the pairwise orders of both sides with everything that follows from them (transitive closure). */
function closure(nodes: readonly MergeNode[]): Row[] {
  const rows = nodes.map((node) => ({ node, before: nodes.map((other) => comesFirst(node, other)) }))
  for (const [middle, follows] of rows.entries()) {
    for (const { before } of rows) {
      if (!before[middle]) continue
      for (const [index, after] of follows.before.entries()) before[index] ||= after
    }
  }
  return rows
}

/** Orders two nodes as the side that changed them; true both ways if both sides added them in different order. */
function comesFirst(one: MergeNode, other: MergeNode): boolean {
  const says = (side: 'base' | 'mine' | 'theirs') => {
    const [at, otherAt] = [one[side], other[side]]
    return at === undefined || otherAt === undefined ? undefined : at < otherAt
  }
  const [mine, theirs] = [says('mine'), says('theirs')]
  if (mine === undefined || theirs === undefined) return mine ?? theirs ?? false
  return mine === theirs ? mine : !says('base')
}

/** Sorts topologically. Nodes in no fixed order are sorted by meaning. */
function sorted(rows: readonly Row[]): MergeNode[] {
  const left = rows.map((row, index) => ({ ...row, index, meaning: meaningOf(row.node.rule) }))
  left.sort((a, b) => (a.meaning < b.meaning ? -1 : 1))
  const order: MergeNode[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ index }) => !left.some(({ before }) => before[index]))
    order.push(...left.splice(next, 1).map(({ node }) => node))
  }
  return order
}

/** Sorts by the order of `mine`. Nodes found only in `theirs` follow the same predecessor as there. */
export function mineFirst(nodes: readonly MergeNode[]): MergeNode[] {
  const as = (side: 'mine' | 'theirs') =>
    nodes.filter((node) => node[side] !== undefined).sort((a, b) => Number(a[side]) - Number(b[side]))
  const order = as('mine')
  let next = 0
  for (const node of as('theirs')) {
    if (node.mine === undefined) order.splice(next, 0, node)
    next = order.indexOf(node) + 1
  }
  return order
}

/** Reports whether the order of two rules matters for any packet; of rules that cannot be judged, it may. */
export function orderMatters(one: FirewallRule, other: FirewallRule): boolean {
  if (one.action === other.action || !sharesProtocol(one, other)) return false
  const others = trafficOf(other)
  return trafficOf(one).some((traffic) => others.some((otherTraffic) => overlaps(traffic, otherTraffic)))
}

function sharesProtocol({ protocol }: FirewallRule, { protocol: other }: FirewallRule): boolean {
  return protocol === other || ![protocol, other].every(isKnownProtocol)
}

function trafficOf(rule: FirewallRule): RuleTraffic[] {
  const { certain, possible } = asJudged(rule)
  return [certain, possible].filter((traffic) => traffic !== undefined)
}

const overlaps = (one: RuleTraffic, other: RuleTraffic) =>
  one.ports.some((a) => other.ports.some((b) => a.first <= b.last && b.first <= a.last)) &&
  one.networks.some((text) => other.networks.some((otherText) => sharesAddress(text, otherText)))

function sharesAddress(text: string, otherText: string): boolean {
  const [network, other] = [parseNetwork(text), parseNetwork(otherText)]
  return !network || !other || covers(network, other) || covers(other, network)
}
