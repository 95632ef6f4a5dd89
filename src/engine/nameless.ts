/**
 * Making what has neither a label nor a time of creation. After a lost answer nothing proves that something is ours, so
 * the outcome stays unknown; but what was not there before is named, with what it is.
 */
import { Problem } from '../errors'
import { safe } from '../output/safe'
import { type Compare, differenceText, ifAllowed } from './look'
import { type Recover, unknown } from './lost'
import { groupOf, type Item, type Resource } from './resource'

type Listed = Readonly<Record<string, unknown>>

interface Nameless {
  body: Listed
  resource: Resource
  compare: Compare
  /** What may be what the body asks for, as the account has it now. Undefined: the API lists none such. */
  alike(): Promise<readonly Listed[]> | undefined
}

/** Looks at what there is before the request is sent, and tells after a lost answer what there is besides. */
export async function openNaming(made: Nameless): Promise<Recover<unknown>> {
  const first = made.alike()
  if (!first) return async (lost) => Promise.reject(unlisted(lost, made.resource))
  const before = await ifAllowed(first)
  return async (lost) => {
    const told = before && (await newSince(before, made).catch(() => undefined))
    throw unknown(lost, told ? `; ${told}` : '', `skyctl ${groupOf(made.resource)} list`)
  }
}

async function newSince(before: readonly Listed[], made: Nameless): Promise<string> {
  const { noun, key = 'id' } = made.resource
  const known = new Set(before.map((record) => record[key]))
  const added = (await made.alike())?.filter((record) => !known.has(record[key]))
  if (!added?.length) return `no ${noun} is new by now`
  return (await Promise.all(added.map((record) => judged(record, made)))).join('; ')
}

async function judged(record: Listed, { body, resource, compare }: Nameless): Promise<string> {
  const differences = await compare(record as Item, body)
  const doubt = differences.length > 0 ? differenceText(differences) : 'fits, but nothing tells who made it'
  return `${resource.noun} ${safe(String(record[resource.key ?? 'id']))} is new, and ${doubt}`
}

function unlisted(lost: Problem, { noun }: Resource): Problem {
  const message = `${lost.message}; the API lists no such ${noun}`
  return new Problem('outcome_unknown', message, { ...lost.details, cause: lost })
}
