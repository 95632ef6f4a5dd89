/** Converts expiry times of tokens between user input and the service's format. */
import { parseDuration, shortDuration, unitHint } from './durations'
import { formatTimestamp, parseTimeSpan, parseTimestamp } from './times'

const day = 86_400_000

/** Lifetime from which an expiry means "never": the service may show a far future date (gaps.md, token expiry). */
const neverAfter = 100 * 365 * day

/**
 * Parses `90d`, `12h`, `2026-12-31` (its first second), or `2026-12-31T08:00:00`, each in UTC or with a zone. Returns
 * the service's format; undefined if the text is not a valid time.
 */
export function parseExpiry(text: string, now: number): string | undefined {
  const time = /^\d+$/.test(text) ? Number.NaN : timeOf(text, now)
  return time < Date.UTC(10_000, 0) ? formatTimestamp(time) : undefined
}

function timeOf(text: string, now: number): number {
  const span = parseDuration(text)
  if (span !== undefined) return now + span
  return parseTimeSpan(text)?.start ?? Number.NaN
}

/** Returns the reason why an expiry is invalid; undefined if it is valid. */
export function expiryFault(text: string, now: number): string | undefined {
  const expiry = parseExpiry(text, now)
  const units = unitHint(text)
  if (units) return `Must have a unit: ${units}`
  if (expiry === undefined) return `Must be a time such as ${validDuration(text, now) ?? examples}`
  return parseTimestamp(expiry) > now ? undefined : 'Must be in the future'
}

const examples = '90d, 12h, 2027-01-31 or 2027-01-31T12:00:00'

/** Returns `90d` for `90 days`, unless that is too far in the future. */
function validDuration(text: string, now: number): string | undefined {
  const duration = shortDuration(text)
  return duration !== undefined && parseExpiry(duration, now) !== undefined ? duration : undefined
}

export function isNever(expiry: unknown, now: number): boolean {
  return typeof expiry !== 'string' || parseTimestamp(expiry) - now > neverAfter
}
