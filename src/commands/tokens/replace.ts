/** Replaces a token by a new one. One of them works at every moment; a failure names each that may work. */

import type { User } from '../../account/account'
import { send } from '../../account/change'
import { isOtherUser } from '../../account/identity'
import { isLost } from '../../account/lost-response'
import { isInUse } from '../../account/token-in-use'
import { profile } from '../../catalogue/profile/profile'
import type { Token } from '../../catalogue/tokens'
import type { Session } from '../../engine/session'
import { type Created, isGone, Problem } from '../../errors'
import type { Client } from '../../http/client'
import { shellWord } from '../../rules/texts'
import { refuseReplaced, replacedMeanwhile, Yielded, yieldLate, yieldToRival } from './concurrent-rotation'
import type { Retirement } from './grace-period'
import { type Delivery, deliverToken, proveDelivery, TakenBack, tokenRequest } from './make'
import { excludeFromOrphaned } from './orphaned-tokens'
import { beginRotation, type RotationProgress, withoutOthers } from './rotations'
import { type TokenUsers, tokenUsers } from './token-users'

export interface TokenReplacement {
  old: Token
  /** Body of the request for the new token. */
  body: Record<string, unknown>
  retirement: Retirement
  /** User of the tokens. */
  user: User
  /** True if the current token may be revoked although the new one is only printed. */
  evenIfCurrent: boolean
}

/** State after the new token was created. */
interface CreatedReplacement {
  replacement: TokenReplacement
  next: Token
  /** Ids of earlier tokens with the label. */
  others: number[]
  holders: TokenUsers
  progress: RotationProgress
  delivery: Delivery
}

/** Replaces a token. All checks that are possible come before the new token is created. */
export async function replaceToken(replacement: TokenReplacement, delivery: Delivery): Promise<void> {
  const { session } = delivery
  const { old } = replacement
  await withoutOthers(old.id, session, async (folder) => {
    await refuseReplaced(old, session)
    await proveDelivery(delivery)
    const holders = await tokenUsers(old.token, session)
    await refuseUnstored(replacement, holders, delivery)
    await put(await make(replacement, { folder, holders, delivery }))
  })
}

/** Throws `usage` if the current token would be revoked and the new one only printed. */
async function refuseUnstored(
  { old, retirement, evenIfCurrent }: TokenReplacement,
  { any }: TokenUsers,
  { file, session }: Delivery,
): Promise<void> {
  const stored = any || file !== undefined
  if (evenIfCurrent || stored || !retirement.ends || !(await isInUse(old, session.account))) return
  const message = `token "${old.label}" (${old.id}) is the current token, and the new one would not be stored`
  throw new Problem('usage', message, {
    hint: 'Add --output-file FILE, keep the old one for a while with --keep-old, or add --force',
  })
}

async function make(
  replacement: TokenReplacement,
  { folder, holders, delivery }: Pick<CreatedReplacement, 'holders' | 'delivery'> & { folder: string | undefined },
): Promise<CreatedReplacement> {
  const { session } = delivery
  const { old, body, user } = replacement
  const { before, ...request } = await tokenRequest(body, session)
  const others = (before?.items ?? []).map(({ id }) => id)
  const origin = { user: user.username, uid: user.uid, since: before?.serviceTime ?? null }
  const progress = await beginRotation(folder, { ...origin, old: old.id, body, others })
  const next = await send(request, session.account).catch(async (error: unknown) => {
    if (isLost(error)) throw telling(error, { state: asBefore(old), hint: lookHint(error, old) })
    progress.end()
    throw (await isRevoked(error, old, session)) ? replacedMeanwhile(old) : telling(error, { state: asBefore(old) })
  })
  await progress.recordCreated(next.id)
  await excludeFromOrphaned(next.id, session, old.id)
  return { replacement, next, others, holders, progress, delivery }
}

const asBefore = ({ id }: Token) => `token ${id} is still valid`

/** Reports whether the old token was revoked in the meantime: it is the current one, and no longer accepted. */
async function isRevoked(error: unknown, old: Token, session: Session): Promise<boolean> {
  return error instanceof Problem && error.code === 'not_signed_in' && (await isInUse(old, session.account))
}

function lookHint({ details: { hint = '' } }: Problem, { label }: Token): string {
  if (hint.includes('skyctl tokens revoke')) return hint
  const list = `skyctl tokens list --filter ${shellWord(`label=${label}`)}`
  return `Check for a new token: ${list}; revoke it: skyctl tokens revoke ID`
}

/** Stores the new token wherever the old one is used, and retires the old one. */
async function put(created: CreatedReplacement): Promise<void> {
  const { replacement, next, others, holders, delivery, progress } = created
  const { old, retirement, user } = replacement
  const { session } = delivery
  let left = { state: `token ${next.id} was created to replace it, and ${asBefore(old)}`, hint: endOne(old, next) }
  try {
    const ours = await session.account.client({
      as: { ...(await session.account.access.signedIn()), token: next.token },
    })
    // The old token may be revoked by now, and below it would revoke itself: then a lost answer could not be checked.
    const acting = (await isInUse(old, session.account)) ? ours : await session.account.client()
    // Delivered even after a failure, as there is no other copy.
    await yieldToRival({ old, next, others }, acting).catch(async (error: unknown) => {
      if (!(error instanceof Yielded)) await deliverToken(next, delivery)
      throw error
    })
    await deliverToken(next, delivery)
    await prove(user, ours)
    const names = await holders.give(next.token)
    if (holders.any && names.length === 0) await yieldLate({ old, next, others }, acting)
    for (const name of names) await session.ui.status(`The context "${name}" has the new token`)
    left = {
      state: `token ${next.id} replaces it, and token ${old.id} may still be valid`,
      hint: `Revoke the old one: skyctl tokens revoke ${old.id} --if-present`,
    }
    await retire(created, acting)
    await tellSource(created, names)
    progress.end()
  } catch (error) {
    const over = error instanceof Yielded || error instanceof TakenBack
    if (!over) throw telling(error, { ...left, created: { kind: 'token', id: next.id, label: next.label } })
    progress.end()
    throw error instanceof TakenBack ? telling(error, { state: asBefore(old) }) : error
  }
  await session.ui.status(`Replaced token "${old.label}" with ${next.id}; ${retirement.done}`)
}

const endOne = (old: Token, next: Token) =>
  `Revoke the one that you do not need: skyctl tokens revoke ${next.id}, or skyctl tokens revoke ${old.id}`

/** Throws if the new token belongs to another user. */
async function prove(user: User, ours: Client): Promise<void> {
  const now = await ours.call(profile.view, { essential: ['uid'] })
  if (isOtherUser(now, user))
    throw new Problem('defect', `the new token is of ${now.username}, not of ${user.username}`)
}

/** Retires the old token. If it is already gone, another rotation may have replaced it. */
async function retire({ replacement, next, others }: CreatedReplacement, acting: Client): Promise<void> {
  const { old, retirement } = replacement
  const { operation, path = {}, body } = retirement.request
  try {
    await acting.call(operation, { path, ...(body && { body }) })
  } catch (error) {
    if (!isGone(error)) throw error
    await yieldLate({ old, next, others }, acting)
  }
}

/** Prints where the user must store the new token; `names` are the contexts that have it. */
async function tellSource({ replacement, delivery }: CreatedReplacement, names: readonly string[]): Promise<void> {
  const { old, retirement } = replacement
  const { session } = delivery
  if (names.length > 0 || !(await isInUse(old, session.account))) return
  await session.ui.warn(
    `the ${retirement.ends ? 'revoked' : 'old'} token was the current one: ${await sourceOf(session)}`,
  )
}

/** Adds to a failure which token works. */
function telling(
  error: unknown,
  { state, hint, created }: { state: string; hint?: string; created?: Created },
): unknown {
  if (!(error instanceof Problem)) return error
  const details = { ...error.details, ...(hint !== undefined && { hint }), ...(created && { created }), cause: error }
  return new Problem(error.code, `${error.message}; ${state}`, details)
}

/** Returns the place where the user must store the new token. */
async function sourceOf(session: Session): Promise<string> {
  const credential = await session.account.access.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return 'sign in with the new one'
  if ('command' in credential.secret) return 'update the token command to print the new one'
  return 'file' in credential.secret
    ? `put the new one into ${credential.secret.file}`
    : 'put the new one in SKYCTL_TOKEN'
}
