/** Fills the fields of an entry that name a file: `rules: web.yaml`, `file: key.pub` (state.md, The file). */
import { emptyFile } from '../engine/body-file'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { Included } from './kind'
import type { Level } from './overlays'
import { parseFile, textFile } from './parse-file'
import type { Fault, Place, PlacedValue } from './places'

export interface SourceFile {
  /** Name in messages: `web.yaml`, `stdin`. */
  name: string
  text: string
  level?: Level
  /** Reads a file that this one refers to, relative to it. */
  read(path: string): Promise<SourceFile>
}

export interface FilledEntry extends PlacedValue {
  names: readonly string[]
  /** Set for a file that is missing or wrong, and for a field that is set twice. */
  fault?: Fault
}

export async function filledEntry(
  entry: PlacedValue,
  files: readonly Included[],
  source: SourceFile,
): Promise<FilledEntry> {
  const names: string[] = []
  let filled = entry
  for (const one of files) {
    const { value, at } = filled
    const path = isRecord(value) ? value[one.field] : undefined
    if (!isRecord(value) || typeof path !== 'string') continue
    const { [one.field]: _path, ...others } = value
    const place = at.at(one.field)
    if (others[one.fills] !== undefined)
      return { ...entry, names, fault: { at: place, reason: `${one.fills} sets the same, so set only one of them` } }
    try {
      const file = await source.read(path)
      names.push(file.name)
      const contents = await contentsOf(file, one, at.at(one.fills))
      filled = { value: { ...others, [one.fills]: contents.value }, at: at.with([[one.fills, contents.at]]) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { ...entry, names, fault: { at: place, reason: error.message, code: error.code } }
    }
  }
  return { ...filled, names }
}

async function contentsOf(file: SourceFile, { holds }: Included, includedAt: Place): Promise<PlacedValue> {
  if (holds === 'a text') return textFile(file, includedAt)
  const { faults, ...contents } = await parseFile(file, includedAt)
  if (faults.length > 0)
    throw new Problem('usage', faults.map(({ at, reason }) => `${at.position}: ${reason}`).join('; '))
  if (contents.value === null) throw emptyFile(file.name)
  return contents
}
