import * as v from 'valibot'
import type { Schema } from './operation'

/** What is wrong with one field, addressed as the API does: `rules.inbound[0].ports`; null is the body itself. */
export interface FieldProblem {
  field: string | null
  reason: string
}

/** Everything that is wrong with a request's body or query; empty where it may be sent. */
export function check(schema: Schema, value: unknown): FieldProblem[] {
  // valibot takes an array for an object without known entries; the service does not.
  if (Array.isArray(value)) return [{ field: null, reason: 'Must be an object' }]
  const { issues = [] } = v.safeParse(schema, value)
  const wrong = issues.filter((issue) => !isUnknownKey(issue)).map(problemOf)
  return [...wrong, ...unknownKeys(schema, value)]
}

function problemOf(issue: v.BaseIssue<unknown>): FieldProblem {
  const field = fieldPath(issue.path ?? [])
  if (issue.type !== 'strict_object') return { field, reason: issue.message }
  return { field, reason: issue.expected === 'Object' ? 'Must be an object' : `${field} is required` }
}

function isUnknownKey({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never'
}

type Steps = readonly { type: string; key?: unknown }[]

interface Nested {
  type: string
  wrapped?: Schema
  item?: Schema
  entries?: Record<string, Schema>
}

/** Keys that an object may not have. valibot names only the first of each object, and none like `constructor`. */
function unknownKeys(schema: Schema, value: unknown, path: Steps = []): FieldProblem[] {
  const { type, wrapped, item, entries } = schema as Nested
  if (wrapped) return unknownKeys(wrapped, value, path)
  if (item && Array.isArray(value)) {
    return value.flatMap((inner, index) => unknownKeys(item, inner, [...path, { type: 'array', key: index }]))
  }
  if (!entries || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = [...path, { type: 'object', key }]
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (known) return unknownKeys(known, inner, below)
    if (type !== 'strict_object') return []
    return [{ field: fieldPath(below), reason: `Keys must be one of: ${Object.keys(entries).join(', ')}` }]
  })
}

function fieldPath(path: Steps): string | null {
  let text = ''
  for (const { type, key } of path) {
    if (type === 'array') text += `[${String(key)}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text === '' ? null : text
}
