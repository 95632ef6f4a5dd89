/** Lenient input: parts of a body that the service ignores (gaps.md, What existing clients send). */
import * as v from 'valibot'
import { fieldPath, type Steps } from '../catalogue/check'
import { type Operation, partsOf, type Schema } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { AnswerWarning } from './handler'

interface Liberties {
  /** Reports whether an unknown key is ignored; `keys` lists the valid keys. */
  ignores(key: Steps, keys: readonly string[]): boolean
}

/**
 * Removes from a body everything without effect: `null` for optional fields, and unknown keys. Integers may be decimal
 * text: some clients send what their templates give.
 */
export function readLeniently(schema: Schema, value: unknown, liberties: Liberties, path: Steps = []): unknown {
  const { type, wrapped, item, entries } = partsOf(schema)
  if (wrapped) return readLeniently(wrapped, value, liberties, path)
  if (item && Array.isArray(value)) {
    return value.map((inner, key) => readLeniently(item, inner, liberties, [...path, { type: 'array', key }]))
  }
  if (type === 'number' && typeof value === 'string' && decimal.test(value)) return Number(value)
  if (!entries || !isRecord(value)) return value
  const read = ([key, inner]: [string, unknown]) => {
    const below = [...path, { type: 'object', key }]
    const schemaOfKey = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (schemaOfKey)
      return means(schemaOfKey, inner) ? [[key, readLeniently(schemaOfKey, inner, liberties, below)]] : []
    return type === 'strict_object' && liberties.ignores(below, Object.keys(entries)) ? [] : [[key, inner]]
  }
  return Object.fromEntries(Object.entries(value).flatMap(read))
}

const decimal = /^-?\d{1,15}$/

/** Reports whether a value has an effect. `null` has one in fields such as `rdns`. */
function means(schema: Schema, value: unknown): boolean {
  return value !== null || !v.is(schema, undefined) || v.is(schema, null)
}

/**
 * Records the ignored keys of a body as warnings for the answer. A PUT may send a whole record back, so its read-only
 * fields are ignored silently.
 */
export function toleratedInput({ method, returns }: Operation, refusesUnknownKeys: boolean) {
  const { entries: record = {} } = partsOf(returns)
  const ignored: AnswerWarning[] = []
  const ignores: Liberties['ignores'] = (key, keys) => {
    if (refusesUnknownKeys) return false
    const isOfRecord = method === 'PUT' && key.length === 1 && Object.hasOwn(record, String(key[0]?.key))
    if (isOfRecord) return true
    ignored.push({ title: `${fieldPath(key)} was ignored`, details: `Keys must be one of: ${keys.join(', ')}` })
    return true
  }
  return { ignored, ignores }
}

/** A body may have any number of keys; a client reads 16 KiB of headers. */
const longestHeader = 4000

/** Builds `299 - "colour was ignored"` (RFC 9111, 5.5): quoted, and ASCII for any key. */
export function warningHeader(warnings: readonly AnswerWarning[]): string {
  const text = warnings.map(({ title }) => title).join(', ')
  return `299 - "${text.slice(0, longestHeader).replaceAll(/[^ !#-[\]-~]/g, '?')}"`
}
