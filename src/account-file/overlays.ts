/**
 * Combines the entries that several files have for one object: later files refine earlier ones key by key (state.md, For
 * teams). Pure.
 */
import { dirname } from 'node:path'
import { groupBy, isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'
import { type Fault, fieldsOf, type PlacedValue } from './places'

/** Place of a file in the order of reading. Files of one folder have the same. */
export interface Level {
  /** Index of the argument that names the file, or a folder above it. */
  argument: number
  folders: readonly string[]
}

/** Returns the level of a file; files that are read without a command line have one. */
export const levelOf = ({ level = { argument: 0, folders: [] } }: { level?: Level }): Level => level

/**
 * Reports whether a file may refine one of another level: it has a later argument, or is in a folder below. Folders
 * beside each other may not: their order would be an accident of their names.
 */
export const isLater = (level: Level, other: Level): boolean =>
  level.argument === other.argument
    ? level.folders.length > other.folders.length && other.folders.every((name, at) => level.folders[at] === name)
    : level.argument > other.argument

/** Returns the files or folders to name, if files beside each other contradict each other: there, neither refines the other. */
export function layersHint(faults: readonly Fault[]): string | undefined {
  for (const { at, rival } of faults) {
    if (!rival || rival.file.name === at.file.name) continue
    const folders = [rival, at].map(({ file }) => `${dirname(file.name)}/`)
    const names = folders[0] === folders[1] ? [rival.file.name, at.file.name] : folders
    return `If one refines the other, name them in order: skyctl plan ${names.map(shellWord).join(' ')}`
  }
  return undefined
}

export interface Layer extends PlacedValue {
  level: Level
}

export type Layers = readonly [Layer, ...Layer[]]

/**
 * Combines the entries. Objects are refined key by key; lists, and the fields that files can hold (`whole`), are replaced
 * as a whole. The object itself, and fields that no file sets, have the place of the first entry.
 */
export function combined([first, ...others]: Layers, whole: readonly string[]): PlacedValue {
  return others.reduce<PlacedValue>((earlier, later) => {
    const { value, at } = refined(earlier, later, whole)
    return { value, at: isRecord(value) ? earlier.at.with(fieldsOf({ value, at }).map(placeOfField)) : at }
  }, first)
}

const placeOfField = ([key, { at }]: [string, PlacedValue]) => [key, at] as const

function refined(earlier: PlacedValue, later: PlacedValue, whole: readonly string[]): PlacedValue {
  if (!isRecord(earlier.value) || !isRecord(later.value)) return later
  const fields = new Map(fieldsOf(earlier))
  for (const [key, field] of fieldsOf(later)) {
    const before = fields.get(key)
    fields.set(key, before && !whole.includes(key) ? refined(before, field, []) : field)
  }
  const value = Object.fromEntries([...fields].map(([key, field]) => [key, field.value]))
  return { value, at: later.at.with([...fields].map(placeOfField)) }
}

/** Returns which files have an object, and which of its fields each sets; undefined for an object of one file. */
export function refinementOf(layers: Layers, whole: readonly string[]): string | undefined {
  const [first, ...others] = layers
  if (others.length === 0) return undefined
  const { value, at } = combined(layers, whole)
  const setterOf = (field: string) => layers.findLast((layer) => layer.at.of(field).isSame(at.of(field)))
  const fields = groupBy(fieldNames(value, whole), setterOf)
  const namedIn = (layer: Layer) => {
    const names = fields.get(layer) ?? []
    return `${layer.at}${names.length === 0 ? '' : ` (${names.join(', ')})`}`
  }
  const verb = isRecord(value) ? 'refined' : 'replaced'
  return `${first.at.field}: ${namedIn(first)}, ${verb} in ${others.map(namedIn).join(', ')}`
}

/** Lists the fields of an entry: `size`, `devices.computes`. */
function fieldNames(entry: unknown, whole: readonly string[]): string[] {
  if (!isRecord(entry)) return []
  return Object.entries(entry).flatMap(([key, value]) => {
    const below = whole.includes(key) ? [] : fieldNames(value, [])
    return below.length === 0 ? [key] : below.map((field) => `${key}.${field}`)
  })
}
