/** When a token ends, as people write it and as the service takes it. */
import { parseDuration, unitHint } from './durations'
import { formatTimestamp, parseMoment, parseTimestamp } from './times'

const day = 86_400_000

/** What the service shows for "never" may also be a date that nobody lives to see (gaps.md, token expiry). */
const neverAfter = 100 * 365 * day

/**
 * `90d`, `12h`, `2026-12-31` (its first second, in UTC), `2026-12-31T08:00:00` (in UTC), or the same with a zone, as
 * the service takes it; undefined where the text is no such time, or in no calendar.
 */
export function parseExpiry(text: string, now: number): string | undefined {
  const time = /^\d+$/.test(text) ? Number.NaN : timeOf(text, now)
  return time < Date.UTC(10_000, 0) ? formatTimestamp(time) : undefined
}

function timeOf(text: string, now: number): number {
  const span = parseDuration(text)
  if (span !== undefined) return now + span
  return parseMoment(text)?.start ?? Number.NaN
}

/** What is wrong with an expiry as a person writes it; undefined where nothing is. */
export function expiryFault(text: string, now: number): string | undefined {
  const expiry = parseExpiry(text, now)
  const units = unitHint(text)
  if (units) return `Must have a unit: ${units}`
  if (expiry === undefined) return 'Must be a time such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00'
  return parseTimestamp(expiry) > now ? undefined : 'Must be in the future'
}

/** Whether a token that has this expiry is meant to last for ever. */
export function isNever(expiry: unknown, now: number): boolean {
  return typeof expiry !== 'string' || parseTimestamp(expiry) - now > neverAfter
}
