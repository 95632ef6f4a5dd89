/**
 * Identifies the account that a run acts on: the user, as Profile View names them, at a base URL. Saved plans, journals,
 * the history, rule backups and rotations belong to it, and not to an address that several users share.
 *
 * - Where something is decided by it, the service is asked, once a run (`Session.identity`).
 * - What is only written down takes the user that this machine has seen before with the same token: a token is of one
 *   user for ever. Files hold a hash of the token, never the token.
 */
import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { profile } from '../catalogue/profile/profile'
import { type Code, Problem } from '../errors'
import { readPrivately } from '../files/private'
import { writePrivately } from '../files/write'
import { safe } from '../output/safe'
import { isRecord } from '../rules/records'
import type { Identity, Session, User } from '../session'
import { serviceOf } from './account'
import { heard } from './heard'
import { openStateFolder } from './state-folder'

/** Failures that tell nothing of the user: the run ends with them. */
const ending = new Set<Code>(['usage', 'not_signed_in', 'interrupted', 'terminated', 'context_not_found'])

/** Asks the service; `Session.identity` does so once a run. */
export async function readIdentity(session: Session): Promise<Identity> {
  const service = await serviceOf(session)
  try {
    return { service, user: await askedUser(session) }
  } catch (error) {
    if (!(error instanceof Problem) || ending.has(error.code)) throw error
    return { service, user: undefined, problem: error }
  }
}

/** The user, for what is written down: known from before, or asked for in one short request. Never fails. */
export async function knownUser(session: Session): Promise<User | undefined> {
  return (await rememberedUser(session)) ?? askedUser(session, { brief: true }).catch(() => undefined)
}

/** The user whom this machine has seen with the token in use. Never fails. */
export async function rememberedUser(session: Session): Promise<User | undefined> {
  try {
    const folder = await openStateFolder(folderName, session)
    const path = join(folder, fileOf(await signedIn(session)))
    const value: unknown = JSON.parse((await heard(session, (warn) => readPrivately(path, warn))) ?? 'null')
    return isUser(value) ? { uid: value.uid, username: value.username } : undefined
  } catch {
    return undefined
  }
}

/** Keeps who a token belongs to, that in use unless another is named. Where that cannot be written, the service is asked again. */
export async function rememberUser({ uid, username }: User, session: Session, as?: Signed): Promise<void> {
  try {
    const folder = await openStateFolder(folderName, session)
    for (const name of readdirSync(folder).slice(mostFiles)) rmSync(join(folder, name), { force: true })
    writePrivately(join(folder, fileOf(as ?? (await signedIn(session)))), `${JSON.stringify({ uid, username })}\n`)
  } catch {
    // See above.
  }
}

async function askedUser(session: Session, options: { brief?: true } = {}): Promise<User> {
  const client = await session.client(options)
  const { uid, username } = await client.call(profile.view, { essential: ['uid'] })
  // A service may repeat a secret anywhere, and the name is written to files.
  const user = { uid, username: session.secrets.inData(username) }
  await rememberUser(user, session)
  return user
}

interface Signed {
  service: string
  token: string
}

const signedIn = async (session: Session): Promise<Signed> => ({
  service: await serviceOf(session),
  token: (await session.signedIn()).token,
})

const folderName = 'users'

/** Whoever gets a new token for each job has no use for those of old ones. */
const mostFiles = 200

/** The file of a token. The address is part of its name: two services may give out the same token. */
export function fileOf({ service, token }: Signed): string {
  return `${createHash('sha256').update(`${service} ${token}`).digest('hex').slice(0, 32)}.json`
}

export function isUser(value: unknown): value is User {
  return isRecord(value) && Number.isSafeInteger(value.uid) && typeof value.username === 'string'
}

/** Whether both are known, and are two. A user that is not known may be anybody. */
export function isOtherUser(one: User | undefined, other: User | undefined): boolean {
  return one !== undefined && other !== undefined && (one.uid !== other.uid || one.username !== other.username)
}

/** `user "owner" (1)`; an older file has no name. */
export const userText = ({ uid, username }: User) => (username ? `user "${safe(username)}" (${uid})` : `user ${uid}`)

/** `user "owner" (1) at https://api.example.net/v4` */
export function accountText({ service, user }: Pick<Identity, 'service' | 'user'>): string {
  return `${user ? userText(user) : 'an unknown user'} at ${service}`
}

/** Why an account is not known, for the end of a sentence. */
export const reasonText = (identity: Identity) => ('problem' in identity ? `: ${identity.problem.message}` : '')

/** What belongs to an account, such as a saved plan. */
interface Belonging {
  /** `plan.json was made for`, before the account. */
  made: string
  account: Pick<Identity, 'service' | 'user'>
  hint: string
}

/**
 * Throws `conflict` where it belongs to another account, and warns where that is not known. Resolves to whether it is
 * known.
 */
export async function expectOwnAccount({ made, account, hint }: Belonging, session: Session): Promise<boolean> {
  const now = await session.identity()
  if (account.service !== now.service || isOtherUser(account.user, now.user)) {
    throw new Problem('conflict', `${made} ${accountText(account)}, but this is ${accountText(now)}`, { hint })
  }
  if (account.user && now.user) return true
  const unknown = account.user ? `the API does not say who uses this token${reasonText(now)}` : 'its user is not known'
  await session.warn(`${made} ${accountText(account)}: ${unknown}`)
  return false
}
