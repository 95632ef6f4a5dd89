/** What an account has under a label before something of that label is made (reliability.md, class N). */

import { Problem } from '../errors'
import type { Session } from '../session'
import { type Item, labelled, type Resource } from './resource'

export interface Look {
  label: string
  /** The objects that had the label. */
  items: readonly Item[]
  /** When that was, by the service's own clock, in milliseconds; undefined where it does not tell. */
  serviceTime: number | undefined
}

/** Throws what the service refuses or fails to tell. */
export async function lookAt(label: string, resource: Resource, session: Session): Promise<Look> {
  const items = (await labelled(label, resource, session)).filter((item) => item.label === label)
  return { label, items, serviceTime: (await session.client()).serviceTime }
}

/** Undefined where the token may not look, which does not forbid to make something. */
export async function ifAllowed<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_allowed') return undefined
    throw error
  }
}

/** A field that is not as it was asked for. */
export interface Difference {
  field: string
  wanted: unknown
  actual: unknown
}

/** Says where a record is not what a body asks for. */
export type Compare = (record: Item, body: Record<string, unknown>) => Difference[] | Promise<Difference[]>

/** Compares the fields that both have; lists are the same in any order. What was not asked for may be anything. */
export function compareFields(record: Readonly<Record<string, unknown>>, body: Record<string, unknown>): Difference[] {
  return Object.entries(body).flatMap(([field, wanted]) => {
    if (wanted === undefined || wanted === null || !Object.hasOwn(record, field)) return []
    const actual = record[field]
    return isSame(wanted, actual) ? [] : [{ field, wanted, actual }]
  })
}

function isSame(wanted: unknown, actual: unknown): boolean {
  if (!Array.isArray(wanted)) return String(wanted) === String(actual)
  const asked = new Set(wanted.map(String))
  const found = new Set(Array.isArray(actual) ? actual.map(String) : [])
  return asked.size === found.size && [...asked].every((one) => found.has(one))
}

/** `has size 500, not 20`, for a person. */
export function differenceText(differences: readonly Difference[]): string {
  return `has ${differences.map(({ field, wanted, actual }) => `${field} ${shown(actual)}, not ${shown(wanted)}`).join(', ')}`
}

const shown = (value: unknown) => (value === null || value === undefined ? 'none' : JSON.stringify(value))
