/** What is done when a request that must not simply be repeated was sent, and its answer was lost (reliability.md). */
import type { Context } from '../context'
import { Problem } from '../errors'
import { parseTimestamp } from '../rules/times'
import { groupOf, type Item, labelled, type Resource } from './resource'

export function isLost(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'outcome_unknown'
}

/**
 * Makes an answer of what stands after the answer was lost, or throws a problem; `again` sends the request once more,
 * which only what was seen not to be done may do.
 */
export type Recover<A> = (lost: Problem, again: () => Promise<A>) => Promise<A>

/**
 * For what makes a new object: adopts the one that has its label and was created since the request began.
 * Throws the problem again, with what is known, where there is none or more than one, or where it has no label.
 */
export function adoption(made: Omit<Made, 'began'>): () => Recover<Record<string, unknown>> {
  const { resource, context } = made
  return () => {
    const began = context.clock.now()
    return async (lost) => {
      const created = await findCreated(lost, { ...made, began })
      await context.warn(`the answer was lost, but ${resource.noun} "${created.label}" (${created.id}) was created`)
      return created
    }
  }
}

/** What a request for a new object asked for, and when it began in milliseconds. */
export interface Made {
  label: unknown
  began: number
  resource: Resource
  context: Context
}

/** The one object that has the label and was created since; throws `outcome_unknown` with what is known otherwise. */
export async function findCreated(lost: Problem, { label, began, resource, context }: Made): Promise<Item> {
  if (typeof label !== 'string') {
    const hint = `Look before you try again: skyctl ${groupOf(resource)} list`
    throw new Problem('outcome_unknown', lost.message, { ...lost.details, hint, cause: lost })
  }
  // The service's times are whole seconds, so one that began in the same second counts.
  const since = Math.floor(began / 1000) * 1000
  const isNew = (item: Item) => item.label === label && parseTimestamp(String(item.created)) >= since
  const candidates = await labelled(label, resource, context).then(
    (items) => items.filter(isNew),
    () => undefined,
  )
  const [created] = candidates ?? []
  if (candidates?.length !== 1 || !created) {
    const known = candidates && `; ${candidates.length} new ${resource.noun}s are labelled "${label}"`
    throw new Problem('outcome_unknown', `${lost.message}${known ?? ''}`, {
      ...lost.details,
      hint: `Look before you try again: skyctl ${groupOf(resource)} list --filter label=${label}`,
    })
  }
  return created
}

/**
 * For what changes an object. `settled` looks at it, and resolves to what is as good as the answer where all is as this
 * change makes it, to undefined where it is not: then it is sent once more. What cannot be looked at stays unknown.
 */
export function settlement<A>(settled: () => Promise<A | undefined>): () => Recover<A> {
  return () => async (lost, again) => {
    const look = () => settled().catch((error: unknown) => Promise.reject(isRefusal(error) ? error : lost))
    const standing = await look()
    if (standing !== undefined) return standing
    try {
      return await again()
    } catch (error) {
      const now = await look().catch(() => undefined)
      if (now !== undefined) return now
      throw decides(error) ? error : lost
    }
  }
}

/** What was changed by somebody else meanwhile is a verdict, not a failure to look. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.code === 'refused'
}

/** Whether a failure of the second request tells that the first was not done either. */
function decides(error: unknown): boolean {
  return !(error instanceof Problem && ['outcome_unknown', 'unavailable', 'rate_limited'].includes(error.code))
}
