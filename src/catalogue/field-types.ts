/** Types of answer fields for filters, sorting and completion. */
import * as v from 'valibot'
import { type LeafField, leafFields, type Operation, partsOf, type Schema, unwrapped } from './operation'

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
  values: readonly string[]
  description?: string
}

/** Lists the fields for filters and sorting: those of a record in the operation's answer, flattened. */
export function fieldsOf({ returns }: Pick<Operation, 'returns'>): Field[] {
  const record = unwrapped(returns)
  return leafFields(partsOf(record).item ?? record).map(fieldOf)
}

function fieldOf({ path, schema, nullable }: LeafField): Field {
  const { item } = partsOf(schema)
  const description = v.getDescription(schema)
  const kind = kindOf(item ? unwrapped(item) : schema)
  return { path, list: item !== undefined, nullable, ...kind, ...(description && { description }) }
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
