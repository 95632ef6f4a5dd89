/** Clock of this machine. */
import { hrtime } from 'node:process'
import type { Clock } from '../rules/times'

export const systemClock: Clock = {
  now: () => Date.now(),
  // Loading `performance` takes 2 % of what a list adds to bare node.
  monotonic() {
    const [seconds, nanoseconds] = hrtime()
    return seconds * 1000 + nanoseconds / 1e6
  },
  async sleep(milliseconds, signal) {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', stop)
    })
  },
}
