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
import type { FirewallDeviceRecord, NewFirewallDevice } from './tables/firewall-device'

/** Time and tables that declarations use. The world's type is built from the declarations, so they cannot use it whole. */
export interface TableContext extends Present {
  /** Users that own the records. */
  readonly users: Pick<Table<{ id: number; username: string }, never>, 'get' | 'where'>
  readonly computes: Pick<Table<{ id: number; region: string }, never>, 'get'>
  readonly network: { readonly devices: Table<FirewallDeviceRecord, NewFirewallDevice> }
}

/** Declaration of a table. `New` is a record to create; `Shown` is never if another table shows the records. */
export interface Declaration<R extends Identified, New extends object = R, Shown extends object = R> {
  /** Table name in saved files and `spent_ids`. Renaming a table loses its saved records. */
  readonly name: string
  /** Default values, computed in this order; the default id is the next free one. */
  readonly defaults: Defaults<R, New>
  builtIn?(world: TableContext): readonly New[]
  /** Maximum number of records in a table that only grows. Adding one more deletes the oldest. */
  readonly most?: number
  /** Updates a record to the current time when it is read, so timed states need no background task. */
  settle?(record: R, world: TableContext): R
  /** Serializer; null if the records are written inside those of another table. */
  readonly form: Serializer<R, New, Shown> | null
}

/** Declaration of a table whose schema marks fields with defaults as optional. */
export type DeclarationOf<S extends RecordSchema, Shown extends object = RecordOf<S>> = Declaration<
  RecordOf<S>,
  NewOf<S>,
  Shown
>

export type RecordSchema = v.GenericSchema<unknown, { id?: number }>
export type NewOf<S extends RecordSchema> = v.InferOutput<S>
export type RecordOf<S extends RecordSchema> = Required<v.InferOutput<S>> & { id: number }

/** Serializer between a table and `sandbox world` or a seed file. A seed file may hold everything that is printed. */
export interface Serializer<R extends Identified, New extends object, Shown extends object> {
  /** Schema of one record in a file. */
  readonly file: Schema
  show(table: Table<R, New>, world: TableContext): Shown[]
  /** Replaces the table's records with those of a file, already validated against `file`. */
  restore(records: readonly object[], act: RestoreInput<R, New>): void
}

export interface RestoreInput<R extends Identified, New extends object> {
  table: Table<R, New>
  world: TableContext
  /** Key of the table in the file, for error messages. */
  key: string
}

type Optional<T> = { [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? K : never }[keyof T]

type Defaults<R, New> = {
  readonly [K in Exclude<Optional<New>, 'id'> & keyof R]: (fields: Partial<R>, world: TableContext) => R[K]
}

export type TableOf<D> = D extends Declaration<infer R, infer New, infer _Shown> ? Table<R, New> : never

/** Creates an empty table. */
export function openTable<R extends Identified, New extends object>(
  { name, most, settle, defaults }: Declaration<R, New, object>,
  tables: Tables,
  world: () => TableContext,
): Table<R, New> {
  const usual: DefaultRows = Object.entries(defaults)
  const table: Table<R, New> = tables.add(name, {
    most,
    settle: settle ? (record) => settle(record, world()) : (record) => record,
    complete(input) {
      const fields: Fields = { id: table.nextId(), ...input }
      for (const [key, usualOf] of usual) if (!(key in fields)) fields[key] = usualOf(fields, world())
      const record: object = fields
      // The declaration has a default for every field that may be missing.
      return record as R
    },
  })
  return table
}

type Fields = Record<string, unknown>

type DefaultRows = readonly [key: string, usualOf: (fields: Fields, world: TableContext) => unknown][]
