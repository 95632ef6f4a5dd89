import * as v from 'valibot'
import type { Schema } from './operation'

/** What is wrong with one field, addressed as the API does: `rules.inbound[0].ports`; null is the body itself. */
export interface FieldProblem {
  field: string | null
  reason: string
}

/** Everything that is wrong with a request's body or query, in the schema's order; empty where it may be sent. */
export function check(schema: Schema, value: unknown): FieldProblem[] {
  // valibot takes an array for an object without known entries; the service does not.
  if (Array.isArray(value)) return [{ field: null, reason: 'Must be an object' }]
  const { issues } = v.safeParse(schema, value)
  return (issues ?? []).map((issue) => {
    const field = fieldPath(issue.path ?? [])
    return { field, reason: reasonOf(issue, field, schema) }
  })
}

function reasonOf(issue: v.BaseIssue<unknown>, field: string | null, schema: Schema): string {
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never')
      return `Keys must be one of: ${keysAt(schema, (issue.path ?? []).slice(0, -1)).join(', ')}`
    if (issue.expected === 'Object') return 'Must be an object'
    return `${field} is required`
  }
  return issue.message
}

type Steps = readonly { type: string; key?: unknown }[]

interface Nested {
  wrapped?: Schema
  item?: Schema
  entries?: Record<string, Schema>
}

/** The known keys of the object to which the steps lead, through what may be left out or null. */
function keysAt(schema: Schema | undefined, [step, ...rest]: Steps): string[] {
  const { wrapped, item, entries = {} } = (schema ?? {}) as Nested
  if (wrapped) return keysAt(wrapped, step ? [step, ...rest] : [])
  return step ? keysAt(item ?? entries[String(step.key)], rest) : Object.keys(entries)
}

function fieldPath(path: Steps): string | null {
  let text = ''
  for (const { type, key } of path) {
    if (type === 'array') text += `[${String(key)}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text === '' ? null : text
}
