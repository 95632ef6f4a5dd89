/** Recognizes expressions of jq, and translates simple ones to JMESPath. */
import { compile } from '@jmespath-community/jmespath'

/** Matches paths and functions that only jq has: `.label`, `| .size`, `select(`, `map(.label)`. */
const looksLikeJq = /(?:^|[|(,[{]\s*)\.|\b(?:select|test|to_entries|from_entries|sort_by)\(|^\s*length\s*$/

/**
 * Returns the query that means the same; undefined for one of jq that is more than a path or a length. A list is printed
 * without `data`, unless the document is the answer of the service as it is.
 */
export function queryFromJq(expression: string, isAnswer = false): string | undefined {
  const text = expression.trim()
  if (!looksLikeJq.test(text)) return compiles(text) ? text : undefined
  if (/^(?:\.\s*\|\s*)?length$/.test(text)) return 'length(@)'
  const [, field] = /^map\((\..+)\)$/s.exec(text) ?? /^\[\s*\.\[\]\s*\|?\s*(\..+)\]$/s.exec(text) ?? []
  const path = (field === undefined ? text : `.[]${field}`).replaceAll(/\s*\|\s*\./g, '.')
  const query = path.replace(/^\.+/, '') || '@'
  const ofItems = isAnswer ? query : query.replace(/^data(?=\[)/, '')
  return /[|(]/.test(ofItems) || looksLikeJq.test(ofItems) || !compiles(ofItems) ? undefined : ofItems
}

export const isJq = (expression: string) => looksLikeJq.test(expression)

export function compiles(query: string): boolean {
  try {
    compile(query)
    return true
  } catch {
    return false
  }
}
