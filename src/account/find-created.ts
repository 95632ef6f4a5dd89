/** Looks for the object of a creation whose answer was lost (reliability.md, class N). */

import { Problem, unchecked } from '../errors'
import { escapeText } from '../rules/escape'
import { shellWord } from '../rules/texts'
import { parseTimestamp } from '../rules/times'
import type { Account } from './account'
import type { RequestBody } from './change-context'
import { type Compare, differenceText, type LabelLookup, lookUpLabel } from './label-lookup'
import { type Item, listCommandOf, nameOf, type Resource } from './resource'

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
 * Finds the object of this request (reliability.md, class N). It is the only one that has the label, did not exist
 * before, was created since by the service's clock, and matches the request. A label alone proves nothing: two
 * administrators may use the same.
 */
export async function findCreated(lost: Problem, attempt: CreationAttempt): Promise<Item> {
  const { body, resource, account, before } = attempt
  const { label } = body
  const list = `skyctl ${listCommandOf(resource)}`
  if (typeof label !== 'string') throw unknownOutcome(lost, '', list)
  const next = `${list} --filter ${shellWord(`label=${label}`)}`
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

/** The creation of an object without label and creation time. */
export interface UnlabeledCreation extends Pick<CreationAttempt, 'body' | 'resource' | 'compare'> {
  /** Objects that may be confused with it, from before the request; undefined if they could not be read. */
  before: readonly RequestBody[] | undefined
  /** Reads these objects again; undefined if the API cannot list them. */
  read(): Promise<readonly RequestBody[]> | undefined
}

/** Returns the problem of a lost answer: nothing proves which request created an object, but new ones are named. */
export async function unlabeledProblem(lost: Problem, creation: UnlabeledCreation): Promise<Problem> {
  const next = `skyctl ${listCommandOf(creation.resource)}`
  const { before } = creation
  if (!before) return unknownOutcome(lost, '', next)
  try {
    return unknownOutcome(lost, `; ${await newSince(before, creation)}`, next)
  } catch (error) {
    return unknownOutcome(unchecked(lost, error), '', next)
  }
}

async function newSince(before: readonly RequestBody[], creation: UnlabeledCreation): Promise<string> {
  const { noun, key = 'id' } = creation.resource
  const previousKeys = new Set(before.map((record) => record[key]))
  const added = (await creation.read())?.filter((record) => !previousKeys.has(record[key]))
  if (!added?.length) return `there is no new ${noun}`
  return (await Promise.all(added.map((record) => newcomerText(record, creation)))).join('; ')
}

async function newcomerText(record: RequestBody, { body, resource, compare }: UnlabeledCreation): Promise<string> {
  const differences = await compare(record as Item, body)
  const doubt = differences.length > 0 ? differenceText(differences) : 'matches, but somebody else may have created it'
  return `${resource.noun} ${escapeText(String(record[resource.key ?? 'id']))} is new, and ${doubt}`
}

/** Returns the problem of a lost answer if the API lists no such objects. */
export function unlistedProblem(lost: Problem, { noun }: Resource): Problem {
  const message = `${lost.message}; the API lists no such ${noun}`
  return new Problem('outcome_unknown', message, { ...lost.details, cause: lost })
}
