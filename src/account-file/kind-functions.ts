/** Fields and functions for all kinds of objects. */
import * as v from 'valibot'
import { boolean, text } from '../catalogue/fields'
import { isMissing } from '../catalogue/normalize'
import { isRecord } from '../rules/records'
import type { KindPlanner } from './kind'

export { readAll } from '../account/resource'

/** Keys of every entry whose object has a label. */
export const labelKeys = {
  protect: v.optional(boolean('Refuse plans that delete, detach, replace or disable it, unless --force is set')),
  was: v.optional(text('Former label: the object that has it is renamed, instead of creating another one')),
}

/** Returns the fields that entries set and that the answer lacked: they are unknown. */
export const unknownIn = ({ settable = [] }: KindPlanner, record: unknown): string[] =>
  settable.filter((field) => isRecord(record) && isMissing(record, field))

/** Sorts values without an order of their own, so that exports are reproducible. */
export const inOrder = <T extends string | number>(values: readonly T[]): T[] =>
  [...values].sort((a, b) => (a < b ? -1 : 1))

/** Returns the facts of a comment that are known. */
export const noted = (facts: readonly (string | number | null)[]) => facts.filter(Boolean).join(', ')
