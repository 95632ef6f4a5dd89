/** A kind of object that can be named on the command line, by id or by label. */
import { filledPath, type ObjectKind, type Operation } from '../catalogue/operation'
import { usualPageSize } from '../catalogue/paging'
import { type Details, isGone, Problem } from '../errors'
import type { Call, Client } from '../http/client'
import { safe } from '../output/safe'
import { parseId } from '../rules/ids'
import { didYouMean } from '../rules/nearest'
import type { Session } from '../session'
import type { NameKind } from './command'
import { isFilterRefusal } from './filter/refusal'

export interface Resource {
  /** As sentences name it: `volume`. */
  noun: ObjectKind
  /** The hole that its id fills in the paths of operations. */
  parameter: string
  list: Operation
  view: Operation
  /** Where its objects can be deleted. */
  delete?: Operation
  /** What has to be done before that, as long as an object needs it. */
  release?: { operation: Operation; isNeeded(item: Item): boolean }
  values?: NameKind
  /** How its objects are named where that is not by id or label. */
  reference?: Reference
  /** The field of a record that names it; `id` where nothing else is said. */
  key?: string
  /** Where its commands are; the plural of the noun where nothing else is said: `profile sshkeys`. */
  group?: string
  /** What its objects belong to, as a device to its firewall; that one is named before them. */
  parent?: Resource
  /** The holes that the parent fills. */
  path?: Readonly<Record<string, Id>>
}

/** The words before the verb: `volumes`, `profile sshkeys`. */
export const groupOf = ({ noun, group }: Resource) => group ?? `${noun}s`

/** Objects without a label have an id; an address is its own name. */
export type Id = number | string

export interface Reference {
  /** What is typed, for help: `Id of the device`. */
  what(noun: string): string
  /** Throws `usage` for what can be no name. */
  parse(typed: string, noun: string): Id
}

export type Item = Record<string, unknown> & { id: number; label?: string }

/** What was typed for an object: an id, or a label to look up. */
export type Target = { id: Id; typed: string } | { label: string; typed: string }

/** An object of the account: its id, and its record where it had to be read or is asked for. */
export interface Found {
  id: Id
  typed: string
  record?: Item
}

/** Looks like a number or a folder, so it was not meant as a label; `label:` forces one. */
export const notALabel = /^(\.{1,2}|[+-]?[\p{Nd}.,_]+(e[+-]?\p{Nd}+)?|0x[0-9a-f]+)$/iu

/** Reads a target as typed: digits are an id, anything else is a label; `id:` and `label:` force one. */
export function parseTarget(typed: string, noun: string, reference?: Reference): Target {
  if (reference) return { id: reference.parse(typed, noun), typed }
  if (typed.startsWith('label:')) return { label: nonEmpty(typed.slice('label:'.length), noun), typed }
  const id = parseId(withoutMark(typed))
  if (id !== undefined) return { id, typed }
  if (typed.startsWith('id:')) throw noId(typed, noun)
  if (notALabel.test(typed)) throw noId(typed, noun, { hint: `If it is a label, write "label:${typed}"` })
  return { label: nonEmpty(typed, noun), typed }
}

/** For objects that have no label. */
export const byId: Reference = {
  what: (noun) => `Id of the ${noun}`,
  parse(typed, noun) {
    const id = parseId(withoutMark(typed))
    if (id === undefined) throw noId(typed, noun)
    return id
  },
}

const withoutMark = (typed: string) => (typed.startsWith('id:') ? typed.slice('id:'.length) : typed)

function noId(typed: string, noun: string, details: Details = {}): Problem {
  return new Problem('usage', `"${typed}" is not a ${noun} id: an id is a whole number from 1 to 2^53-1`, details)
}

function nonEmpty(label: string, noun: string): string {
  if (label === '') throw new Problem('usage', `an empty text names no ${noun}`)
  return label
}

/**
 * Finds the object that a target names. A label costs a read; an id does only where the record is wanted.
 * Throws `not_found` with near names, or `refused` with the candidates where several have the label.
 */
export async function findTarget(
  target: Target,
  resource: Resource,
  session: Session,
  { record }: { record: boolean },
): Promise<Found> {
  if ('label' in target) return findByLabel(target, resource, session)
  if (!record) return { id: target.id, typed: target.typed }
  return { id: target.id, typed: target.typed, record: await readItem(target.id, resource, session) }
}

/** Reads an object by its id; throws `not_found` with its name. */
export async function readItem(
  id: Id,
  resource: Resource,
  session: Session,
  needs: Pick<Call, 'essential'> = {},
): Promise<Item> {
  const client = await session.client()
  return named(client.call(resource.view, { ...needs, path: pathOf(resource, id) }), id, resource)
}

/** What fills the holes in the path of an object. */
export function pathOf({ parameter, path }: Resource, id: Id): Record<string, Id> {
  return { ...path, [parameter]: id }
}

/** Says which object was not found, where the service only says that something was not. */
export async function named<T>(request: Promise<T>, id: Id, resource: Pick<Resource, 'noun'>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw error instanceof Problem ? notFoundAs(id, resource, error) : error
  }
}

/** The same of a problem: any other than that the object is gone stays as it is. */
export function notFoundAs(id: Id, { noun }: Pick<Resource, 'noun'>, problem: Problem): Problem {
  if (!isGone(problem)) return problem
  return new Problem('not_found', `${noun} ${id} not found`, { ...problem.details, cause: problem })
}

async function findByLabel(
  { label, typed }: { label: string; typed: string },
  resource: Resource,
  session: Session,
): Promise<Found> {
  const items = await labelled(label, resource, session)
  const found = items.length > 0 ? items : await firstPage(resource, session)
  // A filter that finds nothing is not believed where the list shows the label.
  const matches = found.filter((item) => item.label === label)
  if (matches.length > 1) throw ambiguous(label, resource, matches)
  const [match] = matches
  if (match) return { id: match.id, typed, record: match }
  expectLabels(found, label, resource)
  const hint = didYouMean(
    label,
    found.map((item) => item.label ?? ''),
  )
  const missing = placeOf({ label }, resource)
  throw new Problem('not_found', `${resource.noun} "${label}" not found`, { missing, ...(hint && { hint }) })
}

/** An object whose label the answer lacks may be the one: then nobody knows that there is none. */
function expectLabels(items: readonly Item[], label: string, { noun }: Resource): void {
  const unlabelled = items.find((item) => (item.label ?? null) === null)
  if (!unlabelled) return
  throw new Problem(
    'defect',
    `cannot look up ${noun} "${label}": the answer lacks the label of ${noun} ${unlabelled.id}`,
    {
      hint: `Name the ${noun} by its id`,
    },
  )
}

/** What `Details.missing` says of an object that was named by its id, or of one that no object of its list is labelled as. */
export function placeOf(named: { id: Id } | { label: string }, resource: Resource): string {
  if ('id' in named) return filledPath(resource.view.path, pathOf(resource, named.id))
  return `${filledPath(resource.list.path, resource.path ?? {})}?label=${encodeURIComponent(named.label)}`
}

/**
 * What the service gives for a label. A service may refuse the filter, or ignore it (gaps.md, Filtering): then the
 * whole list is read.
 */
export async function labelled(label: string, resource: Resource, session: Session): Promise<Item[]> {
  if (resource.list.filterable?.includes('label')) {
    try {
      const page = await firstPage(resource, session, { label })
      const honoured = page.every((item) => item.label === label)
      if (honoured && page.length < usualPageSize) return page
    } catch (error) {
      if (!isFilterRefusal(error)) throw error
    }
  }
  return (await pagesOf(resource, session, {})).flat()
}

async function firstPage(resource: Resource, session: Session, filter?: Call['filter']): Promise<Item[]> {
  const bounds = { page: 1, pageSize: usualPageSize }
  return (await pagesOf(resource, session, { ...bounds, ...(filter && { filter }) })).flat()
}

async function pagesOf(resource: Resource, session: Session, call: Parameters<Client['pages']>[1]): Promise<Item[][]> {
  const client = await session.client()
  const pages: Item[][] = []
  for await (const page of client.pages(resource.list, call)) pages.push(page)
  return pages
}

/** Of what is named by a label that several have. */
export function ambiguous(label: string, { noun }: Resource, matches: readonly Item[]): Problem {
  const ids = matches.map(({ id }) => `id:${id}`).join(', ')
  return new Problem('refused', `${matches.length} ${noun}s have the label "${label}": ${ids}`, {
    hint: 'Name one by its id',
  })
}

/** `volume "data-1" (123)`, or `volume 123` where the label is not known; on one line, whatever the label holds. */
export function nameOf({ noun }: Resource, { id, record }: { id: Id; record?: Item }): string {
  return record?.label === undefined ? `${noun} ${id}` : `${noun} "${safe(record.label)}" (${id})`
}
