import type { Caller } from '../caller'
import { notFound } from '../refusal'
import type { Table } from '../table'

/** The caller's records, by id ascending: the profile area shows nobody else's. */
export function allOwn<R extends Owned>(table: Table<R, never>, { user }: Caller): R[] {
  return table.all().filter((record) => record.user === user.id)
}

/** The caller's record that a path names; 404 where it is nobody's, or somebody else's. */
export function foundOwn<R extends Owned>(table: Table<R, never>, id: number, { user }: Caller): R {
  const record = table.get(id)
  if (record === undefined || record.user !== user.id) throw notFound()
  return record
}

interface Owned {
  id: number
  user: number
}
