/**
 * What there is to say about a table, once: its records, what is usual of them, which of them the built-in world has,
 * and how `sandbox world` and a seed file write them. Opening, seeding, describing and restoring are loops over
 * ./declarations.
 */
import type * as v from 'valibot'
import type { Schema } from '../catalogue/operation'
import type { Tables } from './all-tables'
import type { Present } from './clock'
import type { Identified, Table } from './table'

/**
 * What a declaration knows of the world that its table is in. The world is made of declarations, so none can know it
 * whole; one that needs another table says so in `Known`.
 */
export interface Surroundings extends Present {
  /** Whose records these are. */
  readonly users: Pick<Table<{ id: number; username: string }, never>, 'get' | 'all'>
}

/** `New` is a record as it is made: what is usual can be left out. `Shown` is never for what another table shows. */
export interface Declaration<
  R extends Identified,
  New extends object = R,
  Shown extends object = R,
  Known extends Surroundings = Surroundings,
> {
  /** In the files of sandboxes, and among the `spent_ids`; a table that is renamed loses what they kept of it. */
  readonly name: string
  /** What a record gets that is made without it, in this order; an id is the next one. */
  readonly usual: Usual<R, New, Known>
  builtIn(world: Known): readonly New[]
  /** How many records are kept of what only ever grows: with one more, the oldest is deleted. */
  readonly most?: number
  /** Brings a record up to the present when it is read: states that end with time need no one to end them. */
  settle?(record: R, world: Known): R
  /** Null: its records are written within those of another table. */
  readonly form: Form<R, New, Shown, Known> | null
}

/** A table whose records are described by a schema, in which what may be left out is optional. */
export type DeclarationOf<
  S extends RecordSchema,
  Shown extends object = RecordOf<S>,
  Known extends Surroundings = Surroundings,
> = Declaration<RecordOf<S>, NewOf<S>, Shown, Known>

export type RecordSchema = v.GenericSchema<unknown, { id?: number }>
export type NewOf<S extends RecordSchema> = v.InferOutput<S>
export type RecordOf<S extends RecordSchema> = Required<v.InferOutput<S>> & { id: number }

/** How records stand in `sandbox world`, and in a seed file, which may hold whatever the former prints. */
export interface Form<
  R extends Identified,
  New extends object,
  Shown extends object,
  Known extends Surroundings = Surroundings,
> {
  /** What a file may hold of one record. */
  readonly file: Schema
  show(table: Table<R, New>, world: Known): Shown[]
  /** Puts what a file has, which `file` was checked against, in the place of what the table has. */
  restore(given: readonly object[], act: Restoring<R, New, Known>): void
}

export interface Restoring<R extends Identified, New extends object, Known> {
  table: Table<R, New>
  world: Known
  /** The key of the table in the file, for messages. */
  key: string
}

type Optional<T> = { [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? K : never }[keyof T]

type Usual<R, New, Known> = {
  readonly [K in Exclude<Optional<New>, 'id'> & keyof R]: (known: Partial<R>, world: Known) => R[K]
}

/** The declarations of tables that are opened in a `World`, which must have whatever any of them knows. */
export type Group<World extends Surroundings> = Readonly<Record<string, Declaration<Identified, object, object, World>>>

export type TableOf<D> = D extends Declaration<infer R, infer New, infer _Shown, infer _Known> ? Table<R, New> : never

export type TablesOf<G extends object> = { readonly [K in keyof G]: TableOf<G[K]> }

/** Adds the tables of a group, empty. */
export function openTables<World extends Surroundings, G extends Group<World>>(
  group: G,
  tables: Tables,
  world: () => World,
): TablesOf<G> {
  const opened = Object.entries(group).map(([key, declaration]) => [key, openTable(declaration, tables, world)])
  // Key by key what the group declares.
  return Object.fromEntries(opened) as TablesOf<G>
}

function openTable<R extends Identified, New extends object, World extends Surroundings>(
  declaration: Declaration<R, New, object, World>,
  tables: Tables,
  world: () => World,
): Table<R, New> {
  const table: Table<R, New> = tables.add(declaration.name, {
    most: declaration.most,
    settle: (record) => declaration.settle?.(record, world()) ?? record,
    complete: (given) => completed(given, table.nextId(), declaration.usual, world()),
  })
  return table
}

type Fields = Record<string, unknown>

function completed<R extends Identified, New extends object, Known>(
  given: New,
  nextId: number,
  usual: Usual<R, New, Known>,
  world: Known,
): R {
  const known: Fields = { id: nextId, ...given }
  const record: Fields = { id: known.id }
  const all: [key: string, usualOf: (known: Fields, world: Known) => unknown][] = Object.entries(usual)
  for (const [key, usualOf] of all) {
    if (!(key in known)) known[key] = usualOf(known, world)
    record[key] = known[key]
  }
  // What left nothing out stays in its own order.
  const whole: object = Object.keys(given).length === Object.keys(known).length ? given : { ...record, ...given }
  // The declaration gives whatever `given` may leave out.
  return whole as R
}
