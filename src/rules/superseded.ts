/**
 * The mark of a token that has a successor and is left to those who use it for a while. It stands in the label, since
 * nothing else of a token can change, and every machine sees it.
 */
import { formatTimestamp, parseTimestamp } from './times'

const mark = / \(superseded until (\d{4}-\d{2}-\d{2}T\d{2}:\d{2})Z\)$/
const minute = 60_000

/** Characters of a token's label (api.md, Tokens Create). */
const longest = 100

/** When a minute is over that holds `time`, in milliseconds: labels tell minutes. */
export const wholeMinute = (time: number) => Math.ceil(time / minute) * minute

/** `ci (superseded until 2026-11-22T10:00Z)`; a label that leaves no room for that is cut. */
export function supersededLabel(label: string, until: number): string {
  const suffix = ` (superseded until ${shortTime(until)})`
  // Half a surrogate pair is no character.
  const kept = label.slice(0, longest - suffix.length).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept}${suffix}`
}

/** From when a token of this label may go, as the service writes times; undefined where it has no such mark. */
export function supersededUntil(label: string): string | undefined {
  const time = `${mark.exec(label)?.[1]}:00`
  return Number.isNaN(parseTimestamp(time)) ? undefined : time
}

/** `2026-11-22T10:00Z` */
export const shortTime = (time: number) => `${formatTimestamp(time).slice(0, 16)}Z`
