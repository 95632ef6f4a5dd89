/**
 * Times of the service: `YYYY-MM-DDTHH:MM:SS` without a zone, always UTC (gaps.md). `new Date(text)` would read that
 * as local time, so every conversion goes through here.
 */

/** Milliseconds since the epoch; NaN where the text is no time of the service. */
export function parseTimestamp(text: string): number {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
}

/** The inverse of `parseTimestamp`; a fraction of a second is cut off. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}
