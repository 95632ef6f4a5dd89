/** Rate limits (gaps.md): counted always, for the headers; enforced where it is asked for. */
import type { Operation } from '../catalogue/operation'
import type { Clock } from './clock'

interface Limit {
  requests: number
  seconds: number
}

export interface Allowance {
  limit: number
  remaining: number
  /** When the count begins anew, in seconds since the epoch. */
  reset: number
  exceeded: boolean
}

const general: Limit = { requests: 800, seconds: 120 }
const special = new Map<string, Limit>([['POST /volumes', { requests: 25, seconds: 60 }]])

export class RateLimiter {
  readonly #clock: Clock
  readonly #windows = new Map<string, { used: number; ends: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a request of a caller; the answer tells of the limit that is nearest. */
  count(caller: string, { method, path }: Operation): Allowance {
    const allowance = this.#take(caller, general)
    const name = `${method} ${path}`
    const limit = special.get(name)
    if (limit === undefined) return allowance
    const narrow = this.#take(`${caller} ${name}`, limit)
    return narrow.remaining <= allowance.remaining ? narrow : allowance
  }

  #take(bucket: string, { requests, seconds }: Limit): Allowance {
    const now = this.#clock.now()
    let window = this.#windows.get(bucket)
    if (window === undefined || window.ends <= now) {
      window = { used: 0, ends: now + seconds * 1000 }
      this.#windows.set(bucket, window)
    }
    window.used += 1
    return {
      limit: requests,
      remaining: Math.max(0, requests - window.used),
      reset: Math.ceil(window.ends / 1000),
      exceeded: window.used > requests,
    }
  }
}
