/** Waits for the rate limit before requests that have to follow each other without a pause (gaps.md, Other headers). */
import { Problem } from '../errors'
import { counted } from '../rules/texts'
import { parseHttpDate } from './http-date'
import type { ClientSettings, LastAnswer } from './settings'

export interface Burst {
  /** Maximum number of requests. */
  requests: number
  /** Verb and object for messages: `move compute 1001`. */
  purpose: string
}

/** Throws `rate_limited` if the wait is longer than `--max-wait`. An answer without the headers allows everything. */
export async function awaitRateLimit(
  burst: Burst,
  { last, clock, maxWaitMs, signal, note }: ClientSettings,
): Promise<void> {
  const limit = last?.answer && limitIn(last.answer)
  if (!limit || limit.remaining >= Math.min(burst.requests, limit.most)) return
  const pause = limit.resetsInMs - (clock.monotonic() - limit.receivedAt)
  if (pause <= 0) return
  const left = counted(limit.remaining, 'more request')
  if (pause > maxWaitMs) {
    const until = `${new Date(clock.now() + pause).toISOString().slice(0, 19)}Z`
    throw new Problem('rate_limited', `the API allows ${left} until ${until}, too few to ${burst.purpose} at once`, {
      hint: `Run it again then, or wait longer: --max-wait ${Math.ceil(pause / 1000)}s`,
    })
  }
  note?.(`the API allows ${left}: waiting ${Math.ceil(pause / 1000)} s before skyctl can ${burst.purpose} at once`)
  await clock.sleep(pause, signal)
}

/** Reads the rate limit from an answer; `resetsInMs` is the time from the answer to the reset, in milliseconds. */
function limitIn({ headers, at, receivedAt }: LastAnswer) {
  const [most, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers[`x-ratelimit-${name}`] ?? ''
    return /^\d{1,12}$/.test(text) ? Number(text) : undefined
  })
  if (remaining === undefined || reset === undefined) return undefined
  const resetsInMs = reset * 1000 - (parseHttpDate(headers.date ?? '', at) ?? at)
  // Half of the limit: others use the token, too, so waiting for all of it could take forever.
  return { remaining, resetsInMs, receivedAt, most: most === undefined ? Number.POSITIVE_INFINITY : most / 2 }
}
