/**
 * Table declarations. A declaration holds everything about one table: record schema, default values, built-in records,
 * and the format in `sandbox world` and seed files. Opening, seeding, describing and restoring are loops over
 * ./tables.
 */
import type * as v from 'valibot'
import type { Schema } from '../catalogue/operation'
import type { Present } from './clock'
import type { Tables } from './database'
import type { Identified, Table } from './table'

/**
 * Part of the world that a declaration may use. The world's type is built from the declarations, so a declaration
 * cannot use it whole. A declaration that needs another table adds it in `Known`.
 */
export interface Surroundings extends Present {
  /** Table of the users that own the records. */
  readonly users: Pick<Table<{ id: number; username: string }, never>, 'get' | 'where'>
}

/** Declaration of a table. `New` is a record to create; `Shown` is never if another table shows the records. */
export interface Declaration<
  R extends Identified,
  New extends object = R,
  Shown extends object = R,
  Known extends Surroundings = Surroundings,
> {
  /** Table name in saved files and `spent_ids`. Renaming a table loses its saved records. */
  readonly name: string
  /** Default values, computed in this order; the default id is the next free one. */
  readonly defaults: Usual<R, New, Known>
  builtIn(world: Known): readonly New[]
  /** Maximum number of records in a table that only grows. Adding one more deletes the oldest. */
  readonly most?: number
  /** Updates a record to the current time when it is read, so timed states need no background task. */
  settle?(record: R, world: Known): R
  /** Serializer; null if the records are written inside those of another table. */
  readonly form: Serializer<R, New, Shown, Known> | null
}

/** Declaration of a table whose schema marks fields with defaults as optional. */
export type DeclarationOf<
  S extends RecordSchema,
  Shown extends object = RecordOf<S>,
  Known extends Surroundings = Surroundings,
> = Declaration<RecordOf<S>, NewOf<S>, Shown, Known>

export type RecordSchema = v.GenericSchema<unknown, { id?: number }>
export type NewOf<S extends RecordSchema> = v.InferOutput<S>
export type RecordOf<S extends RecordSchema> = Required<v.InferOutput<S>> & { id: number }

/** Serializer between a table and `sandbox world` or a seed file. A seed file may hold everything that is printed. */
export interface Serializer<
  R extends Identified,
  New extends object,
  Shown extends object,
  Known extends Surroundings = Surroundings,
> {
  /** Schema of one record in a file. */
  readonly file: Schema
  show(table: Table<R, New>, world: Known): Shown[]
  /** Replaces the table's records with those of a file, already validated against `file`. */
  restore(records: readonly object[], act: RestoreInput<R, New, Known>): void
}

export interface RestoreInput<R extends Identified, New extends object, Known> {
  table: Table<R, New>
  world: Known
  /** Key of the table in the file, for error messages. */
  key: string
}

type Optional<T> = { [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? K : never }[keyof T]

type Usual<R, New, Known> = {
  readonly [K in Exclude<Optional<New>, 'id'> & keyof R]: (fields: Partial<R>, world: Known) => R[K]
}

/** Declarations whose tables are opened in a `World`. The world must have everything that they use. */
export type DeclarationGroup<World extends Surroundings> = Readonly<
  Record<string, Declaration<Identified, object, object, World>>
>

export type TableOf<D> = D extends Declaration<infer R, infer New, infer _Shown, infer _Known> ? Table<R, New> : never

export type TablesOf<G extends object> = { readonly [K in keyof G]: TableOf<G[K]> }

/** Creates the empty tables of a group. */
export function openTables<World extends Surroundings, G extends DeclarationGroup<World>>(
  group: G,
  tables: Tables,
  world: () => World,
): TablesOf<G> {
  const opened = Object.entries(group).map(([key, declaration]) => [key, openTable(declaration, tables, world)])
  // The keys of `opened` are those of the group.
  return Object.fromEntries(opened) as TablesOf<G>
}

function openTable<R extends Identified, New extends object, World extends Surroundings>(
  declaration: Declaration<R, New, object, World>,
  tables: Tables,
  world: () => World,
): Table<R, New> {
  const { name, most, settle, defaults } = declaration
  const usual: Defaults<World> = Object.entries(defaults)
  const table: Table<R, New> = tables.add(name, {
    most,
    settle: settle ? (record) => settle(record, world()) : (record) => record,
    complete: (input) => completed(input, table.nextId(), usual, world()),
  })
  return table
}

type Fields = Record<string, unknown>

/** Functions for the default values, by key. */
type Defaults<Known> = readonly [key: string, usualOf: (fields: Fields, world: Known) => unknown][]

function completed<R extends Identified, Known>(
  input: object,
  nextId: number,
  usual: Defaults<Known>,
  world: Known,
): R {
  const fields: Fields = { id: nextId, ...input }
  const record: Fields = { id: fields.id }
  let isComplete = 'id' in input
  for (const [key, usualOf] of usual) {
    if (!(key in fields)) {
      fields[key] = usualOf(fields, world)
      isComplete = false
    }
    record[key] = fields[key]
  }
  for (const key in input) if (!(key in record)) record[key] = fields[key]
  // A complete record keeps its own key order.
  const whole: object = isComplete ? input : record
  // The declaration has a default for every field that may be missing.
  return whole as R
}
