/**
 * Combines the entries that several files have for one object: later files refine earlier ones key by key (state.md, For
 * teams). Pure.
 */
import { stepsOf } from '../data/yaml'
import type { TargetFailure } from '../errors'
import { groupBy, isRecord } from '../rules/records'
import type { Kind } from './kind'
import type { Level } from './levels'
import type { Position } from './positions'

/** The entry of one file for an object. */
export interface Layer {
  level: Level
  value: unknown
  placeOf(field: string | null): Position
  /** Failures of the file at the position of the entry. */
  failures: TargetFailure[]
}

/** The entries of all files for an object, the first one first. */
export type Layers = readonly [Layer, ...Layer[]]

/** An entry without its value, which takes much memory beside that of the object. */
export type LayerPlace = Pick<Layer, 'placeOf' | 'failures'>

export interface CombinedEntry {
  value: unknown
  /** Returns the entry that sets a field; that of the first file for the object itself, and for a field that none sets. */
  layerOf(field: string | null): LayerPlace
}

/** Combines the entries. Objects are refined key by key; lists, and what a file may hold, are replaced as a whole. */
export function combineLayers(layers: Layers, kind: Pick<Kind, 'files'>): CombinedEntry {
  const [first, second] = layers
  return second ? combined(layers, kind) : { value: first.value, layerOf: always(first) }
}

function always({ placeOf, failures }: Layer): CombinedEntry['layerOf'] {
  const place = { placeOf, failures }
  return () => place
}

function combined(layers: Layers, kind: Pick<Kind, 'files'>): CombinedEntry {
  const whole = wholeIn(kind)
  const parts = layers.map((layer): Part => [layer, layer.value])
  return {
    value: layers.map(({ value }) => value).reduce((earlier, later) => refined(earlier, later, whole)),
    layerOf: (field) => (field === null ? undefined : setterOf(parts, stepsOf(field), whole)) ?? layers[0],
  }
}

/** Returns the fields that files can hold. */
const wholeIn = ({ files = [] }: Pick<Kind, 'files'>) => files.map(({ fills }) => fills)

function refined(earlier: unknown, later: unknown, whole: readonly string[]): unknown {
  if (!isRecord(earlier) || !isRecord(later)) return later
  const fields = Object.entries(later).map(([key, value]) => {
    const isRefined = Object.hasOwn(earlier, key) && !whole.includes(key)
    return [key, isRefined ? refined(earlier[key], value, []) : value]
  })
  return { ...earlier, ...Object.fromEntries(fields) }
}

type Part = readonly [layer: Layer, value: unknown]

/** Returns the last layer that sets a field, or the nearest object around it; undefined if none does. */
function setterOf(
  parts: readonly Part[],
  [key = '', ...below]: readonly string[],
  whole: readonly string[],
): Layer | undefined {
  const setters = parts.flatMap(([layer, value]): Part[] =>
    isRecord(value) && Object.hasOwn(value, key) ? [[layer, value[key]]] : [],
  )
  const [last] = setters.at(-1) ?? []
  if (below.length === 0 || whole.includes(key)) return last
  const objects = setters.slice(setters.findLastIndex(([, value]) => !isRecord(value)) + 1)
  return setterOf(objects, below, []) ?? last
}

/** Returns which files have an object, and which of its fields each sets; undefined for an object of one file. */
export function refinementOf(path: string, layers: Layers, kind: Pick<Kind, 'files'>): string | undefined {
  const [first, ...others] = layers
  if (others.length === 0) return undefined
  const { value, layerOf } = combineLayers(layers, kind)
  const fields = groupBy(fieldsIn(value, wholeIn(kind)), layerOf)
  const namedIn = (layer: LayerPlace) => {
    const names = fields.get(layer) ?? []
    return `${layer.placeOf(null)}${names.length === 0 ? '' : ` (${names.join(', ')})`}`
  }
  const verb = isRecord(value) ? 'refined' : 'replaced'
  return `${path}: ${namedIn(first)}, ${verb} in ${others.map(namedIn).join(', ')}`
}

/** Lists the fields of an entry: `size`, `devices.computes`. */
function fieldsIn(entry: unknown, whole: readonly string[]): string[] {
  if (!isRecord(entry)) return []
  return Object.entries(entry).flatMap(([key, value]) => {
    const below = whole.includes(key) ? [] : fieldsIn(value, [])
    return below.length === 0 ? [key] : below.map((field) => `${key}.${field}`)
  })
}
