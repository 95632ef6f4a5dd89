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
 * On a terminal, `3 days ago` in a list and `2026-11-18 09:30`, local, where one record fills the view. Piped, and
 * where the value is no time of the service: undefined.
 */
export function showTime(value: unknown, { width, now, single }: TimeView): string | undefined {
  const time = typeof value === 'string' ? parseTimestamp(value) : Number.NaN
  if (width === 0 || Number.isNaN(time)) return undefined
  return single ? local(new Date(time)) : relative(time - now)
}

const units = [
  { name: 'year', length: 365 * 86_400 },
  { name: 'month', length: 30 * 86_400 },
  { name: 'day', length: 86_400 },
  { name: 'hour', length: 3600 },
  { name: 'minute', length: 60 },
]

function relative(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000
  const unit = units.find(({ length }) => seconds >= length)
  if (!unit) return 'just now'
  const count = Math.floor(seconds / unit.length)
  const span = `${count} ${unit.name}${count === 1 ? '' : 's'}`
  return milliseconds < 0 ? `${span} ago` : `in ${span}`
}

function local(date: Date): string {
  const [month, day, hour, minute] = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()].map(
    (part) => String(part).padStart(2, '0'),
  )
  return `${date.getFullYear()}-${month}-${day} ${hour}:${minute}`
}
