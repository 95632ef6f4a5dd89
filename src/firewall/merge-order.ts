/** Merges the rule orders of two edited versions. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { orderMatters } from './overlap'
import { meaningOf } from './rules'

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
