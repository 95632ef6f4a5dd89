/**
 * Merges two concurrent edits of the same rules (three-way merge). A rule edited by one side is taken from that side.
 * The order of two rules comes from the side that changed it. If neither did and no packet is affected, rules are
 * sorted by meaning, so that both sides get the same result.
 */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { type Pairing, pairRules } from './diff'
import { type MergeNode, orderNodes } from './merge-order'
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
  const stood = lists.base.map((base, index) => mergeRule({ base, index }, lists, { mine, theirs }))
  const nodes = [...stood.flatMap(({ node }) => node ?? []), ...addedNodes(lists, { mine, theirs })]
  const { order, unclear } = orderNodes(nodes)
  const conflicts: SideConflict[] = stood.flatMap(({ conflict }) => conflict ?? [])
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

const touched = (index: number, { equal, kept }: Pairing) => !equal.has(index) || !kept.has(index)

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
