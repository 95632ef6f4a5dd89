/**
 * Brings an answer into the shape that its operation describes, before anything else looks at it. Services grow: keys
 * and values that are not known stay, in the order in which they came. A field that is missing is null, unless commands
 * cannot do without it. What would make a command lie is refused: a field that holds something else than it is
 * described to hold.
 */
import * as v from 'valibot'
import { isRecord } from '../rules/records'
import { partsOf, type Schema } from './operation'

/** Why a value does not have the shape; `field` is a path such as `rules.inbound[0].ports`, empty for the whole. */
export class Misshapen extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(`${field || 'it'} ${reason}`)
    this.name = 'Misshapen'
  }

  /** The same, of what stands at `step` of something larger: a key, or `[0]`. */
  within(step: string): Misshapen {
    const joint = this.field === '' || this.field.startsWith('[') ? '' : '.'
    return new Misshapen(`${step}${joint}${this.field}`, this.reason)
  }
}

/** Gives the value back, changed in place: a list that is null is an empty one. Throws Misshapen. */
type Shaper = (value: unknown) => unknown

/** The fields that may not be missing, dotted, as seen from a part of the answer; `*` is every field. */
type Essential = readonly string[]

const shapers = new WeakMap<Schema, Map<string, Shaper>>()

/**
 * The value in the shape of `schema`; throws Misshapen where it has another. It may be changed in place: a field that is
 * missing, or null, and that nobody needs is null.
 */
export function shape(schema: Schema, value: unknown, essential: Essential = ['*']): unknown {
  return shaperOf(schema, essential)(value)
}

/** The same of a list of such values. */
export function shapeList(item: Schema, values: unknown[], essential: Essential = ['*']): unknown[] {
  return shapedItems(values, shaperOf(item, essential))
}

function shapedItems(values: unknown[], inner: Shaper): unknown[] {
  for (let index = 0; index < values.length; index += 1) values[index] = at(`[${index}]`, values[index], inner)
  return values
}

function shaperOf(schema: Schema, essential: Essential): Shaper {
  const known = shapers.get(schema) ?? new Map<string, Shaper>()
  shapers.set(schema, known)
  const key = essential.join()
  const made = known.get(key) ?? makeShaper(schema, essential)
  known.set(key, made)
  return made
}

function makeShaper(schema: Schema, essential: Essential): Shaper {
  const { type, wrapped, item, entries } = partsOf(schema)
  if (wrapped) return (type === 'nullable' ? spareShaper : optionalShaper)(shaperOf(wrapped, essential))
  if (item) return listShaper(shaperOf(item, essential))
  if (entries) return objectShaper(entries, essential)
  return type === 'number' ? numberShaper(schema) : scalarShaper(schema)
}

/** A field that may be missing may be null: it is kept as it came, since rules are sent back. */
const optionalShaper =
  (inner: Shaper): Shaper =>
  (value) =>
    value === null || value === undefined ? value : inner(value)

/** A field that somebody decides by is there, also where it may be null. */
const presentShaper =
  (inner: Shaper): Shaper =>
  (value) => {
    if (value === undefined) throw expected('', value)
    return inner(value)
  }

/** A field that may be null, or that nobody needs, is null where it is missing. */
const spareShaper =
  (inner: Shaper): Shaper =>
  (value) =>
    value === null || value === undefined ? null : inner(value)

function listShaper(inner: Shaper): Shaper {
  return (value) => {
    if (value === null) return []
    if (!Array.isArray(value)) throw expected('a list', value)
    return shapedItems(value, inner)
  }
}

interface Entry {
  key: string
  inner: Shaper
  /** What a field that is null or missing stands for: the `default` of JSON Schema. */
  fallback?: unknown
}

function objectShaper(entries: Readonly<Record<string, Schema>>, essential: Essential): Shaper {
  const fields = Object.entries(entries).map(([key, schema]): Entry => {
    return { key, inner: fieldShaper(key, schema, essential), fallback: saidOf(schema).default }
  })
  return (value) => {
    if (!isRecord(value)) throw expected('an object', value)
    for (const field of fields) shapeField(value, field)
    return value
  }
}

function fieldShaper(key: string, schema: Schema, essential: Essential): Shaper {
  const below = essential.flatMap((path) => {
    if (path === '*') return path
    return path.startsWith(`${key}.`) ? path.slice(key.length + 1) : []
  })
  const inner = shaperOf(schema, below)
  if (essential.includes(key)) return presentShaper(inner)
  const isNeeded = below.length > 0
  const { wrapped, item } = partsOf(schema)
  // A list that is null is known to be empty; one that is missing is not known.
  if (isNeeded || wrapped) return inner
  return item ? (value) => (value === undefined ? null : inner(value)) : spareShaper(inner)
}

function shapeField(record: Record<string, unknown>, { key, inner, fallback }: Entry): void {
  const before = Object.hasOwn(record, key) ? record[key] : undefined
  const value = fallback === undefined ? before : (before ?? structuredClone(fallback))
  const after = at(key, value, inner)
  if (after !== before) record[key] = after
}

/** The steps of a path are put together only where something is wrong. */
function at(step: string, value: unknown, inner: Shaper): unknown {
  try {
    return inner(value)
  } catch (error) {
    throw error instanceof Misshapen ? error.within(step) : error
  }
}

/** What a schema says in its metadata. */
function saidOf(schema: Schema): { type?: readonly string[]; default?: unknown } {
  return v.getMetadata(schema)
}

/** Integers beyond 2^53 come as bigint. */
function numberShaper(schema: Schema): Shaper {
  const { pipe = [] } = partsOf(schema)
  const whole = pipe.some(({ type }) => type === 'integer')
  const least = pipe.find(({ type }) => type === 'min_value')?.requirement
  const wanted = whole ? 'a whole number' : 'a number'
  return (value) => {
    const fits = whole ? Number.isInteger(value) : Number.isFinite(value)
    if (!fits && typeof value !== 'bigint') throw expected(wanted, value)
    if (typeof least === 'number' && Number(value) < least) throw new Misshapen('', `is below ${least}`)
    return value
  }
}

const names: Readonly<Record<string, string>> = { string: 'a text', boolean: 'true or false' }

/** Which texts an enumeration holds is not looked at: it grows. */
function scalarShaper(schema: Schema): Shaper {
  const { type } = partsOf(schema)
  const orInteger = saidOf(schema).type?.includes('integer') === true
  return (value) => {
    const fits = typeof value === type || (orInteger && Number.isInteger(value))
    if (!fits) throw expected(names[type] ?? `a ${type}`, value)
    return value
  }
}

/** The value itself is not told: it may be a secret. */
function expected(wanted: string, value: unknown): Misshapen {
  return new Misshapen('', value === undefined ? 'is missing' : `is ${kindOf(value)}, not ${wanted}`)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number'
  const kinds: Readonly<Record<string, string>> = { string: 'a text', boolean: 'true or false', object: 'an object' }
  return kinds[typeof value] ?? `a ${typeof value}`
}
