/** Marks replaced tokens that stay valid for a grace period, in their labels. */
import { formatTimestamp, parseTimestamp } from './times'

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
