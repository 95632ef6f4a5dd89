/**
 * JMESPath with integers of any length. The library rounds long numbers in literals, so literals are parsed again.
 * Before evaluation, comparisons and calculations are replaced in the expression's tree.
 */
import { compile, TreeInterpreter, tokenize } from '@jmespath-community/jmespath'
import { parseJson } from '../data/json'
import { isRecord } from '../rules/records'
import { isExact, registerFunctions } from './exact-functions'

type Tree = ReturnType<typeof compile>
type Value = Parameters<typeof TreeInterpreter.search>[1]

/** Literals with long numbers, by their placeholders in the expression. */
type Literals = ReadonlyMap<unknown, unknown>

/** Evaluates a valid expression; throws if there is no result, or only a rounded one. */
export async function searchExactly(data: unknown, expression: string): Promise<unknown> {
  registerFunctions()
  const { text, literals } = await withoutLongLiterals(expression)
  return TreeInterpreter.search(exact(compile(text), literals) as Tree, data as Value)
}

/** Replaces each literal that contains a long number with a placeholder. */
async function withoutLongLiterals(expression: string): Promise<{ text: string; literals: Literals }> {
  const literals = new Map<unknown, unknown>()
  const tokens = tokenize(expression)
  let text = expression
  for (const [index, { start }] of [...tokens.entries()].reverse()) {
    const written = expression.slice(start, tokens[index + 1]?.start).trimEnd()
    if (!written.startsWith('`') || !/\d{16}/.test(written)) continue
    const name = `\u0000${start}`
    literals.set(name, await parseJson(written.slice(1, -1).replaceAll('\\`', '`')))
    text = `${text.slice(0, start)}\`${JSON.stringify(name)}\`${text.slice(start + written.length)}`
  }
  return { text, literals }
}

/** Replaces comparisons and calculations in the tree with exact functions. */
function exact(node: unknown, literals: Literals): unknown {
  if (Array.isArray(node)) return node.map((inner) => exact(inner, literals))
  if (!isRecord(node)) return node
  if (node.type === 'Literal') return literals.has(node.value) ? { ...node, value: literals.get(node.value) } : node
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, exact(value, literals)]))
  if (inner.type === 'Comparator') return call(`(${String(inner.name)})`, inner.left, inner.right)
  if (inner.type === 'Arithmetic') return call(`(${String(inner.operator)})`, inner.left, inner.right)
  if (inner.type === 'Unary') return call(`(${String(inner.operator)})`, { type: 'Literal', value: 0 }, inner.operand)
  if (inner.type !== 'Function' || isExact(inner.name) || !Array.isArray(inner.children)) return inner
  const name = { type: 'Literal', value: inner.name }
  const guarded = (child: unknown) => (isReference(child) ? child : call('(argument)', child, name))
  return { ...inner, children: inner.children.map(guarded) }
}

const call = (name: string, ...children: unknown[]) => ({ type: 'Function', name, children })
const isReference = (node: unknown) => isRecord(node) && node.type === 'ExpressionReference'
