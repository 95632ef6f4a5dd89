/** A test as it is typed: `size >= 40`, before it is known what the field holds. */
import { Problem } from '../../errors'

export const operators = ['=', '!=', '>', '>=', '<', '<=', '~'] as const

export type Operator = (typeof operators)[number]

export interface Test {
  /** As it was typed, for messages. */
  text: string
  path: string
  operator: Operator
  wanted: string
}

// An operator with another behind it, as in `==` or `=~`, is a mistake that would find nothing.
const form = /^\s*([\w.-]+)\s*(!=|>=|<=|[=><~])(?![=><~!])\s*(.*?)\s*$/s

/** Blanks around the operator and at the ends do not count. */
export function parseTest(text: string): Test {
  const match = form.exec(text)
  if (!match) {
    throw new Problem('usage', `--filter: "${text}" is not a test`, {
      hint: `Write it as label=web, size>=40 or label~data; the operators are ${operators.join(' ')}`,
    })
  }
  const [, path = '', operator, wanted = ''] = match
  return { text, path, operator: operator as Operator, wanted }
}
