/** Reads the acting user, and the scopes of the current token. */
import { type Profile, profile } from '../../catalogue/profile/profile'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { answerOf } from '../../http/request-outcome'

interface Account {
  profile: Profile
  /** Scopes of the current token, separated by spaces; undefined if unknown. */
  scopes: string | undefined
  /** The service's time in milliseconds since the epoch; undefined if unknown. */
  serviceTime: number | undefined
}

/** Returns the user name; throws `defect` if it is empty. */
export function usernameOf({ username }: Profile): string {
  if (username !== '') return username
  throw new Problem('defect', 'the service did not report the user of the token', { hint: 'Check the base URL' })
}

/** Reads the profile, and the facts in its headers (gaps.md, On the wire). */
export async function readAccount(client: Client): Promise<Account> {
  const got = await client.once(profile.view)
  const answer = answerOf(got)
  const scopes = got.headers?.['x-oauth-scopes']
  return {
    profile: answer,
    scopes: scopes === undefined || scopes === 'unknown' ? undefined : scopes.replaceAll(',', ' ').trim(),
    serviceTime: client.serviceTime,
  }
}
