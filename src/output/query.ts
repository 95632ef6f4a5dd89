/** JMESPath queries over the JSON output. They print integers beyond 2^53 exactly, and calculate and compare with doubles. */
import { compile, getRegisteredFunctions, TreeInterpreter, tokenize } from '@jmespath-community/jmespath'
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'
import { registerFunctions, withDoubles } from './query-functions'

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
    const functionNames = getRegisteredFunctions()
    const near = didYouMean(name, functionNames)
    if (!functionNames.includes(name)) throw new Error(`unknown function ${name}()${near ? `. ${near}` : ''}`)
  }
  Object.values(node).flat().forEach(checkFunctions)
}

/** Returns the query's result: any JSON value. Warns if it is null because the document has another form. */
export async function runQuery(
  value: unknown,
  expression: string,
  warn?: (text: string) => Promise<void>,
): Promise<unknown> {
  checkQuery(expression)
  registerFunctions()
  const result = searched(value, expression)
  const reason = (result ?? null) === null ? misfit(value, expression) : undefined
  if (reason !== undefined) await warn?.(`the query found nothing: ${reason}`)
  return result
}

/** Evaluates an expression; throws a problem `usage` if there is no result. */
function searched(value: unknown, expression: string): unknown {
  try {
    return TreeInterpreter.search(withDoubles(compile(expression)) as Tree, bare(value) as Value)
  } catch (error) {
    throw refused(expression, error)
  }
}

/** Returns how the form of a document differs from what the query begins with; undefined if it fits. */
function misfit(value: unknown, expression: string): string | undefined {
  const [, key] = /^\s*"?([A-Za-z_]\w*)"?\s*(?![\w(])/.exec(expression) ?? []
  if (Array.isArray(value)) return key && `the document is a list. Begin the query with "[]", such as '[].label'`
  if (!isRecord(value)) return undefined
  if (/^\s*\[/.test(expression)) return 'the document is one object, not a list. Begin the query with a key of it'
  if (key === undefined || Object.hasOwn(value, key)) return undefined
  const above = Object.keys(value).find((one) => hasKey(value[one], key))
  return above && `"${key}" is below "${above}". Write ${above}${Array.isArray(value[above]) ? '[]' : ''}.${key}`
}

function hasKey(value: unknown, key: string): boolean {
  const record: unknown = Array.isArray(value) ? value[0] : value
  return isRecord(record) && Object.hasOwn(record, key)
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

function refused(expression: string, error: unknown, position?: number): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  const place = position === undefined ? '' : ` at position ${position + 1}`
  const hint = hintFor(expression)
  const message = `query "${escapeText(expression)}"${place}: ${escapeText(reason)}`
  return new Problem('usage', message, { ...(hint && { hint }), cause: error })
}

const comparedNumber = /([<>]=?|[!=]=)\s*(-?\d+(?:\.\d+)?)/g

/** Returns the fix of a mistake that users of jq and SQL make; undefined for any other. */
function hintFor(expression: string): string | undefined {
  if (/^\s*\./.test(expression))
    return `JMESPath has no leading dot: --query ${shellWord(expression.replace(/^\s*\.+/, '') || '@')}`
  const quoted = expression.replaceAll(comparedNumber, '$1`$2`')
  if (quoted === expression || syntaxError(quoted) !== undefined) return undefined
  const [, field, operator = '', number] = /^\[\?\s*([\w.]+)\s*([<>]=?|[!=]=)\s*(-?\d+)\s*\]/.exec(expression) ?? []
  const filter = field && `, or use --filter ${shellWord(`${field}${operator.replace('==', '=')}${number}`)}`
  return `Write numbers in backquotes: --query ${shellWord(quoted)}${filter ?? ''}`
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

type Tree = ReturnType<typeof compile>
type Value = Parameters<typeof TreeInterpreter.search>[1]
