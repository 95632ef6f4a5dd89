import type { Field } from '../../catalogue/field-types'
import type { Operator, Test } from './test'

/** What the value of a record is compared with. */
export interface Wanted {
  /** Negative, zero or positive as a value is less, equal or greater; undefined where it is nothing to compare. */
  order(value: unknown): number | undefined
  /** The JSON value that the service would hold equal where, and only where, we do. */
  asked?: string | number | boolean
  /** What a person should know of it. */
  warning?: string
}

export interface Reading extends Pick<Test, 'wanted' | 'operator'> {
  field: Field
  /** Milliseconds since the epoch. */
  now: number
}

/** What may be compared with a kind of field, and how. */
export interface ValueKind {
  /** As messages say it: `size is a number of GiB`. */
  what: string
  operators: readonly Operator[]
  /** What may stand behind the operators. */
  examples: readonly string[]
  /** Undefined where what is wanted is nothing of this kind. */
  read(reading: Reading): Wanted | undefined | Promise<Wanted | undefined>
}
