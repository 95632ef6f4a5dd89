/**
 * Recovers from lost answers when creating objects without label and creation time. Nothing proves which request
 * created an object, so the outcome stays unknown; but the message names new objects.
 */
import { Problem, unchecked } from '../errors'
import { escapeText } from '../rules/escape'
import { type Compare, differenceText, ifAllowed } from './label-lookup'
import { type Recover, unknownOutcome } from './lost-response'
import { groupOf, type Item, type Resource } from './resource'

type Listed = Readonly<Record<string, unknown>>

interface UnlabeledCreation {
  body: Listed
  resource: Resource
  compare: Compare
  /** Returns existing objects that may match the body; undefined if the API cannot list them. */
  alike(): Promise<readonly Listed[]> | undefined
}

/** Reads existing objects before the request; after a lost answer the returned function names new ones. */
export async function reportNewcomers(creation: UnlabeledCreation): Promise<Recover<unknown>> {
  const first = creation.alike()
  if (!first) return async (lost) => Promise.reject(unlisted(lost, creation.resource))
  const before = await ifAllowed(first)
  return async (lost) => {
    const next = `skyctl ${groupOf(creation.resource)} list`
    if (!before) throw unknownOutcome(lost, '', next)
    const report = await newSince(before, creation).catch((error: unknown) => {
      throw unknownOutcome(unchecked(lost, error), '', next)
    })
    throw unknownOutcome(lost, `; ${report}`, next)
  }
}

async function newSince(before: readonly Listed[], creation: UnlabeledCreation): Promise<string> {
  const { noun, key = 'id' } = creation.resource
  const previousKeys = new Set(before.map((record) => record[key]))
  const added = (await creation.alike())?.filter((record) => !previousKeys.has(record[key]))
  if (!added?.length) return `there is no new ${noun}`
  return (await Promise.all(added.map((record) => judged(record, creation)))).join('; ')
}

async function judged(record: Listed, { body, resource, compare }: UnlabeledCreation): Promise<string> {
  const differences = await compare(record as Item, body)
  const doubt = differences.length > 0 ? differenceText(differences) : 'matches, but somebody else may have created it'
  return `${resource.noun} ${escapeText(String(record[resource.key ?? 'id']))} is new, and ${doubt}`
}

function unlisted(lost: Problem, { noun }: Resource): Problem {
  const message = `${lost.message}; the API lists no such ${noun}`
  return new Problem('outcome_unknown', message, { ...lost.details, cause: lost })
}
