/** The clock of commands; most tests have a manual one. */
import { getEventListeners } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../src/platform/system'

const { monotonic, sleep } = systemClock
const hour = 3_600_000
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('Durations are the same when the wall clock is set', () => {
  const began = monotonic()
  const spy = vi.spyOn(Date, 'now').mockReturnValue(0)
  onTestFinished(() => spy.mockRestore())
  expect(systemClock.now()).toBe(0)
  expect(monotonic()).toBeGreaterThanOrEqual(began)
  expect(monotonic() - began).toBeLessThan(hour)
})

describe('a sleep', () => {
  test('lasts as long as requested, and leaves no event listener', async () => {
    const { signal } = new AbortController()
    const began = monotonic()
    await sleep(20, signal)
    // A timer may be a millisecond early by this clock.
    expect(monotonic() - began).toBeGreaterThanOrEqual(19)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await sleep(0)
  })

  test('that is aborted ends with the reason, and its timer no longer keeps the process running', async () => {
    const before = timers()
    const stop = new AbortController()
    const sleeping = sleep(hour, stop.signal)
    expect(timers()).toBe(before + 1)
    stop.abort('enough')
    expect(timers()).toBe(before)
    await expect(sleeping).rejects.toBe('enough')
  })

  test('after an abort does not start', async () => {
    const before = timers()
    const sleeping = sleep(hour, AbortSignal.abort('enough'))
    expect(timers()).toBe(before)
    await expect(sleeping).rejects.toBe('enough')
  })
})
