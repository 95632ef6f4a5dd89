/** Waits for an object that is busy: the service refuses a change, and has done nothing (gaps.md, Busy). */
import { isBusy, type Problem } from '../errors'
import { spanText } from '../rules/durations'
import type { Account } from './account'
import { waitPauses } from './wait-limit'

/**
 * Makes a change again while its object is busy; throws any other failure of it. After the time limit it throws the last
 * refusal.
 */
export async function repeatWhileBusy<T>(
  change: () => Promise<T>,
  refusal: unknown,
  { clock, reporter, signal }: Account,
): Promise<T> {
  if (!isBusy(refusal)) throw refusal
  const { waitLimit } = clock
  waitLimit.start()
  if (waitLimit.left() <= 0) throw refusal
  const began = clock.monotonic()
  const line = () => `Waiting: ${refusal.message} (${spanText(clock.monotonic() - began)})`
  const progress = await reporter.progress(line, () => `waits: ${refusal.message}`)
  if (!progress.shown) await reporter.status(`Waiting up to ${spanText(waitLimit.left())}: ${refusal.message}`)
  try {
    let last: Problem = refusal
    for (let pause: number = waitPauses.first; ; pause = Math.min(pause * 1.5, waitPauses.longest)) {
      const left = waitLimit.left()
      if (left <= 0) throw last
      await clock.whileWaiting(() => clock.sleep(Math.min(pause, left), signal))
      try {
        return await change()
      } catch (error) {
        if (!isBusy(error)) throw error
        last = error
      }
    }
  } finally {
    progress.done()
  }
}
