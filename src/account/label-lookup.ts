/** Looks up existing objects with a label before an object with that label is created (reliability.md, class N). */

import { Problem } from '../errors'
import { isSameSet } from '../rules/records'
import { type Account, sameAccount } from './account'
import {
  type FoundObject,
  groupOf,
  type Id,
  type Item,
  labelled,
  listOf,
  nameOf,
  placeOf,
  type Resource,
  readAll,
} from './resource'

export interface LabelLookup {
  label: string
  /** Objects that had the label. */
  items: readonly Item[]
  /** Time of the lookup in milliseconds, by the service's clock; undefined if unknown. */
  serviceTime: number | undefined
}

/**
 * Looks up objects; throws the service's problems. With `isDecisive` it does not rely on a filter that finds nothing, and
 * it throws if no object has the label, but one without a label may be meant. With `usesList`, the list that serves many
 * look-ups may prove that no object has it.
 */
export async function lookUpLabel(
  label: string,
  resource: Resource,
  account: Account,
  { isDecisive = false, usesList = false } = {},
): Promise<LabelLookup> {
  const isFree = usesList && (await listOf(resource, account)?.lacks(label))
  if (isFree) return { label, items: [], serviceTime: (await account.client()).serviceTime }
  const filtered = await labelled(label, resource, account)
  const client = await account.client()
  const read = isDecisive && filtered.length === 0 ? await readAll(client, resource.list, placeOf(resource)) : filtered
  const items = read.filter((item) => item.label === label)
  if (isDecisive && items.length === 0) (await import('./absent-label')).expectLabels(read, label, resource)
  return { label, items, serviceTime: client.serviceTime }
}

/**
 * Returns the objects that have a label, after one of them was created. Many such look-ups share a list, which counts only
 * if it shows the new object, and so does a filter.
 */
export async function lookUpCreated(created: Item, label: string, resource: Resource, account: Account) {
  const list = listOf(resource, account)
  const items = list && (await account.clock.whileWaiting(() => list.findAnew({ label })))
  const isShown = (found: readonly Item[] | undefined) => found?.some(({ id }) => id === created.id) === true
  if (items && isShown(items)) return items
  const filtered = (await lookUpLabel(label, resource, account)).items
  if (isShown(filtered)) return filtered
  const all = await readAll(await account.client(), resource.list, placeOf(resource))
  return all.filter((item) => item.label === label)
}

/** Resolves to undefined if the token has no permission to look: it may still be allowed to create. */
export async function ifAllowed<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_allowed') return undefined
    throw error
  }
}

/** A field that differs from the request. */
export interface Difference {
  field: string
  expected: unknown
  actual: unknown
}

/** Returns the differences between a record and a requested body. */
export type Compare = (record: Item, body: Record<string, unknown>) => Difference[] | Promise<Difference[]>

/** Compares fields that both have; the order of lists does not matter. Other fields may have any value. */
export function compareFields(record: Readonly<Record<string, unknown>>, body: Record<string, unknown>): Difference[] {
  return Object.entries(body).flatMap(([field, expected]) => {
    if (expected === undefined || expected === null || !Object.hasOwn(record, field)) return []
    const actual = record[field]
    return isSame(expected, actual) ? [] : [{ field, expected, actual }]
  })
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (!Array.isArray(expected)) return String(expected) === String(actual)
  return isSameSet(expected.map(String), Array.isArray(actual) ? actual.map(String) : [])
}

/** Returns `has size 500, not 20`, for messages. */
export function differenceText(differences: readonly Difference[]): string {
  return `has ${differences.map(({ field, expected, actual }) => `${field} ${shown(actual)}, not ${shown(expected)}`).join(', ')}`
}

const shown = (value: unknown) => (value === null || value === undefined ? 'none' : JSON.stringify(value))

/** A change that gives an object a label; looks up labels once, and collects warnings for after the change. */
interface LabelChange {
  account: Account
  options: { allowDuplicate?: boolean | 'warn'; ifAbsent?: boolean }
  look(label: string): Promise<LabelLookup | undefined>
  notices: ((id: Id) => string)[]
}

/**
 * Throws `exists` for a label in use, unless options allow it: a label of two objects identifies neither of them
 * (interface.md, Targets). `own` is the object to label.
 */
export async function checkLabel(
  label: unknown,
  resource: Resource,
  { account, options, look, notices }: LabelChange,
  own?: FoundObject,
): Promise<void> {
  const { allowDuplicate, ifAbsent } = options
  if (typeof label !== 'string' || allowDuplicate === true || ifAbsent) return
  const taken = (await look(label))?.items.find(({ id }) => id !== own?.id)
  if (!taken) return
  const message = `${nameOf(resource, { id: taken.id, record: taken })} already has this label`
  if (allowDuplicate === 'warn') {
    const group = groupOf(resource)
    const flag = await sameAccount(account)
    const consequence = `${message}; commands will need the id of each`
    notices.push((id) => `${consequence}. Rename one: skyctl ${group} update ${id} --label NEW_LABEL${flag}`)
    return
  }
  throw new Problem('exists', message, {
    errors: [{ field: 'label', reason: 'Is already in use' }],
    hint: allowDuplicate === undefined ? 'Choose another' : 'Choose another, or add --allow-duplicate',
  })
}
