/** What stands in the fields of an answer, as filters, sorting and completion need to know it. */
import * as v from 'valibot'
import { type Operation, partsOf, type Schema } from './operation'

/**
 * - `size`: an integer, in GiB.
 * - `time`: when something was; `deadline`: when it will end.
 * - `enumeration`: a text of which values are known; the service may add some.
 * - `structure`: what holds fields of its own.
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
  /** Dotted: `resolvers.ipv4`. */
  path: string
  /** Of each member where the field is a list. */
  kind: FieldKind
  list: boolean
  /** Whether a record may have no value there. */
  nullable: boolean
  /** The known values of an enumeration. */
  values: readonly string[]
  description?: string
}

/** The fields that filters and sorting may name: those of a record of the operation's answer, objects taken apart. */
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
  const description = v.getDescription(schema) ?? v.getDescription(described)
  return { path, list: item !== undefined, nullable, ...kindOf(described), ...(description && { description }) }
}

const kinds: Readonly<Record<string, FieldKind>> = { boolean: 'boolean', string: 'text', picklist: 'enumeration' }

/** By the metadata that ./fields gives, and else by the type of the JSON. */
function kindOf(schema: Schema): Pick<Field, 'kind' | 'values'> {
  const { 'x-kind': said, 'x-known-values': values = [] } = v.getMetadata(schema) as {
    'x-kind'?: FieldKind
    'x-known-values'?: readonly string[]
  }
  if (said !== undefined) return { kind: said, values: [] }
  if (values.length > 0) return { kind: 'enumeration', values }
  const { type, pipe } = partsOf(schema)
  if (type === 'number') return { kind: pipe?.some((part) => part.type === 'integer') ? 'integer' : 'number', values }
  return { kind: kinds[type] ?? 'structure', values }
}

function unwrapped(schema: Schema): { inner: Schema; optional: boolean } {
  const { wrapped } = partsOf(schema)
  return wrapped ? { inner: unwrapped(wrapped).inner, optional: true } : { inner: schema, optional: false }
}
