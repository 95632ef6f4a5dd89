/**
 * Converts the service's times: `YYYY-MM-DDTHH:MM:SS` without a zone, always UTC (gaps.md). All conversions must use
 * this module, because `new Date(text)` would assume local time.
 */

/** Parses to milliseconds since the epoch; NaN for anything else, such as the 30th of February. */
export function parseTimestamp(text: string): number {
  const milliseconds = Date.parse(`${text}Z`)
  // Date.parse also accepts other formats and signed years, and moves days past the month's end to the next month.
  const isOwn = !Number.isNaN(milliseconds) && /^\d/.test(text) && formatTimestamp(milliseconds) === text
  return isOwn ? milliseconds : Number.NaN
}

/** Formats milliseconds since the epoch in the service's form, without fractions of a second. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}

/** Returns the reason why a time is not in the service's format; undefined if it is valid. */
export function timestampFault(text: string): string | undefined {
  return Number.isNaN(parseTimestamp(text)) ? 'Must be a time in UTC such as 2026-01-31T12:00:00' : undefined
}

/**
 * Parses an input time to milliseconds since the epoch. It accepts the service's form, or RFC 3339 with `Z`, an offset
 * or a fraction. NaN for other texts and for times that the service's form cannot express.
 */
export function parseDateTime(text: string): number {
  const hasSeconds = /T.{5}:/i.test(text)
  const start = hasSeconds ? (parseTimeSpan(text.toUpperCase())?.start ?? Number.NaN) : Number.NaN
  return start < Date.UTC(10_000, 0) ? start : Number.NaN
}

/** Returns the reason why an input time is invalid; undefined if it is valid. */
export function dateTimeFault(text: string): string | undefined {
  return Number.isNaN(parseDateTime(text)) ? 'Must be a time in UTC such as 2026-01-31T12:00:00' : undefined
}

/** Time span in milliseconds since the epoch; `end` is exclusive. */
interface Moment {
  start: number
  end: number
}

/**
 * Parses a time written by people to the span of its smallest unit: `2026-12-31` is a day, `2026-12-31T08:00` a minute,
 * `2026-12-31T08:00:00+01:00` a second. The default zone is UTC. Undefined if the text is not a valid time.
 */
export function parseTimeSpan(text: string): Moment | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?:(:\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text)
  if (!match) return undefined
  const [, date = '', minute, second, fraction, zone = 'Z'] = match
  const whole = parseTimestamp(`${date}T${minute ?? '00:00'}${second ?? ':00'}`) - offsetOf(zone)
  if (Number.isNaN(whole)) return undefined
  if (fraction !== undefined) return instant(whole, fraction)
  return { start: whole, end: whole + (second ? 1000 : minute ? 60_000 : 86_400_000) }
}

/** Adds the fraction, cut to milliseconds. The service's times have no fractions, so nothing is lost. */
function instant(whole: number, fraction: string): Moment {
  const start = whole + Number(fraction.slice(1, 4).padEnd(3, '0'))
  return { start, end: start + Math.max(1, 10 ** (4 - fraction.length)) }
}

/** Returns a zone's offset from UTC in milliseconds, 0 for `Z`; NaN if invalid. */
function offsetOf(zone: string): number {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const offset = hours > 23 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * 60_000
  return zone.startsWith('-') ? -offset : offset
}

export interface Clock {
  /** Returns milliseconds since the epoch, for times that people and other machines read. */
  now(): number
  /** Returns milliseconds for durations and deadlines: they pass evenly, whatever the wall clock is set to. */
  monotonic(): number
  /** Waits; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
