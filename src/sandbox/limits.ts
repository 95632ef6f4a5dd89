/** Rate limits (gaps.md): counted and enforced only on request. */
import type { Operation } from '../catalogue/operation'
import type { ServiceClock } from './clock'

interface Limit {
  requests: number
  seconds: number
}

export interface Allowance {
  limit: number
  remaining: number
  /** Start of the next window in seconds since the epoch. */
  reset: number
  exceeded: boolean
}

const general: Limit = { requests: 800, seconds: 120 }
const special = new Map<string, Limit>([['POST /volumes', { requests: 25, seconds: 60 }]])

export class RateLimiter {
  readonly #windows = new Map<string, { used: number; ends: number }>()

  constructor(private readonly clock: ServiceClock) {}

  /** Counts a caller's request and returns the limit with the fewest remaining requests. */
  count(caller: string, { method, path }: Pick<Operation, 'method' | 'path'>): Allowance {
    const allowance = this.#take(caller, general)
    const name = `${method} ${path}`
    const limit = special.get(name)
    if (limit === undefined) return allowance
    const narrow = this.#take(`${caller} ${name}`, limit)
    return narrow.remaining <= allowance.remaining ? narrow : allowance
  }

  /**
   * Returns the allowance of a request that is not counted. Each has all of the limit: an allowance that shrinks, but
   * refuses nothing, would slow down clients that respect it.
   */
  uncounted({ method, path }: Operation): Allowance {
    const { requests, seconds } = special.get(`${method} ${path}`) ?? general
    const reset = Math.ceil(this.clock.now() / 1000) + seconds
    return { limit: requests, remaining: requests - 1, reset, exceeded: false }
  }

  #take(bucket: string, { requests, seconds }: Limit): Allowance {
    const now = this.clock.now()
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
