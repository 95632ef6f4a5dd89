/** Parses tests such as `size >= 40`, without knowledge of the field. */
import { Problem } from '../../errors'

export const operators = ['=', '!=', '>', '>=', '<', '<=', '~'] as const

export type FilterOperator = (typeof operators)[number]

export interface Test {
  /** The test as typed, for messages. */
  text: string
  path: string
  operator: FilterOperator
  wanted: string
}

// An operator followed by another one, as in `==` or `=~`, is a mistake and would match nothing.
const form = /^\s*([\w.-]+)\s*(!=|>=|<=|[=><~])(?![=><~!])\s*(.*?)\s*$/s

/** Parses a test; ignores blanks around the operator and at the ends. */
export function parseTest(text: string): Test {
  const [, path = '', sign, wanted = ''] = form.exec(text) ?? []
  const operator = operators.find((one) => one === sign)
  if (!operator) {
    throw new Problem('usage', `--filter: "${text}" is not a test`, {
      hint: `Write it as label=web, size>=40 or label~data; the operators are ${operators.join(' ')}`,
    })
  }
  return { text, path, operator, wanted }
}
