import type { Field } from '../../catalogue/field-types'
import type { FilterOperator, Test } from './test'

/** The parsed value of a test. */
export interface FilterOperand {
  /** Compares: negative, zero or positive if a value is less, equal or greater; undefined if it cannot be compared. */
  order(value: unknown): number | undefined
  /** Equivalent JSON value for the service's filter, if there is one. */
  asked?: string | number | boolean
  /** Warning to print. */
  warning?: string
}

export interface Reading extends Pick<Test, 'wanted' | 'operator'> {
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
