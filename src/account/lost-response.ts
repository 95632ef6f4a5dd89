/** Recovers from lost answers to requests that must not simply be retried (reliability.md). */

import { Problem, unchecked } from '../errors'
import { escapeText } from '../rules/escape'
import { shellWord } from '../rules/texts'
import { parseTimestamp } from '../rules/times'
import type { Account } from './account'
import { type Compare, differenceText, type LabelLookup, lookUpLabel } from './label-lookup'
import { groupOf, type Item, nameOf, type Resource } from './resource'

export function isLost(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'outcome_unknown'
}

/**
 * Returns a substitute for a lost answer, or throws a problem. `again` retries the request, which is only allowed if it
 * certainly had no effect.
 */
export type Recover<A> = (lost: Problem, again: () => Promise<A>) => Promise<A>

/** A request that creates an object, and the state before it. */
export interface CreationAttempt {
  body: Readonly<Record<string, unknown>>
  resource: Resource
  account: Account
  /** Undefined if the state could not be read: then nothing can be proved. */
  before: LabelLookup | undefined
  compare: Compare
}

/**
 * Recovers creations: adopts the object that this request certainly created. Throws `outcome_unknown` with all
 * candidates, and the reason for each, if that cannot be decided.
 */
export function adoptLostResponse(attempt: CreationAttempt): Recover<Record<string, unknown>> {
  return async (lost) => {
    const created = await findCreated(lost, attempt)
    const name = nameOf(attempt.resource, { id: created.id, record: created })
    await attempt.account.reporter.warn(`the answer was lost, but ${name} was created`)
    return created
  }
}

/**
 * Finds the object of this request (reliability.md, class N). It is the only one that has the label, did not exist
 * before, was created since by the service's clock, and matches the request. A label alone proves nothing: two
 * administrators may use the same.
 */
export async function findCreated(lost: Problem, attempt: CreationAttempt): Promise<Item> {
  const { body, resource, account, before } = attempt
  const { label } = body
  if (typeof label !== 'string') throw unknownOutcome(lost, '', `skyctl ${groupOf(resource)} list`)
  const next = `skyctl ${groupOf(resource)} list --filter ${shellWord(`label=${label}`)}`
  if (!before) throw unknownOutcome(lost, '', next)
  const items = await lookUpLabel(label, resource, account).catch((error: unknown) => {
    throw unknownOutcome(unchecked(lost, error), '', next)
  })
  const candidates = await Promise.all(items.items.map((item) => judge(item, attempt, before)))
  const [ours, ...others] = candidates.filter(({ doubt }) => doubt === undefined)
  if (ours && others.length === 0) return ours.item
  throw unknownOutcome(lost, `; ${saidOf(candidates, attempt)}`, next)
}

interface Candidate {
  item: Item
  /** Reason why it may not be from this request. */
  doubt?: string
}

async function judge(
  item: Item,
  { body, compare }: CreationAttempt,
  { items, serviceTime }: LabelLookup,
): Promise<Candidate> {
  if (items.some(({ id }) => id === item.id)) return { item, doubt: 'existed before' }
  const differences = await compare(item, body)
  if (differences.length > 0) return { item, doubt: differenceText(differences) }
  // The service's times are whole seconds, so an object that was created in the same second counts.
  const since = serviceTime === undefined ? Number.NaN : Math.floor(serviceTime / 1000) * 1000
  const fresh = parseTimestamp(String(item.created)) >= since
  return fresh ? { item } : { item, doubt: 'may have existed before' }
}

function saidOf(candidates: readonly Candidate[], { resource, body }: CreationAttempt): string {
  if (candidates.length === 0) return `no ${resource.noun} has the label "${escapeText(String(body.label))}" now`
  return candidates
    .map(({ item, doubt = 'matches the request, but so does another' }) => {
      return `${nameOf(resource, { id: item.id, record: item })} ${doubt}`
    })
    .join('; ')
}

/** Creates the problem of an unknown outcome, with the known facts and the command to check. */
export function unknownOutcome(lost: Problem, facts: string, next: string): Problem {
  const hint = `Check before you try again: ${next}`
  return new Problem('outcome_unknown', `${lost.message}${facts}`, { ...lost.details, hint, cause: lost })
}

/**
 * Recovers changes of an object. `settled` reads it, and resolves to a substitute for the answer if it has the
 * requested state. Otherwise it resolves to undefined, and the request is sent again. If it cannot be read, the outcome
 * stays unknown.
 */
export function confirmLostResponse<A>(settled: () => Promise<A | undefined>): Recover<A> {
  return async (lost, again) => {
    const look = () => settled().catch((error: unknown) => Promise.reject(unchecked(lost, error)))
    const current = await look()
    if (current !== undefined) return current
    try {
      return await again()
    } catch (error) {
      const now = await look().catch(() => undefined)
      if (now !== undefined) return now
      throw decides(error) ? error : lost
    }
  }
}

/** Reports whether a failed retry shows that the first request had no effect either. */
export function decides(error: unknown): boolean {
  return !(
    error instanceof Problem && ['outcome_unknown', 'unavailable', 'rate_limited', 'not_the_api'].includes(error.code)
  )
}
