/** The order of rules that two sides have put in order, each for itself. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { orderMatters } from './overlap'
import { meaningOf } from './rules'

/** A rule of the result, with its index in each version that has it. */
export interface Node {
  rule: FirewallRule
  base?: number | undefined
  mine?: number | undefined
  theirs?: number | undefined
}

/** The nodes in their order, and those of which it cannot be told which comes first. */
export function orderNodes(nodes: readonly Node[]): { order: Node[]; unclear: Node[] } {
  const precedes = closure(nodes)
  const unclear = nodes.filter((node, i) =>
    nodes.some((other, j) => {
      if (i === j) return false
      const [before, after] = [precedes[i]?.[j], precedes[j]?.[i]]
      return before && after ? true : !before && !after && orderMatters(node.rule, other.rule)
    }),
  )
  return { order: unclear.length > 0 ? [] : sorted(nodes, precedes), unclear }
}

/** `[i][j]`: node i comes before node j, by what the sides say of the two, and what follows from that. */
function closure(nodes: readonly Node[]): boolean[][] {
  const precedes = nodes.map((one) => nodes.map((other) => one !== other && comesFirst(one, other)))
  for (const [middle, below] of precedes.entries()) {
    for (const row of precedes) {
      if (!row[middle]) continue
      for (const [index, after] of below.entries()) row[index] ||= after
    }
  }
  return precedes
}

/** The side that changed the order decides; where both have brought in the two, each in its order, both are said. */
function comesFirst(one: Node, other: Node): boolean {
  const says = (side: 'base' | 'mine' | 'theirs') => {
    const [at, otherAt] = [one[side], other[side]]
    return at === undefined || otherAt === undefined ? undefined : at < otherAt
  }
  const [base, mine, theirs] = [says('base'), says('mine'), says('theirs')]
  if (mine === undefined || theirs === undefined) return mine ?? theirs ?? false
  if (mine === theirs) return mine
  return base === undefined ? true : !base
}

/** What may stand either way comes in the order of its meaning. */
function sorted(nodes: readonly Node[], precedes: readonly boolean[][]): Node[] {
  const left = nodes.map((node, index) => ({ node, index, meaning: meaningOf(node.rule) }))
  left.sort((a, b) => (a.meaning < b.meaning ? -1 : 1))
  const order: Node[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ index }) => !left.some((other) => precedes[other.index]?.[index]))
    order.push(...left.splice(next, 1).map(({ node }) => node))
  }
  return order
}

/** The order of mine, with what only theirs have behind what it follows there. */
export function mineFirst(nodes: readonly Node[]): Node[] {
  const place = (node: Node, side: 'mine' | 'theirs') => node[side] ?? -1
  const order = nodes.filter(({ mine }) => mine !== undefined).sort((a, b) => place(a, 'mine') - place(b, 'mine'))
  const others = nodes.filter(({ mine }) => mine === undefined).sort((a, b) => place(a, 'theirs') - place(b, 'theirs'))
  for (const node of others) {
    const earlier = order.map((one) => (place(one, 'theirs') < place(node, 'theirs') ? place(one, 'theirs') : -1))
    const nearest = Math.max(-1, ...earlier)
    order.splice(nearest < 0 ? 0 : earlier.indexOf(nearest) + 1, 0, node)
  }
  return order
}
