/** Turns what came back, or did not, into a problem for a person: what is wrong, and what to do next. */
import type { Method, Operation, Repeat } from '../catalogue/operation'
import { type Code, type Details, type FieldError, Problem } from '../errors'
import type { Fault } from './faults'
import { isMaintenance, isRepeatable, isUnknown, retryAfter } from './retry'
import type { WireAnswer } from './transport'

export interface Asked {
  method: Method
  /** Below the base URL, with its query, without secrets. */
  path: string
  repeat: Repeat
}

const lookFirst = 'Look what was done before you try again'

/** No answer came. */
export function lostProblem(
  { method, path, repeat }: Asked,
  { fault, sent }: { fault: Fault; sent: boolean },
): Problem {
  const request = { method, path }
  if (sent && !isRepeatable(repeat)) return unknownOutcome(request, fault.reason)
  const code = fault.tooLarge ? 'too_large' : fault.senseless ? 'defect' : 'unavailable'
  return new Problem(code, fault.reason, {
    request,
    retryable: !fault.lasting,
    ...(sent && { mayBeDone: true }),
    ...(fault.hint && { hint: fault.hint }),
  })
}

/** What was sent may have been done. */
export function unknownOutcome(request: { method: string; path: string }, reason: string, status?: number): Problem {
  return new Problem(
    'outcome_unknown',
    `${request.method} ${request.path} was sent, but its answer was lost: ${reason}`,
    { request, hint: lookFirst, status },
  )
}

/** An answer came, but makes no sense. */
export function senseless(what: string, { method, path, repeat }: Asked, status?: number): Problem {
  return new Problem('defect', `the answer to ${method} ${path} makes no sense: ${what}`, {
    request: { method, path },
    hint: isRepeatable(repeat) ? 'Check that the base URL is that of the service' : lookFirst,
    status,
  })
}

/** An answer came, but takes more than this process may hold. Of a write nobody knows then what it says. */
export function tooLarge(what: string, asked: Asked, status?: number): Problem {
  if (asked.repeat !== 'safe') return senseless(what, asked, status)
  const { method, path } = asked
  return new Problem('too_large', `the answer to ${method} ${path} is too large: ${what}`, {
    request: { method, path },
    status,
  })
}

interface Failed {
  asked: Asked
  answer: WireAnswer
  errors: FieldError[]
  /** What the operation needs. */
  scopes: Operation['scopes']
  signedIn: boolean
  tokenVariable?: string | undefined
  now: number
}

interface Verdict extends Pick<Details, 'hint' | 'retryable'> {
  code: Code
  message: string
}

/** An answer whose status is not one of success. */
export function refusal(failed: Failed): Problem {
  const { asked, answer, errors } = failed
  const { method, path, repeat } = asked
  const mayBeDone = isUnknown({ answer })
  if (!isRepeatable(repeat) && mayBeDone) {
    return unknownOutcome({ method, path }, `status ${answer.status}`, answer.status)
  }
  const { code, message, ...more } = verdict(failed)
  const { status } = answer
  return new Problem(code, message, {
    status,
    request: { method, path },
    errors,
    ...(mayBeDone && { mayBeDone }),
    ...more,
  })
}

function verdict(failed: Failed): Verdict {
  const { answer, errors } = failed
  const { method, path } = failed.asked
  const { status } = answer
  const [place] = path.split('?', 1)
  const reasons = sentence(errors)
  switch (status) {
    case 401:
      return unauthorized(failed)
    case 403:
      return {
        code: 'not_allowed',
        message: `your user may not do this${reasons && `: ${reasons}`}`,
        hint: 'See what it may do with skyctl profile grants, and ask an unrestricted user of the account for more',
      }
    case 404:
      return { code: 'not_found', message: `${place} not found` }
    case 405:
      return { code: 'refused', message: `the service takes no ${method} at ${place}` }
    case 429:
      return { code: 'rate_limited', message: `too many requests${whenAgain(failed)}`, retryable: true }
  }
  if (status < 400) return redirected(answer)
  if (status >= 500 || status === 408 || status === 425) return unavailable(failed)
  const message = reasons || `the service refuses ${method} ${place} (${status})`
  return { code: 'refused', message, ...(busy.test(reasons) && { hint: whenFree }) }
}

/** `Compute busy.` (gaps.md): it tells neither of what it speaks nor why, and nothing tells of it before. */
const busy = /\bbusy\b/i
const whenFree = 'It may be migrating, which passes by itself: try again when it is over'

function unauthorized({ answer, errors, scopes, signedIn, tokenVariable }: Failed): Verdict {
  const reasons = sentence(errors)
  const held = answer.headers['x-oauth-scopes']
  const known = held === undefined ? /not authorized to use this endpoint/i.test(reasons) : held !== 'unknown'
  if (!known || reasons.includes('Invalid Token')) {
    const message = signedIn ? 'the service does not know the token, or not any more' : 'the service wants a token'
    const hint = tokenVariable ? `${setting(tokenVariable)} one that is valid` : 'Sign in with: skyctl auth login'
    return { code: 'not_signed_in', message, hint }
  }
  const has = held?.split(/[\s,]+/).filter(Boolean) ?? []
  const accepted = answer.headers['x-accepted-oauth-scopes']?.split(/[\s,]+/).filter((scope) => /\w/.test(scope)) ?? []
  const needed = accepted.length > 0 ? accepted : scopes
  const missing = needed.filter((scope) => !grants(has, scope))
  const wanted = missing.length > 0 ? missing : needed
  const lacking = `the token lacks the scope${wanted.length > 1 ? 's' : ''} ${wanted.join(' and ')}`
  const having = held === undefined ? '' : `; it has ${has.join(' ') || 'none'}`
  const another = `one that has ${whatItLacks(wanted.length)}`
  return {
    code: 'not_allowed',
    message: `${wanted.length > 0 ? lacking : 'the token may not do this'}${having}`,
    hint: tokenVariable ? `${setting(tokenVariable)} ${another}` : `Sign in with ${another}: skyctl auth login`,
  }
}

const setting = (variable: string) =>
  variable.endsWith('_FILE') ? `Let the file of ${variable} hold` : `Set ${variable} to`

function whatItLacks(scopes: number): string {
  if (scopes === 0) return 'more scopes'
  return scopes === 1 ? 'it' : scopes === 2 ? 'both' : 'them'
}

function grants(held: readonly string[], scope: string): boolean {
  return held.includes(scope) || held.includes('*') || held.includes(scope.replace(/:read_only$/, ':read_write'))
}

function unavailable(failed: Failed): Verdict {
  const { answer, errors, asked } = failed
  const { status } = answer
  const retryable = status === 503 || isRepeatable(asked.repeat)
  const what = isMaintenance(answer) ? 'the service is in planned maintenance' : `the service failed with ${status}`
  const reasons = sentence(errors)
  return {
    code: 'unavailable',
    message: `${what}${reasons && `: ${reasons}`}${whenAgain(failed)}`,
    retryable,
    hint: retryable ? 'Try again later' : lookFirst,
  }
}

/** Only the host is named: the rest of the address may hold anything. */
function redirected({ status, headers }: WireAnswer): Verdict {
  const target = URL.canParse(headers.location ?? '') ? new URL(headers.location ?? '').host : undefined
  return {
    code: 'defect',
    message: `the service answers with a redirect (${status})${target ? ` to ${target}` : ''}, and none is followed`,
    hint: 'Check that the base URL is that of the service',
  }
}

function whenAgain({ answer, now }: Failed): string {
  const wait = retryAfter(answer, now)
  if (!wait) return ''
  const until = new Date(now + wait)
  const date = Number.isNaN(until.getTime()) ? '' : ` (after ${until.toISOString().slice(0, 19)}Z)`
  return `; the service asks to wait ${inWords(wait)}${date}`
}

function inWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.ceil(seconds / 60)}m`
  return `${Math.ceil(seconds / 3600)}h`
}

function sentence(errors: readonly FieldError[]): string {
  return errors.map(({ field, reason }) => (field === null ? reason : `${field}: ${reason}`)).join('; ')
}
