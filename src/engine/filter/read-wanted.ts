import type { Field } from '../../catalogue/field-types'
import { examplesOf, kindOf } from './kinds'
import { misplaced, misspelt } from './mistakes'
import type { Test } from './test'
import type { Wanted } from './wanted'

/** What a test wants of a field, as its kind has it; throws `usage` where that cannot be compared with it. */
export async function readWanted(test: Test, field: Field, now: number): Promise<Wanted> {
  const kind = kindOf(field)
  const { operator, wanted } = test
  if (!kind.operators.includes(operator)) throw misplaced(test, field)
  const read = await kind.read({ wanted, operator, field, now })
  if (!read) throw misspelt(test, field, examplesOf(kind, operator))
  return read
}
