/** Reads the value of a test. An invalid test is a problem with a valid example. */
import type { Field } from '../../catalogue/field-types'
import { Problem } from '../../errors'
import { examplesOf, kindOf, takesNone } from './kinds'
import type { FilterOperand, Test } from './test-syntax'

/**
 * Parses the value of a test for a field; throws `usage` for an operator or a value that the field does not support.
 */
export async function readOperand(test: Test, field: Field, now: number): Promise<FilterOperand> {
  const kind = kindOf(field)
  const { operator, operand } = test
  if (!kind.operators.includes(operator)) throw misplaced(test, field)
  const read = await kind.read({ operand, operator, field, now })
  if (read) return read
  const isWord = (field.kind === 'time' || field.kind === 'deadline') && /^[a-z]/i.test(operand)
  const tests = isWord ? (await import('./times')).testsOfWord({ operand, operator, field, now }) : undefined
  throw misspelt(test, field, tests ?? examplesOf(kind, operator).map((example) => `${operator}${example}`))
}

/** The value is empty, as from an unset variable: it would match nothing, or everything. */
export function nothingGiven(test: Test, field: Field): Problem {
  const { path, operator, text } = test
  const nothing = takesNone(field)
    ? `For a missing value write ${path}${operator}none`
    : `For an empty text write ${path}${operator}""`
  const whether = operator === '=' || operator === '!='
  return new Problem('usage', `--filter: no value follows the operator of "${text}"`, {
    hint: whether ? nothing : `Write ${either(rightly(test, field))}`,
  })
}

/** The field does not support the operator. */
export function misplaced(test: Test, field: Field): Problem {
  const { what } = kindOf(field)
  return new Problem('usage', `--filter: ${test.path} is ${what}, which ${test.operator} cannot compare`, {
    hint: `Write ${either(rightly(test, field))}`,
  })
}

/** The value is invalid for the field. `examples` are operators, each with a value. */
export function misspelt(test: Test, field: Field, examples: readonly string[]): Problem {
  return new Problem('usage', `--filter: ${test.path} is ${kindOf(field).what}, and "${test.operand}" is not`, {
    hint: `Write ${either(examples.map((example) => `${test.path}${example}`))}`,
  })
}

function rightly({ path, operator }: Test, field: Field): string[] {
  const kind = kindOf(field)
  const fitting = kind.operators.includes(operator) ? [operator] : kind.operators
  return fitting.flatMap((one) =>
    examplesOf(kind, one)
      .slice(0, 1)
      .map((example) => `${path}${one}${example}`),
  )
}

function either(spellings: readonly string[]): string {
  return spellings.length < 2 ? spellings.join() : `${spellings.slice(0, -1).join(', ')} or ${spellings.at(-1)}`
}
