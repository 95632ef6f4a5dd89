/** Checks the service: its answer to the token, the token's scopes and expiry, and the clock. */
import { regions } from '../../catalogue/regions'
import type { Credential } from '../../config/credential'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { covers } from '../../rules/scope-cover'
import { readAccount } from '../profile/account'
import { readLifetime } from '../tokens/remaining-lifetime'
import { type Diagnosis, failure, inTime, ofProblem, ok, orProblem, type Patience, skipped, warning } from './diagnosis'

/** Tolerance of two-factor codes: one time step (RFC 6238, 5.2). */
const noticed = 30_000
/** Beyond this, certificates and ages are misjudged. */
const tooMuch = 300_000

/** Limit of the audit check token-expires-soon (docs/audit.md). */
const soonDays = 14

/** Checks the service. Without a token it reads a public list, for the clock. */
export async function lookAtService(
  credential: Credential,
  session: Session,
  patience: Patience,
): Promise<Diagnosis[]> {
  const secret = credential.sandbox ? undefined : credential.secret
  if (secret instanceof Problem) return [...(await lookWithoutToken(session, patience)), ofProblem('token', secret)]
  const client = await orProblem(() => session.account.client(), session.signal)
  if (client instanceof Problem) return [ofProblem('token', client)]
  const account = await inTime(() => readAccount(client), patience)
  const clock = clockOf(client, session)
  if (!(account instanceof Problem)) {
    return [ok('service', 'it accepts the token'), ...clock, await tokenOf(account.scopes, session, patience)]
  }
  const isTokenRefused = account.code === 'not_signed_in' || account.code === 'not_allowed'
  if (isTokenRefused) return [ok('service', 'it answers'), ...clock, ofProblem('token', account)]
  return [ofProblem('service', account), ...clock, skipped('token', 'the service did not confirm it')]
}

async function lookWithoutToken(session: Session, patience: Patience): Promise<Diagnosis[]> {
  const client = await inTime(() => session.account.client({ isPublic: true }), patience)
  if (client instanceof Problem) return [ofProblem('service', client)]
  const ask = async () => {
    for await (const _ of client.pages(regions.list, { page: 1 })) break
  }
  const answer = await inTime(ask, patience)
  return [
    answer instanceof Problem ? ofProblem('service', answer) : ok('service', 'it answers'),
    ...clockOf(client, session),
  ]
}

/** Compares the clock with the last answer's time, which has whole seconds. */
function clockOf({ serviceTime }: Client, { clock }: Session): Diagnosis[] {
  if (serviceTime === undefined) return [skipped('clock', 'the service does not send its time')]
  const ahead = clock.now() - serviceTime
  const off = Math.abs(ahead)
  if (off <= noticed)
    return [ok('clock', off < 2000 ? 'same time as the service' : `within ${Math.ceil(off / 1000)} s of the service`)]
  const message = `this machine is ${spanOf(off)} ${ahead > 0 ? 'ahead of' : 'behind'} the service: one-time codes and ages are wrong`
  return [
    (off > tooMuch ? failure : warning)(
      'clock',
      message,
      'Set the clock with NTP, for example: timedatectl set-ntp true',
    ),
  ]
}

function spanOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`
}

async function tokenOf(scopes: string | undefined, session: Session, patience: Patience): Promise<Diagnosis> {
  const scopeText = scopes === undefined ? 'unknown scopes' : `scopes ${scopes || 'none'}`
  if (scopes !== undefined && !covers(scopes.split(' '), 'account:read_only'))
    return ok('token', `${scopeText}; its expiry is unknown without account:read_only`)
  const life = await inTime(() => readLifetime(session), patience)
  if (life instanceof Problem) return ofProblem('token', life)
  const { token_expiry: expiry, days_left: left } = life
  if (left === null)
    return ok('token', `${scopeText}; ${expiry === 'never' ? 'it never expires' : 'its expiry is unknown'}`)
  const text = `${scopeText}; ${left} days left, until ${expiry} (UTC)`
  return left < soonDays
    ? warning('token', text, 'skyctl tokens rotate, or sign in with another one: skyctl auth login')
    : ok('token', text)
}
