/** Who acts, and what the token in use may do. */
import { type Profile, profile } from '../../catalogue/profile/profile'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'

interface Account {
  profile: Profile
  /** Scopes of the token in use, separated by a space; undefined where the service does not tell. */
  scopes: string | undefined
  /** The service's own time in milliseconds since the epoch; undefined where it does not tell. */
  serviceTime: number | undefined
}

/** Who signs in; throws `defect` where that is nobody. */
export function usernameOf({ username }: Profile): string {
  if (username !== '') return username
  throw new Problem('defect', 'the service did not say whose token it is', { hint: 'Is the base URL right?' })
}

/** Profile View with what its headers tell besides (gaps.md, On the wire). */
export async function readAccount(client: Client): Promise<Account> {
  const { body, headers } = await client.receive(profile.view)
  const scopes = headers['x-oauth-scopes']
  const serviceTime = Date.parse(headers.date ?? '')
  return {
    profile: body,
    scopes: scopes === undefined || scopes === 'unknown' ? undefined : scopes.replaceAll(',', ' ').trim(),
    serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
  }
}
