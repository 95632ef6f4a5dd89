/** JMESPath queries over the JSON output. Integers beyond 2^53 are exact; a query that needs rounding fails. */
import { compile, getRegisteredFunctions, tokenize } from '@jmespath-community/jmespath'
import { Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { escapeText } from './escape'
import { searchExactly } from './exact-query'

/** Validates an expression; throws a problem `usage` with the position if it cannot work on any data. */
export function checkQuery(expression: string): void {
  try {
    checkFunctions(compile(expression))
  } catch (error) {
    throw refused(expression, error, positionOf(expression))
  }
}

/** Checks function names before anything changes: the library reports unknown ones only during evaluation. */
function checkFunctions(node: unknown): void {
  // Literals may look like any node.
  if (!isRecord(node) || node.type === 'Literal') return
  if (node.type === 'Function') {
    const name = String(node.name)
    const known = getRegisteredFunctions()
    const near = didYouMean(name, known)
    if (!known.includes(name)) throw new Error(`unknown function ${name}()${near ? `. ${near}` : ''}`)
  }
  Object.values(node).flat().forEach(checkFunctions)
}

/** Returns the query's result: any JSON value. */
export async function runQuery(value: unknown, expression: string): Promise<unknown> {
  checkQuery(expression)
  try {
    return await searchExactly(bare(value), expression)
  } catch (error) {
    throw refused(expression, error)
  }
}

/** Copies objects without a prototype; otherwise the library finds `toString` and `__proto__` in each. */
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
  return new Problem('usage', `query "${escapeText(expression)}"${place}: ${escapeText(reason)}`, { cause: error })
}

/** Returns the position of a syntax error. Undefined if there is none, or the expression is too long to search. */
function positionOf(expression: string): number | undefined {
  if (expression.length > 500 || !syntaxError(expression)) return undefined
  let end = expression.length
  while (end > 0 && !lexes(expression.slice(0, end))) end -= 1
  const tokens = tokenize(expression.slice(0, end))
  const culprit = tokens.find((_, index) => {
    const error = syntaxError(expression.slice(0, tokens[index + 1]?.start ?? end))
    // The part up to here may be incomplete, but is not wrong.
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
