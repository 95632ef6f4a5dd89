/** The budget of planned requests, with services that count, and with others (gaps.md, Other headers). */
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test, vi } from 'vitest'
import { RateBudget } from '../../src/http/rate-budget'
import { now } from '../support/service-client'

const create = { method: 'POST', path: '/volumes' }
const family = 'POST /volumes'

interface Service {
  /** Requests in each window of a minute. */
  limit: number
  /** Changes to the headers of an answer; undefined removes one. */
  headers?: (honest: Record<string, string>, answers: number) => Record<string, string | undefined>
  /** Difference between the local clock and that of the service, in milliseconds. */
  offset?: number
  maxWaitMs?: number
  /** Number of requests that each planned one takes with its look-ups. */
  each?: number
}

/** Sends planned requests one at a time, and resolves to the seconds after which each was sent. */
async function timesOf(
  count: number,
  { limit, headers = (honest) => honest, offset = 0, maxWaitMs, each = 1 }: Service,
) {
  let time = 0
  const pauses: number[] = []
  const lines: string[] = []
  const clock = {
    now: () => now + offset + time,
    monotonic: () => 5_000 + time,
    async sleep(milliseconds: number) {
      pauses.push(milliseconds)
      time += milliseconds
    },
  }
  const budget = new RateBudget({ clock, maxWaitMs, inform: (text) => lines.push(text) })
  budget.plan([{ operation: create, count, noun: 'volume' }])
  const window = { used: 0, endsAt: 0 }
  let refused = 0
  const answer = (answers: number) => {
    if (time >= window.endsAt) Object.assign(window, { used: 0, endsAt: time + 60_000 })
    window.used += 1
    const honest = {
      date: new Date(now + time).toUTCString(),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - window.used)),
      'x-ratelimit-reset': String(Math.ceil((now + window.endsAt) / 1000)),
    }
    const sent = Object.entries(headers(honest, answers)).filter((one): one is [string, string] => one[1] !== undefined)
    const status = window.used > limit ? 429 : 200
    if (status === 429) refused += 1
    budget.record({ headers: Object.fromEntries(sent), at: clock.now(), receivedAt: clock.monotonic() }, status, family)
  }
  const times: number[] = []
  for (let sent = 0; sent < count; sent += 1) {
    await budget.run(create, async () => {
      times.push(time / 1000)
      for (let request = 0; request < each; request += 1) answer(sent * each + request)
    })
  }
  return { times, lines, pauses, refused }
}

const honest: Service = { limit: 25 }

describe('Planned requests', () => {
  test('are sent at once if the limit allows all of them', async () => {
    expect(await timesOf(25, honest)).toMatchObject({ pauses: [], lines: [] })
  })

  test('are spread evenly over a window if it allows fewer', async () => {
    const { times, pauses } = await timesOf(30, honest)
    expect(times.slice(0, 2)).toEqual([0, 0])
    const gaps = times.slice(2, 25).map((time, index) => time - (times[index + 1] ?? 0))
    for (const gap of gaps) expect(gap).toBeCloseTo(60 / 24, 1)
    // The rest fits the next window.
    expect(times.slice(25).every((time) => time === times[25])).toBe(true)
    expect(pauses.length).toBeGreaterThan(0)
  })

  test('are never refused', async () => {
    const { times, refused } = await timesOf(100, honest)
    expect(refused).toBe(0)
    expect(times.at(-1)).toBeGreaterThan(179)
    expect(times.at(-1)).toBeLessThan(190)
  })

  test('are never refused if each takes another request to look something up', async () => {
    expect((await timesOf(100, { limit: 81, each: 2 })).refused).toBe(0)
  })

  test('say once how long they take', async () => {
    expect((await timesOf(100, honest)).lines).toEqual([
      'The API allows 25 requests a minute: the remaining 98 volumes take about 3 minutes',
    ])
    expect((await timesOf(1001, { limit: 500 })).lines).toEqual([
      'The API allows 500 requests a minute: the remaining 999 volumes take about 2 minutes',
    ])
  })

  test('are spread by the clock of the service, if the local one is hours off', async () => {
    for (const offset of [7_200_000, -7_200_000])
      expect((await timesOf(60, { ...honest, offset })).times).toEqual((await timesOf(60, honest)).times)
  })

  test('do not wait longer than --max-wait: the API says for how long', async () => {
    const { pauses } = await timesOf(60, { ...honest, maxWaitMs: 1000 })
    expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(1000)
  })
})

describe('Nothing is spread', () => {
  const name = (last: string) => `x-ratelimit-${last}`
  const later = (seconds: number) => String(now / 1000 + seconds)
  test.for<[string, Exclude<Service['headers'], undefined>]>([
    ['without headers', () => ({})],
    ...['limit', 'remaining', 'reset'].map((last): [string, Exclude<Service['headers'], undefined>] => [
      `without ${last}`,
      (all) => ({ ...all, [name(last)]: undefined }),
    ]),
    ['without a date, because the local clock may be wrong', (all) => ({ ...all, date: undefined })],
    ['with an unreadable date', (all) => ({ ...all, date: 'today' })],
    ['with a reset in the past', (all) => ({ ...all, [name('reset')]: later(-1) })],
    ['with a reset in a day', (all) => ({ ...all, [name('reset')]: later(86_400) })],
    ['with a reset in another unit', (all) => ({ ...all, [name('reset')]: String(now + 60_000) })],
    ['with more remaining than the limit', (all) => ({ ...all, [name('remaining')]: '30' })],
    ['with a limit of zero', (all) => ({ ...all, [name('limit')]: '0', [name('remaining')]: '0' })],
    ['with text in place of numbers', (all) => ({ ...all, [name('remaining')]: 'few' })],
    ['with negative numbers', (all) => ({ ...all, [name('remaining')]: '-1' })],
    ['if the headers never change', (all) => ({ ...all, [name('remaining')]: '3' })],
    ['if nothing is ever left, although nothing is refused', (all) => ({ ...all, [name('remaining')]: '0' })],
  ])('%s', async ([, headers]) => {
    // More than the headers mention, so that no status tells of a limit either.
    const change: Service['headers'] = (all, answers) =>
      headers({ ...all, [name('limit')]: '25', [name('remaining')]: String(Math.max(0, 24 - answers)) }, answers)
    expect(await timesOf(60, { limit: 10_000, headers: change })).toMatchObject({ pauses: [], lines: [] })
  })
})

describe('Answers in another order', () => {
  test('do not raise what is left', async () => {
    const swapped: Service['headers'] = (all, answers) => ({
      ...all,
      'x-ratelimit-remaining': String(Math.max(0, 24 - (answers % 2 === 0 ? answers + 1 : answers - 1))),
    })
    expect((await timesOf(40, { limit: 25, headers: swapped })).refused).toBe(0)
  })
})

describe('With answers at will', () => {
  /** Returns a budget whose pauses end only when something has changed, and a function that lets an answer arrive. */
  function budgetOf(planned: number) {
    const pauses: number[] = []
    const clock = {
      now: () => now,
      monotonic: () => 5_000,
      sleep(milliseconds: number, signal?: AbortSignal) {
        pauses.push(milliseconds)
        return new Promise<void>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    }
    const budget = new RateBudget({ clock, maxWaitMs: undefined, inform: () => {} })
    budget.plan([{ operation: create, count: planned, noun: 'volume' }])
    const answer = (remaining: number, seconds: number) => {
      const headers = {
        date: new Date(now).toUTCString(),
        'x-ratelimit-limit': '25',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil(now / 1000) + seconds),
      }
      budget.record({ headers, at: now, receivedAt: 5_000 }, 200, family)
    }
    return { budget, answer, pauses }
  }

  test('a late answer about an earlier window does not replace the current one', async () => {
    const { budget, answer, pauses } = budgetOf(10)
    await budget.run(create, async () => answer(1, 20))
    answer(0, 20)
    answer(24, 80)
    answer(0, 20)
    await budget.run(create, async () => {})
    expect(pauses).toEqual([])
  })

  test('requests without an answer count, whichever of them is answered first', async () => {
    const { budget, answer, pauses } = budgetOf(5)
    for (const remaining of [6, 5]) await budget.run(create, async () => answer(remaining, 20))
    const replies: ((remaining: number) => void)[] = []
    const send = () =>
      budget.run(create, async () => {
        const remaining = await new Promise<number>((resolve) => replies.push(resolve))
        answer(remaining, 20)
      })
    const [, second] = [send(), send(), send()]
    await vi.waitFor(() => expect(replies).toHaveLength(3))
    replies[1]?.(2)
    await second
    budget.plan([{ operation: create, count: 10 }])
    // The two others take what is left.
    void send()
    await vi.waitFor(() => expect(pauses).toEqual([20_000]))
  })

  test('a list that is not read to its end does not slow down the next one', async () => {
    const { budget, answer, pauses } = budgetOf(4)
    for (const remaining of [2, 1]) await budget.run(create, async () => answer(remaining, 20))
    const stop = new AbortController()
    const page = budget.run(create, async () => {}, { signal: stop.signal })
    await vi.waitFor(() => expect(pauses).toHaveLength(1))
    stop.abort()
    await expect(page).rejects.toBe(stop.signal.reason)
    await budget.run(create, async () => {})
    expect(pauses).toHaveLength(1)
  })
})

test('a program that opens many accounts carries one storage from promise to promise, not one for each', async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
  for (let count = 0; count < 3; count += 1) await timesOf(2, { limit: 10 })
  const storages = new Set(run.mock.contexts)
  run.mockRestore()
  expect(storages.size).toBe(1)
})
