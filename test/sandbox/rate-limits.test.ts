/** Rate limits (gaps.md): 800 requests in two minutes, and 25 created volumes in one minute. */
import { expect, test } from 'vitest'
import type { Operation } from '../../src/catalogue/operation'
import { RateLimiter } from '../../src/sandbox/limits'
import { manualClock } from '../support/clock'

const list = { method: 'GET', path: '/volumes' } as Operation
const creation = { method: 'POST', path: '/volumes' } as Operation

function limiter(now = 10_000) {
  const clock = manualClock(now)
  const limits = new RateLimiter(clock)
  const count = (operation: Operation, times = 1, caller = 'a') => {
    for (let left = times; left > 1; left -= 1) limits.count(caller, operation)
    return limits.count(caller, operation)
  }
  return { clock, count }
}

test('each request reduces the remaining number until the limit is exceeded', () => {
  const { count } = limiter()
  expect(count(list)).toEqual({ limit: 800, remaining: 799, reset: 130, exceeded: false })
  expect(count(list)).toEqual({ limit: 800, remaining: 798, reset: 130, exceeded: false })
  expect(count(list, 798)).toEqual({ limit: 800, remaining: 0, reset: 130, exceeded: false })
  expect(count(list)).toEqual({ limit: 800, remaining: 0, reset: 130, exceeded: true })
})

test('a count restarts when its window ends, not before', () => {
  const { clock, count } = limiter()
  count(list, 801)
  clock.advance(119_999)
  expect(count(list)).toMatchObject({ remaining: 0, reset: 130, exceeded: true })
  clock.advance(1)
  expect(count(list)).toEqual({ limit: 800, remaining: 799, reset: 250, exceeded: false })
})

test('the end of a window is rounded up to a whole second', () => {
  expect(limiter(10_001).count(list)).toMatchObject({ reset: 131 })
})

test('each caller has separate counts', () => {
  const { count } = limiter()
  count(creation, 26)
  expect(count(creation, 1, 'b')).toMatchObject({ limit: 25, remaining: 24, exceeded: false })
  expect(count(list, 1, 'b')).toMatchObject({ limit: 800, remaining: 798 })
})

test('the limit with fewer remaining requests is reported, and of equal ones the smaller', () => {
  const { count } = limiter()
  expect(count(creation)).toEqual({ limit: 25, remaining: 24, reset: 70, exceeded: false })
  expect(count(creation, 25)).toEqual({ limit: 25, remaining: 0, reset: 70, exceeded: true })
  const other = limiter()
  other.count(list, 775)
  expect(other.count(creation)).toMatchObject({ limit: 25, remaining: 24 })
  other.count(list)
  expect(other.count(creation)).toMatchObject({ limit: 800, remaining: 22 })
})
