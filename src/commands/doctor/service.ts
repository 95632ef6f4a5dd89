/** Checks the service: its address, its answer to the token, the token's scopes, and the clock. */
import { regions } from '../../catalogue/regions'
import { shownBaseUrl } from '../../config/base-url'
import { type Credential, SANDBOX } from '../../config/contexts'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { proxyFor } from '../../http/proxy'
import { readAccount } from '../profile/account'
import { type Diagnosis, failure, ofProblem, ok, orProblem, skipped, warning } from './diagnosis'

/** Waits as long as other commands: a slow service may still reject the token. */
export async function lookAtService(session: Session): Promise<Diagnosis[]> {
  const { account, env, signal } = session
  const credential = await orProblem(() => account.access.credential(), signal)
  if (credential instanceof Problem) return [ofProblem('address', credential)]
  const address = await orProblem(() => addressOf(credential, env), signal)
  if (address instanceof Problem) return [ofProblem('address', address)]
  const reason = credential.sandbox || !(credential.secret instanceof Problem) ? undefined : credential.secret
  const client = await orProblem(() => account.client({ single: true, isPublic: reason !== undefined }), signal)
  if (client instanceof Problem) return [ok('address', address), ofProblem('token', client)]
  const results = reason ? await askWithoutToken(client, reason, session) : await ask(client, session)
  return [ok('address', address), ...results]
}

async function addressOf(credential: Credential, env: Session['env']): Promise<string> {
  if (credential.sandbox) return `the embedded ${SANDBOX}: no network and no account`
  const { baseUrl, baseUrlFrom } = credential
  const proxy = await proxyFor(new URL(baseUrl), env)
  const way = proxy ? `, through ${proxy.url.protocol}//${proxy.url.host} from ${proxy.variable}` : ''
  return `${shownBaseUrl(baseUrl)}, from the ${baseUrlFrom}${way}`
}

async function ask(client: Client, session: Session): Promise<Diagnosis[]> {
  const begun = session.clock.monotonic()
  const account = await orProblem(() => readAccount(client), session.signal)
  const passedMs = session.clock.monotonic() - begun
  const clock = clockOf(client, account, { session, passedMs })
  if (!(account instanceof Problem)) {
    const scopes = account.scopes === undefined ? 'unknown scopes' : `scopes ${account.scopes || 'none'}`
    return [answering('it accepts the token', passedMs), clock, ok('token', scopes)]
  }
  const isTokenRefused = account.code === 'not_signed_in' || account.code === 'not_allowed'
  if (isTokenRefused) return [answering('it answers', passedMs), clock, ofProblem('token', account)]
  return [ofProblem('service', account), clock, skipped('token', 'the service did not confirm it')]
}

/** Reads a public list, for the clock. */
async function askWithoutToken(client: Client, reason: Problem, session: Session): Promise<Diagnosis[]> {
  const begun = session.clock.monotonic()
  const answer = await orProblem(() => client.pages(regions.list, { page: 1 }).next(), session.signal)
  const passedMs = session.clock.monotonic() - begun
  const service = answer instanceof Problem ? ofProblem('service', answer) : answering('it answers', passedMs)
  return [service, clockOf(client, answer, { session, passedMs }), ofProblem('token', reason)]
}

/** An answer that takes longer is slow. */
const slowMs = 1500

function answering(message: string, passedMs: number): Diagnosis {
  if (passedMs < slowMs) return ok('service', message)
  const fix = 'Check your connection and proxy; skyctl --debug shows the time of each request'
  return warning('service', `${message}, but slowly: after ${(passedMs / 1000).toFixed(1)} s`, fix)
}

/** Tolerance of two-factor codes: one time step (RFC 6238, 5.2). */
const noticed = 30_000
/** Beyond this, certificates and ages are misjudged. */
const tooMuch = 300_000

/** A difference that a Date header cannot show: it has whole seconds. */
const unnoticeable = 2000

interface Exchange {
  session: Session
  /** Time from the request to the end of its answer. */
  passedMs: number
}

/** Compares the clock with the last answer's time, which the service wrote at some time before the answer's end. */
function clockOf({ serviceTime }: Client, answer: unknown, { session, passedMs }: Exchange): Diagnosis {
  if (serviceTime === undefined) {
    // Only answers have a status.
    const isSilent = answer instanceof Problem && answer.details.status === undefined
    return skipped('clock', isSilent ? 'the service did not answer' : 'the service does not send its time')
  }
  const ahead = session.clock.now() - serviceTime
  const off = ahead > 0 ? Math.max(0, ahead - passedMs) : -ahead
  if (off < unnoticeable) {
    const doubt = passedMs < unnoticeable ? '' : ', as far as its slow answer shows'
    return ok('clock', `same time as the service${doubt}`)
  }
  if (off <= noticed) return ok('clock', `within ${Math.ceil(off / 1000)} s of the service`)
  const direction = ahead > 0 ? 'ahead of' : 'behind'
  const message = `this machine is ${spanOf(off)} ${direction} the service: one-time codes and ages are wrong`
  const fix = 'Set the clock with NTP, for example: timedatectl set-ntp true'
  return off > tooMuch ? failure('clock', message, fix) : warning('clock', message, fix)
}

function spanOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`
}
