/**
 * Identifies the account of a run: the user from Profile View, at a base URL. Saved plans, journals, the history, rule
 * backups and rotations belong to the user, not to an address that several users share.
 *
 * - Decisions about it ask the service, once per run (`Session.identity`).
 * - Records use the user that this machine has seen with the same token, as a token never changes its user. Files have
 *   a hash of the token, never the token.
 */
import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { profile } from '../catalogue/profile/profile'
import { type ErrorCode, Problem } from '../errors'
import { readPrivately } from '../files/private'
import { writePrivately } from '../files/write'
import { escapeText } from '../output/escape'
import { isRecord } from '../rules/records'
import type { AccountIdentity, Session, User } from '../session'
import { serviceOf } from './account'
import { deferWarnings } from './deferred-warnings'
import { openStateFolder } from './state-folder'

/** Codes of problems that say nothing about the user: the run ends with them. */
const ending = new Set<ErrorCode>(['usage', 'not_signed_in', 'interrupted', 'terminated', 'context_not_found'])

/** Asks the service; `Session.identity` does so once per run. */
export async function readIdentity(session: Session): Promise<AccountIdentity> {
  const service = await serviceOf(session)
  try {
    return { service, user: await askedUser(session) }
  } catch (error) {
    if (!(error instanceof Problem) || ending.has(error.code)) throw error
    return { service, user: undefined, problem: error }
  }
}

/** Returns the user for records: remembered, or read with one short request. Never fails. */
export async function knownUser(session: Session): Promise<User | undefined> {
  return (await rememberedUser(session)) ?? askedUser(session, { brief: true }).catch(() => undefined)
}

/** Returns the user that this machine has seen with a token, by default the current one. Never fails. */
export async function rememberedUser(session: Session, as?: Signed): Promise<User | undefined> {
  try {
    const folder = await openStateFolder(folderName, session)
    const path = join(folder, fileOf(as ?? (await signedIn(session))))
    const value: unknown = JSON.parse((await deferWarnings(session, (warn) => readPrivately(path, warn))) ?? 'null')
    return isUser(value) ? { uid: value.uid, username: value.username } : undefined
  } catch {
    return undefined
  }
}

/**
 * Remembers the user of a token, by default of the current one. If that fails, the service is asked again next time.
 */
export async function rememberUser({ uid, username }: User, session: Session, as?: Signed): Promise<void> {
  try {
    const folder = await openStateFolder(folderName, session)
    for (const name of readdirSync(folder).slice(mostFiles)) rmSync(join(folder, name), { force: true })
    writePrivately(join(folder, fileOf(as ?? (await signedIn(session)))), `${JSON.stringify({ uid, username })}\n`)
  } catch {
    // The service is asked again next time.
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

export interface Signed {
  service: string
  token: string
}

const signedIn = async (session: Session): Promise<Signed> => ({
  service: await serviceOf(session),
  token: (await session.signedIn()).token,
})

const folderName = 'users'

/** Limit for users who get a new token for each job, and need no files of old ones. */
const mostFiles = 200

/** Returns the file name of a token. It includes the address, as two services may issue the same token. */
export function fileOf({ service, token }: Signed): string {
  return `${createHash('sha256').update(`${service} ${token}`).digest('hex').slice(0, 32)}.json`
}

export function isUser(value: unknown): value is User {
  return isRecord(value) && Number.isSafeInteger(value.uid) && typeof value.username === 'string'
}

/** Reports whether both users are known and differ. An unknown user may be anybody. */
export function isOtherUser(one: User | undefined, other: User | undefined): boolean {
  return one !== undefined && other !== undefined && (one.uid !== other.uid || one.username !== other.username)
}

/** Returns `user "owner" (1)`; older files have no name. */
export const userText = ({ uid, username }: User) =>
  username ? `user "${escapeText(username)}" (${uid})` : `user ${uid}`

/** Returns `user "owner" (1) at https://api.example.net/v4`. */
export function accountText({ service, user }: Pick<AccountIdentity, 'service' | 'user'>): string {
  return `${user ? userText(user) : 'an unknown user'} at ${service}`
}

/** Returns the reason why an account is unknown, for the end of a sentence. */
export const reasonText = (identity: AccountIdentity) => ('problem' in identity ? `: ${identity.problem.message}` : '')

/** A file or record that belongs to an account, such as a saved plan. */
interface Belonging {
  /** Beginning of the message, before the account: `plan.json was made for`. */
  made: string
  account: Pick<AccountIdentity, 'service' | 'user'>
  hint: string
}

/**
 * Throws `conflict` if it belongs to another account, and warns if that is unknown. Resolves to true if it is known.
 */
export async function expectOwnAccount({ made, account, hint }: Belonging, session: Session): Promise<boolean> {
  const now = await session.identity()
  if (account.service !== now.service || isOtherUser(account.user, now.user)) {
    throw new Problem('conflict', `${made} ${accountText(account)}, but this is ${accountText(now)}`, { hint })
  }
  if (account.user && now.user) return true
  const unknown = account.user
    ? `the API does not report the user of this token${reasonText(now)}`
    : 'its user is unknown'
  await session.warn(`${made} ${accountText(account)}: ${unknown}`)
  return false
}
