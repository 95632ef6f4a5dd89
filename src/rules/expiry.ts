/** Ends of tokens: converts expiry times between user input and the service's format, and marks replaced tokens. */
import { parseDuration, unitHint } from './durations'
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
  if (expiry === undefined) return 'Must be a time such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00'
  return parseTimestamp(expiry) > now ? undefined : 'Must be in the future'
}

/** Reports whether a token with this expiry never expires. */
export function isNever(expiry: unknown, now: number): boolean {
  return typeof expiry !== 'string' || parseTimestamp(expiry) - now > neverAfter
}

/**
 * Matches the mark of a replaced token that stays valid for a grace period. It is in the label, because no other field
 * of a token can change and every machine sees the label.
 */
const mark = / \(superseded until (\d{4}-\d{2}-\d{2}T\d{2}:\d{2})Z\)$/
const minute = 60_000

/** Maximum length of a token's label in characters (api.md, Tokens Create). */
const longest = 100

/** Rounds a time in milliseconds up to a full minute, because labels contain minutes. */
export const wholeMinute = (time: number) => Math.ceil(time / minute) * minute

/** Builds `ci (superseded until 2026-11-22T10:00Z)`; a long label is cut to fit. */
export function supersededLabel(label: string, until: number): string {
  const suffix = ` (superseded until ${shortTime(until)})`
  // Drop half a surrogate pair.
  const start = label.slice(0, longest - suffix.length).replace(/[\uD800-\uDBFF]$/, '')
  return `${start}${suffix}`
}

/** Returns the end of the grace period in the service's time format; undefined if the label has no mark. */
export function supersededUntil(label: string): string | undefined {
  const time = `${mark.exec(label)?.[1]}:00`
  return Number.isNaN(parseTimestamp(time)) ? undefined : time
}

/** Formats a time to the minute: `2026-11-22T10:00Z`. */
export const shortTime = (time: number) => `${formatTimestamp(time).slice(0, 16)}Z`
