/** Who acts, and what the token in use may do. */
import { type Profile, profile } from '../../catalogue/profile/profile'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { isRecord } from '../../rules/records'

interface Account {
  profile: Profile
  /** Scopes of the token in use, separated by a space; undefined where the service does not tell. */
  scopes: string | undefined
  /** The service's own time in milliseconds since the epoch; undefined where it does not tell. */
  serviceTime: number | undefined
}

/** The answer to Profile View; throws `defect` where it names nobody. */
export function profileOf(body: unknown): Profile {
  if (namesUser(body)) return body
  throw new Problem('defect', 'the service did not say whose token it is', { hint: 'Is the base URL right?' })
}

/** Of the fields only the one that everything here goes by is looked at. */
function namesUser(body: unknown): body is Profile {
  return isRecord(body) && typeof body.username === 'string' && body.username !== ''
}

/** Profile View with what its headers tell besides (gaps.md, On the wire). */
export async function readAccount(client: Client): Promise<Account> {
  const { method, path, repeat } = profile.view
  const { body, headers } = await client.send({ method, path, repeat })
  const scopes = headers['x-oauth-scopes']
  const serviceTime = Date.parse(headers.date ?? '')
  return {
    profile: profileOf(body),
    scopes: scopes === undefined || scopes === 'unknown' ? undefined : scopes.replaceAll(',', ' ').trim(),
    serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
  }
}
