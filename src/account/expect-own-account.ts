/** Checks whether a file or a record belongs to the account of a run. */
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import type { Account, AccountIdentity } from './account'
import { isOtherUser } from './identity'

/** Returns `user "owner" (1) at https://api.example.net/v4`. */
function accountText({ service, user }: Pick<AccountIdentity, 'service' | 'user'>): string {
  return `${user ? `user "${escapeText(user.username)}" (${user.uid})` : 'an unknown user'} at ${service}`
}

/** Returns the reason why an account is unknown, for the end of a sentence. */
export const reasonText = (identity: AccountIdentity) => ('problem' in identity ? `: ${identity.problem.message}` : '')

/** A file or record that belongs to an account, such as a saved plan. */
interface Belonging {
  /** Beginning of the message, before the account: `plan.json was made for`. */
  text: string
  owner: Pick<AccountIdentity, 'service' | 'user'>
  hint: string
}

/**
 * Throws `conflict` if it belongs to another account, and warns if that is unknown. Resolves to true if it is known.
 */
export async function expectOwnAccount({ text, owner, hint }: Belonging, account: Account): Promise<boolean> {
  const now = await account.identity()
  if (owner.service !== now.service || isOtherUser(owner.user, now.user)) {
    throw new Problem('conflict', `${text} ${accountText(owner)}, but this is ${accountText(now)}`, { hint })
  }
  if (owner.user && now.user) return true
  const unknown = owner.user
    ? `the API does not report the user of this token${reasonText(now)}`
    : 'its user is unknown'
  await account.reporter.warn(`${text} ${accountText(owner)}: ${unknown}`)
  return false
}
