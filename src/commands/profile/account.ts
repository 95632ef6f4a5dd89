/** Who acts, and what the token in use may do. */
import { type Profile, profile } from '../../catalogue/profile/profile'
import type { Client } from '../../http/client'

export interface Account {
  profile: Profile
  /** Scopes of the token in use, separated by a space; undefined where the service does not tell. */
  scopes: string | undefined
  /** The service's own time in milliseconds since the epoch; undefined where it does not tell. */
  serviceTime: number | undefined
}

/** Profile View with what its headers tell besides (gaps.md, On the wire). */
export async function readAccount(client: Client): Promise<Account> {
  const { method, path, repeat } = profile.view
  const { body, headers } = await client.send({ method, path, repeat })
  const scopes = headers['x-oauth-scopes']
  const serviceTime = Date.parse(headers.date ?? '')
  return {
    profile: body as Profile,
    scopes: scopes === undefined || scopes === 'unknown' ? undefined : scopes.replaceAll(',', ' ').trim(),
    serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
  }
}
