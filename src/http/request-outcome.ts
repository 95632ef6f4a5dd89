/** Outcomes of requests as data. */
import { Problem } from '../errors'
import { isUnreadable, unknownOutcome } from './problems'
import { isSuccess } from './retry'
import type { RequestResult } from './retrying-request'
import type { WireAnswer } from './transport'

/**
 * `refused`: the service refused the last attempt, or nothing of it was sent; an earlier one may have had an effect.
 * `lost`: it may have had an effect, and no answer tells.
 */
export type RequestOutcome<A = unknown> =
  | ({ is: 'ok'; answer: A } & LastAnswer)
  /** `lostBefore`: the answer to an earlier attempt was lost. */
  | ({ is: 'refused'; problem: Problem; lostBefore: boolean } & Partial<LastAnswer>)
  | ({ is: 'lost'; problem: Problem } & Partial<LastAnswer>)

/** The last answer of the service, which a failed request may lack. */
type LastAnswer = Pick<WireAnswer, 'status' | 'headers'> & Pick<RequestResult, 'requestId'>

export const lastAnswerOf = ({ answer: { status, headers }, requestId }: RequestResult): LastAnswer => ({
  status,
  headers,
  requestId,
})

/** Returns the answer; throws the problem of a request that failed. */
export function answerOf<A>(got: RequestOutcome<A>): A {
  if (got.is === 'ok') return got.answer
  throw got.problem
}

/** Sorts a failure; rethrows a defect. An unreadable success is no refusal: the change may have been made. */
export function failureOf(error: unknown, answered: RequestResult | undefined): Exclude<RequestOutcome, { is: 'ok' }> {
  if (!(error instanceof Problem)) throw error
  const last = answered ? lastAnswerOf(answered) : {}
  if (error.code === 'outcome_unknown' || error.details.mayBeDone) return { is: 'lost', problem: error, ...last }
  if (!answered || answered.summary.idempotency === 'safe' || !isSuccess(answered.answer) || !isUnreadable(error))
    return { is: 'refused', problem: error, lostBefore: answered?.lostBefore === true, ...last }
  return { is: 'lost', problem: unknownOutcome(answered.summary, error.message, answered.answer.status), ...last }
}
