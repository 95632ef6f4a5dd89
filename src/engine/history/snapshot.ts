/** What an object is, as far as a change concerns it: to be put back, and to see whether it still stands. */
import { createHash } from 'node:crypto'

type Values = Readonly<Record<string, unknown>>

/** What an answer tells of the fields that were replaced, or all of it. */
export function partOf(answer: Values, { before, whole }: { before: Values; whole?: true | undefined }): Values {
  if (whole) return answer
  return Object.fromEntries(Object.keys(before).map((key) => [key, answer[key] ?? null]))
}

/** Two parts that say the same have the same hash: where the order of a list says nothing, in any. */
export function hashOfPart(part: Values, whole: true | undefined): string {
  const text = JSON.stringify(whole ? sorted(part) : sorted(asSets(part)), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

export const isSamePart = (one: Values, other: Values, whole: true | undefined) =>
  hashOfPart(one, whole) === hashOfPart(other, whole)

/** Tags and keys of a shell are sets, and an empty one may come as null. */
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
