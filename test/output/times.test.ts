import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { showTime } from '../../src/output/times'
import { test as onSandbox } from '../support/skyctl'

const now = Date.UTC(2026, 10, 18, 9, 30)
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** Returns the time at a distance from now, in the format of the API. */
const at = (distance: number) => new Date(now + distance).toISOString().slice(0, 19)
const inList = (distance: number) => showTime(at(distance), { width: 80, now })

describe('a time in a list', () => {
  const spans: [distance: number, span: string][] = [
    [30 * second, '1 minute'],
    [119 * minute + 29 * second, '119 minutes'],
    [119 * minute + 30 * second, '2 hours'],
    [47 * hour + 29 * minute, '47 hours'],
    [47 * hour + 30 * minute, '2 days'],
    [90 * minute, '90 minutes'],
    [2 * hour + minute, '2 hours'],
    [36 * hour, '36 hours'],
    [2 * day, '2 days'],
    [90 * day, '90 days'],
    [120 * day, '120 days'],
    [121 * day, '4 months'],
    [425 * day, '14 months'],
    [2 * year, '24 months'],
    [5 * year, '5 years'],
  ]

  test.each(spans)('%i ms away is shown as %s, in the future and in the past', (distance, span) => {
    expect([inList(distance), inList(-distance)]).toEqual([`in ${span}`, `${span} ago`])
  })

  test('is rounded to the nearest unit', () => {
    expect([inList(90 * day - second), inList(second - 90 * day)]).toEqual(['in 90 days', '90 days ago'])
    expect(inList(-(36 * hour + 59 * minute))).toBe('37 hours ago')
  })

  test.each([
    [2 * day + 12 * hour, '3 days ago'],
    [2 * day + 12 * hour - second, '2 days ago'],
    // A month has 30 days, 10 hours and 30 minutes; a year has 365 days and 6 hours.
    [136 * day + 23 * hour + 15 * minute, '5 months ago'],
    [136 * day + 23 * hour + 15 * minute - second, '4 months ago'],
    [913 * day + 3 * hour, '3 years ago'],
  ])('rounds half a unit up, and less than half down: %i ms are %s', (distance, expected) => {
    expect(inList(-distance)).toBe(expected)
  })

  test('is "just now" for half a minute, whichever clock is ahead', () => {
    expect([inList(-29 * second), inList(0), inList(29 * second)]).toEqual(Array(3).fill('just now'))
  })

  test('is at most a quarter off', () => {
    const lengths: Record<string, number> = { minute, hour, day, month: year / 12, year }
    for (let distance = minute; distance < 20 * year; distance = Math.ceil((distance * 1.02) / second) * second) {
      const [, count, unit = ''] = /^(\d+) (\w+?)s? ago$/.exec(inList(-distance) ?? '') ?? []
      const shownDistance = Number(count) * (lengths[unit] ?? Number.NaN)
      if (distance > 2 * minute) expect(Math.abs(shownDistance - distance) / distance).toBeLessThanOrEqual(0.25)
    }
  })
})

describe('a time of a single record', () => {
  const outer = process.env.TZ
  const single = (value: string) => showTime(value, { width: 80, now, single: true })

  beforeEach(() => {
    process.env.TZ = 'UTC'
  })
  afterEach(() => {
    if (outer === undefined) delete process.env.TZ
    else process.env.TZ = outer
  })

  test.each([
    ['UTC', '2026-11-18T09:30:00', '2026-11-18 09:30 UTC'],
    ['Europe/Berlin', '2026-11-18T09:30:00', '2026-11-18 10:30 +01:00'],
    ['Europe/Berlin', '2026-07-18T23:30:00', '2026-07-19 01:30 +02:00'],
    ['America/St_Johns', '2026-11-18T02:00:00', '2026-11-17 22:30 -03:30'],
    ['Asia/Kolkata', '2026-11-18T09:30:00', '2026-11-18 15:00 +05:30'],
  ])('is local with its zone: %s, %s', (zone, sent, shown) => {
    process.env.TZ = zone
    expect(single(sent)).toBe(shown)
  })

  onSandbox.for([
    ['Asia/Kathmandu', '2025-10-06 15:15 +05:45'],
    ['America/St_Johns', '2025-10-06 07:00 -02:30'],
  ])(
    'is local in a command on a terminal, and as the API sent it for scripts: %s',
    async ([zone, shown], { skyctl }) => {
      process.env.TZ = zone
      expect((await skyctl('volumes view 3001 --columns created', { columns: 80 })).stdout).toContain(` ${shown}\n`)
      for (const flags of ['', '-o csv', '--json', '-o yaml'])
        expect((await skyctl(`volumes view 3001 --columns created ${flags}`)).stdout).toContain('2025-10-06T09:30:00')
    },
  )

  test('stays as the API sent it if it is not a time, and in a pipe', () => {
    expect(single('2026-11-18 09:30')).toBeUndefined()
    expect(showTime('2026-11-18T09:30:00', { width: 0, now, single: true })).toBeUndefined()
  })
})
