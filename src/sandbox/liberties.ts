/** What the service lets pass in a body, since clients send it (gaps.md, What existing clients send). */
import * as v from 'valibot'
import { fieldPath, type Steps } from '../catalogue/check'
import { type Operation, partsOf, type Schema } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { Warning } from './handler'

interface Liberties {
  /** Whether a key that nobody knows is left out; it is given those that could stand there. */
  ignores(key: Steps, known: readonly string[]): boolean
}

/** A body without what changes nothing: `null` for what is optional, and keys that nobody knows. */
export function readLiberally(schema: Schema, value: unknown, liberties: Liberties, path: Steps = []): unknown {
  const { type, wrapped, item, entries } = partsOf(schema)
  if (wrapped) return readLiberally(wrapped, value, liberties, path)
  if (item && Array.isArray(value)) {
    return value.map((inner, key) => readLiberally(item, inner, liberties, [...path, { type: 'array', key }]))
  }
  if (!entries || !isRecord(value)) return value
  const read = ([key, held]: [string, unknown]) => {
    const below = [...path, { type: 'object', key }]
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (known) return means(known, held) ? [[key, readLiberally(known, held, liberties, below)]] : []
    return type === 'strict_object' && liberties.ignores(below, Object.keys(entries)) ? [] : [[key, held]]
  }
  return Object.fromEntries(Object.entries(value).flatMap(read))
}

/** Whether a value says anything; `null` does where it has a meaning of its own, as in `rdns`. */
function means(schema: Schema, value: unknown): boolean {
  return value !== null || !v.is(schema, undefined) || v.is(schema, null)
}

/**
 * Takes down in `ignored` what is left out of a body, to be told with a success; a PUT may send a whole record back, and
 * is told nothing of what cannot be changed.
 */
export function libertiesOf({ method, returns }: Operation, refusesUnknownKeys: boolean) {
  const { entries: record = {} } = partsOf(returns)
  const ignored: Warning[] = []
  const ignores: Liberties['ignores'] = (key, known) => {
    if (refusesUnknownKeys) return false
    const isOfRecord = method === 'PUT' && key.length === 1 && Object.hasOwn(record, String(key[0]?.key))
    if (isOfRecord) return true
    ignored.push({ title: `${fieldPath(key)} was ignored`, details: `Keys must be one of: ${known.join(', ')}` })
    return true
  }
  return { ignored, ignores }
}

/** A body may hold thousands of keys, and a header is bounded everywhere. */
const mostTold = 25
const longestName = 64

/** The warnings of an answer: those of what was ignored, cut where they are many. */
export function cut(warnings: readonly Warning[]): Warning[] {
  const told = warnings.slice(0, mostTold).map(({ title, details }) => ({ title: shortened(title), details }))
  const more = warnings.length - told.length
  return more > 0 ? [...told, { title: `${more} more keys were ignored`, details: 'They are not listed' }] : told
}

/** `299 - "colour was ignored"` (RFC 9111, 5.5): whatever a key holds, the header stays ASCII, and quoted. */
export function warningHeader(warnings: readonly Warning[]): string {
  const text = cut(warnings)
    .map(({ title }) => title)
    .join(', ')
  return `299 - "${text.replaceAll(/[^ !#-[\]-~]/g, '?')}"`
}

function shortened(title: string): string {
  const characters = [...title]
  return characters.length > longestName ? `…${characters.slice(-longestName).join('')}` : title
}
