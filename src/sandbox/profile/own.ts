import type { Caller } from '../caller'
import { notFound } from '../refusal'
import type { Table } from '../table'

/** Lists the caller's records by ascending id. The profile area shows no records of other users. */
export function allOwn<R extends Owned>(table: Table<R, never>, { user }: Caller): R[] {
  return table.all().filter((record) => record.user === user.id)
}

/** Returns the caller's record with an id; 404 if it does not exist or belongs to another user. */
export function foundOwn<R extends Owned>(table: Table<R, never>, id: number, { user }: Caller): R {
  const record = table.get(id)
  if (record === undefined || record.user !== user.id) throw notFound()
  return record
}

interface Owned {
  id: number
  user: number
}
