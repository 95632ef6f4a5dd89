/**
 * Stores backups of rules that changes from this machine have replaced: `rules/ACCOUNT/firewall-ID-TIME.json` in the
 * state folder. `rules update --file` accepts them. Older versions stored them beside these folders, without an
 * account; skyctl does not use those.
 */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FirewallRules } from '../catalogue/firewall-rules'
import { formatJson, parseJson } from '../data/json'
import { Problem } from '../errors'
import { deferWarnings } from '../files/deferred-warnings'
import { isNewer, newerFile } from '../files/newer'
import { readPrivately } from '../files/private'
import { writePrivately } from '../files/write'
import { hashOf } from '../firewall/hash'
import { shapedRules } from '../firewall/rules'
import { isRecord } from '../rules/records'
import type { Account, User } from './account'
import { isOtherUser, isUser, knownUser, rememberedUser } from './identity'
import { openStateFolder } from './state-subfolders'

/** A change that was made from this machine. */
export interface BackedUpChange {
  firewallId: number
  /** Milliseconds since the epoch. */
  time: number
  before: FirewallRules
  written: FirewallRules
  /** User who made it, if known. */
  user?: User | undefined
}

/** Maximum number of backups per firewall. */
const mostCopies = 20

interface CopyFile {
  path: string
  firewallId: number
  time: number
}

/** Saves the rules before a change; resolves to the file and its time. */
export async function backUpRules(
  change: Omit<BackedUpChange, 'time' | 'user'>,
  account: Account,
): Promise<{ path: string; time: number }> {
  const folder = await accountFolder(account)
  const copies = copiesIn(folder)
  const newest = copies.at(-1)?.time ?? 0
  // Times are unique, and the last change has the highest, even if the clock was set back.
  const time = Math.max(account.clock.now(), newest + 1)
  const text = new Date(time).toISOString().replaceAll(/[:-]/g, '')
  const path = join(folder, `firewall-${change.firewallId}-${text}.json`)
  const user = await knownUser(account)
  const backup = { ...change.before, replaced_by: change.written, ...(user && { changed_by: user }) }
  writePrivately(path, `${await formatJson(backup)}\n`)
  const own = copies.filter(({ firewallId }) => firewallId === change.firewallId)
  for (const { path } of own.slice(0, Math.max(0, own.length + 1 - mostCopies))) rmSync(path, { force: true })
  return { path, time }
}

/**
 * Returns the last change of a firewall, or of any, by this user or an unknown one; undefined without any. Throws
 * `local` for a damaged backup.
 */
export async function lastChange(
  firewallId: number | undefined,
  account: Account,
): Promise<BackedUpChange | undefined> {
  const { user } = await account.identity()
  const copies = copiesIn(await accountFolder(account)).reverse()
  for (const copy of copies) {
    if (firewallId !== undefined && copy.firewallId !== firewallId) continue
    const change = await readCopy(copy, account)
    if (!isOtherUser(change.user, user)) return change
  }
  return undefined
}

/** Returns the change of a firewall at this time; undefined if its backup has been deleted. */
export async function changeAt(
  firewallId: number,
  time: number,
  account: Account,
): Promise<BackedUpChange | undefined> {
  for (const folder of await accountFolders(account)) {
    const match = copiesIn(folder).find((copy) => copy.firewallId === firewallId && copy.time === time)
    if (match) return readCopy(match, account)
  }
  return undefined
}

/** Returns the rules with this hash, if a change of this user from this machine has replaced or written them. */
export async function backedUpRules(
  firewallId: number,
  hash: string,
  account: Account,
): Promise<FirewallRules | undefined> {
  const user = await rememberedUser(account)
  for (const copy of copiesIn(await accountFolder(account)).reverse()) {
    if (copy.firewallId !== firewallId) continue
    const change = await readCopy(copy, account).catch(() => undefined)
    if (isOtherUser(change?.user, user)) continue
    const match = [change?.written, change?.before].find((rules) => rules && hashOf(rules) === hash)
    if (match) return match
  }
  return undefined
}

async function readCopy({ path, firewallId, time }: CopyFile, account: Account): Promise<BackedUpChange> {
  const text = (await deferWarnings(account.reporter, (warn) => readPrivately(path, warn))) ?? ''
  const backup: unknown = await parseJson(text).catch(() => undefined)
  const { replaced_by: replaced, changed_by: user, ...previous } = isRecord(backup) ? backup : {}
  if (isRecord(backup) && isNewer(backup.format_version)) throw newerFile(path, 'restore the rules by hand')
  const [before, written] = [shapedRules(previous), shapedRules(replaced)]
  if (!isRecord(backup) || !before || !written) throw new Problem('local', `${path} is damaged`)
  return { firewallId, time, before, written, user: isUser(user) ? user : undefined }
}

/** Lists backups from the oldest to the newest. */
function copiesIn(folder: string): CopyFile[] {
  const copies = readdirSync(folder).flatMap((name): CopyFile[] => {
    const [, id, date, hour, minute, second] =
      /^firewall-(\d+)-(\d{8})T(\d\d)(\d\d)(\d\d\.\d{3})Z\.json$/.exec(name) ?? []
    if (id === undefined || date === undefined) return []
    const day = date.replace(/(....)(..)(..)/, '$1-$2-$3')
    const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(time) ? [] : [{ path: join(folder, name), firewallId: Number(id), time }]
  })
  return copies.sort((a, b) => a.time - b.time)
}

/**
 * Moves the backups of a context to its new name. Backups of an earlier context with the new name may be of another
 * account, so they are set aside for the user. Failures are only warnings.
 */
export async function moveContextBackups(
  name: string,
  next: string,
  { clock, local, reporter }: Account,
): Promise<void> {
  try {
    const folder = join(local.paths.state, 'rules')
    if (!statSync(folder, { throwIfNoEntry: false })) return
    const [start, place] = [`${encodeURIComponent(name)}@`, `${encodeURIComponent(next)}@`]
    const accounts = readdirSync(folder)
    const move = (from: string, to: string) => renameSync(join(folder, from), join(folder, to))
    // Names of account folders have no blank.
    for (const left of accounts.filter((one) => one.startsWith(place))) move(left, `${clock.now()} ${left}`)
    for (const own of accounts.filter((one) => one.startsWith(start))) move(own, `${place}${own.slice(start.length)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await reporter.warn(`firewalls rules undo does not find earlier changes under "${next}": ${reason}`)
  }
}

async function accountFolder(account: Account): Promise<string> {
  return openStateFolder(join('rules', await accountName(account)), account)
}

/** Lists the folders of all contexts: several may be of one user, and the time identifies a backup in any of them. */
async function accountFolders(account: Account): Promise<string[]> {
  const folder = await openStateFolder('rules', account)
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

/**
 * Returns `CONTEXT@HOST`, or HOST if the address or the token is from elsewhere: firewalls with the same id at two
 * services are different.
 */
async function accountName(account: Account): Promise<string> {
  const credential = await account.access.credential()
  if (credential.sandbox) return encodeURIComponent(credential.context.name)
  const { baseUrl, baseUrlFrom, secret, context: chosen } = credential
  const host = encodeURIComponent(new URL(baseUrl).host)
  const own = baseUrlFrom === 'context' && !(secret instanceof Problem) && secret.from === 'context'
  return chosen && own ? `${encodeURIComponent(chosen.name)}@${host}` : host
}
