/** Turns a failed answer into a problem for the user: message and next step. */
import type { Method, Operation } from '../catalogue/operation'
import { type Details, type ErrorCode, type FieldError, Problem, tellsOfObject } from '../errors'
import { limitText } from '../rules/durations'
import { joinNames, shellWord } from '../rules/texts'
import { formatTimestamp } from '../rules/times'
import type { ApiErrors } from './error-body'
import { checkAddress, failing, lookFirst, type RequestSummary, unknownOutcome } from './problems'
import { objectPath } from './request-path'
import { isMaintenance, isRepeatable, isUnknown, retryAfter } from './retry'
import type { WireAnswer } from './transport'

interface Failed {
  summary: RequestSummary
  answer: WireAnswer
  apiErrors: ApiErrors
  /** Undefined for a request outside the catalogue. */
  operation?: Pick<Operation, 'path' | 'scopes' | 'needs' | 'never'> | undefined
  /** True if an earlier attempt may have succeeded although its answer was lost. */
  lostBefore?: boolean
  signedIn: boolean
  tokenVariable?: string | undefined
  context?: string | undefined
  now: number
}

interface Verdict extends Pick<Details, 'hint' | 'retryable' | 'retryAfterMs' | 'missing'> {
  code: ErrorCode
  message: string
}

export function errorFromResponse(failed: Failed): Problem {
  const { summary, answer, apiErrors, lostBefore } = failed
  const { status } = answer
  const request = { method: summary.method, path: summary.path }
  const isChange = summary.idempotency !== 'safe'
  const reasons = sentence(apiErrors.errors)
  if (isChange && isUnknown({ answer }))
    return unknownOutcome(request, `status ${status}${reasons && `: ${reasons}`}`, status)
  const { code, message, ...more } = verdict(failed)
  // An earlier attempt may have succeeded, and this answer does not show it.
  if (isChange && lostBefore && !tellsOfObject(code)) return unknownOutcome(request, message, status)
  return new Problem(code, message, { status, request, errors: apiErrors.errors, ...more })
}

/** Reports whether a status may come from a proxy or a gateway as well as from the API. */
function isAnybodys(status: number): boolean {
  return status === 429 || status >= 500 || status === 408 || status === 425
}

function verdict(failed: Failed): Verdict {
  const { answer, apiErrors, operation } = failed
  const { method, path } = failed.summary
  const { status } = answer
  const [place = ''] = path.split('?')
  const reasons = sentence(apiErrors.errors)
  if (status < 400) return redirected(answer)
  if (!apiErrors.byTheApi && !isAnybodys(status)) return foreign(failed)
  switch (status) {
    case 401:
      return unauthorized(failed)
    case 403:
      return forbidden(failed, reasons)
    case 404:
      return { code: 'not_found', message: `${place} not found`, ...missingAt(place, method, operation) }
    case 405:
      return { code: 'refused', message: `the service does not support ${method} at ${place}` }
    case 429:
      return {
        code: 'rate_limited',
        message: `too many requests${whenAgain(failed)}`,
        retryable: true,
        ...asked(failed),
      }
  }
  if (isAnybodys(status)) return unavailable(failed)
  const message = reasons || `the service refuses ${method} ${place} (${status})`
  const code = causeOf(apiErrors.errors)
  if (isBusy(apiErrors.errors)) return { code, message, hint: whenFree, retryable: true }
  const hint = nextStep(reasons, place)
  return { code, message, ...(hint && { hint }) }
}

/** Returns the next step after a refusal whose reason (gaps.md) does not name one. */
function nextStep(reasons: string, place: string): string | undefined {
  if (place === '/profile/tfa-enable' && /security questions/i.test(reasons))
    return 'Answer them first: skyctl profile security-questions answer. All steps at once: skyctl profile tfa setup'
  if (place === '/networking/ipv6/ranges' && /already has an IPv6 range/i.test(reasons))
    return 'To see it: skyctl ipv6 ranges list. To move it: skyctl ips assign RANGE=INSTANCE'
  if (/\/assign$/.test(place) && /\bis shared\b/i.test(reasons))
    return 'End that first, with the instance that shares it and its other addresses: skyctl ips share --help'
  const [, unready] = /^\/volumes\/(\d+)\/(?:resize|clone)$/.exec(place) ?? []
  if (unready && /only an active\b/i.test(reasons))
    return `Wait for it first: skyctl volumes wait ${unready} --for active`
  const [, volume] = /^\/volumes\/(\d+)$/.exec(place) ?? []
  return volume && attached.test(reasons) ? `Detach it first: skyctl volumes detach ${volume} --wait` : undefined
}

/**
 * Reports whether nothing was done because an object is busy (gaps.md, Busy). `Compute busy.` names neither the instance
 * nor the reason, and no field shows it beforehand.
 */
const isBusy = (errors: readonly FieldError[]) => errors.length > 0 && errors.every(({ reason }) => busy.test(reason))
const busy = /(^|\s)busy([\s.,;:!]|$)/i
const whenFree = 'It may be migrating, which ends by itself: try again later'

const attached = /\bmust be detached\b/i

/** Derives the cause from the reasons (gaps.md), as the API has no error codes; an unknown reason is `refused`. */
function causeOf(errors: readonly FieldError[]): ErrorCode {
  if (errors.some(({ field, reason }) => field === 'label' && taken.test(reason))) return 'exists'
  if (errors.some(({ reason }) => absent.test(reason))) return 'not_found'
  return errors.some(({ reason }) => unfit.test(reason) || busy.test(reason)) ? 'conflict' : 'refused'
}

/** Objects that a body names; without `missing`, as the object of the request itself is not gone. */
const absent = /^(IP Address not found|Invalid (Compute|Balancer) ID|region is not valid)\b/i
const taken = /\b(must be unique|already (exists|taken|in use)|is taken)\b/i
const unfit = new RegExp(
  [
    'only be resized up|must be detached|\\bmigrati(ng|on)\\b|only an active',
    'already (attached|assigned|routed|has an?)\\b|not attached|same region|in use for 1:1 NAT',
    'is in [\\w-]+, (not in|(the )?compute instance)|would have (no|more than one)',
  ].join('|'),
  'i',
)

/** A gateway, a proxy or a sign-in page has answered instead of the API (api.md, Errors 1). */
function foreign(failed: Failed): Verdict {
  const { summary, answer, apiErrors } = failed
  const { status } = answer
  const reasons = sentence(apiErrors.errors)
  const what = `status ${status} without an error message of the API${reasons && ` but "${reasons}"`}`
  const { code, message } = failing(summary, status)(what, 'not_the_api')
  return { code, message, hint: checkAddress }
}

/** Names the missing object of a request. A list that is not found does not identify one. */
function missingAt(place: string, method: Method, operation: Failed['operation']): Pick<Details, 'missing'> {
  const missing = operation && (objectPath(operation.path, place) ?? (method === 'DELETE' ? place : undefined))
  return missing === undefined ? {} : { missing }
}

/** The user's grants do not allow the request; the hint names the grants that it needs. */
function forbidden({ operation }: Failed, reasons: string): Verdict {
  const { needs, never } = operation ?? {}
  const message = `your user may not do this${reasons && `: ${reasons}`}`
  const ask = 'See its grants: skyctl profile grants. An unrestricted user of the account can grant more'
  const needed = needs ? `The user needs ${needs}. ` : ''
  return { code: 'not_allowed', message, hint: `${needed}${ask}${never ? `. ${never}` : ''}` }
}

function unauthorized({ answer, apiErrors, operation, signedIn, tokenVariable, context }: Failed): Verdict {
  // Another name would make another context.
  const login = `skyctl auth login${context === undefined ? '' : ` --context ${shellWord(context)}`}`
  const reasons = sentence(apiErrors.errors)
  const scopesHeader = answer.headers['x-oauth-scopes']
  const isTokenKnown =
    scopesHeader === undefined ? /not authorized to use this endpoint/i.test(reasons) : scopesHeader !== 'unknown'
  if (!isTokenKnown || reasons.includes('Invalid Token')) {
    const message = signedIn ? 'token rejected: it is wrong, revoked or expired' : 'the service requires a token'
    const hint = tokenVariable ? setting(tokenVariable, 'a valid token') : `Sign in with: ${login}`
    return { code: 'not_signed_in', message, hint }
  }
  const has = scopesHeader?.split(/[\s,]+/).filter(Boolean) ?? []
  const accepted = answer.headers['x-accepted-oauth-scopes']?.split(/[\s,]+/).filter((scope) => /\w/.test(scope)) ?? []
  const needed = accepted.length > 0 ? accepted : (operation?.scopes ?? [])
  const missing = needed.filter((scope) => !grants(has, scope))
  const requiredScopes = missing.length > 0 ? missing : needed
  const lacking = `the token lacks the scope${requiredScopes.length > 1 ? 's' : ''} ${joinNames(requiredScopes, 'and')}`
  const having = scopesHeader === undefined ? '' : `; it has ${has.join(' ') || 'none'}`
  const another = `one that has ${['more scopes', 'it', 'both'][requiredScopes.length] ?? 'them'}`
  return {
    code: 'not_allowed',
    message: `${requiredScopes.length > 0 ? lacking : 'the token may not do this'}${having}`,
    hint: tokenVariable ? setting(tokenVariable, another) : `Sign in with ${another}: ${login}`,
  }
}

const setting = (variable: string, token: string) =>
  variable.endsWith('_FILE') ? `Put ${token} in the file of ${variable}` : `Set ${variable} to ${token}`

function grants(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes('*') || scopes.includes(scope.replace(/:read_only$/, ':read_write'))
}

function unavailable(failed: Failed): Verdict {
  const { answer, apiErrors, summary } = failed
  const { status } = answer
  const retryable = status === 503 || isRepeatable(summary.idempotency)
  const what = isMaintenance(answer) ? 'the service is in planned maintenance' : `the service failed with ${status}`
  const reasons = sentence(apiErrors.errors)
  return {
    code: 'unavailable',
    message: `${what}${reasons && `: ${reasons}`}${whenAgain(failed)}`,
    retryable,
    ...asked(failed),
    hint: retryable ? 'Try again later' : lookFirst,
  }
}

/** Names only the host of the redirect: the rest of the URL may have secrets. */
function redirected({ status, headers }: WireAnswer): Verdict {
  const target = URL.canParse(headers.location ?? '') ? new URL(headers.location ?? '').host : undefined
  return {
    code: 'not_the_api',
    message: `the service answers with a redirect (${status})${target ? ` to ${target}` : ''}, and none is followed`,
    hint: checkAddress,
  }
}

const asked = ({ answer, now }: Failed) => ({ retryAfterMs: retryAfter(answer, now) })

function whenAgain(failed: Failed): string {
  const { now } = failed
  const wait = asked(failed).retryAfterMs
  if (!wait) return ''
  const until = new Date(now + wait)
  const date = Number.isNaN(until.getTime()) ? '' : ` (after ${formatTimestamp(now + wait)}Z)`
  return `; the service asks to wait ${limitText(wait)}${date}`
}

function sentence(errors: readonly FieldError[]): string {
  return errors.map(({ field, reason }) => (field === null ? reason : `${field}: ${reason}`)).join('; ')
}
