/** Authentication and authorization: a token's scopes and a user's grants. */

import { parseTimestamp } from '../rules/times'
import { forbidden, notFound, refusal } from './refusal'
import type { Table } from './table'
import type { ComputeRecord } from './tables/services'
import type { Addition, Entity, Permission, UserRecord } from './tables/users'
import type { World } from './world'

export interface Caller {
  token: string
  /** Id of the authorized app that acts for the user; null for a personal access token. */
  app: number | null
  scopes: readonly string[]
  user: UserRecord
}

export interface CallerContext {
  world: World
  caller: Caller
}

/** Returns the caller of an `Authorization` header; undefined if the token is missing, unknown or expired. */
export function callerOf(authorization: string | undefined, world: World): Caller | undefined {
  const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const [token] = text === undefined ? [] : world.tokens.where('token', text)
  if (token === undefined) return undefined
  if (parseTimestamp(token.expiry ?? '') <= world.clock.now()) return undefined
  const user = world.users.get(token.user)
  return user && { token: token.token, app: token.app, scopes: token.scopes.split(' '), user }
}

/** Grants a restricted user read_write on an object that the user created. */
export function grantToCreator(entity: Entity, id: number, { id: user }: UserRecord, world: World): void {
  const creator = world.users.get(user)
  if (!creator?.grants) return
  const granted = [...(creator.grants[entity] ?? []), { id, permissions: 'read_write' as const }]
  world.users.put({ ...creator, grants: { ...creator.grants, [entity]: granted } })
}

/** Returns a user's permission on an object; null if the object is not visible to the user. */
export function permissionOf({ grants }: UserRecord, entity: Entity, id: number): Permission | null {
  if (grants === null) return 'read_write'
  return grants[entity]?.find((grant) => grant.id === id)?.permissions ?? null
}

/** Returns the records that the user may see. */
export function visibleTo<R extends { id: number }>(
  { grants }: UserRecord,
  entity: Entity,
  table: Table<R, never>,
): R[] {
  if (grants === null) return table.all()
  const granted = new Set(grants[entity]?.map(({ id }) => id))
  return [...granted].sort((a, b) => a - b).flatMap((id) => table.get(id) ?? [])
}

export function mayAdd({ grants }: UserRecord, grant: Addition): boolean {
  return grants === null || grants.global[grant] === true
}

/** Returns the compute instance named by a request field; requires read_write permission on it. */
export function computeToChange(id: number, field: string, { world, caller }: CallerContext): ComputeRecord {
  const compute = world.computes.get(id)
  const permission = permissionOf(caller.user, 'compute', id)
  if (compute === undefined || permission === null) throw refusal(field, `Invalid Compute ID ${id}`)
  if (permission !== 'read_write') throw forbidden()
  return compute
}

/** Lists the caller's records by ascending id. The profile area shows no records of other users. */
export function allOwn<R extends Owned>(table: Table<R, never>, { user }: Caller): R[] {
  return table.where('user', user.id)
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

/** Returns a record as its user sees it. */
export function withoutUser<R extends Owned>({ user: _, ...record }: R): Omit<R, 'user'> {
  return record
}
