/** Texts about rate limits, and how long planned requests take within them. */
import { capitalized, counted } from '../rules/texts'
import { type Clock, formatTimestamp } from '../rules/times'
import type { PlannedRequests } from './planned-requests'

/** Part of a window that an estimate needs. */
interface Window {
  limit: number
  remaining: number
  /** End on the monotonic clock, in milliseconds. */
  endsAt: number
  /** Length in milliseconds. */
  length: number
}

/** Returns the milliseconds until the last of so many requests may start; those that fit a window start at once. */
export function estimate(
  { limit, remaining, endsAt, length }: Window,
  { requests, now }: { requests: number; now: number },
): number {
  if (requests <= remaining) return 0
  const windows = Math.ceil((requests - remaining) / limit)
  return Math.max(0, endsAt - now) + (windows - 1) * length
}

/** Returns `The API allows 25 requests a minute: the remaining 92 volumes take about 3 minutes`. */
export function budgetText({ window, noun, planned, time }: BudgetFacts): string {
  const rate = `the API allows ${window.limit} requests ${perText(window.length)}`
  return `${capitalized(rate)}: the remaining ${counted(planned, noun)} take about ${roundedText(time)}`
}

interface BudgetFacts {
  window: Window
  noun: string
  planned: number
  time: number
}

/** Returns `this takes 100 requests: 100 POST /volumes; …`, with the number that the API allows, if that is known. */
export function planText(
  requests: readonly PlannedRequests[],
  allowance: Pick<Window, 'remaining' | 'endsAt'> | undefined,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): string {
  const total = requests.reduce((sum, { count }) => sum + count, 0)
  const parts = requests.map(({ operation: { method, path }, count }) => `${count} ${method} ${path}`)
  const left = allowance ? allowance.endsAt - clock.monotonic() : 0
  const isKnown = allowance && left > 0 && left <= longestWindow
  const until = isKnown ? ` until ${formatTimestamp(clock.now() + left)}Z` : ''
  const allowed = isKnown ? `; the API allows ${allowance.remaining} more${until}` : ''
  return `this takes ${counted(total, 'request')} and some to look things up: ${parts.join(', ')}${allowed}`
}

/** Windows that end later are ignored: only the API itself may ask a command to wait so long. */
export const longestWindow = 3_600_000

/** The end of a window is known to two seconds: `Date` and `X-RateLimit-Reset` are whole seconds. */
const inexactMs = 2_000

function perText(length: number): string {
  const minutes = Math.round(length / 60_000)
  if (minutes === 0 || Math.abs(length - minutes * 60_000) > inexactMs) return `in ${Math.round(length / 1000)} seconds`
  return minutes === 1 ? 'a minute' : `in ${minutes} minutes`
}

function roundedText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 50 ? counted(seconds, 'second') : counted(Math.round(seconds / 60) || 1, 'minute')
}
