/** Default serializers of records for `sandbox world` and seed files. */
import * as v from 'valibot'
import { Problem } from '../errors'
import type { NewOf, RecordOf, RecordSchema, Serializer, TableContext } from './declaration'
import { string } from './record-fields'
import type { Identified, Table } from './table'

export function plainSerializer<S extends RecordSchema>(schema: S): Serializer<RecordOf<S>, NewOf<S>, RecordOf<S>> {
  return {
    file: schema,
    show: (table) => table.all(),
    restore: (records: readonly NewOf<S>[], { table }) => replace(table, records, (record) => table.add(record)),
  }
}

export type Owned<R> = Omit<R, 'user'> & { user: string | null }

type OwnedSchema = v.StrictObjectSchema<v.ObjectEntries, undefined> &
  v.GenericSchema<unknown, { id?: number; user: number }>

/** Serializes records with a user's name instead of the id. */
export function withUsername<S extends OwnedSchema>(schema: S): Serializer<RecordOf<S>, NewOf<S>, Owned<RecordOf<S>>> {
  return {
    file: v.strictObject({ ...schema.entries, user: string }),
    show: (table, world) => table.all().map((record) => ({ ...record, user: nameOf(record.user, world) })),
    restore: (records: readonly (NewOf<S> & { user: string })[], { table, world, key }) =>
      replace(table, records, (record, index) =>
        table.add({ ...record, user: userNamed(record.user, `${key}[${index}]`, world) }),
      ),
  }
}

export type OfUser<R> = Omit<R, 'id'> & { user: string | null }

type OfUserSchema = v.StrictObjectSchema<v.ObjectEntries, undefined> & v.GenericSchema<unknown, { id: number }>

/** Serializes records whose id is their user's id: with the user's name instead. */
export function byUsername<S extends OfUserSchema>(schema: S): Serializer<RecordOf<S>, NewOf<S>, OfUser<RecordOf<S>>> {
  const { id: _, ...entries } = schema.entries
  return {
    file: v.strictObject({ user: string, ...entries }),
    show: (table, world) => table.all().map(({ id, ...record }) => ({ user: nameOf(id, world), ...record })),
    restore: (records: readonly (Omit<NewOf<S>, 'id'> & { user: string })[], { table, world, key }) =>
      replace(table, records, ({ user, ...record }, index) =>
        table.add({ id: userNamed(user, `${key}[${index}]`, world), ...record }),
      ),
  }
}

const nameOf = (user: number, { users }: TableContext) => users.get(user)?.username ?? null

export function replace<R extends Identified, T>(
  table: Table<R, never>,
  records: readonly T[],
  put: (record: T, index: number) => void,
): void {
  for (const { id } of table.all()) table.delete(id)
  for (const [index, record] of records.entries()) put(record, index)
}

function userNamed(username: string, place: string, { users }: TableContext): number {
  const [user] = users.where('username', username)
  if (user) return user.id
  throw new Problem('usage', `${place}.user: there is no user "${username}" in this world`)
}
