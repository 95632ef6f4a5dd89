/**
 * Control endpoints of the sandbox below `/sandbox`, which are not part of the API: change faults and time, and inspect
 * the data. Web pages have no access: browsers need a preflight request for the header, and the sandbox rejects it.
 */
import * as v from 'valibot'
import { checkValue, isValid } from '../catalogue/check'
import { boolean, checkedText, integer, together } from '../catalogue/fields'
import { parseDuration } from '../rules/durations'
import { formatTimestamp, parseTimestamp, timestampFault } from '../rules/times'
import type { MovableClock } from './clock'
import type { Faults } from './faults'
import { ApiRefusal, refusal } from './refusal'
import type { World } from './world'

/** Header required below `/sandbox`. It is not secret: it blocks web pages and accidental requests. */
export const controlHeader = { name: 'X-Skyctl-Sandbox', value: 'control' }

export interface Controlled {
  world: World
  clock: MovableClock
  faults: Faults
}

const between = (min: number, max: number, description: string) =>
  v.pipe(integer(description), v.minValue(min, `Must be ${min}-${max}`), v.maxValue(max, `Must be ${min}-${max}`))

const longestMs = 600_000
const occasion = {
  count: between(1, 999_999, 'Number of requests'),
  path: v.optional(v.pipe(v.string('Must be a string'), v.startsWith('/', 'Must begin with /'))),
}

const durationFault = (text: string) =>
  parseDuration(text) === undefined ? 'Must be a time such as 90s, 10m or 30d' : undefined

const settings = v.pipe(
  v.strictObject({
    now: v.optional(checkedText(timestampFault, 'The time of the sandbox, in UTC')),
    advance: v.optional(checkedText(durationFault, 'Time to move the clock forward by')),
    stopped: v.optional(boolean('Whether the clock is stopped; now and advance still move it')),
    transition_ms: v.optional(between(0, longestMs, 'Duration of creating, cloning and resizing')),
    latency_ms: v.optional(between(0, longestMs, 'Delay of every answer')),
    rate_limit: v.optional(boolean('Whether the rate limits are enforced')),
    fail: v.optional(
      v.array(v.strictObject({ status: between(400, 599, 'Status to fail with'), ...occasion }), 'Must be an array'),
    ),
    drop_answer: v.optional(v.array(v.strictObject(occasion), 'Must be an array')),
  }),
  together(
    ['advance', 'now'],
    ({ now, advance }) => now === undefined || advance === undefined,
    'Must not be set together with now',
  ),
)

/** Returns the current settings; `fail` and `drop_answer` list the remaining faults. */
export function readSettings({ world, clock, faults }: Controlled) {
  return {
    now: formatTimestamp(clock.now()),
    stopped: clock.stopped,
    transition_ms: world.transitionMs,
    latency_ms: faults.latencyMs,
    rate_limit: faults.rateLimit,
    fail: faults.failures,
    drop_answer: faults.droppedAnswers,
  }
}

/** Changes the settings present in `input`. On any error it changes nothing and fails with 400 and all problems. */
export function changeSettings(input: unknown, { world, clock, faults }: Controlled): void {
  if (!isValid(settings, input)) throw new ApiRefusal(400, checkValue(settings, input))
  const { now, advance, stopped, transition_ms, latency_ms, rate_limit, fail, drop_answer } = input
  const time = now === undefined ? clock.now() + (parseDuration(advance ?? '') ?? 0) : parseTimestamp(now)
  if (time < Math.floor(clock.now() / 1000) * 1000) {
    throw refusal('now', 'Must not be before the present time of the sandbox')
  }
  if (now !== undefined || advance !== undefined) clock.moveTo(time)
  clock.stopped = stopped ?? clock.stopped
  world.transitionMs = transition_ms ?? world.transitionMs
  faults.latencyMs = latency_ms ?? faults.latencyMs
  faults.rateLimit = rate_limit ?? faults.rateLimit
  faults.failures = fail ?? faults.failures
  faults.droppedAnswers = drop_answer ?? faults.droppedAnswers
}
