/** Waits for an object that is busy: the service refuses a change, and has done nothing (gaps.md, Busy). */
import { isRefusal, type Problem } from '../errors'
import { spanText } from '../rules/durations'
import type { Account } from './account'
import { waitPauses } from './wait-limit'

/** Makes a change, again while an object is busy. After the time limit it throws the last refusal. */
export async function whenFree<T>(change: () => Promise<T>, account: Account): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!isBusy(error)) throw error
    return repeatWhileBusy(change, error, account)
  }
}

/** Reports whether a request was refused for now: no other refusal is retryable. */
const isBusy = (error: unknown): error is Problem => isRefusal(error) && error.details.retryable === true

async function repeatWhileBusy<T>(
  change: () => Promise<T>,
  refusal: Problem,
  { clock, reporter, signal }: Account,
): Promise<T> {
  const { waitLimit } = clock
  waitLimit.start()
  if (waitLimit.left() <= 0) throw refusal
  const began = clock.monotonic()
  const line = () => `Waiting: ${refusal.message} (${spanText(clock.monotonic() - began)})`
  const progress = await reporter.progress(line, () => `waits: ${refusal.message}`)
  if (!progress.shown) await reporter.status(`Waiting up to ${spanText(waitLimit.left())}: ${refusal.message}`)
  try {
    let last = refusal
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
