/** What is done when a request that must not simply be repeated was sent, and its answer was lost (reliability.md). */

import { isRefusal, Problem } from '../errors'
import { safe } from '../output/safe'
import { shellWord } from '../rules/shell-words'
import { parseTimestamp } from '../rules/times'
import type { Session } from '../session'
import { type Compare, differenceText, type Look, lookAt } from './look'
import { groupOf, type Item, nameOf, type Resource } from './resource'

export function isLost(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'outcome_unknown'
}

/**
 * Makes an answer of what stands after the answer was lost, or throws a problem; `again` sends the request once more,
 * which only what was seen not to be done may do.
 */
export type Recover<A> = (lost: Problem, again: () => Promise<A>) => Promise<A>

/** What a request for a new object asked for, and what stood before it was sent. */
export interface Made {
  body: Readonly<Record<string, unknown>>
  resource: Resource
  session: Session
  /** Undefined where it could not be looked: then nothing can be proved. */
  before: Look | undefined
  compare: Compare
}

/**
 * For what makes a new object: adopts the one that is proved to be ours. Throws `outcome_unknown` with every candidate,
 * and why each is it or not, where that is open.
 */
export function adoption(made: Made): Recover<Record<string, unknown>> {
  return async (lost) => {
    const created = await findCreated(lost, made)
    const name = nameOf(made.resource, { id: created.id, record: created })
    await made.session.warn(`the answer was lost, but ${name} was created`)
    return created
  }
}

/**
 * The one object that has the label, was not there before, was created since by the service's own clock, and is all
 * that was asked for (reliability.md, class N). A label alone proves nothing: two administrators use the same.
 */
export async function findCreated(lost: Problem, made: Made): Promise<Item> {
  const { body, resource, session, before } = made
  const { label } = body
  if (typeof label !== 'string') throw unknown(lost, '', `skyctl ${groupOf(resource)} list`)
  const next = `skyctl ${groupOf(resource)} list --filter ${shellWord(`label=${label}`)}`
  const items = await lookAt(label, resource, session).catch(() => undefined)
  if (!before || !items) throw unknown(lost, '', next)
  const candidates = await Promise.all(items.items.map((item) => judge(item, made, before)))
  const [ours, ...others] = candidates.filter(({ doubt }) => doubt === undefined)
  if (ours && others.length === 0) return ours.item
  throw unknown(lost, `; ${saidOf(candidates, made)}`, next)
}

interface Candidate {
  item: Item
  /** Why it is not proved to be ours. */
  doubt?: string
}

async function judge(item: Item, { body, compare }: Made, { items, serviceTime }: Look): Promise<Candidate> {
  if (items.some(({ id }) => id === item.id)) return { item, doubt: 'was there before' }
  const differences = await compare(item, body)
  if (differences.length > 0) return { item, doubt: differenceText(differences) }
  // The service's times are whole seconds, so one that began in the same second counts.
  const since = serviceTime === undefined ? Number.NaN : Math.floor(serviceTime / 1000) * 1000
  const fresh = parseTimestamp(String(item.created)) >= since
  return fresh ? { item } : { item, doubt: 'is not known to have been created since' }
}

function saidOf(candidates: readonly Candidate[], { resource, body }: Made): string {
  if (candidates.length === 0) return `no ${resource.noun} is labelled "${safe(String(body.label))}" now`
  return candidates
    .map(({ item, doubt = 'is as it was asked for, but so is another' }) => {
      return `${nameOf(resource, { id: item.id, record: item })} ${doubt}`
    })
    .join('; ')
}

/** The outcome stays open: says what is known of it all the same, and where to look. */
export function unknown(lost: Problem, known: string, next: string): Problem {
  const hint = `Look before you try again: ${next}`
  return new Problem('outcome_unknown', `${lost.message}${known}`, { ...lost.details, hint, cause: lost })
}

/**
 * For what changes an object. `settled` looks at it, and resolves to what is as good as the answer where all is as this
 * change makes it, to undefined where it is not: then it is sent once more. What cannot be looked at stays unknown.
 */
export function settlement<A>(settled: () => Promise<A | undefined>): Recover<A> {
  return async (lost, again) => {
    // What was changed by somebody else meanwhile is a verdict, not a failure to look.
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

/** Whether a failure of the second request tells that the first was not done either. */
export function decides(error: unknown): boolean {
  return !(
    error instanceof Problem && ['outcome_unknown', 'unavailable', 'rate_limited', 'not_the_api'].includes(error.code)
  )
}
