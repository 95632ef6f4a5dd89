/** The history of a request that an earlier run has sent, and whose outcome only the resumed run finds out. */
import type { Account } from './account'
import { createsOwnKind } from './action-functions'
import type { Change } from './change'
import type { HistoryEntry } from './history/history'
import type { JournalEntry } from './journal-lines'

/** Its entry, and the id that the journal has of it. */
export interface EarlierRequest {
  id: string
  history: HistoryEntry
}

/** Returns the request that an earlier run has sent for a target; undefined if this machine has no record of one. */
export async function earlierRequest({ past }: JournalEntry, account: Account): Promise<EarlierRequest | undefined> {
  if (past?.state !== 'sending' || past.history === undefined) return undefined
  const history = await (await account.history())?.earlier(past.history)
  return history && { id: past.history, history }
}

/**
 * Returns the earlier request if sending it again has the same effect, so that both are one change. Another creation is
 * a change of its own, and so is a PUT: it replaces what the earlier one may have written.
 */
export async function repeatedRequest(
  { entry, action, operation }: Change,
  account: Account,
): Promise<EarlierRequest | undefined> {
  const isOwn = operation.method === 'PUT' || (action !== undefined && createsOwnKind(action))
  return isOwn || !entry ? undefined : earlierRequest(entry, account)
}
