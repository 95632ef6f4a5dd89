/** Rate limits (gaps.md): 800 requests in two minutes for all, 25 volumes that are made in one. */
import { expect, test } from 'vitest'
import type { Operation } from '../../src/catalogue/operation'
import { RateLimiter } from '../../src/sandbox/limits'
import { manualClock } from '../support/clock'

const listing = { method: 'GET', path: '/volumes' } as Operation
const making = { method: 'POST', path: '/volumes' } as Operation

function limiter(now = 10_000) {
  const clock = manualClock(now)
  const limits = new RateLimiter(clock)
  const count = (operation: Operation, times = 1, caller = 'a') => {
    for (let left = times; left > 1; left -= 1) limits.count(caller, operation)
    return limits.count(caller, operation)
  }
  return { clock, count }
}

test('each request leaves one less, until none is left and it is exceeded', () => {
  const { count } = limiter()
  expect(count(listing)).toEqual({ limit: 800, remaining: 799, reset: 130, exceeded: false })
  expect(count(listing)).toEqual({ limit: 800, remaining: 798, reset: 130, exceeded: false })
  expect(count(listing, 798)).toEqual({ limit: 800, remaining: 0, reset: 130, exceeded: false })
  expect(count(listing)).toEqual({ limit: 800, remaining: 0, reset: 130, exceeded: true })
})

test('a count begins anew when its time is over, and not before', () => {
  const { clock, count } = limiter()
  count(listing, 801)
  clock.advance(119_999)
  expect(count(listing)).toMatchObject({ remaining: 0, reset: 130, exceeded: true })
  clock.advance(1)
  expect(count(listing)).toEqual({ limit: 800, remaining: 799, reset: 250, exceeded: false })
})

test('the end of a count is a whole second, not before its time is over', () => {
  expect(limiter(10_001).count(listing)).toMatchObject({ reset: 131 })
})

test('each caller has counts of their own', () => {
  const { count } = limiter()
  count(making, 26)
  expect(count(making, 1, 'b')).toMatchObject({ limit: 25, remaining: 24, exceeded: false })
  expect(count(listing, 1, 'b')).toMatchObject({ limit: 800, remaining: 798 })
})

test('of two limits the nearer one is told, and the narrow one where both are as near', () => {
  const { count } = limiter()
  expect(count(making)).toEqual({ limit: 25, remaining: 24, reset: 70, exceeded: false })
  expect(count(making, 25)).toEqual({ limit: 25, remaining: 0, reset: 70, exceeded: true })
  const other = limiter()
  other.count(listing, 775)
  expect(other.count(making)).toMatchObject({ limit: 25, remaining: 24 })
  other.count(listing)
  expect(other.count(making)).toMatchObject({ limit: 800, remaining: 22 })
})
