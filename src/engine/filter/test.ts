/** Parses tests such as `size >= 40`, without knowledge of the field; and what a kind of field makes of them. */

import type { Field } from '../../catalogue/field-types'
import { Problem } from '../../errors'
import { shellWord } from '../../rules/texts'

export const operators = ['=', '!=', '>', '>=', '<', '<=', '~'] as const

export type FilterOperator = (typeof operators)[number]

/** Reports whether an operator accepts a duration: no time is exactly so long ago. */
export const isSpanOperator = (operator: FilterOperator) => operator !== '=' && operator !== '!='

export interface Test {
  /** The test as typed, for messages. */
  text: string
  path: string
  operator: FilterOperator
  operand: string
}

// An operator followed by another one, as in `==` or `=~`, is a mistake and would match nothing.
const form = /^\s*([\w.-]+)\s*(!=|>=|<=|[=><~])(?![=><~!])\s*(.*?)\s*$/s

/** Parses a test; ignores blanks around the operator and at the ends. */
export function parseTest(text: string): Test {
  const [, path = '', sign, operand = ''] = form.exec(text) ?? []
  const operator = operators.find((one) => one === sign)
  if (!operator) {
    throw new Problem('usage', `--filter: "${text}" is not a test`, {
      hint:
        likelyHint(text) ?? `Write it as label=web, size>=40 or label~data; the operators are ${operators.join(' ')}`,
    })
  }
  refuseSeveral(text, operand)
  refuseRange(text, { path, operator, operand })
  return { text, path, operator, operand }
}

/** Throws `usage` for `tags=db,size>20` and `tags=db and size>20`, which no value equals. Quotes keep such a value. */
function refuseSeveral(text: string, operand: string): void {
  const tests = severalTests(text, operand)
  if (tests)
    throw new Problem('usage', `--filter: "${text}" has several tests`, { hint: `Repeat --filter: ${asFlags(tests)}` })
}

function severalTests(text: string, operand: string): string[] | undefined {
  const [joint] = /\s*(,|&&|\band\b)\s*(?=[a-z][\w.]*\s*[=><~!])/i.exec(operand) ?? []
  if (joint === undefined || operand.startsWith('"')) return undefined
  const end = text.lastIndexOf(operand) + operand.indexOf(joint)
  return [text.slice(0, end), text.slice(end + joint.length)].flatMap((test) => testsMeant(test) ?? [test.trim()])
}

/** Throws `usage` for `size=20..60`, which no number equals. */
function refuseRange(text: string, test: Omit<Test, 'text'>): void {
  const tests = testsOfRange(test)
  if (tests) throw new Problem('usage', `--filter: "${text}" is a range`, { hint: `Write ${asFlags(tests)}` })
}

function testsOfRange({ path, operator, operand }: Omit<Test, 'text'>): string[] | undefined {
  const [, first, last] = /^(\d[^.\s]*)\.\.(\d[^.\s]*)$/.exec(operand) ?? []
  return operator !== '=' || first === undefined ? undefined : [`${path}>=${first}`, `${path}<=${last}`]
}

const asFlags = (tests: readonly string[]) => tests.map((test) => `--filter ${shellWord(test)}`).join(' ')

/** Returns a hint for what is no test. */
function likelyHint(text: string): string | undefined {
  // A shell takes what follows > for the name of a file.
  if (/^[a-z][a-z_.]*$/.test(text)) return `Quote > and <, as in --filter 'size>=40'; write others as ${text}=VALUE`
  const test = likelyTest(text)
  return test && `Write ${asFlags([test])}`
}

/** Returns the test for `region==us-east`, `region:us-east`, `region us-east` and `label=~data`, as other tools write them. */
function likelyTest(text: string): string | undefined {
  const [, path, operator = '', operand = ''] = /^\s*([\w.-]+)\s*(==|=~|:|\s)\s*([^=~:\s]+)\s*$/.exec(text) ?? []
  return path && `${path}${operator === '=~' ? '~' : '='}${operand}`
}

/** Returns the tests that a wrong one means: two for a range, or for `tags=db,size>20`; undefined for others. */
export function testsMeant(text: string): string[] | undefined {
  const [, path = '', sign, operand = ''] = form.exec(text) ?? []
  const operator = operators.find((one) => one === sign)
  const likely = operator ? undefined : likelyTest(text)
  if (!operator) return likely === undefined ? undefined : [likely]
  return severalTests(text, operand) ?? testsOfRange({ path, operator, operand })
}

/** The parsed value of a test. */
export interface FilterOperand {
  /** Compares: negative, zero or positive if a value is less, equal or greater; undefined if it cannot be compared. */
  order(value: unknown): number | undefined
  /** Equivalent JSON value for the service's filter, if there is one. */
  serviceValue?: string | number | boolean
  /** Warning to print. */
  warning?: string
  /** Explanation to print if nothing passes the test. */
  ifEmpty?: string
}

export interface Reading extends Pick<Test, 'operand' | 'operator'> {
  field: Field
  /** Milliseconds since the epoch. */
  now: number
}

/** Operators and values of a kind of field. */
export interface ValueKind {
  /** Description in messages: `size is a number of GiB`. */
  what: string
  operators: readonly FilterOperator[]
  /** Example values. */
  examples: readonly string[]
  /** Parses a value; undefined if it is invalid. */
  read(reading: Reading): FilterOperand | undefined | Promise<FilterOperand | undefined>
}
