/** Types of answer fields for filters, sorting and completion. */
import * as v from 'valibot'
import { type Operation, partsOf, type Schema } from './operation'

/**
 * Kind of a field. `size`: integer in GiB. `time`: past time. `deadline`: future end. `enumeration`: text with known
 * values, to which the service may add more. `structure`: object with fields of its own.
 */
export type FieldKind =
  | 'integer'
  | 'number'
  | 'size'
  | 'boolean'
  | 'time'
  | 'deadline'
  | 'address'
  | 'enumeration'
  | 'text'
  | 'structure'

export interface Field {
  /** Dotted path: `resolvers.ipv4`. */
  path: string
  /** Kind of the field, or of a list's items. */
  kind: FieldKind
  list: boolean
  /** True if the field may be null or missing. */
  nullable: boolean
  /** Known values of an enumeration. */
  values: readonly string[]
  description?: string
}

/** Lists the fields for filters and sorting: those of a record in the operation's answer, flattened. */
export function fieldsOf({ returns }: Pick<Operation, 'returns'>): Field[] {
  const { inner } = unwrapped(returns)
  return fieldsWithin(partsOf(inner).item ?? inner, '', false)
}

function fieldsWithin(schema: Schema, prefix: string, nullable: boolean): Field[] {
  const entries = Object.entries(partsOf(schema).entries ?? {})
  return entries.flatMap(([key, entry]) => {
    const { inner, optional } = unwrapped(entry)
    const path = prefix === '' ? key : `${prefix}.${key}`
    const below = fieldsWithin(inner, path, nullable || optional)
    return below.length === 0 ? [field(path, inner, nullable || optional)] : below
  })
}

function field(path: string, schema: Schema, nullable: boolean): Field {
  const { item } = partsOf(schema)
  const described = item ? unwrapped(item).inner : schema
  const description = v.getDescription(schema)
  return { path, list: item !== undefined, nullable, ...kindOf(described), ...(description && { description }) }
}

const kinds: Readonly<Record<string, FieldKind>> = { boolean: 'boolean', string: 'text', picklist: 'enumeration' }

/** Returns the kind from the metadata of ./fields, or else from the JSON type. */
function kindOf(schema: Schema): Pick<Field, 'kind' | 'values'> {
  const { 'x-kind': kind, 'x-known-values': values = [] } = v.getMetadata(schema) as {
    'x-kind'?: FieldKind
    'x-known-values'?: readonly string[]
  }
  if (kind !== undefined) return { kind, values: [] }
  if (values.length > 0) return { kind: 'enumeration', values }
  const { type, pipe } = partsOf(schema)
  if (type === 'number') return { kind: pipe?.some((part) => part.type === 'integer') ? 'integer' : 'number', values }
  return { kind: kinds[type] ?? 'structure', values }
}

function unwrapped(schema: Schema): { inner: Schema; optional: boolean } {
  const { wrapped } = partsOf(schema)
  return wrapped ? { inner: unwrapped(wrapped).inner, optional: true } : { inner: schema, optional: false }
}
