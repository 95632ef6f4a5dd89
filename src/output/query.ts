/** JMESPath queries over the JSON output. They print integers beyond 2^53 exactly, and calculate and compare with doubles. */
import { compile, getRegisteredFunctions, TreeInterpreter, tokenize } from '@jmespath-community/jmespath'
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { registerFunctions, withDoubles } from './query-functions'

/** Matches a name, a literal or a text in its quotes. */
const quotedPart = /"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'/gs

/**
 * Validates an expression; throws a problem `usage` with the position if it cannot work on any data. `isAnswer`: the
 * document will be the answer of the service as it is, with the items of a list in "data".
 */
export async function checkQuery(expression: string, isAnswer = false): Promise<void> {
  try {
    checkFunctions(compile(expression))
    // The library takes a text without an end for one that ends with the expression.
    if (expression.replaceAll(quotedPart, '').includes("'")) throw new Error("a text has no closing '")
  } catch (error) {
    throw await refused(expression, error, { position: positionOf(expression), isAnswer })
  }
}

/** Checks function names before anything changes: the library reports unknown ones only during evaluation. */
function checkFunctions(node: unknown): void {
  // Literals may look like any node.
  if (!isRecord(node) || node.type === 'Literal') return
  if (node.type === 'Function') {
    const name = String(node.name)
    const functionNames = getRegisteredFunctions()
    const near = didYouMean(name, functionNames)
    if (!functionNames.includes(name)) throw new Error(`unknown function ${name}()${near ? `. ${near}` : ''}`)
  }
  Object.values(node).flat().forEach(checkFunctions)
}

/** Returns the query's result: any JSON value. Warns if the document does not have what the query names. */
export async function runQuery(
  value: unknown,
  expression: string,
  warn?: (text: string) => Promise<void>,
): Promise<unknown> {
  await checkQuery(expression)
  registerFunctions()
  if (expression.includes('"')) {
    const { unknownField } = await import('./query-hints')
    const warning = unknownField(value, expression)
    if (warning !== undefined) await warn?.(warning)
  }
  const result = await searched(value, expression)
  if ((result ?? null) !== null) return result
  const { misfit } = await import('./query-hints')
  const reason = misfit(value, expression)
  if (reason !== undefined) await warn?.(`the query found nothing: ${reason}`)
  return result
}

/** Evaluates an expression; throws a problem `usage` if there is no result. */
async function searched(value: unknown, expression: string): Promise<unknown> {
  try {
    return TreeInterpreter.search(withDoubles(compile(expression)) as Tree, bare(value) as Value)
  } catch (error) {
    throw await refused(expression, error)
  }
}

/** Prototype without properties. Objects without any prototype take three times the memory: V8 keeps a table for each. */
const empty: object = Object.create(null)

/** Copies objects without the properties that all have; otherwise the library finds `toString` and `__proto__` in each. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => bare(inner))
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = Object.create(empty)
  for (const [key, inner] of Object.entries(value)) copy[key] = bare(inner)
  return copy
}

interface Place {
  position?: number | undefined
  isAnswer?: boolean
}

async function refused(expression: string, error: unknown, { position, isAnswer }: Place = {}): Promise<Problem> {
  const { hintFor } = await import('./query-hints')
  const reason = error instanceof Error ? error.message : String(error)
  const place = position === undefined ? '' : ` at position ${position + 1}`
  const hint = hintFor(expression, isAnswer)
  const message = `query "${escapeText(expression)}"${place}: ${escapeText(reason)}`
  const { isJq } = await import('./jq')
  const isOther = hint === undefined && isJq(expression)
  return new Problem('usage', message, { ...(hint && { hint }), ...(isOther && { jq: expression }), cause: error })
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

/** Returns why an expression is none of JMESPath; undefined if it is one. */
function syntaxError(expression: string): string | undefined {
  try {
    compile(expression)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Tree = ReturnType<typeof compile>
type Value = Parameters<typeof TreeInterpreter.search>[1]
