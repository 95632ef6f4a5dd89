/** Finds what a query means in another language, and what it names that its document does not have. */
import { tokenize } from '@jmespath-community/jmespath'
import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'
import { compiles, isJq, queryFromJq } from './jq'

const comparedNumber = /([<>]=?|[!=]=)\s*(-?\d+(?:\.\d+)?)/g
const literal = /`((?:\\.|[^`\\])*)`/g

/**
 * Returns the fix of a mistake that users of jq, SQL and older JMESPath make; undefined for any other. `isAnswer`: the
 * document is the answer of the service as it is, and no list that skyctl reads and filters.
 */
export function hintFor(expression: string, isAnswer = false): string | undefined {
  const [, ofItems] = (!isAnswer && /^\s*\.data(\[\].*)$/s.exec(expression)) || []
  if (ofItems !== undefined) return `A list is printed without "data": --query ${shellWord(ofItems)}`
  const translation = isJq(expression) ? queryFromJq(expression, isAnswer) : undefined
  if (translation !== undefined && /^\s*\./.test(expression))
    return `JMESPath has no leading dot: --query ${shellWord(translation)}`
  if (translation !== undefined) return `In JMESPath, that is --query ${shellWord(translation)}`
  const withTexts = expression.replace(literal, (whole, text: string) => (isJson(text) ? whole : rawText(text)))
  if (isMended(withTexts, expression)) return textHint(withTexts)
  const withNumbers = expression.replaceAll(comparedNumber, '$1`$2`')
  if (!isMended(withNumbers, expression)) return undefined
  const [, field, operator = '', number] =
    (!isAnswer && /^\[\?\s*([\w.]+)\s*([<>]=?|[!=]=)\s*(-?\d+)\s*\]/.exec(expression)) || []
  const filter = field && `, or use --filter ${shellWord(`${field}${operator.replace('==', '=')}${number}`)}`
  return `Write numbers in backquotes: --query ${shellWord(withNumbers)}${filter ?? ''}`
}

const isMended = (fix: string, expression: string) => fix !== expression && compiles(fix)
const textHint = (query: string) => `Write texts in single quotes: --query ${queryWord(query)}`
const rawText = (text: string) => `'${text.replaceAll("'", "\\'")}'`

/** Quotes a query for a shell. Double quotes are easier to read around texts in single quotes. */
const queryWord = (query: string) => (/["$`\\!]/.test(query) ? shellWord(query) : `"${query}"`)

const isJson = (text: string) => succeeds(() => JSON.parse(text))

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Returns how the form of a document differs from what the query begins with; undefined if it fits. */
export function misfit(value: unknown, expression: string): string | undefined {
  const [, key] = /^\s*"?([A-Za-z_]\w*)"?\s*(?![\w(])/.exec(expression) ?? []
  if (Array.isArray(value) && key === 'length') return 'to count the items, write length(@)'
  if (Array.isArray(value)) return key && `the document is a list. Begin the query with "[]", such as '[].label'`
  if (!isRecord(value)) return undefined
  if (/^\s*\[/.test(expression)) {
    const begin = Array.isArray(value.data) ? `"data", such as 'data[].label'` : 'a key of it'
    return `the document is one object, not a list. Begin the query with ${begin}`
  }
  if (key === undefined || Object.hasOwn(value, key)) return undefined
  const above = Object.keys(value).find((one) => isRecordWith(key)(firstOf(value[one])))
  return above && `"${key}" is below "${above}". Write ${above}${Array.isArray(value[above]) ? '[]' : ''}.${key}`
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
const isRecordWith = (key: string) => (value: unknown) => isRecord(value) && Object.hasOwn(value, key)

/** Matches the end of what comes before a text: a comparison, or the first argument of a function on texts. */
const beforeText = /(?:[!=]=|[<>]=?|\b(?:contains|starts_with|ends_with)\([^()]*,)\s*$/

/** Returns a warning if a query compares with a name in double quotes that no record has: mostly it is meant as a text. */
export function unknownField(value: unknown, expression: string): string | undefined {
  if (!someRecord(value, () => true)) return undefined
  const names = tokenize(expression).filter(({ type }) => type === 'QuotedIdentifier')
  const unknown = names.find(
    ({ start, value: name }) =>
      beforeText.test(expression.slice(0, start)) && !someRecord(value, isRecordWith(String(name))),
  )
  if (!unknown) return undefined
  const name = String(unknown.value)
  const [before, rest] = [expression.slice(0, unknown.start), expression.slice(unknown.start)]
  const fix = `${before}${rawText(name)}${rest.replace(/^"(?:\\.|[^"\\])*"/, '')}`
  return `"${escapeText(name)}" names a field, and no record has it. ${textHint(fix)}`
}

/** Reports whether a record somewhere in a value meets a condition. */
function someRecord(value: unknown, meets: (record: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((inner) => someRecord(inner, meets))
  return isRecord(value) && (meets(value) || Object.values(value).some((inner) => someRecord(inner, meets)))
}
