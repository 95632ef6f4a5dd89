/**
 * Times of the service: `YYYY-MM-DDTHH:MM:SS` without a zone, always UTC (gaps.md). `new Date(text)` would read that
 * as local time, so every conversion goes through here.
 */

/** Milliseconds since the epoch; NaN where the text is no time of the service, such as one on the 30th of February. */
export function parseTimestamp(text: string): number {
  const milliseconds = Date.parse(`${text}Z`)
  // Date.parse takes other forms too, years with a sign, and a day that the month does not have for one of the next.
  const isOwn = !Number.isNaN(milliseconds) && /^\d/.test(text) && formatTimestamp(milliseconds) === text
  return isOwn ? milliseconds : Number.NaN
}

/** The inverse of `parseTimestamp`; a fraction of a second is cut off. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}

/** What is wrong with a time that the service is given; undefined where nothing is. */
export function timestampFault(text: string): string | undefined {
  return Number.isNaN(parseTimestamp(text)) ? 'Must be a time in UTC such as 2026-01-31T12:00:00' : undefined
}

/**
 * Milliseconds since the epoch of a time that the service is given: its own form, or RFC 3339 with `Z`, an offset or a
 * fraction of a second; NaN for any other text, and for a time that the service's own form cannot tell.
 */
export function parseDateTime(text: string): number {
  const hasSeconds = /T.{5}:/i.test(text)
  const start = hasSeconds ? (parseMoment(text.toUpperCase())?.start ?? Number.NaN) : Number.NaN
  return start < Date.UTC(10_000, 0) ? start : Number.NaN
}

/** What is wrong with such a time; undefined where nothing is. */
export function dateTimeFault(text: string): string | undefined {
  return Number.isNaN(parseDateTime(text)) ? 'Must be a time in UTC such as 2026-01-31T12:00:00' : undefined
}

/** A span of time in milliseconds since the epoch; `end` is the first one after it. */
interface Moment {
  start: number
  end: number
}

/**
 * A time as people write it, as long as its last unit: `2026-12-31` is a day, `2026-12-31T08:00` a minute,
 * `2026-12-31T08:00:00+01:00` a second. Without a zone it is in UTC. Undefined where the text is no such time, or in no
 * calendar.
 */
export function parseMoment(text: string): Moment | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?:(:\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text)
  if (!match) return undefined
  const [, date = '', minute, second, fraction, zone = 'Z'] = match
  const whole = parseTimestamp(`${date}T${minute ?? '00:00'}${second ?? ':00'}`) - offsetOf(zone)
  if (Number.isNaN(whole)) return undefined
  if (fraction !== undefined) return instant(whole, fraction)
  return { start: whole, end: whole + (second ? 1000 : minute ? 60_000 : 86_400_000) }
}

/** The service's times have no fractions, so that nothing is lost below a millisecond. */
function instant(whole: number, fraction: string): Moment {
  const start = whole + Number(fraction.slice(1, 4).padEnd(3, '0'))
  return { start, end: start + Math.max(1, 10 ** (4 - fraction.length)) }
}

/** Milliseconds that a zone is ahead of UTC, which are none for `Z`; NaN for one that no clock shows. */
function offsetOf(zone: string): number {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const offset = hours > 23 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * 60_000
  return zone.startsWith('-') ? -offset : offset
}
