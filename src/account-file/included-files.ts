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

interface FilledEntry extends PlacedValue {
  /** Name of the file. */
  name?: string | undefined
  /** Set for a file that is missing or wrong, and for a field that is set twice. */
  fault?: Fault
}

export async function filledEntry(
  entry: PlacedValue,
  included: Included | undefined,
  source: SourceFile,
): Promise<FilledEntry> {
  const { value, at } = entry
  const path = included && isRecord(value) ? value[included.field] : undefined
  if (!included || !isRecord(value) || typeof path !== 'string') return entry
  const { field, fills } = included
  const { [field]: _path, ...others } = value
  const place = at.at(field)
  if (others[fills] !== undefined)
    return { ...entry, fault: { at: place, reason: `${fills} sets the same, so set only one of them` } }
  let name: string | undefined
  try {
    const file = await source.read(path)
    name = file.name
    const contents = await contentsOf(file, included, at.at(fills))
    return { value: { ...others, [fills]: contents.value }, at: at.with([[fills, contents.at]]), name }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...entry, name, fault: { at: place, reason: error.message, code: error.code } }
  }
}

async function contentsOf(file: SourceFile, { holds }: Included, includedAt: Place): Promise<PlacedValue> {
  if (holds === 'a text') return textFile(file, includedAt)
  const { faults, ...contents } = await parseFile(file, includedAt)
  if (faults.length > 0)
    throw new Problem('usage', faults.map(({ at, reason }) => `${at.position}: ${reason}`).join('; '))
  if (contents.value === null) throw emptyFile(file.name)
  return contents
}
