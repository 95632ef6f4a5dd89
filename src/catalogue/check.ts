import * as v from 'valibot'
import type { FieldError } from '../errors'
import { isRecord } from '../rules/records'
import { partsOf, type Schema } from './operation'

/** An object with a key that its schema does not have. */
export interface UnknownKey {
  key: string
  entries: Readonly<Record<string, Schema>>
  object: Readonly<Record<string, unknown>>
}

/** Returns the reason for an unknown key in the words of the API. */
export const reasonOfApi = ({ entries }: UnknownKey) => `Keys must be one of: ${Object.keys(entries).join(', ')}`

/** Lists all problems of a request's body or query; empty if it is valid. By default, reasons are those of the API. */
export function checkValue(schema: Schema, value: unknown, reasonOf = reasonOfApi): FieldError[] {
  const input = judged(schema, value)
  const { issues = [] } = v.safeParse(schema, input)
  const wrong = issues.filter((issue) => !isUnknownKey(issue)).map(problemOf)
  return [...wrong, ...unknownKeys(schema, input, reasonOf)]
}

/** Reports whether a request's body or query is valid; `check` lists its problems. */
export function isValid<S extends Schema>(schema: S, value: unknown): value is v.InferInput<S> {
  return checkValue(schema, value).length === 0
}

export function fits<S extends Schema>(schema: S, value: unknown): value is v.InferOutput<S> {
  return v.is(schema, value)
}

function problemOf(issue: v.BaseIssue<unknown>): FieldError {
  const field = fieldPath(issue.path ?? [])
  if (issue.expected === 'Object') return { field, reason: 'Must be an object' }
  return { field, reason: issue.type === 'strict_object' ? `${field} is required` : issue.message }
}

function isUnknownKey({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never'
}

/** Path to a value: keys of objects and indexes of arrays. */
export type Steps = readonly { type: string; key?: unknown }[]

/**
 * Converts a value for valibot. valibot accepts an array as an object, unlike the service, so arrays become a text,
 * which both reject. valibot rejects bigints, so they become rounded numbers, which pass the same bounds. An object or
 * an array without either is returned itself.
 */
function judged(schema: Schema, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object') return value
  const { wrapped, item, entries } = partsOf(schema)
  if (wrapped) return judged(wrapped, value)
  if (Array.isArray(value)) {
    if (!item) return entries ? 'an array' : value
    const isSame = value.every((inner: unknown) => judged(item, inner) === inner)
    return isSame ? value : value.map((inner: unknown) => judged(item, inner))
  }
  if (!entries || !isRecord(value)) return value
  const changed: [string, unknown][] = []
  // Avoids lists of keys, here and below: this runs on every rule of an account.
  for (const key in value) {
    const schemaOfKey = Object.hasOwn(entries, key) ? entries[key] : undefined
    const inner = schemaOfKey ? judged(schemaOfKey, value[key]) : value[key]
    if (inner !== value[key]) changed.push([key, inner])
  }
  return changed.length > 0 ? { ...value, ...Object.fromEntries(changed) } : value
}

/** Lists unknown keys. valibot reports only the first of each object, and none like `constructor`. */
function unknownKeys(
  schema: Schema,
  value: unknown,
  reasonOf: (unknown: UnknownKey) => string,
  path: Steps = [],
): FieldError[] {
  const { type, wrapped, item, entries } = partsOf(schema)
  if (wrapped) return unknownKeys(wrapped, value, reasonOf, path)
  const errors: FieldError[] = []
  if (item && Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      if (typeof inner !== 'object') continue
      errors.push(...unknownKeys(item, inner, reasonOf, [...path, { type: 'array', key: index }]))
    }
  }
  if (!entries || !isRecord(value)) return errors
  for (const key in value) {
    const schemaOfKey = Object.hasOwn(entries, key) ? entries[key] : undefined
    const hasKeys = typeof value[key] === 'object'
    if (schemaOfKey ? !hasKeys : type !== 'strict_object') continue
    const below = [...path, { type: 'object', key }]
    if (schemaOfKey) errors.push(...unknownKeys(schemaOfKey, value[key], reasonOf, below))
    else errors.push({ field: fieldPath(below), reason: reasonOf({ key, entries, object: value }) })
  }
  return errors
}

/** Formats a path like the service, `rules.inbound[0].ports`; null for the root. */
export function fieldPath(path: Steps): string | null {
  let text = ''
  for (const { type, key } of path) {
    if (type === 'array') text += `[${String(key)}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text === '' ? null : text
}
