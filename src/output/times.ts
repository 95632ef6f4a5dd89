/** Formats the service's times for people. Scripts get them unchanged. */

import { counted } from '../rules/texts'
import { parseTimestamp } from '../rules/times'

export interface TimeView {
  /** Columns of the terminal; 0 if it is not a terminal. */
  width: number
  /** Current time in milliseconds since the epoch. */
  now: number
  single?: boolean | undefined
  /** True if the terminal shows only ASCII. */
  ascii?: boolean | undefined
}

/**
 * Formats a time on a terminal, of the service or with a `Z`. A list shows `3 days ago`; a single record shows the local time with its zone,
 * `2026-11-18 10:30 +01:00`. Undefined in a pipe, or if the value is not a time.
 */
export function showTime(value: unknown, { width, now, single }: TimeView): string | undefined {
  // Piped values are not parsed: that would take as long as all other work on them.
  const time = width > 0 ? timeOf(value) : undefined
  if (time === undefined) return undefined
  return single ? local(new Date(time)) : relative(time - now)
}

/** Formats a time in five columns, local: `10:30` of the last 24 hours, `11-18` before. Undefined if it is not a time. */
export function shortTime(value: unknown, { now }: TimeView): string | undefined {
  const time = timeOf(value)
  return time === undefined ? undefined : local(new Date(time)).slice(...(now - time < 86_400_000 ? [11, 16] : [5, 10]))
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? parseTimestamp(value.replace(/Z$/, '')) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/**
 * Units of relative times. Each is used up to twice the next unit, so that rounding is at most a quarter off. Days are
 * used up to 120, because terms are agreed in days. The last unit has no limit.
 */
const units = [
  { name: 'minute', seconds: 60, upTo: 119 },
  { name: 'hour', seconds: 3600, upTo: 47 },
  { name: 'day', seconds: 86_400, upTo: 120 },
  { name: 'month', seconds: (365.25 / 12) * 86_400, upTo: 24 },
  { name: 'year', seconds: 365.25 * 86_400, upTo: Number.POSITIVE_INFINITY },
]

/** Rounds to the nearest unit: a second after creation, a term of 90 days still ends `in 90 days`. */
function relative(milliseconds: number): string {
  const spans = units.map(({ name, seconds, upTo }) => {
    return { name, upTo, count: Math.round(Math.abs(milliseconds) / 1000 / seconds) }
  })
  const fitting = spans.find(({ count, upTo }) => count <= upTo)
  if (!fitting || fitting.count === 0) return 'just now'
  const span = counted(fitting.count, fitting.name)
  return milliseconds < 0 ? `${span} ago` : `in ${span}`
}

function local(date: Date): string {
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())} ${zoneOf(date)}`
}

/** Returns the zone's offset, because names such as CST are ambiguous. */
function zoneOf(date: Date): string {
  const east = -date.getTimezoneOffset()
  if (east === 0) return 'UTC'
  const minutes = Math.abs(east)
  return `${east < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const twoDigits = (part: number) => String(part).padStart(2, '0')
