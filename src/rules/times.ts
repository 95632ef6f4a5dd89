/**
 * Times of the service: `YYYY-MM-DDTHH:MM:SS` without a zone, always UTC (gaps.md). `new Date(text)` would read that
 * as local time, so every conversion goes through here.
 */

/** Milliseconds since the epoch; NaN where the text is no time of the service, such as one on the 30th of February. */
export function parseTimestamp(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return Number.NaN
  const milliseconds = Date.parse(`${text}Z`)
  // Date.parse takes a day that the month does not have for one of the next.
  return Number.isNaN(milliseconds) || formatTimestamp(milliseconds) !== text ? Number.NaN : milliseconds
}

/** The inverse of `parseTimestamp`; a fraction of a second is cut off. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}

/** What is wrong with a time that the service is given; undefined where nothing is. */
export function timestampFault(text: string): string | undefined {
  return Number.isNaN(parseTimestamp(text)) ? 'Must be a time in UTC such as 2026-01-31T12:00:00' : undefined
}
