/** Tests of fields that the catalogue does not know: what a value is compared as, its type in the JSON says. */
import type { Field, FieldKind } from '../../catalogue/field-types'
import { Problem } from '../../errors'
import { misplaced } from './mistakes'
import { readWanted } from './read-wanted'
import type { Test } from './test'
import type { Wanted } from './wanted'

interface ByType extends Pick<Wanted, 'order'> {
  /** Throws `usage` where, of the first records with values there, none has one that can be compared. */
  meet(values: readonly unknown[]): void
}

const ordering: readonly Test['operator'][] = ['>', '>=', '<', '<=']

/** The field as it may be from what is asked of it; throws `usage` for a spelling of no value that is none. */
export function fieldAsked({ path, operator, wanted }: Test): Field {
  if (wanted === 'null' && (operator === '=' || operator === '!=')) {
    const hint = `Write ${path}${operator}none, or ${path}${operator}"null" for the text`
    throw new Problem('usage', '--filter: no value is written none', { hint })
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

/** Reads a test in every way in which a value may be compared. */
export async function readByType(test: Test, now: number): Promise<ByType> {
  const orders = new Map<FieldKind, Wanted['order'] | Problem>()
  for (const kind of ['number', 'boolean', 'text', 'structure'] as const)
    orders.set(kind, await orderOf(test, fieldOf(test.path, kind), now))
  const unordered = ordering.includes(test.operator) ? misplaced(test, fieldOf(test.path, 'text', true)) : undefined
  const judge = (value: unknown) => orders.get(kindOf(value))
  // A list is compared by its members, one by one.
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

async function orderOf(test: Test, field: Field, now: number): Promise<Wanted['order'] | Problem> {
  try {
    return (await readWanted(test, field, now)).order
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
