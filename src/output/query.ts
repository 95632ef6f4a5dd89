/**
 * JMESPath over what would be printed as JSON. Integers beyond 2^53 are exact: what could only be had rounded is
 * refused.
 */
import { compile, getRegisteredFunctions, tokenize } from '@jmespath-community/jmespath'
import { Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { searchExactly } from './exact-query'
import { safe } from './safe'

/** Throws a problem `usage`, with the position, for an expression that cannot work on any data. */
export function checkQuery(expression: string): void {
  try {
    checkFunctions(compile(expression))
  } catch (error) {
    throw refused(expression, error, positionOf(expression))
  }
}

/** The functions of the expression are looked up when it runs; what runs may be too late, after a change. */
function checkFunctions(node: unknown): void {
  // A literal may look like anything.
  if (!isRecord(node) || node.type === 'Literal') return
  if (node.type === 'Function') {
    const name = String(node.name)
    const known = getRegisteredFunctions()
    const near = didYouMean(name, known)
    if (!known.includes(name)) throw new Error(`unknown function ${name}()${near ? `. ${near}` : ''}`)
  }
  Object.values(node).flat().forEach(checkFunctions)
}

/** What the query comes to: JSON of any kind. */
export async function runQuery(value: unknown, expression: string): Promise<unknown> {
  checkQuery(expression)
  try {
    return await searchExactly(bare(value), expression)
  } catch (error) {
    throw refused(expression, error)
  }
}

/** Objects without a prototype: else the library finds `toString` and `__proto__` in every one. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, inner] of Object.entries(value)) copy[key] = bare(inner)
  return copy
}

function refused(expression: string, error: unknown, position?: number): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  const place = position === undefined ? '' : ` at position ${position + 1}`
  return new Problem('usage', `query "${safe(expression)}"${place}: ${safe(reason)}`, { cause: error })
}

/** Where the mistake stands; the library does not tell. Undefined where the grammar is kept, or looking is too slow. */
function positionOf(expression: string): number | undefined {
  if (expression.length > 500 || !syntaxError(expression)) return undefined
  let end = expression.length
  while (end > 0 && !lexes(expression.slice(0, end))) end -= 1
  const tokens = tokenize(expression.slice(0, end))
  const culprit = tokens.find((_, index) => {
    const error = syntaxError(expression.slice(0, tokens[index + 1]?.start ?? end))
    // Up to here it may be unfinished, but not wrong.
    return error !== undefined && !error.includes('EOF')
  })
  return culprit?.start ?? end
}

function lexes(expression: string): boolean {
  try {
    tokenize(expression)
    return true
  } catch {
    return false
  }
}

function syntaxError(expression: string): string | undefined {
  try {
    compile(expression)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
