/**
 * Normalizes an answer to its operation's schema before any other code reads it. Services grow, so unknown keys and
 * values are kept in their order. A missing field becomes null, unless commands require it. A field of the wrong type
 * is rejected, because a command would print false data.
 */
import * as v from 'valibot'
import { isRecord } from '../rules/records'
import { partsOf, type Schema } from './operation'

/** Error for a value of the wrong shape. `field` is a path such as `rules.inbound[0].ports`, empty for the root. */
export class SchemaMismatch extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(`${field || 'it'} ${reason}`)
    this.name = 'SchemaMismatch'
  }

  /** Returns this error with a step prepended to its path: a key, or `[0]`. */
  within(step: string): SchemaMismatch {
    const joint = this.field === '' || this.field.startsWith('[') ? '' : '.'
    return new SchemaMismatch(`${step}${joint}${this.field}`, this.reason)
  }
}

/** Normalizes a value in place and returns it; a null list becomes empty. Throws SchemaMismatch. */
type Normalizer = (value: unknown) => unknown

/** Dotted paths of required fields, relative to a part of the answer; `*` means all fields. */
type Essential = readonly string[]

const shapers = new WeakMap<Schema, Map<string, Normalizer>>()

/**
 * Normalizes a value to `schema`; throws SchemaMismatch if it has another shape. The value may be changed in place: an
 * optional field that is missing becomes null.
 */
export function normalize(schema: Schema, value: unknown, essential: Essential = ['*']): unknown {
  return normalizerOf(schema, essential)(value)
}

export function normalizeList(item: Schema, values: unknown[], essential: Essential = ['*']): unknown[] {
  return shapedItems(values, normalizerOf(item, essential))
}

function shapedItems(values: unknown[], inner: Normalizer): unknown[] {
  for (let index = 0; index < values.length; index += 1) values[index] = at(`[${index}]`, values[index], inner)
  return values
}

function normalizerOf(schema: Schema, essential: Essential): Normalizer {
  const byEssential = shapers.get(schema) ?? new Map<string, Normalizer>()
  shapers.set(schema, byEssential)
  const key = essential.join()
  const normalizer = byEssential.get(key) ?? makeShaper(schema, essential)
  byEssential.set(key, normalizer)
  return normalizer
}

function makeShaper(schema: Schema, essential: Essential): Normalizer {
  const { type, wrapped, item, entries } = partsOf(schema)
  if (wrapped) return (type === 'nullable' ? spareShaper : optionalShaper)(normalizerOf(wrapped, essential))
  if (item) return listShaper(normalizerOf(item, essential))
  if (entries) return objectShaper(entries, essential)
  return type === 'number' ? numberShaper(schema) : scalarShaper(schema)
}

/** Optional field: a missing or null value is kept as it is, because rules are sent back. */
const optionalShaper =
  (inner: Normalizer): Normalizer =>
  (value) =>
    value === null || value === undefined ? value : inner(value)

/** Required field: it must be present, even if it may be null. */
const presentShaper =
  (inner: Normalizer): Normalizer =>
  (value) => {
    if (value === undefined) throw expected('', value)
    return inner(value)
  }

/** Field that is nullable or not required: null if missing. */
const spareShaper =
  (inner: Normalizer): Normalizer =>
  (value) =>
    value === null || value === undefined ? null : inner(value)

function listShaper(inner: Normalizer): Normalizer {
  return (value) => {
    if (value === null) return []
    if (!Array.isArray(value)) throw expected('a list', value)
    return shapedItems(value, inner)
  }
}

interface Entry {
  key: string
  inner: Normalizer
  /** Value for a null field: the `default` of JSON Schema. */
  fallback?: unknown
  /** True if null is a valid value: the field is nullable, or a list, which is then empty. */
  hasNull: boolean
}

function objectShaper(entries: Readonly<Record<string, Schema>>, essential: Essential): Normalizer {
  const fields = Object.entries(entries).map(([key, schema]): Entry => {
    const { wrapped, item } = partsOf(schema)
    const fallback: unknown = metadataOf(schema).default
    const hasNull = wrapped !== undefined || item !== undefined || fallback !== undefined
    return { key, inner: fieldShaper(key, schema, essential), fallback, hasNull }
  })
  return (value) => {
    if (!isRecord(value)) throw expected('an object', value)
    for (const field of fields) shapeField(value, field)
    return value
  }
}

/** Returns the essential fields as seen from one field. */
const belowIn = (key: string, essential: Essential): Essential =>
  essential.flatMap((path) => {
    if (path === '*') return path
    return path.startsWith(`${key}.`) ? path.slice(key.length + 1) : []
  })

function fieldShaper(key: string, schema: Schema, essential: Essential): Normalizer {
  const below = belowIn(key, essential)
  const inner = normalizerOf(schema, below)
  if (essential.includes(key)) return presentShaper(inner)
  const isNeeded = below.length > 0
  const { wrapped, item } = partsOf(schema)
  // A null list is certainly empty; the content of a missing list is unknown.
  if (isNeeded || wrapped) return inner
  return item ? (value) => (value === undefined ? null : inner(value)) : spareShaper(inner)
}

function shapeField(record: Record<string, unknown>, { key, inner, fallback, hasNull }: Entry): void {
  const before = Object.hasOwn(record, key) ? record[key] : undefined
  const value = fallback !== undefined && before === null ? structuredClone(fallback) : before
  const after = at(key, value, inner)
  if (after === null && (before === undefined || !hasNull)) missing.set(record, [...(missing.get(record) ?? []), key])
  if (after !== before) record[key] = after
}

/** Fields that answers lacked, or had null for although null is not allowed, by their records. */
const missing = new WeakMap<object, readonly string[]>()

/** Reports whether an answer did not tell a field of a record. The field is null, and null may say something else. */
export const isMissing = (record: object, field: string): boolean => missing.get(record)?.includes(field) === true

/** Returns a copy of a record with other values; the fields that the answer lacked stay missing. */
export function copyWith<R extends object>(record: R, values: Partial<R>): R {
  const copy = { ...record, ...values }
  missing.set(copy, missing.get(record) ?? [])
  return copy
}

/** Adds a step to an error's path. Paths are only built for errors. */
function at(step: string, value: unknown, inner: Normalizer): unknown {
  try {
    return inner(value)
  } catch (error) {
    throw error instanceof SchemaMismatch ? error.within(step) : error
  }
}

function metadataOf(schema: Schema): { type?: readonly string[]; default?: unknown } {
  return v.getMetadata(schema)
}

/** Normalizes numbers; integers beyond 2^53 are bigints. */
function numberShaper(schema: Schema): Normalizer {
  const { pipe = [] } = partsOf(schema)
  const whole = pipe.some(({ type }) => type === 'integer')
  const least = pipe.find(({ type }) => type === 'min_value')?.requirement
  const expectedKind = whole ? 'a whole number' : 'a number'
  return (value) => {
    const fits = whole ? Number.isInteger(value) : Number.isFinite(value)
    if (!fits && typeof value !== 'bigint') throw expected(expectedKind, value)
    if (typeof least === 'number' && Number(value) < least) throw new SchemaMismatch('', `is below ${least}`)
    return value
  }
}

/** Normalizes texts and booleans. Enumeration values are not checked, because the service adds some. */
function scalarShaper(schema: Schema): Normalizer {
  const { type } = partsOf(schema)
  const orInteger = metadataOf(schema).type?.includes('integer') === true
  return (value) => {
    const fits = typeof value === type || (orInteger && Number.isInteger(value))
    if (!fits) throw expected(type === 'boolean' ? 'true or false' : 'a text', value)
    return value
  }
}

/** Describes a mismatch without the value, which may be a secret. */
function expected(kind: string, value: unknown): SchemaMismatch {
  return new SchemaMismatch('', value === undefined ? 'is missing' : `is ${kindOf(value)}, not ${kind}`)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number'
  const kinds: Readonly<Record<string, string>> = { string: 'a text', boolean: 'true or false', object: 'an object' }
  return kinds[typeof value] ?? `a ${typeof value}`
}
