/** Fills the fields of an entry that name a file: `rules: web.yaml`, `file: key.pub` (state.md, The file). */
import type { LongText } from '../data/packed-text'
import { emptyFile } from '../engine/body-file'
import { Problem } from '../errors'
import type { Included } from './kind'
import type { Level } from './levels'
import { type PlacedFile, type Position, placedText, readPlaced } from './positions'

/** The text of a file. */
export interface SourceFile {
  /** Name in messages: `web.yaml`, `stdin`. */
  name: string
  text: LongText
  /** Its place in the order of reading. */
  level?: Level
  /** Reads a file that this one refers to, relative to it. */
  read(path: string): Promise<SourceFile>
}

/** An entry with the contents of the files that it names. */
export interface FilledEntry {
  entry: Readonly<Record<string, unknown>>
  /** Positions of the filled fields, in their files. */
  included: ReadonlyMap<string, Position>
  names: readonly string[]
}

/** A field that names a file which cannot be used. */
export class WrongInclude extends Error {
  constructor(
    readonly field: string,
    readonly problem: Problem,
  ) {
    super(problem.message)
  }
}

/** Reads the files. Throws WrongInclude for a file that is missing or wrong, and for a field that is set twice. */
export async function filledEntry(
  original: Readonly<Record<string, unknown>>,
  files: readonly Included[],
  source: SourceFile,
): Promise<FilledEntry> {
  const included = new Map<string, Position>()
  const names: string[] = []
  const named = files.filter(({ field }) => typeof original[field] === 'string')
  // A copy would unpack the rules of a large firewall.
  if (named.length === 0) return { entry: original, included, names }
  const entry: Record<string, unknown> = { ...original }
  for (const { field, fills, holds } of named) {
    const path = String(entry[field])
    if (field !== fills && entry[fills] !== undefined)
      throw new WrongInclude(field, new Problem('usage', `${fills} sets the same, so set only one of them`))
    delete entry[field]
    const file = await problemsOf(field, () => source.read(path))
    names.push(file.name)
    const contents = holds === 'a text' ? placedText(file) : await problemsOf(field, () => readWhole(file))
    entry[fills] = contents.value
    included.set(fills, contents.place)
  }
  return { entry, included, names }
}

async function problemsOf<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem ? new WrongInclude(field, error) : error
  }
}

async function readWhole(file: SourceFile): Promise<PlacedFile> {
  const placed = await readPlaced(file)
  const faults = placed.faults.map(({ place, reason }) => `${place}: ${reason}`)
  if (faults.length > 0) throw new Problem('usage', faults.join('; '))
  if (placed.value === null) throw emptyFile(file.name)
  return placed
}
