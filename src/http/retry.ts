/** Which attempts are made again, and when (reliability.md, Which requests may be sent again). */
import type { Repeat } from '../catalogue/operation'
import type { Fault } from './faults'
import type { WireAnswer } from './transport'

/** How an attempt ended. */
export type Outcome =
  | { answer: WireAnswer }
  /** `sent`: a byte of the request may have left. */
  | { fault: Fault; sent: boolean }

const tooMany = 429
const firstPause = 500
const firstPauseWhenLimited = 1000
const longestPause = 20_000

const passing: readonly unknown[] = [502, 503, 504]

/** A service or a gateway that ends like this may have done the work before (interface.md, Safety); 52x are gateways'. */
const undecided: readonly unknown[] = [408, 425, 500, 502, 503, 504]

export const isSuccess = ({ status }: Pick<WireAnswer, 'status'>) => status >= 200 && status < 300

/** Twice is as good as once. */
export function isRepeatable(repeat: Repeat): boolean {
  return repeat === 'safe' || repeat === 'idempotent'
}

/** Whether another attempt is allowed, and may help. */
export function mayRepeat(outcome: Outcome, repeat: Repeat): boolean {
  if ('fault' in outcome) return !outcome.fault.lasting && (!outcome.sent || isRepeatable(repeat))
  const { status } = outcome.answer
  if (isMaintenance(outcome.answer)) return false
  return status === tooMany || (isRepeatable(repeat) && passing.includes(status))
}

/** Whether the request may have been done although no answer of the service itself tells so. */
export function isUnknown(outcome: Outcome): boolean {
  if ('fault' in outcome) return outcome.sent
  const { status } = outcome.answer
  return !isMaintenance(outcome.answer) && (undecided.includes(status) || (status >= 520 && status <= 529))
}

export function isMaintenance({ status, headers }: WireAnswer): boolean {
  return status === 503 && headers['x-maintenance-mode'] !== undefined
}

/** Milliseconds until the next attempt: full jitter, and not before the service wants it. */
export function pauseAfter(
  outcome: Outcome,
  attempt: number,
  { random, now }: { random: () => number; now: number },
): number {
  const limited = 'answer' in outcome && outcome.answer.status === tooMany
  const most = Math.min(longestPause, (limited ? firstPauseWhenLimited : firstPause) * 2 ** (attempt - 1))
  return Math.max(random() * most, 'answer' in outcome ? (retryAfter(outcome.answer, now) ?? 0) : 0)
}

const httpDate = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * How long the service asks to wait, in milliseconds: never negative, undefined where it does not say so. A date is
 * judged by the clock of the service, as its `Date` shows it.
 */
export function retryAfter({ status, headers }: WireAnswer, now: number): number | undefined {
  // Retry-After can come on any answer, but only these two mean wait (gaps.md, On the wire).
  if (status !== tooMany && status !== 503) return undefined
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const until = parseHttpDate(text)
  if (until === undefined) return undefined
  return Math.max(0, until - (parseHttpDate(headers.date ?? '') ?? now))
}

/** Milliseconds since the epoch; undefined where it is no date of HTTP (RFC 9110). */
export function parseHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined
  const time = Date.parse(text)
  // Date.parse takes the 31st of February for the 3rd of March, and a time with second 60 for midnight.
  return new Date(time).toUTCString().slice(4) === text.slice(4) ? time : undefined
}
