/** Parses tests such as `size >= 40`, without knowledge of the field; and what a kind of field makes of them. */

import type { Field } from '../../catalogue/field-types'

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

/** Splits a test, of which the field may be unknown; ignores blanks around the operator and at the ends. */
export function splitTest(text: string): Test | undefined {
  const [, path = '', sign, operand = ''] = form.exec(text) ?? []
  const operator = operators.find((one) => one === sign)
  return operator && { text, path, operator, operand }
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
