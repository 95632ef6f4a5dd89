/** Finds the objects that are named on the command line, by id or label. */
import { type Details, Problem } from '../errors'
import { parseId } from '../rules/ids'
import type { Account } from './account'
import {
  type FoundObject,
  firstPage,
  type Item,
  labelled,
  listOf,
  pathOf,
  type Reference,
  type Resource,
  readItem,
  type Target,
} from './resource'

/** Matches text that looks like a number or a folder, and so is no label; `label:` forces one. */
export const notALabel = /^(\.{1,2}|[+-]?[\p{Nd}.,_]+(e[+-]?\p{Nd}+)?|0x[0-9a-f]+)$/iu

/** Parses a target: digits are an id, anything else is a label; `id:` and `label:` force one. */
export function parseTarget(input: string, noun: string, reference?: Reference): Target {
  if (reference) return { id: reference.parse(input, noun), input }
  if (input.startsWith('label:')) return { label: nonEmpty(input.slice('label:'.length), noun), input }
  const id = parseId(withoutMark(input))
  if (id !== undefined) return { id, input }
  if (input.startsWith('id:')) throw noId(input, noun)
  if (notALabel.test(input)) throw noId(input, noun, { hint: `If it is a label, write "label:${input}"` })
  return { label: nonEmpty(input, noun), input }
}

/** Reference to objects without a label. */
export const byId: Reference = {
  what: (noun) => `Id of the ${noun}`,
  parse(input, noun) {
    const id = parseId(withoutMark(input))
    if (id === undefined) throw noId(input, noun)
    return id
  },
}

const withoutMark = (input: string) => (input.startsWith('id:') ? input.slice('id:'.length) : input)

function noId(input: string, noun: string, details: Details = {}): Problem {
  return new Problem('usage', `"${input}" is not a ${noun} id: an id is a whole number from 1 to 2^53-1`, {
    ...details,
    noTarget: input,
  })
}

function nonEmpty(label: string, noun: string): string {
  if (label === '') throw new Problem('usage', `the name of the ${noun} is empty`)
  return label
}

/**
 * Finds the object of a target, in its list if that is read anyway. A label needs a request; an id only if `record` is
 * set. Throws `not_found` with similar labels, or `refused` with the candidates if several objects have the label.
 */
export async function findTarget(
  target: Target,
  resource: Resource,
  account: Account,
  { record }: { record: boolean },
): Promise<FoundObject> {
  const list = record || 'label' in target ? listOf(resource, account) : undefined
  const item = await list?.find(target)
  if (item) return { id: 'id' in target ? target.id : item.id, input: target.input, record: item }
  if ('label' in target) {
    const others = await list?.labelsWithout(target.label)
    if (others) throw (await import('./absent-label')).labelNotFound(target.label, resource, others)
    return findByLabel(target, resource, account)
  }
  if (!record) {
    // It costs no request, and names the object in messages and in the history.
    const alone = listOf(resource, account)?.readAlone(target.id)
    return { id: target.id, input: target.input, ...(alone && { record: alone }) }
  }
  return { id: target.id, input: target.input, record: await readItem(target.id, resource, account) }
}

/** Finds the object that the user named, after its parent; `place` is its kind with the path of the parent. */
export async function findNamed(
  names: readonly string[],
  resource: Resource,
  account: Account,
  needs: { record: boolean },
): Promise<{ object: FoundObject; place: Resource }> {
  const target = parseTarget(names.at(-1) ?? '', resource.noun, resource.reference)
  const place = await ofParent(resource, names, account)
  return { object: await findTarget(target, place, account, needs), place }
}

/** Returns the path parameters of what belongs to the object that the user named. */
export async function pathBelow(resource: Resource, names: readonly string[], account: Account) {
  const { object, place } = await findNamed(names, resource, account, { record: false })
  return pathOf(place, object.id)
}

/** Returns the resource with the path of its parent, which is named first. */
export async function ofParent(resource: Resource, names: readonly string[], account: Account): Promise<Resource> {
  const { parent } = resource
  return parent ? { ...resource, path: await pathBelow(parent, names.slice(0, 1), account) } : resource
}

async function findByLabel(
  { label, input }: { label: string; input: string },
  resource: Resource,
  account: Account,
): Promise<FoundObject> {
  const items = await labelled(label, resource, account)
  const candidates = items.length > 0 ? items : await firstPage(resource, account)
  // A filter without results is not trusted if the list has the label.
  const matches = candidates.filter((item) => item.label === label)
  if (matches.length > 1) throw ambiguousLabel(label, resource, matches)
  const [match] = matches
  if (match) return { id: match.id, input, record: match }
  throw (await import('./absent-label')).noSuchLabel(label, resource, candidates)
}

export function ambiguousLabel(
  label: string,
  { noun }: { noun: string },
  matches: readonly Pick<Item, 'id'>[],
): Problem {
  const ids = matches.map(({ id }) => `id:${id}`).join(', ')
  return new Problem('refused', `${matches.length} ${noun}s have the label "${label}": ${ids}`, {
    hint: 'Name one by its id',
  })
}
