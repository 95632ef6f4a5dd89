/** Times of the service as a person reads them. Scripts get them as they were sent. */
import { parseTimestamp } from '../rules/times'

export interface TimeView {
  /** 0 where it is no terminal. */
  width: number
  /** Milliseconds since the epoch. */
  now: number
  single?: boolean | undefined
}

/**
 * On a terminal, `3 days ago` in a list, and the local time with its zone, `2026-11-18 10:30 +01:00`, where one record
 * fills the view. Piped, and where the value is no time of the service: undefined.
 */
export function showTime(value: unknown, { width, now, single }: TimeView): string | undefined {
  // To parse what is printed as it is takes as long as all else that is done with it.
  const time = width > 0 && typeof value === 'string' ? parseTimestamp(value) : Number.NaN
  if (Number.isNaN(time)) return undefined
  return single ? local(new Date(time)) : relative(time - now)
}

/**
 * Each unit goes on to twice the next, so that rounding is at most a quarter off; days go on to 120, since terms are
 * agreed in days. The last one has no end.
 */
const units = [
  { name: 'minute', seconds: 60, upTo: 119 },
  { name: 'hour', seconds: 3600, upTo: 47 },
  { name: 'day', seconds: 86_400, upTo: 120 },
  { name: 'month', seconds: (365.25 / 12) * 86_400, upTo: 24 },
  { name: 'year', seconds: 365.25 * 86_400, upTo: Number.POSITIVE_INFINITY },
]

/** Rounded to the nearest, past and future alike: what was made to last 90 days still ends `in 90 days` a second later. */
function relative(milliseconds: number): string {
  const spans = units.map(({ name, seconds, upTo }) => {
    return { name, upTo, count: Math.round(Math.abs(milliseconds) / 1000 / seconds) }
  })
  const fitting = spans.find(({ count, upTo }) => count <= upTo)
  if (!fitting || fitting.count === 0) return 'just now'
  const span = `${fitting.count} ${fitting.name}${fitting.count === 1 ? '' : 's'}`
  return milliseconds < 0 ? `${span} ago` : `in ${span}`
}

function local(date: Date): string {
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())} ${zoneOf(date)}`
}

/** The offset, since names such as CST mean several zones. */
function zoneOf(date: Date): string {
  const east = -date.getTimezoneOffset()
  if (east === 0) return 'UTC'
  const minutes = Math.abs(east)
  return `${east < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const twoDigits = (part: number) => String(part).padStart(2, '0')
