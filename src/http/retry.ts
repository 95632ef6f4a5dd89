/** Decides which attempts are retried, and when (reliability.md, Which requests may be sent again). */
import type { Idempotency } from '../catalogue/operation'
import { parseHttpDate } from './http-date'
import type { NetworkError } from './network-errors'
import type { ClientSettings } from './settings'
import type { WireAnswer } from './transport'

export type AttemptOutcome =
  | { answer: WireAnswer }
  /** `sent`: a byte of the request may have left. */
  | { fault: NetworkError; sent: boolean }

const tooMany = 429
const firstPause = 500
const firstPauseWhenLimited = 1000
const longestPause = 20_000

const passing: readonly unknown[] = [502, 503, 504]

/** Statuses after which the request may have succeeded (interface.md, Safety); gateways also use 52x for this. */
const undecided: readonly unknown[] = [408, 425, 500, 502, 503, 504]

export const isSuccess = ({ status }: Pick<WireAnswer, 'status'>) => status >= 200 && status < 300

/** Reports whether sending a request twice has the same effect as once. */
export function isRepeatable(repeat: Idempotency): boolean {
  return repeat === 'safe' || repeat === 'idempotent'
}

/** Reports whether a retry is safe and may help. */
export function mayRepeat(outcome: AttemptOutcome, repeat: Idempotency): boolean {
  if ('fault' in outcome) return !outcome.fault.lasting && (!outcome.sent || isRepeatable(repeat))
  const { status } = outcome.answer
  if (isMaintenance(outcome.answer)) return false
  return status === tooMany || (isRepeatable(repeat) && passing.includes(status))
}

/**
 * Reports whether the rate limit refused a creation, which then waits as long as its time limit allows: to give up would
 * leave some of many objects out.
 */
export function isRefusedCreation(outcome: AttemptOutcome, repeat: Idempotency): boolean {
  return repeat === 'never' && 'answer' in outcome && outcome.answer.status === tooMany
}

/** Returns the longest pause that the service may request, in milliseconds. */
export const maxWaitOf = ({ maxWaitMs = 60_000 }: Pick<ClientSettings, 'maxWaitMs'>) => maxWaitMs

/** Reports whether a request may have succeeded although the service has not confirmed it. */
export function isUnknown(outcome: AttemptOutcome): boolean {
  if ('fault' in outcome) return outcome.sent
  const { status } = outcome.answer
  return !isMaintenance(outcome.answer) && (undecided.includes(status) || (status >= 520 && status <= 529))
}

export function isMaintenance({ status, headers }: WireAnswer): boolean {
  return status === 503 && headers['x-maintenance-mode'] !== undefined
}

/** Returns the milliseconds until the next attempt: full jitter, and at least the time that the service requests. */
export function pauseAfter(
  outcome: AttemptOutcome,
  attempt: number,
  { random, now }: { random: () => number; now: number },
): number {
  const limited = 'answer' in outcome && outcome.answer.status === tooMany
  const most = Math.min(longestPause, (limited ? firstPauseWhenLimited : firstPause) * 2 ** (attempt - 1))
  return Math.max(random() * most, 'answer' in outcome ? (retryAfter(outcome.answer, now) ?? 0) : 0)
}

/**
 * Returns how long the service asks to wait, in milliseconds: never negative, undefined without such a request. A date
 * is compared with the service's clock, from its `Date` header.
 */
export function retryAfter({ status, headers }: WireAnswer, now: number): number | undefined {
  // Retry-After can be on any answer, but only on these two statuses does it mean "wait" (gaps.md, On the wire).
  if (status !== tooMany && status !== 503) return undefined
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const until = parseHttpDate(text, now)
  if (until === undefined) return undefined
  return Math.max(0, until - (parseHttpDate(headers.date ?? '', now) ?? now))
}
