import { describe, expect, test } from 'vitest'
import { leftText, parseDuration, spanText } from '../../src/rules/durations'
import { expiryFault, isNever, parseExpiry } from '../../src/rules/expiry'
import { formatTimestamp, parseDateTime, parseTimeSpan, parseTimestamp, timestampFault } from '../../src/rules/times'

const noon = Date.UTC(2026, 0, 31, 12)
const day = 86_400_000

describe('A timestamp of the service', () => {
  test('is in UTC, to the second', () => {
    expect(parseTimestamp('2026-01-31T12:00:00')).toBe(noon)
    expect(formatTimestamp(noon + 999)).toBe('2026-01-31T12:00:00')
  })

  test.for([
    '2026-01-31',
    '2026-01-31T12:00',
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.5',
    ' 2026-01-31T12:00:00',
    '12026-01-31T12:00:00',
    '+012026-01-31T12:00',
    '2026-1-31T12:00:00',
    '2026-02-30T12:00:00',
    '2026-13-01T12:00:00',
    '2026-01-31T24:00:00',
    '2026-01-31T12:60:00',
  ])('is invalid: %j', (text) => {
    expect(parseTimestamp(text)).toBeNaN()
    expect(timestampFault(text)).toBeDefined()
  })
})

describe('A moment', () => {
  test.for([
    ['2026-01-31', Date.UTC(2026, 0, 31), day],
    ['2026-01-31T12:00', noon, 60_000],
    ['2026-01-31T12:00:30', noon + 30_000, 1000],
    ['2026-01-31T12:00:30Z', noon + 30_000, 1000],
    ['2026-01-31T12:00+00:00', noon, 60_000],
    ['2026-01-31T14:30:00+02:30', noon, 1000],
    ['2026-01-31T04:00:00-08:00', noon, 1000],
    ['2026-01-31T12:00:00+23:59', noon - day + 60_000, 1000],
    ['2026-01-31T12:00:00.5', noon + 500, 100],
    ['2026-01-31T12:00:00.25Z', noon + 250, 10],
    ['2026-01-31T12:00:00.125', noon + 125, 1],
    ['2026-01-31T12:00:00.1259', noon + 125, 1],
    ['2026-01-31T12:00:00.999999999+01:00', noon - 3_600_000 + 999, 1],
  ] as const)('lasts as long as its smallest unit: %s', ([text, start, length]) => {
    expect(parseTimeSpan(text)).toEqual({ start, end: start + length })
  })

  test.for([
    '2026-01-31T12',
    '2026-01-31 12:00',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+02:60',
    '2026-01-31T12:00:00+0200',
    '2026-01-31T12:00:00.',
    '2026-01-31T12:00:00.1234567890',
    '2026-01-31T12:00.5',
    '2026-01-31Z',
    '2026-02-29',
    'on 2026-01-31',
    '2026-01-31T12:00:00Zulu',
  ])('is invalid: %j', (text) => {
    expect(parseTimeSpan(text)).toBeUndefined()
  })

  test('is a valid request value only with seconds, in either case, and before the year 10000', () => {
    expect(parseDateTime('2026-01-31t12:00:00z')).toBe(noon)
    expect(parseDateTime('2026-01-31T12:00:00.5+00:00')).toBe(noon + 500)
    expect(parseDateTime('2026-01-31')).toBeNaN()
    expect(parseDateTime('2026-01-31T12:00')).toBeNaN()
    expect(parseDateTime(' 2026-01-31T12:00:00')).toBeNaN()
    expect(parseDateTime('9999-12-31T23:59:59')).toBe(Date.UTC(10_000, 0) - 1000)
    expect(parseDateTime('9999-12-31T23:59:00-00:01')).toBeNaN()
    expect(parseDateTime('2026-02-30T12:00:00')).toBeNaN()
  })
})

describe('A duration', () => {
  test.for([
    ['0', 0],
    ['999999999s', 999_999_999_000],
    ['500ms', 500],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['14d', 14 * day],
    ['2w', 14 * day],
    ['1m1ms', 60_001],
  ] as const)('is parsed: %s', ([text, milliseconds]) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.for(['', 'h', '90', '00', '1.5h', '1h 30m', '-5m', '5y', '5M', '1h30', '1234567890', '1234567890s', 'in 5m'])(
    'is invalid: %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )
})

describe('An expiry', () => {
  test.for([
    ['90d', '2026-05-01T12:00:00'],
    ['12h', '2026-02-01T00:00:00'],
    ['2026-12-31', '2026-12-31T00:00:00'],
    ['2026-12-31T08:00:00', '2026-12-31T08:00:00'],
    ['2026-12-31T08:00:00-05:00', '2026-12-31T13:00:00'],
    ['9999-12-31T23:59:59', '9999-12-31T23:59:59'],
  ] as const)('is sent in the format of the service: %s is %s', ([text, expiry]) => {
    expect(parseExpiry(text, noon)).toBe(expiry)
  })

  test.for(['tomorrow', '2026-02-30', '9999-12-31T23:59:00-00:01', '999999999w'])('is invalid: %j', (text) => {
    expect(parseExpiry(text, noon)).toBeUndefined()
    expect(expiryFault(text, noon)).toBe('Must be a time such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00')
  })

  test('must be later than now', () => {
    expect(expiryFault('2026-01-31T12:00:00', noon)).toBe('Must be in the future')
    expect(expiryFault('0s', noon)).toBe('Must be in the future')
    expect(expiryFault('2026-01-31T12:00:01', noon)).toBeUndefined()
  })

  test('in more than a hundred years counts as never', () => {
    const century = formatTimestamp(noon + 100 * 365 * day)
    expect(isNever(null, noon)).toBe(true)
    expect(isNever(century, noon)).toBe(false)
    expect(isNever(formatTimestamp(noon + 100 * 365 * day + 1000), noon)).toBe(true)
    expect(isNever('2026-02-01T00:00:00', noon)).toBe(false)
  })
})

test.for([
  [999, '0s'],
  [59_999, '59s'],
  [60_000, '1m 0s'],
  [125_000, '2m 5s'],
  [3_599_000, '59m 59s'],
  [3_780_000, '1h 3m'],
  [90_000_000, '25h 0m'],
] as const)('A time span is formatted: %i milliseconds are %s', ([milliseconds, text]) => {
  expect(spanText(milliseconds)).toBe(text)
})

test.for([
  [10_000, { done: 8, total: 40 }, ', about 40s left'],
  [5_000, { done: 10, total: 11 }, ', about 0s left'],
  [4_999, { done: 10, total: 20 }, ''],
  [10_000, { done: 7, total: 40 }, ''],
  [10_000, { done: 20, total: 20 }, ''],
] as const)('The remaining time is estimated: after %i ms with %j "%s"', ([passed, { done, total }, text]) => {
  expect(leftText(passed, { done, total, least: 8 })).toBe(text)
})
