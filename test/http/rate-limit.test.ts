/** Waits for the rate limit before requests that must follow each other at once (gaps.md, Other headers). */
import { describe, expect, test } from 'vitest'
import { awaitRateLimit } from '../../src/http/rate-limit'
import type { ClientSettings, LastAnswer } from '../../src/http/settings'
import { now } from '../support/service-client'

const burst = { requests: 10, purpose: 'move compute 1001' }

/** Time since the computer was started, in milliseconds. */
const uptime = 5_000

const answered = (headers: LastAnswer['headers']): LastAnswer => ({ headers, at: now, receivedAt: uptime })

/** Resolves to the pauses before ten requests; `changes` are headers, by the last part of their name. */
async function pausesBefore(
  changes: Record<string, number>,
  more: LastAnswer['headers'] = {},
  note?: ClientSettings['note'],
) {
  const limits = Object.entries({ limit: 800, remaining: 9, reset: now / 1000 + 30, ...changes })
  const headers = limits.map(([name, value]): [string, string] => [`x-ratelimit-${name}`, String(value)])
  return pausesAfter({ answer: answered({ ...Object.fromEntries(headers), ...more }) }, note)
}

async function pausesAfter(
  last: ClientSettings['last'],
  note?: ClientSettings['note'],
  clock: Pick<ClientSettings['clock'], 'now' | 'monotonic'> = { now: () => now, monotonic: () => uptime },
) {
  const pauses: number[] = []
  await awaitRateLimit(burst, {
    ...{ baseUrl: 'http://127.0.0.1', userAgent: 'skyctl/test', env: {}, random: () => 0 },
    ...{ timeoutMs: 120_000, retries: 2, maxWaitMs: 60_000, concurrency: 1 },
    ...(last && { last }),
    ...(note && { note }),
    clock: { ...clock, sleep: async (milliseconds) => void pauses.push(milliseconds) },
  })
  return pauses
}

describe('Requests that must follow each other at once', () => {
  test('wait for the reset only if the limit allows fewer of them', async () => {
    expect(await pausesBefore({ remaining: 9 })).toEqual([30_000])
    expect(await pausesBefore({ remaining: 10 })).toEqual([])
  })

  test('report the length and the purpose of their wait', async () => {
    const notes: string[] = []
    await pausesBefore({ remaining: 1 }, {}, (text) => notes.push(text))
    await pausesBefore({ remaining: 10 }, {}, (text) => notes.push(text))
    expect(notes).toEqual(['the API allows 1 more request: waiting 30 s before skyctl can move compute 1001 at once'])
  })

  test('wait for at most half of the limit, since others use the token, too', async () => {
    expect(await pausesBefore({ limit: 12, remaining: 5 })).toEqual([30_000])
    expect(await pausesBefore({ limit: 12, remaining: 6 })).toEqual([])
  })

  test('wait up to --max-wait, and fail at once instead of a longer wait', async () => {
    expect(await pausesBefore({ reset: now / 1000 + 60 })).toEqual([60_000])
    await expect(pausesBefore({ reset: now / 1000 + 61 })).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('do not wait without a known limit, or after its reset', async () => {
    for (const last of [undefined, {}, { answer: answered({}) }]) expect(await pausesAfter(last)).toEqual([])
    for (const name of ['remaining', 'reset'])
      expect(await pausesBefore({}, { [`x-ratelimit-${name}`]: '' })).toEqual([])
    expect(await pausesBefore({ reset: now / 1000 })).toEqual([])
    expect(await pausesBefore({ reset: now / 1000 + 1 })).toEqual([1000])
  })

  test('wait as long if the local clock is set meanwhile', async () => {
    const limit = { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': String(now / 1000 + 30) }
    const set = { now: () => now - 3_600_000, monotonic: () => uptime + 10_000 }
    expect(await pausesAfter({ answer: answered(limit) }, undefined, set)).toEqual([20_000])
  })

  test("wait by the service's clock; by the local clock if an answer has no valid date", async () => {
    const behind = { date: new Date(now - 10_000).toUTCString() }
    expect(await pausesBefore({}, behind)).toEqual([40_000])
    expect(await pausesBefore({})).toEqual([30_000])
    expect(await pausesBefore({}, { date: 'today' })).toEqual([30_000])
  })
})
