/** Entries of objects in the form of account files, before and after a plan. Pure. */
import { isMissing } from '../catalogue/normalize'
import { partsOf, type Schema } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { Kind, PlanInput } from './kind'
import { labelKeys, unknownIn } from './kind-functions'
import { tagFields, tagsOf } from './tags'

/** Returns the entry for a record, without unknown values; undefined if nothing is known. */
export const knownEntry = (kind: Kind, record: unknown): unknown =>
  withoutNulls(kind.entry, without(unknownIn(kind, record), kind.entryOf(record)))

/** Returns the entry that an object will have once its steps are done: what the file leaves out stays as it is. */
export function entryAfter(kind: Kind, one: PlanInput<unknown, unknown>): unknown {
  const { desired, record } = one
  if (!isRecord(desired)) return desired
  const before = record === undefined ? {} : knownEntry(kind, record)
  const fields = kind.fieldsAfter?.(one) ?? Object.fromEntries(accountFields(desired))
  const after = { ...(isRecord(before) && before), ...fields, ...(kind.tagged && tagsAfter(kind.tagged, one)) }
  return withoutNulls(kind.entry, defined(after))
}

/** Returns the fields of an entry that an account has. */
export const accountFields = (entry: Readonly<Record<string, unknown>>): [field: string, value: unknown][] =>
  Object.entries(entry).filter(([field]) => !(field in labelKeys))

const defined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const desiredTags = (desired: unknown) => ({
  tags: isRecord(desired) && Array.isArray(desired.tags) ? desired.tags.map(String) : undefined,
  protect: isRecord(desired) && typeof desired.protect === 'boolean' ? desired.protect : undefined,
})

/** Returns the fields for the tags; an unprotected object has no `protect`. */
function tagsAfter(
  tagged: NonNullable<Kind['tagged']>,
  { desired, record, settings }: PlanInput<unknown, unknown>,
): Record<string, unknown> {
  const { tags, protect } = desiredTags(desired)
  const present = record === undefined ? undefined : tagged(record)
  const isUnchanged = present !== undefined && tags === undefined && protect === undefined && !settings.adopts
  if (isUnchanged && isMissing(present, 'tags')) return { tags: undefined }
  const after = isUnchanged ? present.tags : tagsOf({ tags, protect }, present?.tags, settings)
  return { protect: undefined, ...tagFields(after) }
}

/** Removes unknown fields from an entry; undefined if it is nothing but one of them. */
function without(unknown: readonly string[], entry: unknown): unknown {
  if (unknown.length === 0) return entry
  if (!isRecord(entry)) return undefined
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !unknown.includes(field)))
}

/** Removes null fields, unless null says something: `compute_id: null` is detached, and in rules null is nothing. */
function withoutNulls(schema: Schema, entry: unknown): unknown {
  const { entries = {} } = partsOf(schema)
  if (!isRecord(entry)) return entry
  const says = (key: string, value: unknown) => value !== null || isNullable(entries[key])
  const fields = Object.entries(entry).filter(([key, value]) => says(key, value))
  return Object.fromEntries(fields.map(([key, value]) => [key, filled(value)]))
}

/** Returns a value without null fields at any depth. */
function filled(value: unknown): unknown {
  // Most objects have no null below them, and stay as they are.
  if (!hasNullField(value)) return value
  if (Array.isArray(value)) return value.map(filled)
  const fields = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(fields.map(([key, inner]) => [key, filled(inner)]))
}

/** Reports whether an object has a null field, at any depth. */
function hasNullField(value: unknown): value is object {
  if (Array.isArray(value)) return value.some(hasNullField)
  if (!isRecord(value)) return false
  for (const key in value) if (value[key] === null || hasNullField(value[key])) return true
  return false
}

function isNullable(schema: Schema | undefined): boolean {
  const { type, wrapped } = schema ? partsOf(schema) : {}
  return type === 'nullable' || (type === 'optional' && isNullable(wrapped))
}
