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

interface Row {
  node: Node
  /** `[i]`: it comes before node i. */
  before: boolean[]
}

/** The nodes in their order, that of mine where it is not clear, and those of which it cannot be told which comes first. */
export function orderNodes(nodes: readonly Node[]): { order: Node[]; unclear: Node[] } {
  const rows = closure(nodes)
  const unclear = rows.filter((row, i) =>
    rows.some((other, j) => {
      const isBefore = row.before[j]
      return isBefore === other.before[i] && (isBefore || orderMatters(row.node.rule, other.node.rule))
    }),
  )
  return { order: unclear.length > 0 ? mineFirst(nodes) : sorted(rows), unclear: unclear.map(({ node }) => node) }
}

/** What the sides say of each two, and what follows from that. */
function closure(nodes: readonly Node[]): Row[] {
  const rows = nodes.map((node) => ({ node, before: nodes.map((other) => comesFirst(node, other)) }))
  for (const [middle, follows] of rows.entries()) {
    for (const { before } of rows) {
      if (!before[middle]) continue
      for (const [index, after] of follows.before.entries()) before[index] ||= after
    }
  }
  return rows
}

/** The side that changed the order decides; where both have brought in the two, each in its order, both are said. */
function comesFirst(one: Node, other: Node): boolean {
  const says = (side: 'base' | 'mine' | 'theirs') => {
    const [at, otherAt] = [one[side], other[side]]
    return at === undefined || otherAt === undefined ? undefined : at < otherAt
  }
  const [mine, theirs] = [says('mine'), says('theirs')]
  if (mine === undefined || theirs === undefined) return mine ?? theirs ?? false
  return mine === theirs ? mine : !says('base')
}

/** What may stand either way comes in the order of its meaning. */
function sorted(rows: readonly Row[]): Node[] {
  const left = rows.map((row, index) => ({ ...row, index, meaning: meaningOf(row.node.rule) }))
  left.sort((a, b) => (a.meaning < b.meaning ? -1 : 1))
  const order: Node[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ index }) => !left.some(({ before }) => before[index]))
    order.push(...left.splice(next, 1).map(({ node }) => node))
  }
  return order
}

/** The order of mine, with what only theirs have behind what it follows there. */
export function mineFirst(nodes: readonly Node[]): Node[] {
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
