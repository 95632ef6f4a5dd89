/** Tests fields that are not in the catalogue: the JSON type of a value determines how it is compared. */
import type { Field, FieldKind } from '../../catalogue/field-types'
import { Problem } from '../../errors'
import { misplaced, readOperand } from './read-operand'
import type { FilterOperand, Test } from './test'

interface ByType extends Pick<FilterOperand, 'order'> {
  /** Throws `usage` if none of the first values can be compared. */
  meet(values: readonly unknown[]): void
}

const ordering: readonly Test['operator'][] = ['>', '>=', '<', '<=']

/** Derives the field from the test; throws `usage` for `null`, which must be spelled `none`. */
export function fieldAsked({ path, operator, wanted }: Test): Field {
  if (wanted === 'null' && (operator === '=' || operator === '!=')) {
    const hint = `Write ${path}${operator}none, or ${path}${operator}"null" for the text`
    throw new Problem('usage', '--filter: write none for a missing value', { hint })
  }
  return fieldOf(path, ordering.includes(operator) ? 'number' : 'text')
}

const fieldOf = (path: string, kind: FieldKind, list = false): Field => ({
  path,
  kind,
  list,
  nullable: true,
  values: [],
})

/** Reads a test for each type of value. */
export async function readByType(test: Test, now: number): Promise<ByType> {
  const orders = new Map<FieldKind, FilterOperand['order'] | Problem>()
  for (const kind of ['number', 'boolean', 'text', 'structure'] as const)
    orders.set(kind, await orderOf(test, fieldOf(test.path, kind), now))
  const unordered = ordering.includes(test.operator) ? misplaced(test, fieldOf(test.path, 'text', true)) : undefined
  const judge = (value: unknown) => orders.get(kindOf(value))
  // A list is compared item by item.
  const judged = (value: unknown) =>
    Array.isArray(value) ? value.map((member) => unordered ?? judge(member)) : [judge(value)]
  let met = false
  return {
    order(value) {
      const order = judge(value)
      return typeof order === 'function' ? order(value) : undefined
    },
    meet(values) {
      if (met) return
      const orders = values.filter((value) => value !== null && value !== undefined).flatMap(judged)
      const [first] = orders
      met = orders.some((order) => typeof order === 'function')
      if (!met && first instanceof Problem) throw first
    },
  }
}

async function orderOf(test: Test, field: Field, now: number): Promise<FilterOperand['order'] | Problem> {
  try {
    return (await readOperand(test, field, now)).order
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function kindOf(value: unknown): FieldKind {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'structure'
}
