/**
 * Backups of rules that changes from this machine have replaced: entries of the ledger, which keeps the newest of each
 * firewall and account.
 */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { Problem } from '../errors'
import { isNewer, newerFile } from '../files/newer-format'
import { randomMark } from '../files/temporary'
import { hashOf } from '../firewall/hash'
import { shapedRules } from '../firewall/rules'
import { type Account, serviceOf, type User } from './account'
import { isOtherUser, isUser, knownUser, rememberedUser } from './identity'
import type { LedgerEntry } from './ledger/files'
import { addEntry } from './ledger/writer'

/** A change that was made from this machine. */
export interface BackedUpChange {
  id: string
  firewallId: number
  /** Milliseconds since the epoch. */
  time: number
  before: FirewallRules
  written: FirewallRules
  /** User who made it, if known. */
  user?: User | undefined
}

const kind = 'rules '
const groupOf = (firewallId: number) => kind + firewallId

/** Saves the rules before a change; resolves to the id of the backup. */
export async function backUpRules(
  change: Omit<BackedUpChange, 'id' | 'time' | 'user'>,
  account: Account,
): Promise<string> {
  const id = randomMark()
  const owner = { account: await hostOf(account), user: await knownUser(account) }
  const entry: LedgerEntry = { id, group: groupOf(change.firewallId), ...owner, time: account.clock.now(), ...change }
  await addEntry(entry, account)
  return id
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
  const last = (await ownEntries(firewallId, account)).findLast((entry) => !isOtherUser(userOf(entry), user))
  return last && changeIn(last)
}

/** Returns the change of a backup; undefined if it is no longer kept. */
export async function changeAt(id: string, account: Account): Promise<BackedUpChange | undefined> {
  const entry = (await readEntries(account)).find((one) => one.id === id)
  return entry && changeIn(entry)
}

/** Returns the rules with this hash, if a change of this user from this machine has replaced or written them. */
export async function backedUpRules(
  firewallId: number,
  hash: string,
  account: Account,
): Promise<FirewallRules | undefined> {
  const user = await rememberedUser(account)
  const own = (await ownEntries(firewallId, account)).filter((entry) => !isOtherUser(userOf(entry), user))
  const rules = own.reverse().flatMap(({ written, before }) => [shapedRules(written), shapedRules(before)])
  return rules.find((one) => one && hashOf(one) === hash)
}

/** Reads the entries of the ledger. Most changes only add one. */
const readEntries = async (account: Account) => (await import('./ledger/reader')).readEntries(account)

async function ownEntries(firewallId: number | undefined, account: Account): Promise<LedgerEntry[]> {
  const host = await hostOf(account)
  const isMeant = ({ group }: LedgerEntry) =>
    firewallId === undefined ? group.startsWith(kind) : group === groupOf(firewallId)
  return (await readEntries(account)).filter((entry) => entry.account.split('@').at(-1) === host && isMeant(entry))
}

const userOf = ({ user }: LedgerEntry) => (isUser(user) ? user : undefined)

function changeIn(entry: LedgerEntry): BackedUpChange {
  const name = `the backup of the rules of firewall ${entry.firewallId}`
  if (isNewer(entry.format_version)) throw newerFile(name, 'restore the rules by hand')
  const { id, firewallId, time } = entry
  const [before, written] = [shapedRules(entry.before), shapedRules(entry.written)]
  if (!before || !written || typeof firewallId !== 'number' || typeof time !== 'number')
    throw new Problem('local', `${name} is damaged`)
  return { id, firewallId, time, before, written, user: userOf(entry) }
}

/** Returns the host of the service: firewalls with the same id at two services are different. The sandbox has none. */
async function hostOf(account: Account): Promise<string> {
  const service = await serviceOf(account)
  return encodeURIComponent(URL.canParse(service) ? new URL(service).host : service)
}
