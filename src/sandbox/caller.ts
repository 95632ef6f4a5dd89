/** Who acts, with which token, and what that allows: scopes of the token, then grants of the user. */
import { parseTimestamp } from '../rules/times'
import type { Entity, Grants, Permission, UserRecord } from './records'
import type { World } from './world'

export interface Caller {
  token: string
  scopes: readonly string[]
  user: UserRecord
}

/** The caller that an `Authorization` header names; undefined where it names none, or one whose token has expired. */
export function callerOf(authorization: string | undefined, world: World): Caller | undefined {
  const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const token = world.tokens.all().find((candidate) => candidate.token === text)
  if (token === undefined) return undefined
  if (token.expiry !== null && parseTimestamp(token.expiry) <= world.clock.now()) return undefined
  const user = world.users.get(token.user)
  return user && { token: token.token, scopes: token.scopes.split(' '), user }
}

/** `*` covers everything, and `read_write` covers `read_only` of the same resource; `read` is another word for that. */
export function covers(held: readonly string[], needed: string): boolean {
  const [resource, access] = needed.split(':')
  const enough = ['*', needed, `${resource}:read_write`, ...(access === 'read' ? [`${resource}:read_only`] : [])]
  return held.some((scope) => enough.includes(scope))
}

/** Who creates a thing may use it. */
export function grantToCreator(entity: Entity, id: number, { id: user }: UserRecord, world: World): void {
  const creator = world.users.get(user)
  if (!creator?.grants) return
  const granted = [...(creator.grants[entity] ?? []), { id, permissions: 'read_write' as const }]
  world.users.put({ ...creator, grants: { ...creator.grants, [entity]: granted } })
}

/** What the user may do with one thing; null: not even see it. */
export function permissionOf({ grants }: UserRecord, entity: Entity, id: number): Permission | null {
  if (grants === null) return 'read_write'
  return grants[entity]?.find((grant) => grant.id === id)?.permissions ?? null
}

export function mayAdd({ grants }: UserRecord, grant: keyof Grants['global']): boolean {
  return grants === null || grants.global[grant] === true
}
