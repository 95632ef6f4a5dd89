/** Problems of requests without an answer, or with one that cannot be read. */
import type { Method, Repeat } from '../catalogue/operation'
import { Problem } from '../errors'
import type { Fault, Unreadable } from './faults'
import { isRepeatable } from './retry'

export interface Asked {
  method: Method
  /** Below the base URL, with its query, without secrets. */
  path: string
  repeat: Repeat
}

export const lookFirst = 'Look what was done before you try again'

/** No answer came. */
export function lostProblem(
  { method, path, repeat }: Asked,
  { fault, sent }: { fault: Fault; sent: boolean },
): Problem {
  const request = { method, path }
  if (sent && !isRepeatable(repeat)) return unknownOutcome(request, fault.reason)
  return new Problem(fault.code ?? 'unavailable', fault.reason, {
    request,
    retryable: !fault.lasting || fault.passes === true,
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

/** Makes a problem of an answer that cannot be read; `what` ends a sentence: `it is empty`. */
export type Fail = (what: string, code?: Unreadable) => Problem

/** The segment of addresses that names the API's version (api.md, Versioning 1). */
export const version = 'v4'

/** The API is at another address than the one that was given. */
export class WrongAddress extends Problem {
  constructor(baseUrl: string, cause: Problem) {
    const { status, request, mayBeDone } = cause.details
    const hint = `Did you mean ${baseUrl}/${version}?`
    const known = { ...(request && { request }), ...(mayBeDone && { mayBeDone }) }
    super('not_the_api', `${baseUrl} is not the API`, { hint, status, ...known, cause })
  }
}

/** Whether an error is that of an answer that cannot be read, of the right address. */
export function isUnreadable(error: unknown): error is Problem {
  return error instanceof Problem && !(error instanceof WrongAddress) && error.code in sayings
}

const sayings: Readonly<Record<Unreadable, string>> = {
  defect: 'makes no sense',
  not_the_api: "is not the API's",
  too_large: 'is too large',
}

export const checkAddress = 'Check the address: skyctl doctor'

/** Returns the problem of an answer to `asked` that cannot be read. */
export function failing({ method, path, repeat }: Asked, status?: number): Fail {
  return (what, code = 'defect') =>
    new Problem(code, `the answer to ${method} ${path} ${sayings[code]}: ${what}`, {
      request: { method, path },
      ...(code !== 'too_large' && { hint: isRepeatable(repeat) ? checkAddress : lookFirst }),
      status,
    })
}
