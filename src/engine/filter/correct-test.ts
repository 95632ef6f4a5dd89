/** Finds what wrong tests mean: those of other tools, several in one, and ranges. Loaded for suspicious texts only. */
import { Problem } from '../../errors'
import { shellWord } from '../../rules/texts'
import { likelyField } from '../unknown-fields'
import { splitTest } from './test-syntax'

/** Creates the problem of a text that is no single test; undefined for one that is. */
export function faultIn(text: string, fields: readonly string[]): Problem | undefined {
  const fault = (what: string, hint: string) => new Problem('usage', `--filter: "${text}" ${what}`, { hint })
  const state = fields.includes('compute_id') ? attachment(text) : undefined
  if (state !== undefined) return fault('is not a test', `Write --filter ${shellWord(state)}`)
  // A shell takes what follows > for the name of a file.
  if (/^[a-z][a-z_.]*$/.test(text))
    return fault('is not a test', `Quote > and <, as in --filter 'size>=40'; write others as ${text}=VALUE`)
  const tests = testsMeant(text, fields)
  if (!tests) return undefined
  const flags = tests.map((test) => `--filter ${shellWord(test)}`).join(' ')
  if (severalIn(text).length > 1) return fault('has several tests', `Repeat --filter: ${flags}`)
  return fault(tests.length > 1 ? 'is a range' : 'is not a test', `Write ${flags}`)
}

/** Returns the tests that a wrong one means: two for a range, or for `tags=db,size>20`; undefined for a right one. */
export function testsMeant(text: string, fields: readonly string[]): string[] | undefined {
  const state = attachment(text)
  if (state !== undefined) return [state]
  const parts = severalIn(text)
  const corrections = parts.map((part) => testOfOtherTool(part) ?? testsOfRange(part))
  if (parts.length === 1 && corrections[0] === undefined) return undefined
  return parts.flatMap((part, place) => corrections[place] ?? [part]).map((test) => withLikelyField(test, fields))
}

/** Returns the test for `attached=false`, `detached` and `compute_id=null`. */
function attachment(text: string): string | undefined {
  if (/^(attached=(false|no)|(detached|unattached)(=(true|yes))?|compute_id=(null|nil))$/.test(text))
    return 'compute_id=none'
  if (/^(attached(=(true|yes))?|compute_id!=(null|nil))$/.test(text)) return 'compute_id!=none'
  return undefined
}

/** Returns a test with the field that its name most likely means. */
export const withLikelyField = (test: string, fields: readonly string[]) =>
  test.replace(/^\s*[\w.-]+/, (name) => likelyField(name.trim(), fields))

/** Splits `tags=db,size>20`, `tags=db and size>20` and `tag:db size>20`. Quotes keep such a value. */
function severalIn(text: string): string[] {
  if (/[=><~]\s*"/.test(text)) return [text]
  const joint = /^\s*[\w.-]+:/.test(text)
    ? /\s*(?:,|&&|\band\b|\s)\s*(?=[a-z][\w.]*\s*[:=><~!])/i
    : /\s*(?:,|&&|\band\b|\s)\s*(?=[a-z][\w.]*\s*[=><~!])/i
  const parts = text.trim().split(joint)
  return parts.every((part) => splitTest(part) ?? testOfOtherTool(part)) ? parts : [text]
}

/** Returns the test for `region==us-east`, `region:us-east`, `region us-east` and `label=~data`. */
function testOfOtherTool(text: string): string[] | undefined {
  const [, path, operator = '', operand = ''] = /^\s*([\w.-]+)\s*(==|=~|:|\s)\s*([^=~:\s]+)\s*$/.exec(text) ?? []
  return path && !splitTest(text) ? [`${path}${operator === '=~' ? '~' : '='}${operand}`] : undefined
}

/** Returns the tests for `size=20..60`, which no number equals. */
function testsOfRange(text: string): string[] | undefined {
  const { path, operator, operand = '' } = splitTest(text) ?? {}
  const [, first, last] = /^(\d[^.\s]*)\.\.(\d[^.\s]*)$/.exec(operand) ?? []
  return operator !== '=' || first === undefined ? undefined : [`${path}>=${first}`, `${path}<=${last}`]
}
