/** Reads rate limits from answers, and waits before requests that must follow each other (gaps.md, Other headers). */
import { Problem } from '../errors'
import { counted } from '../rules/texts'
import { formatTimestamp } from '../rules/times'
import { parseHttpDate } from './http-date'
import { maxWaitOf } from './retry'
import type { ClientSettings, LastAnswer } from './settings'

export interface Burst {
  /** Maximum number of requests. */
  requests: number
  /** Verb and object for messages: `move compute 1001`. */
  purpose: string
}

/** Throws `rate_limited` if the wait is longer than `--max-wait`. An answer without the headers allows everything. */
export async function awaitRateLimit(burst: Burst, settings: ClientSettings): Promise<void> {
  const { last, clock, signal, note } = settings
  const allowance = last?.answer && allowanceIn(last.answer)
  // Half of the limit: others use the token, too, so waiting for all of it could take forever.
  if (!allowance || allowance.remaining >= Math.min(burst.requests, allowance.limit / 2)) return
  const pause = allowance.endsAt - clock.monotonic()
  if (pause <= 0) return
  const left = counted(allowance.remaining, 'more request')
  if (pause > maxWaitOf(settings)) {
    const until = `${formatTimestamp(clock.now() + pause)}Z`
    throw new Problem('rate_limited', `the API allows ${left} until ${until}, too few to ${burst.purpose} at once`, {
      hint: `Run it again then, or wait longer: --max-wait ${Math.ceil(pause / 1000)}s`,
    })
  }
  note?.(`the API allows ${left}: waiting ${Math.ceil(pause / 1000)} s before skyctl can ${burst.purpose} at once`)
  await clock.sleep(pause, signal)
}

/** Requests that the API allows until the end of a window, according to an answer. */
export interface RateAllowance {
  /** Requests per window; infinite if the answer does not have it. */
  limit: number
  remaining: number
  /** End of the window as the service writes it, in seconds since the epoch. */
  reset: number
  /** Its end on the monotonic clock, in milliseconds. */
  endsAt: number
  /** False without a valid `Date`: then `endsAt` is wrong if the local clock is. */
  isByServiceClock: boolean
}

/** Returns the allowance in an answer; undefined if it has none. */
export function allowanceIn({ headers, at, receivedAt }: LastAnswer): RateAllowance | undefined {
  const [limit = Number.POSITIVE_INFINITY, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers[`x-ratelimit-${name}`] ?? ''
    return /^\d{1,12}$/.test(text) ? Number(text) : undefined
  })
  if (remaining === undefined || reset === undefined) return undefined
  const date = parseHttpDate(headers.date ?? '', at)
  const endsAt = receivedAt + reset * 1000 - (date ?? at)
  return { limit, remaining, reset, endsAt, isByServiceClock: date !== undefined }
}
