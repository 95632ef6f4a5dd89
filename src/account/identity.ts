/**
 * Identifies the account of a run: the user from Profile View, at a base URL. Saved plans, journals, the history and rule
 * backups belong to the user, not to an address that several users share.
 *
 * - Decisions about it ask the service, once per run (`Account.identity`).
 * - Records use the user that this machine has seen with the same token, as a token never changes its user. Files have
 *   a hash of the token, never the token.
 */
import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { profile } from '../catalogue/profile/profile'
import { type ErrorCode, Problem } from '../errors'
import { deferWarnings } from '../files/deferred-warnings'
import { readPrivately } from '../files/private'
import { writePrivately } from '../files/write'
import { isRecord } from '../rules/records'
import type { Account, AccountIdentity, User } from './account'
import { serviceOf } from './account'
import { openStateFolder } from './state-subfolders'

/** Codes of problems that say nothing about the user: the run ends with them. */
const ending = new Set<ErrorCode>(['usage', 'not_signed_in', 'interrupted', 'terminated', 'context_not_found'])

/** Asks the service; `Account.identity` does so once per run. */
export async function readIdentity(account: Account): Promise<AccountIdentity> {
  const service = await serviceOf(account)
  try {
    return { service, user: await askedUser(account) }
  } catch (error) {
    if (!(error instanceof Problem) || ending.has(error.code)) throw error
    return { service, user: undefined, problem: error }
  }
}

/** Returns the user for records: remembered, or read with one short request. Never fails. */
export async function knownUser(account: Account): Promise<User | undefined> {
  return (await rememberedUser(account)) ?? askedUser(account, { brief: true }).catch(() => undefined)
}

/** Returns the user that this machine has seen with a token, by default the current one. Never fails. */
export async function rememberedUser(account: Account, as?: Signed): Promise<User | undefined> {
  try {
    const folder = await openStateFolder(folderName, account)
    const path = join(folder, fileOf(as ?? (await signedIn(account))))
    const value: unknown = JSON.parse(
      (await deferWarnings(account.reporter, (warn) => readPrivately(path, warn))) ?? '',
    )
    return isUser(value) ? { uid: value.uid, username: value.username } : undefined
  } catch {
    return undefined
  }
}

/**
 * Remembers the user of a token, by default of the current one. If that fails, the service is asked again next time.
 */
export async function rememberUser({ uid, username }: User, account: Account, as?: Signed): Promise<void> {
  try {
    const folder = await openStateFolder(folderName, account)
    for (const name of readdirSync(folder).slice(mostFiles)) rmSync(join(folder, name), { force: true })
    writePrivately(join(folder, fileOf(as ?? (await signedIn(account)))), `${JSON.stringify({ uid, username })}\n`)
  } catch {
    // The service is asked again next time.
  }
}

async function askedUser(account: Account, options: { brief?: true } = {}): Promise<User> {
  const client = await account.client(options)
  const { uid, username } = await client.call(profile.view, { essential: ['uid'] })
  // A service may repeat a secret anywhere, and the name is written to files.
  const user = { uid, username: account.local.secrets.inData(username) }
  await rememberUser(user, account)
  return user
}

export interface Signed {
  service: string
  token: string
}

const signedIn = async (account: Account): Promise<Signed> => ({
  service: await serviceOf(account),
  token: (await account.access.signedIn()).token,
})

const folderName = 'users'

/** Limit for users who get a new token for each job, and need no files of old ones. */
const mostFiles = 200

/** Returns the file name of a token. It includes the address, as two services may issue the same token. */
export function fileOf({ service, token }: Signed): string {
  return `${createHash('sha256').update(`${service} ${token}`).digest('hex')}.json`
}

export function isUser(value: unknown): value is User {
  return isRecord(value) && Number.isSafeInteger(value.uid) && typeof value.username === 'string'
}

/** Reports whether both users are known and differ. An unknown user may be anybody. */
export function isOtherUser(one: User | undefined, other: User | undefined): boolean {
  return one !== undefined && other !== undefined && (one.uid !== other.uid || one.username !== other.username)
}
