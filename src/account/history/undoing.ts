/** Records the changes of an undo with what they undo. */
import { once } from '../../rules/once'
import type { Account } from '../account'

/** Returns the account for the undo of a change, by its entry, or of a whole apply, by its id. */
export function undoing(account: Account, undoes: string, { isApply = false } = {}): Account {
  return { ...account, history: once(async () => (await account.history())?.undoing(undoes, { isApply })) }
}
