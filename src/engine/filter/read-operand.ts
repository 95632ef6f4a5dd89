import type { Field } from '../../catalogue/field-types'
import { examplesOf, kindOf } from './kinds'
import type { FilterOperand } from './operand'
import { misplaced, misspelt } from './problems'
import type { Test } from './test'

/**
 * Parses the value of a test for a field; throws `usage` for an operator or a value that the field does not support.
 */
export async function readOperand(test: Test, field: Field, now: number): Promise<FilterOperand> {
  const kind = kindOf(field)
  const { operator, wanted } = test
  if (!kind.operators.includes(operator)) throw misplaced(test, field)
  const read = await kind.read({ wanted, operator, field, now })
  if (!read) throw misspelt(test, field, examplesOf(kind, operator))
  return read
}
