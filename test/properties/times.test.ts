/** Times, durations and HTTP dates (gaps.md, Timestamps; RFC 3339; RFC 9110, 5.6.7). */

import { parseHttpDate } from '../../src/http/http-date'
import { retryAfter } from '../../src/http/retry'
import { parseDuration } from '../../src/rules/durations'
import { parseExpiry } from '../../src/rules/expiry'
import { formatTimestamp, parseDateTime, parseTimeSpan, parseTimestamp } from '../../src/rules/times'
import fc from '../support/fast-check'
import { nearly, property } from '../support/property'

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysIn = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0

/** Days from 1970-01-01, counted by the years between: 0000-01-01 is 719,528 days before. */
function daysBefore(year: number): number {
  const before = year - 1
  const leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + 1
  return year === 0 ? -719_528 : year * 365 + leaps - 719_528
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** Milliseconds since the epoch; undefined for an invalid date or time. */
function epochOf({ year, month, day, hour, minute, second }: Parts): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  let days = daysBefore(year) + day - 1
  for (let one = 1; one < month; one += 1) days += daysIn(year, one)
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
}

/** Numbers of a text of this form: `0` stands for a digit, other characters for themselves. */
function digits(text: string, form: string): number[] | undefined {
  if (text.length !== form.length) return undefined
  const runs: string[] = []
  for (const [index, mark] of [...form].entries()) {
    const char = text.charAt(index)
    if (mark !== '0') {
      if (char !== mark) return undefined
      runs.push('')
    } else if ('0123456789'.includes(char)) runs[Math.max(0, runs.length - 1)] = (runs.at(-1) ?? '') + char
    else return undefined
  }
  return runs.map(Number)
}

const form = '0000-00-00T00:00:00'

function slowTimestamp(text: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits(text, form) ?? [0, 0]
  return epochOf({ year, month, day, hour, minute, second })
}

/** Parses RFC 3339 with or without a zone, from its end. */
function slowDateTime(text: string): number | undefined {
  const upper = text.toUpperCase()
  let rest = upper
  let ahead = 0
  const zone = /[+-]/.test(rest.charAt(rest.length - 6)) ? rest.slice(-6) : ''
  if (rest.endsWith('Z')) rest = rest.slice(0, -1)
  else if (zone !== '') {
    const [hours = 99, minutes = 99] = digits(zone.slice(1), '00:00') ?? []
    if (hours > 23 || minutes > 59) return undefined
    ahead = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
    rest = rest.slice(0, -6)
  }
  const [whole = '', fraction, ...more] = rest.split('.')
  if (
    more.length > 0 ||
    (fraction !== undefined && (digits(fraction, '0'.repeat(fraction.length || 99)) ?? []).length === 0)
  )
    return undefined
  if (fraction !== undefined && fraction.length > 9) return undefined
  const time = slowTimestamp(whole)
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3))
  const instant = time === undefined ? undefined : time - ahead + milliseconds
  return instant !== undefined && instant < 253_402_300_800_000 ? instant : undefined
}

const two = (most: number) => fc.integer({ min: 0, max: most }).map((part) => String(part).padStart(2, '0'))
const stamp = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), two(13), two(32), two(24), two(60), two(60))
  .map(
    ([year, month, day, hour, minute, second]) =>
      `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`,
  )
const zone = fc.oneof(
  fc.constantFrom('', 'Z', 'z'),
  fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
)
const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{0,10}$/))
const dateTime = fc.tuple(stamp, fraction, zone).map((parts) => parts.join(''))
const orNaN = (time: number | undefined) => time ?? Number.NaN

property('a timestamp of the service is parsed by the calendar', {
  of: nearly(stamp, '0', '9', '-', ':', 'T', 'Z', ' '),
  ours: parseTimestamp,
  expected: (text) => orNaN(slowTimestamp(text)),
  refused: Number.isNaN,
})

property('a formatted timestamp is parsed to the same time', {
  of: fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }),
  ours: (second) => parseTimestamp(formatTimestamp(second * 1000)),
  expected: (second) => second * 1000,
  total: true,
})

property('an RFC 3339 time is parsed with its zone, east or west of UTC', {
  of: nearly(dateTime, '0', '9', '-', '+', ':', 't', '.', 'Z'),
  ours: parseDateTime,
  expected: (text) => orNaN(slowDateTime(text)),
  refused: Number.isNaN,
})

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Parses numbers, each followed by its unit. */
function slowDuration(text: string): number | undefined {
  const isDigit = (char: string) => char !== '' && '0123456789'.includes(char)
  let [at, total, terms] = [0, 0, 0]
  while (at < text.length) {
    const begin = at
    while (isDigit(text.charAt(at))) at += 1
    const count = text.slice(begin, at)
    if (count === '' || count.length > 9) return undefined
    if (at === text.length) return text === '0' ? 0 : undefined
    const unit = text.slice(at, at + 2) === 'ms' ? 'ms' : text.charAt(at)
    const milliseconds = units[unit]
    if (milliseconds === undefined) return undefined
    total += Number(count) * milliseconds
    at += unit.length
    terms += 1
  }
  return terms === 0 ? undefined : total
}

const count = fc.oneof(fc.nat(400), fc.nat(2_000_000_000)).map(String)
const duration = fc
  .array(fc.tuple(count, fc.constantFrom(...Object.keys(units), '')), { minLength: 1, maxLength: 3 })
  .map((terms) => terms.flat().join(''))

property('a duration is the sum of its terms', {
  of: nearly(duration, '0', 'm', 's', 'h', 'y', ' ', '.', '-'),
  ours: parseDuration,
  expected: slowDuration,
})

const now = Date.UTC(2026, 10, 18, 9, 30, 15)

property('an expiry is a duration from now, or the start of a date or time in UTC', {
  of: fc.oneof(
    nearly(duration, '0', 'd', 'x'),
    nearly(dateTime, '0', ':'),
    dateTime.map((text) => text.slice(0, 10)),
  ),
  ours: (text) => parseExpiry(text, now),
  expected(text) {
    if (text.length > 0 && [...text].every((char) => '0123456789'.includes(char))) return undefined
    const length = slowDuration(text)
    const time = length === undefined ? expectedMoment(text) : now + length
    if (time === undefined || time >= 253_402_300_800_000) return undefined
    // Years before 0 have a sign, and the service has no such years.
    return time < -62_167_219_200_000
      ? parseExpiry(text, now)
      : new Date(Math.floor(time / 1000) * 1000).toISOString().slice(0, 19)
  },
})

/** Start of a day, or a time with at least minutes. */
function expectedMoment(text: string): number | undefined {
  if (text.length === 10) return slowTimestamp(`${text}T00:00:00`)
  if (text !== text.toUpperCase()) return undefined
  return slowDateTime(text) ?? parseTimeSpan(text)?.start
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const httpDate = fc
  .tuple(
    fc.constantFrom(...weekdays),
    two(32),
    fc.constantFrom(...months, 'Foo'),
    fc.integer({ min: 1970, max: 2200 }),
    two(24),
    two(60),
    two(60),
  )
  .map(
    ([weekday, day, month, year, hour, minute, second]) =>
      `${weekday}, ${day} ${month} ${year} ${hour}:${minute}:${second} GMT`,
  )

/** Parses IMF-fixdate only; the weekday need not match the date. */
function slowHttpDate(text: string): number | undefined {
  const [weekday = '', day = '', month = '', year = '', time = '', gmt, ...more] = text.split(' ')
  if (more.length > 0 || gmt !== 'GMT' || !weekdays.includes(weekday.slice(0, 3)) || weekday.slice(3) !== ',')
    return undefined
  // Years below 100 resemble another form, with years of two digits.
  if (!digits(day, '00') || !digits(year, '0000') || Number(year) < 100) return undefined
  const [hour = 99, minute = 99, second = 99] = digits(time, '00:00:00') ?? []
  return epochOf({ year: Number(year), month: months.indexOf(month) + 1, day: Number(day), hour, minute, second })
}

property('an HTTP date is parsed by the calendar', {
  of: nearly(httpDate, '0', ' ', ',', 'G'),
  ours: (text) => parseHttpDate(text, now),
  expected: slowHttpDate,
})

const wholeDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

property('an HTTP date is the same time in each of its three forms', {
  of: fc.integer({ min: Date.UTC(1977, 0) / 1000, max: Date.UTC(2076, 0) / 1000 }),
  ours(seconds) {
    const [, day, month, year = '', time] = new Date(seconds * 1000).toUTCString().split(' ')
    const weekday = new Date(seconds * 1000).getUTCDay()
    const obsolete = `${wholeDays[weekday]}, ${day}-${month}-${year.slice(2)} ${time} GMT`
    const ofC = `${weekdays[weekday]} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
    return [obsolete, ofC].map((text) => parseHttpDate(text, now))
  },
  expected: (seconds) => [seconds * 1000, seconds * 1000],
  total: true,
})

const bare = { body: Buffer.alloc(0), release() {} }

property('Retry-After is a number of seconds, or a date by the service’s clock', {
  of: fc.record({
    status: fc.constantFrom(429, 503, 500, 200),
    after: fc.oneof(httpDate, fc.nat(100_000).map(String), fc.constantFrom('', '-1', '1.5', 'soon', ' 5 ')),
    date: fc.oneof(
      httpDate.map((date) => ({ date })),
      fc.constantFrom({}, { date: 'x' }),
    ),
  }),
  ours: ({ status, after, date }) => retryAfter({ ...bare, status, headers: { 'retry-after': after, ...date } }, now),
  expected({ status, after, date }) {
    if (status !== 429 && status !== 503) return undefined
    const text = after.trim()
    if (text !== '' && [...text].every((char) => '0123456789'.includes(char))) return Number(text) * 1000
    const until = slowHttpDate(text)
    return until === undefined ? undefined : Math.max(0, until - (slowHttpDate('date' in date ? date.date : '') ?? now))
  },
})
