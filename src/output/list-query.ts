/**
 * Runs a query on a list page by page, if the whole of it is not needed at once. The result of `[].label` is that of each
 * page, one after the other, and `length(@)` or `[?size>40] | [0]` can be calculated from such parts.
 */
import { memorySize } from '../data/memory-limits'
import { isRecord } from '../rules/records'
import type { Memory } from './memory'
import { expectFit, take } from './packed-texts'
import { bare, type Query, readQuery, warnOfMisfit } from './query'

export interface ListQuery {
  /** Returns the part of the result that a page has; undefined if the result is not a list of such parts. */
  partOf?: ((page: readonly unknown[]) => unknown[]) | undefined
  add(page: readonly unknown[]): void
  result(): Promise<unknown>
}

/** Prepares a query. What it needs of the pages counts as memory. */
export async function listQuery(
  expression: string,
  memory: Memory,
  warn?: (text: string) => Promise<void>,
): Promise<ListQuery> {
  const query = readQuery(expression)
  const plan = planOf(query.tree)
  const runs = plan ? plan.parts.map(({ tree }) => runOf(query, tree)) : [whole]
  const values: unknown[][] = runs.map(() => [])
  // The length of the list is known later.
  const total = () => memory.total?.()
  const unpacked = { most: Math.min(memory.most, await mostParsed()), used: 0, total }
  let isFirst = true
  const isList = plan !== undefined && plan.parts[0]?.slot === plan.rest
  return {
    partOf: isList ? (page) => runs[0]?.(bare(page)) ?? [] : undefined,
    add(page) {
      const records = bare(page)
      let size = 0
      for (const [index, run] of runs.entries()) {
        for (const value of run(records)) {
          size += memorySize(value)
          values[index]?.push(value)
        }
      }
      if (isFirst) expectFit(unpacked, page.length, size)
      isFirst = false
      take(unpacked, size)
    },
    async result() {
      if (!plan) return resultOf(query, query.tree, { list: values[0] ?? [], warn })
      for (const [index, { slot }] of plan.parts.entries()) slot.value = values[index]
      return resultOf(query, plan.rest, { list: [], warn })
    },
  }
}

const whole = (page: unknown[]) => page

/** Returns the part of a query as a function of the pages. */
const runOf = (query: Query, tree: unknown) => (page: unknown[]) => listFrom(query.run(tree, page))

const listFrom = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

interface Run {
  list: readonly unknown[]
  warn: ((text: string) => Promise<void>) | undefined
}

async function resultOf(query: Query, tree: unknown, { list, warn }: Run): Promise<unknown> {
  const result = query.run(tree, list)
  await warnOfMisfit(result, { value: list, query, warn })
  return result
}

/** Memory of values that JavaScript can hold, apart from what reading and printing take. */
async function mostParsed(): Promise<number> {
  return (await import('node:v8')).getHeapStatistics().heap_size_limit / 2
}

/** A part of a tree that is run on each page, and the literal that takes the place of its results. */
interface Part {
  tree: unknown
  slot: { type: 'Literal'; value: unknown }
}

interface Plan {
  parts: readonly Part[]
  rest: unknown
}

/** Divides an expression tree into parts for pages and the rest; undefined if the rest needs the whole list. */
function planOf(tree: unknown): Plan | undefined {
  const parts: Part[] = []
  try {
    return { rest: restOf(tree, parts), parts }
  } catch (error) {
    if (error instanceof NeedsAll) return undefined
    throw error
  }
}

class NeedsAll extends Error {}

/** Nodes of which only one side is evaluated on the list; the other one is evaluated on the result. */
const chained = new Map([
  ['Projection', 'left'],
  ['FilterProjection', 'left'],
  ['ValueProjection', 'left'],
  ['Pipe', 'left'],
  ['Subexpression', 'left'],
  ['IndexExpression', 'left'],
  ['Flatten', 'child'],
])

/** Nodes whose sides are all evaluated on the list. */
const composed = new Set([
  ...['Function', 'MultiSelectList', 'MultiSelectHash', 'KeyValuePair', 'Comparator', 'Arithmetic', 'Unary'],
  ...['AndExpression', 'OrExpression', 'NotExpression', 'Ternary'],
])

/** Replaces the parts of a tree that pages can answer. */
function restOf(node: unknown, parts: Part[]): unknown {
  if (!isRecord(node) || node.type === 'Literal') return node
  if (refersBack(node)) throw new NeedsAll()
  if (isByPages(node)) return slotFor(node, parts)
  // `length(@)` needs the number of records only.
  if (isLengthOfList(node)) return { ...node, children: [slotFor({ ...everyOne }, parts)] }
  if (node.type === 'ExpressionReference' || node.type === 'Field') return node
  const side = chained.get(String(node.type))
  if (side !== undefined) return { ...node, [side]: restOf(node[side], parts) }
  if (!composed.has(String(node.type))) throw new NeedsAll()
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map((inner) => restOf(inner, parts)) : restOf(value, parts),
    ]),
  )
}

function slotFor(tree: unknown, parts: Part[]): Part['slot'] {
  const slot: Part['slot'] = { type: 'Literal', value: [] }
  parts.push({ tree, slot })
  return slot
}

/** Yields `true` for each record: less memory than the record. */
const everyOne = { type: 'Projection', left: { type: 'Current' }, right: { type: 'Literal', value: true } }

const isList = (node: unknown) => isRecord(node) && (node.type === 'Identity' || node.type === 'Current')

const isLengthOfList = ({ type, name, children }: Record<string, unknown>) =>
  type === 'Function' && name === 'length' && Array.isArray(children) && children.length === 1 && isList(children[0])

/** Reports whether the result for a list is that for its pages, one after the other. */
function isByPages(node: unknown): boolean {
  if (!isRecord(node)) return false
  if (node.type === 'Flatten') return isList(node.child) || isByPages(node.child)
  if (node.type !== 'Projection' && node.type !== 'FilterProjection') return false
  return isList(node.left) || isByPages(node.left)
}

/** Reports whether a tree names the whole document, or a variable that may hold it. */
function refersBack(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(refersBack)
  if (!isRecord(node) || node.type === 'Literal') return false
  return node.type === 'Root' || node.type === 'Variable' || Object.values(node).some(refersBack)
}
