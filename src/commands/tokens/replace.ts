/** One token in the place of another. At every moment one of them works; a failure names each that may. */
import { profile } from '../../catalogue/profile/profile'
import type { Token } from '../../catalogue/tokens'
import { send } from '../../engine/change'
import { isLost } from '../../engine/lost'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { shellWord } from '../../rules/shell-words'
import type { Session } from '../../session'
import { type Holders, holdersOf } from './holders'
import { isInUse } from './in-use'
import { notLeftOver } from './left-over'
import { type Delivery, deliverToken, proveDelivery, TextLost, tokenRequest } from './make'
import type { Retirement } from './retire'
import { revocation } from './retire'
import { giveWay, refuseReplaced, rivalsOf } from './rivals'
import { beginRotation, type Progress, withoutOthers } from './rotations'

export interface Replacement {
  old: Token
  /** The request for the new one. */
  body: Record<string, unknown>
  retirement: Retirement
  /** Whose tokens these are. */
  user: string
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
  const progress = beginRotation(folder, { user, old: old.id, body, others, since: before?.serviceTime ?? null })
  const next = await send(request, session).catch(async (error: unknown) => {
    if (isLost(error)) throw telling(error, { state: asBefore(old), hint: lookHint(error, old) })
    progress.end()
    throw telling(error, { state: (await isGone(error, old, session)) ? 'no token was made' : asBefore(old) })
  })
  progress.made(next.id)
  await notLeftOver(next.id, session, old.id)
  return { replacement, next, others, holders, progress, delivery }
}

const asBefore = ({ id }: Token) => `token ${id} is as valid as before`

/** A token that is in use and not known any more was revoked meanwhile, and is not as valid as before. */
async function isGone(error: unknown, old: Token, session: Session): Promise<boolean> {
  return error instanceof Problem && error.code === 'not_signed_in' && (await isInUse(old, session))
}

function lookHint({ details: { hint = '' } }: Problem, { label }: Token): string {
  if (hint.includes('skyctl tokens')) return hint
  const list = `skyctl tokens list --filter ${shellWord(`label=${label}`)}`
  return `Look what was made: ${list}; end it with skyctl tokens revoke ID`
}

/** Gives the new token to all that hold the old one, and sees the old one off. */
async function put(made: Made): Promise<void> {
  const { replacement, next, holders, delivery, progress } = made
  const { old, retirement, user } = replacement
  const { session } = delivery
  let left = { state: `token ${next.id} was made to replace it, and ${asBefore(old)}`, hint: endOne(old, next) }
  try {
    // Given out before anything else can fail: nobody else has a copy.
    await deliverToken(next, delivery)
    const proved = await prove(next, user, session)
    // A token that revokes itself could not ask again where the answer is lost, nor look what else was made.
    const acting = (await isInUse(old, session)) ? proved : await session.client()
    const names = await holders.give(next.token)
    if (holders.any && names.length === 0) throw await second(made, acting)
    for (const name of names) await session.say(`The context "${name}" has the new token`)
    left = {
      state: `token ${next.id} works in its place, and token ${old.id} may still be valid`,
      hint: `Revoke the old one: skyctl tokens revoke ${old.id} --if-present`,
    }
    await retire(made, acting)
    await tellSource(made, names)
    progress.end()
  } catch (error) {
    if (error instanceof GaveWay) throw error.problem
    throw error instanceof TextLost ? await takenBack(error, made) : telling(error, left)
  }
  await session.say(`Replaced token "${old.label}": ${next.id} works, ${retirement.done}`)
}

const endOne = (old: Token, next: Token) =>
  `Revoke the one that you do not keep: skyctl tokens revoke ${next.id}, or skyctl tokens revoke ${old.id}`

/** Resolves to a client with the new token; throws where the service does not take it for one of the same user. */
async function prove({ token }: Token, user: string, session: Session): Promise<Client> {
  const { baseUrl } = await session.signedIn()
  const client = await session.client({ as: { baseUrl, token } })
  const { username } = await client.call(profile.view)
  if (username === user) return client
  throw new Problem('defect', `the new token is of ${username}, not of ${user}`)
}

/** Not a failure to replace: it is replaced, by somebody else. */
class GaveWay extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message)
  }
}

async function second({ replacement: { old }, next, others, progress }: Made, acting: Client): Promise<GaveWay> {
  const [rival] = await rivalsOf({ old, next, others }, acting)
  const problem = await giveWay({ old, next, others }, rival, acting)
  progress.end()
  return new GaveWay(problem)
}

async function retire(made: Made, acting: Client): Promise<void> {
  const { old, retirement } = made.replacement
  const gone = await see(retirement, acting)
  const [rival] = gone || !retirement.ends ? await rivalsOf({ ...made, old }, acting) : []
  // Of those that leave the old one, nothing but their order tells who was first.
  if (rival !== undefined && (gone || rival < made.next.id)) throw await second(made, acting)
}

/** Says where the new token must be put by hand: `names` are the contexts that have it. */
async function tellSource({ replacement, delivery }: Made, names: readonly string[]): Promise<void> {
  const { old, retirement } = replacement
  const { session } = delivery
  if (names.length > 0 || !(await isInUse(old, session))) return
  await session.warn(`the ${retirement.ends ? 'revoked' : 'old'} token was the one in use: ${await sourceOf(session)}`)
}

/** Whether somebody else has revoked the old token before. */
async function see({ request: { operation, path = {}, body } }: Retirement, client: Client): Promise<boolean> {
  try {
    await client.call(operation, { path, ...(body && { body }) })
    return false
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return true
    throw error
  }
}

/** A failure that also tells which token works. */
function telling(error: unknown, { state, hint }: { state: string; hint?: string }): unknown {
  if (!(error instanceof Problem)) return error
  const details = { ...error.details, ...(hint !== undefined && { hint }), cause: error }
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
