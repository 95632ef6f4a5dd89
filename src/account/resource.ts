/** Defines kinds of objects that can be named on the command line, and reads them. */
import { type Answer, filledPath, type Operation } from '../catalogue/operation'
import { defaultPageSize } from '../catalogue/paging'
import { isGone, Problem } from '../errors'
import type { Bounds, Call, Client } from '../http/client'
import { escapeText } from '../rules/escape'
import type { Account } from './account'
import type { ObjectList } from './object-list'

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
  noun: string
  /** Path parameter of its id. */
  parameter: string
  list: Operation
  /** Reads one of them; their list again, if the API has no view. */
  view: Operation
  delete?: Operation
  /** Operation that must come before, while an object needs it. */
  release?: { operation: Operation; isNeeded(item: Item): boolean }
  values?: NameKind
  /** Syntax of its objects' names, if not id or label. */
  reference?: Reference
  /** Field that identifies a record; `id` by default. */
  key?: string
  /** Returns the id of a record in its list, spelled as in a target; its `id` by default. */
  idOf?(record: Item): Id
  /** Group of its commands; by default the plural of the noun: `profile sshkeys`. */
  group?: string
  /** Command that lists its objects, if not `list` of the group: `volumes snapshots`. */
  listedBy?: string
  /** Kind of the parent, as a firewall of a device; it is named before the object. */
  parent?: Resource
  /** Path parameters of the parent. */
  path?: Readonly<Record<string, Id>>
}

/** Returns the words before the verb: `volumes`, `profile sshkeys`. */
export const groupOf = ({ noun, group }: Resource) => group ?? `${noun}s`

/** Returns the command that lists its objects, below their parent: `volumes list`, `firewalls devices list 4001`. */
export const listCommandOf = (resource: Resource, parents = Object.values(resource.path ?? {})) =>
  [resource.listedBy ?? `${groupOf(resource)} list`, ...parents].join(' ')

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

/** Returns the list in which many objects are looked up; undefined if each is looked up by itself. */
export const listOf = ({ list, path = {} }: Resource, account: Account): ObjectList | undefined =>
  account.lists?.get(filledPath(list.path, path))

/** Reads an object by its id; throws `not_found` with its name. */
export async function readItem(
  id: Id,
  resource: Resource,
  account: Account,
  needs: Pick<Call, 'essential'> = {},
): Promise<Item> {
  const { view, noun } = resource
  const client = await account.client()
  if (!view.paged) return named(client.call(view, { ...needs, path: pathOf(resource, id) }), id, resource)
  const item = await itemInList(id, resource, client)
  if (item) return item
  throw new Problem('not_found', `${noun} ${id} not found`)
}

/** Returns an object without a view. That its list lacks it does not prove that it is gone: a list may be too old. */
async function itemInList(id: Id, resource: Resource, client: Client): Promise<Item | undefined> {
  const items: Item[] = await named(readAll(client, resource.list, placeOf(resource)), id, resource)
  return items.find((one) => one.id === id)
}

/**
 * Reads an object by its id, with a field that its record must have; null if the service says that it does not exist, and
 * undefined if only a list lacks it.
 */
export async function readUnlessGone(
  id: Id,
  field: string | undefined,
  resource: Resource,
  account: Account,
): Promise<Item | null | undefined> {
  try {
    if (resource.view.paged) return await itemInList(id, resource, await account.client())
    return await readItem(id, resource, account, field === undefined ? {} : { essential: [field] })
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Returns the call's part that names the parent. */
export const placeOf = ({ path }: Pick<Resource, 'path'>): Pick<Call, 'path'> => (path ? { path } : {})

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
  return error.with({ message: `${noun} ${id} not found` })
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
      if (honoured && page.length < defaultPageSize) return page
    } catch (error) {
      const { isFilterRefusal } = await import('./filter-refusal')
      if (!isFilterRefusal(error)) throw error
    }
  }
  return readAll(await account.client(), resource.list, placeOf(resource))
}

export async function readAll<O extends Operation>(
  client: Client,
  list: O,
  call: Call & Bounds = {},
): Promise<Answer<O>[]> {
  const records: Answer<O>[] = []
  for await (const page of client.pages(list, call)) records.push(...page)
  return records
}

export async function firstPage(resource: Resource, account: Account, filter?: Call['filter']): Promise<Item[]> {
  const bounds = { page: 1, pageSize: defaultPageSize }
  const call = { ...placeOf(resource), ...bounds, ...(filter && { filter }) }
  return readAll(await account.client(), resource.list, call)
}

/** Returns `volume "data-1" (123)`, or `volume 123` if the label is unknown; escaped, on one line. */
export function nameOf({ noun }: Resource, { id, record }: { id: Id; record?: Item }): string {
  return typeof record?.label !== 'string' ? `${noun} ${id}` : `${noun} "${escapeText(record.label)}" (${id})`
}
