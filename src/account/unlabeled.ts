/**
 * Recovers from lost answers when creating objects without label and creation time. Nothing proves which request
 * created an object, so the outcome stays unknown; but the message names new objects.
 */
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { type Compare, differenceText, ifAllowed } from './label-lookup'
import { type Recover, unknownOutcome } from './lost-response'
import { groupOf, type Item, type Resource } from './resource'

type Listed = Readonly<Record<string, unknown>>

interface Nameless {
  body: Listed
  resource: Resource
  compare: Compare
  /** Returns existing objects that may match the body; undefined if the API cannot list them. */
  alike(): Promise<readonly Listed[]> | undefined
}

/** Reads existing objects before the request; after a lost answer the returned function names new ones. */
export async function reportNewcomers(made: Nameless): Promise<Recover<unknown>> {
  const first = made.alike()
  if (!first) return async (lost) => Promise.reject(unlisted(lost, made.resource))
  const before = await ifAllowed(first)
  return async (lost) => {
    const told = before && (await newSince(before, made).catch(() => undefined))
    throw unknownOutcome(lost, told ? `; ${told}` : '', `skyctl ${groupOf(made.resource)} list`)
  }
}

async function newSince(before: readonly Listed[], made: Nameless): Promise<string> {
  const { noun, key = 'id' } = made.resource
  const known = new Set(before.map((record) => record[key]))
  const added = (await made.alike())?.filter((record) => !known.has(record[key]))
  if (!added?.length) return `there is no new ${noun}`
  return (await Promise.all(added.map((record) => judged(record, made)))).join('; ')
}

async function judged(record: Listed, { body, resource, compare }: Nameless): Promise<string> {
  const differences = await compare(record as Item, body)
  const doubt = differences.length > 0 ? differenceText(differences) : 'matches, but somebody else may have created it'
  return `${resource.noun} ${escapeText(String(record[resource.key ?? 'id']))} is new, and ${doubt}`
}

function unlisted(lost: Problem, { noun }: Resource): Problem {
  const message = `${lost.message}; the API lists no such ${noun}`
  return new Problem('outcome_unknown', message, { ...lost.details, cause: lost })
}
