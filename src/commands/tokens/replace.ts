/** One token in the place of another. At every moment one of them works; a failure names each that may. */
import { profile } from '../../catalogue/profile/profile'
import type { Token } from '../../catalogue/tokens'
import { send } from '../../engine/change'
import { isOtherUser } from '../../engine/identity'
import { isLost } from '../../engine/lost'
import { type Created, isGone, Problem } from '../../errors'
import type { Client } from '../../http/client'
import { shellWord } from '../../rules/shell-words'
import type { Session, User } from '../../session'
import { type Holders, holdersOf } from './holders'
import { isInUse } from './in-use'
import { notLeftOver } from './left-over'
import { type Delivery, deliverToken, proveDelivery, TakenBack, tokenRequest } from './make'
import type { Retirement } from './retire'
import { GaveWay, giveWay, giveWayLate, refuseReplaced, replacedMeanwhile } from './rivals'
import { beginRotation, type Progress, withoutOthers } from './rotations'

export interface Replacement {
  old: Token
  /** The request for the new one. */
  body: Record<string, unknown>
  retirement: Retirement
  /** Whose tokens these are. */
  user: User
  /** The old one may be revoked although it is in use and the new one only shown. */
  evenIfCurrent: boolean
}

/** What is known once the new token is there. */
interface Made {
  replacement: Replacement
  next: Token
  /** The tokens that had the label before. */
  others: number[]
  holders: Holders
  progress: Progress
  delivery: Delivery
}

/** Whatever can be found out before is found out before there is a second token. */
export async function replace(replacement: Replacement, delivery: Delivery): Promise<void> {
  const { session } = delivery
  const { old } = replacement
  await withoutOthers(old.id, session, async (folder) => {
    await refuseReplaced(old, session)
    await proveDelivery(delivery)
    const holders = await holdersOf(old.token, session)
    await refuseUnstored(replacement, holders, delivery)
    await put(await make(replacement, { folder, holders, delivery }))
  })
}

/** A new token that is only shown, while the old one signs in and is revoked, is to be meant. */
async function refuseUnstored(
  { old, retirement, evenIfCurrent }: Replacement,
  { any }: Holders,
  { file, session }: Delivery,
): Promise<void> {
  const stored = any || file !== undefined
  if (evenIfCurrent || stored || !retirement.ends || !(await isInUse(old, session))) return
  const message = `token "${old.label}" (${old.id}) is the one in use, and the new one would only be shown`
  throw new Problem('usage', message, {
    hint: 'Add --output-file FILE, leave the old one for a while with --keep-old, or add --even-if-current',
  })
}

async function make(
  replacement: Replacement,
  { folder, holders, delivery }: Pick<Made, 'holders' | 'delivery'> & { folder: string | undefined },
): Promise<Made> {
  const { session } = delivery
  const { old, body, user } = replacement
  const { before, ...request } = await tokenRequest(body, session)
  const others = (before?.items ?? []).map(({ id }) => id)
  const known = { user: user.username, uid: user.uid, since: before?.serviceTime ?? null }
  const progress = await beginRotation(folder, { ...known, old: old.id, body, others })
  const next = await send(request, session).catch(async (error: unknown) => {
    if (isLost(error)) throw telling(error, { state: asBefore(old), hint: lookHint(error, old) })
    progress.end()
    throw (await isRevoked(error, old, session)) ? replacedMeanwhile(old) : telling(error, { state: asBefore(old) })
  })
  await progress.made(next.id)
  await notLeftOver(next.id, session, old.id)
  return { replacement, next, others, holders, progress, delivery }
}

const asBefore = ({ id }: Token) => `token ${id} is as valid as before`

/** A token that is in use and not known any more was revoked meanwhile, and is not as valid as before. */
async function isRevoked(error: unknown, old: Token, session: Session): Promise<boolean> {
  return error instanceof Problem && error.code === 'not_signed_in' && (await isInUse(old, session))
}

function lookHint({ details: { hint = '' } }: Problem, { label }: Token): string {
  if (hint.includes('skyctl tokens revoke')) return hint
  const list = `skyctl tokens list --filter ${shellWord(`label=${label}`)}`
  return `Look what was made: ${list}; end it with skyctl tokens revoke ID`
}

/** Gives the new token to all that hold the old one, and sees the old one off. */
async function put(made: Made): Promise<void> {
  const { replacement, next, others, holders, delivery, progress } = made
  const { old, retirement, user } = replacement
  const { session } = delivery
  let left = { state: `token ${next.id} was made to replace it, and ${asBefore(old)}`, hint: endOne(old, next) }
  try {
    const ours = await session.client({ as: { ...(await session.signedIn()), token: next.token } })
    // The old one may be revoked by now, and revokes itself below: then it could not ask again for a lost answer.
    const acting = (await isInUse(old, session)) ? ours : await session.client()
    // Given out whatever else fails: nobody else has a copy.
    await giveWay({ old, next, others }, acting).catch(async (error: unknown) => {
      if (!(error instanceof GaveWay)) await deliverToken(next, delivery)
      throw error
    })
    await deliverToken(next, delivery)
    await prove(user, ours)
    const names = await holders.give(next.token)
    if (holders.any && names.length === 0) await giveWayLate({ old, next, others }, acting)
    for (const name of names) await session.say(`The context "${name}" has the new token`)
    left = {
      state: `token ${next.id} works in its place, and token ${old.id} may still be valid`,
      hint: `Revoke the old one: skyctl tokens revoke ${old.id} --if-present`,
    }
    await retire(made, acting)
    await tellSource(made, names)
    progress.end()
  } catch (error) {
    const over = error instanceof GaveWay || error instanceof TakenBack
    if (!over) throw telling(error, { ...left, created: { kind: 'token', id: next.id, label: next.label } })
    progress.end()
    throw error instanceof TakenBack ? telling(error, { state: asBefore(old) }) : error
  }
  await session.say(`Replaced token "${old.label}": ${next.id} works, ${retirement.done}`)
}

const endOne = (old: Token, next: Token) =>
  `Revoke the one that you do not keep: skyctl tokens revoke ${next.id}, or skyctl tokens revoke ${old.id}`

/** Throws where the service does not take the new token for one of the same user. */
async function prove(user: User, ours: Client): Promise<void> {
  const now = await ours.call(profile.view)
  if (isOtherUser(now, user))
    throw new Problem('defect', `the new token is of ${now.username}, not of ${user.username}`)
}

/** Sees the old token off. Where somebody else has done so meanwhile, that may have been another rotation. */
async function retire({ replacement, next, others }: Made, acting: Client): Promise<void> {
  const { old, retirement } = replacement
  const { operation, path = {}, body } = retirement.request
  try {
    await acting.call(operation, { path, ...(body && { body }) })
  } catch (error) {
    if (!isGone(error)) throw error
    await giveWayLate({ old, next, others }, acting)
  }
}

/** Says where the new token must be put by hand: `names` are the contexts that have it. */
async function tellSource({ replacement, delivery }: Made, names: readonly string[]): Promise<void> {
  const { old, retirement } = replacement
  const { session } = delivery
  if (names.length > 0 || !(await isInUse(old, session))) return
  await session.warn(`the ${retirement.ends ? 'revoked' : 'old'} token was the one in use: ${await sourceOf(session)}`)
}

/** A failure that also tells which token works. */
function telling(
  error: unknown,
  { state, hint, created }: { state: string; hint?: string; created?: Created },
): unknown {
  if (!(error instanceof Problem)) return error
  const details = { ...error.details, ...(hint !== undefined && { hint }), ...(created && { created }), cause: error }
  return new Problem(error.code, `${error.message}; ${state}`, details)
}

/** Where the new token must be put by hand. */
async function sourceOf(session: Session): Promise<string> {
  const credential = await session.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return 'sign in with the new one'
  if ('command' in credential.secret) return 'let the token command print the new one'
  return 'file' in credential.secret
    ? `put the new one into ${credential.secret.file}`
    : 'put the new one in SKYCTL_TOKEN'
}
