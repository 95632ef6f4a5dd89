/** The values that an undo replaces: as text, and whether they are still those that the user has seen. */

import { expectWhole, isSameState, partOf } from '../../account/history/compare-states'
import { Problem } from '../../errors'

type Values = Readonly<Record<string, unknown>>

interface Replacement {
  /** Name of the object. */
  name: string
  /** Values when the undo was planned. */
  shown: Values
  restored: Values
  /** True if the whole state is replaced. */
  whole?: true | undefined
}

/** Throws `changed` if the values, read again, are neither those that were shown nor restored already. */
export function expectUnchanged(latest: Values, { name, shown, restored, whole }: Replacement): void {
  expectWhole(latest, restored, name)
  const part = (values: Values) => partOf(values, { before: restored, whole })
  if ([shown, restored].some((values) => isSameState(part(latest), part(values), whole))) return
  throw new Problem('changed', `${name} was changed meanwhile, so skyctl keeps it`, {
    hint: 'Run the command again, and review the difference',
    errors: currentValues(part(latest)),
  })
}

/** Returns the current values for scripts. */
export const currentValues = (values: Values) =>
  Object.entries(values).map(([field, value]) => ({ field, reason: `Is ${textOf(value)} now` }))

/** Formats a value; keys are shortened, with their distinctive ends. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return value.length === 0 ? 'none' : value.map((one) => cut(String(one))).join(', ')
}

const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 20)}...${text.slice(-20)}` : text)
