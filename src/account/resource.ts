/** Defines kinds of objects that can be named on the command line, and finds them by id or label. */
import { filledPath, type ObjectKind, type Operation } from '../catalogue/operation'
import { usualPageSize } from '../catalogue/paging'
import { type Details, isGone, Problem } from '../errors'
import type { Call } from '../http/client'
import { escapeText } from '../rules/escape'
import { parseId } from '../rules/ids'
import type { Account } from './account'
import type { ObjectList } from './object-list'
import { readAll } from './read-all'

/** Names that a shell completes: labels of the account's objects, regions, contexts. */
export type NameKind =
  | 'volumes'
  | 'firewalls'
  | 'rules'
  | 'tokens'
  | 'sshkeys'
  | 'apps'
  | 'computes'
  | 'balancers'
  | 'regions'
  | 'contexts'

export interface Resource {
  /** Name in messages: `volume`. */
  noun: ObjectKind
  /** Path parameter of its id. */
  parameter: string
  list: Operation
  view: Operation
  /** Operation that deletes an object, if there is one. */
  delete?: Operation
  /** Operation that must come before, while an object needs it. */
  release?: { operation: Operation; isNeeded(item: Item): boolean }
  values?: NameKind
  /** Syntax of its objects' names, if not id or label. */
  reference?: Reference
  /** Field that identifies a record; `id` by default. */
  key?: string
  /** Group of its commands; by default the plural of the noun: `profile sshkeys`. */
  group?: string
  /** Kind of the parent, as a firewall of a device; it is named before the object. */
  parent?: Resource
  /** Path parameters of the parent. */
  path?: Readonly<Record<string, Id>>
}

/** Returns the words before the verb: `volumes`, `profile sshkeys`. */
export const groupOf = ({ noun, group }: Resource) => group ?? `${noun}s`

/** Id of an object; an address is its own id. */
export type Id = number | string

export interface Reference {
  /** Returns the description for help: `Id of the device`. */
  what(noun: string): string
  /** Parses the name; throws `usage` if it is invalid. */
  parse(input: string, noun: string): Id
}

export type Item = Record<string, unknown> & { id: number; label?: string }

/** An object as typed: an id, or a label to look up. */
export type Target = { id: Id; input: string } | { label: string; input: string }

/** An object of the account: its id, and its record if it was read. */
export interface FoundObject {
  id: Id
  input: string
  record?: Item
}

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
  return new Problem('usage', `"${input}" is not a ${noun} id: an id is a whole number from 1 to 2^53-1`, details)
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
  if (item) return { id: item.id, input: target.input, record: item }
  if ('label' in target) return findByLabel(target, resource, account)
  if (!record) return { id: target.id, input: target.input }
  return { id: target.id, input: target.input, record: await readItem(target.id, resource, account) }
}

/** Returns the list in which many objects are looked up; undefined if each is looked up by itself. */
export const listOf = ({ list, path = {} }: Resource, account: Account): ObjectList | undefined =>
  account.lists?.get(filledPath(list.path, path))

/** Returns the resource with the path of its parent, which is named first. */
export async function ofParent(resource: Resource, names: readonly string[], account: Account): Promise<Resource> {
  const { parent } = resource
  if (!parent) return resource
  const target = parseTarget(names[0] ?? '', parent.noun, parent.reference)
  const { id } = await findTarget(target, parent, account, { record: false })
  return { ...resource, path: { [parent.parameter]: id } }
}

/** Reads an object by its id; throws `not_found` with its name. */
export async function readItem(
  id: Id,
  resource: Resource,
  account: Account,
  needs: Pick<Call, 'essential'> = {},
): Promise<Item> {
  const client = await account.client()
  return named(client.call(resource.view, { ...needs, path: pathOf(resource, id) }), id, resource)
}

/** Returns the path parameters of an object. */
export function pathOf({ parameter, path }: Resource, id: Id): Record<string, Id> {
  return { ...path, [parameter]: id }
}

/** Adds the object's name to the service's "not found". */
export async function named<T>(request: Promise<T>, id: Id, resource: { noun: string }): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw notFoundAs(id, resource, error)
  }
}

/** Adds the object's name to a problem, if it says that the object is gone; returns other errors unchanged. */
export function notFoundAs(id: Id, { noun }: { noun: string }, error: unknown): unknown {
  if (!isGone(error)) return error
  return new Problem('not_found', `${noun} ${id} not found`, { ...error.details, cause: error })
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
  const message = `${resource.noun} "${label}" not found`
  const unlabeled = candidates.find(isUnlabeled)
  // That object may have the label: without `missing`, it does not count as gone.
  if (unlabeled) throw new Problem('not_found', `${message}, but ${lacksLabel(unlabeled, resource)}`, byItsId(resource))
  const { labelHint } = await import('../rules/nearest')
  const hint = labelHint(
    label,
    candidates.map((item) => item.label ?? ''),
  )
  const missing = missingKeyOf({ label }, resource)
  throw new Problem('not_found', message, { missing, ...(hint && { hint }) })
}

const isUnlabeled = (item: Item) => typeof item.label !== 'string'
const lacksLabel = ({ id }: Item, { noun }: Resource) => `the answer lacks the label of ${noun} ${id}`
const byItsId = ({ noun }: Resource) => ({ hint: `Name the ${noun} by its id` })

/** Throws if an answer lacks the label of an object: that object may have the label. */
export function expectLabels(items: readonly Item[], label: string, resource: Resource): void {
  const unlabeled = items.find(isUnlabeled)
  if (!unlabeled) return
  const message = `cannot tell whether ${resource.noun} "${label}" exists: ${lacksLabel(unlabeled, resource)}`
  throw new Problem('defect', message, { hint: 'To create it anyway, leave out --if-absent' })
}

/** Returns the value of `Details.missing` for an object that was named by id or label. */
export function missingKeyOf(named: { id: Id } | { label: string }, resource: Resource): string {
  if ('id' in named) return filledPath(resource.view.path, pathOf(resource, named.id))
  const { list, path = {} } = resource
  return `${filledPath(list.path, path)}?label=${JSON.stringify(named.label)}`
}

/**
 * Reads objects for a label; the caller must still compare. If the service rejects or ignores the filter (gaps.md,
 * Filtering), the whole list is read.
 */
export async function labelled(label: string, resource: Resource, account: Account): Promise<Item[]> {
  if (resource.list.filterable?.includes('label')) {
    try {
      const page = await firstPage(resource, account, { label })
      const honoured = page.every((item) => item.label === label)
      if (honoured && page.length < usualPageSize) return page
    } catch (error) {
      const { isFilterRefusal } = await import('./filter-refusal')
      if (!isFilterRefusal(error)) throw error
    }
  }
  return readAll(await account.client(), resource.list)
}

async function firstPage(resource: Resource, account: Account, filter?: Call['filter']): Promise<Item[]> {
  const bounds = { page: 1, pageSize: usualPageSize }
  return readAll(await account.client(), resource.list, { ...bounds, ...(filter && { filter }) })
}

/** Creates the problem of a label that several objects have. */
export function ambiguousLabel(label: string, { noun }: Resource, matches: readonly Item[]): Problem {
  const ids = matches.map(({ id }) => `id:${id}`).join(', ')
  return new Problem('refused', `${matches.length} ${noun}s have the label "${label}": ${ids}`, {
    hint: 'Name one by its id',
  })
}

/** Returns `volume "data-1" (123)`, or `volume 123` if the label is unknown; escaped, on one line. */
export function nameOf({ noun }: Resource, { id, record }: { id: Id; record?: Item }): string {
  return typeof record?.label !== 'string' ? `${noun} ${id}` : `${noun} "${escapeText(record.label)}" (${id})`
}
