/** Compares the state of an object before and after a change: to restore it, and to see whether it is still current. */
import { createHash } from 'node:crypto'
import { isMissing } from '../../catalogue/normalize'
import { Problem } from '../../errors'

type Values = Readonly<Record<string, unknown>>

/** Returns the replaced fields of an answer, or the whole answer. */
export function partOf(answer: Values, { before, whole }: { before: Values; whole?: true | undefined }): Values {
  if (whole) return answer
  return Object.fromEntries(Object.keys(before).map((key) => [key, answer[key] ?? null]))
}

/** Throws if an answer lacked one of the replaced fields: what an undo would change is unknown. */
export function expectWhole(answer: Values, before: Values, name: string): void {
  const lacking = Object.keys(before).find((field) => isMissing(answer, field))
  if (lacking)
    throw new Problem('defect', `the answer lacks the ${lacking} of ${name}, so skyctl could not undo the change`)
}

/** Hashes a state; the order of sets does not matter. */
export function hashState(part: Values, whole: true | undefined): string {
  const text = JSON.stringify(whole ? sorted(part) : sorted(asSets(part)), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

export const isSameState = (one: Values, other: Values, whole: true | undefined) =>
  hashState(one, whole) === hashState(other, whole)

/** Normalizes lists to sets, as tags and SSH keys have no order; an empty list may also be null. */
function asSets(part: Values): Values {
  const set = (value: unknown) =>
    Array.isArray(value) ? (value.length === 0 ? null : [...value].map(String).sort()) : value
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, set(value)]))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const inner = new Map(Object.entries(value))
  return Object.fromEntries([...inner.keys()].sort().map((key) => [key, sorted(inner.get(key))]))
}
