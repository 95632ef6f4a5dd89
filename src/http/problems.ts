/** Creates problems for requests without an answer, or with one that cannot be read. */
import type { Idempotency, Method } from '../catalogue/operation'
import { Problem } from '../errors'
import type { NetworkError, Unreadable } from './network-errors'
import { isRepeatable } from './retry'

export interface RequestSummary {
  method: Method
  /** Below the base URL, with its query, without secrets. */
  path: string
  idempotency: Idempotency
}

export const lookFirst = 'Check the current state before you try again'

/** Creates the problem of a request without an answer. */
export function lostProblem(
  { method, path, idempotency }: RequestSummary,
  { fault, sent }: { fault: NetworkError; sent: boolean },
): Problem {
  const request = { method, path }
  if (sent && idempotency !== 'safe') return unknownOutcome(request, fault.reason)
  return new Problem(fault.code ?? 'unavailable', fault.reason, {
    request,
    retryable: !fault.lasting || fault.passes === true,
    ...(fault.hint && { hint: fault.hint }),
  })
}

/** Creates the problem of a request that was sent and may have succeeded. */
export function unknownOutcome(
  { method, path }: { method: string; path: string },
  reason: string,
  status?: number,
): Problem {
  return new Problem('outcome_unknown', `${method} ${path} was sent, but its answer was lost: ${reason}`, {
    request: { method, path },
    hint: lookFirst,
    status,
  })
}

/** Returns the problem of an embedded service that broke: its reason alone if the request certainly had no effect. */
export function brokenProblem(summary: RequestSummary, reason: Problem, mayBeDone: boolean): Problem {
  const isPossible = reason.details.mayBeDone || mayBeDone
  return isPossible && summary.idempotency !== 'safe' ? unknownOutcome(summary, reason.message) : reason
}

/**
 * Returns the problem of a change that was sent, and interrupted before its answer; for a read the reason alone. A change
 * that does no harm if it is repeated keeps the code of the interruption.
 */
export function interruptedProblem({ method, path, idempotency }: RequestSummary, reason: unknown): unknown {
  if (method === 'GET' || !(reason instanceof Problem)) return reason
  const code = idempotency === 'idempotent' ? reason.code : 'outcome_unknown'
  return new Problem(code, `${reason.message}: ${method} ${path} was sent, but its answer did not arrive in time`, {
    request: { method, path },
    hint: lookFirst,
    mayBeDone: true,
    cause: reason,
  })
}

/** Creates the problem of an answer that cannot be read; `what` ends a sentence: `it is empty`. */
export type Fail = (what: string, code?: Unreadable, cause?: Error) => Problem

/** The path segment that names the API's version (api.md, Versioning 1). */
export const version = 'v4'

/** The API is not at the base URL, but at another address of its origin. */
export class WrongAddress extends Problem {
  constructor(baseUrl: string, { address, cause }: { address: string; cause: Problem }) {
    const { status, request } = cause.details
    const hint = `Did you mean ${address}?`
    super('not_the_api', `${baseUrl} is not the API`, { hint, status, ...(request && { request }), cause })
  }
}

/** Reports whether an error comes from an unreadable answer at the right address. */
export function isUnreadable(error: unknown): error is Problem {
  return error instanceof Problem && !(error instanceof WrongAddress) && error.code in sayings
}

const sayings: Readonly<Record<Unreadable, (request: string) => string>> = {
  defect: (request) => `invalid response to ${request}`,
  not_the_api: (request) => `the response to ${request} is not from the API`,
  too_large: (request) => `the response to ${request} is too large`,
}

export const checkAddress = 'Check the address: skyctl doctor'

/** Returns a function that creates the problem of an unreadable answer to the request. */
export function failing({ method, path, idempotency }: RequestSummary, status?: number): Fail {
  return (what, code = 'defect', cause) =>
    new Problem(code, `${sayings[code](`${method} ${path}`)}: ${what}`, {
      request: { method, path },
      ...(code !== 'too_large' && { hint: isRepeatable(idempotency) ? checkAddress : lookFirst }),
      status,
      cause,
    })
}
