/**
 * Plans with what the lists of an account show. If that gives changes, or is refused, it reads what a change relies on, and
 * plans again: a plan without changes needs no list of each firewall's devices.
 */
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { Plan } from './plan'
import { type ReadableState, stateForChange } from './read-account'

/** A plan, or what refuses it. */
export type PlanAttempt = { plan: Plan; refusal?: undefined } | { plan?: undefined; refusal: Problem }

/** Returns the plan, or the problem that it throws. */
export function attemptOf(plan: () => Plan): PlanAttempt {
  try {
    return { plan: plan() }
  } catch (error) {
    if (error instanceof Problem) return { refusal: error }
    throw error
  }
}

/** Plans a state, again if that relies on more. */
export async function planCertainly<A extends PlanAttempt>(
  state: ReadableState,
  attempt: (state: ReadableState) => Promise<A>,
  client: Client,
): Promise<A> {
  const first = await attempt(state)
  if (first.plan?.objects.length === 0) return first
  const whole = await stateForChange(state, client)
  return whole ? attempt(whole) : first
}
