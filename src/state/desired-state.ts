/** Reads the desired state of an account from files, validated, with the line of each value. */
import { check } from '../catalogue/check'
import { stepsOf } from '../data/yaml'
import { type ErrorCode, Problem, type TargetFailure } from '../errors'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { FileOptions, Kind } from './kind'
import { kinds } from './kinds'
import { type Position, placedText, readPlaced } from './positions'

/** The text of a file. */
export interface SourceFile {
  /** Name in messages: `web.yaml`, `stdin`. */
  name: string
  text: string
  /** Reads a file that this one refers to, relative to it. */
  read(path: string): Promise<SourceFile>
}

/** The desired state of an object. */
export interface DesiredObject {
  name: string
  value: unknown
  /** Returns the position of a field below the object; null is the object itself. */
  placeOf(field: string | null): string
}

export interface DesiredState {
  settings: FileOptions
  /** By kind and name. Kinds that no file has are missing. */
  entries: ReadonlyMap<string, ReadonlyMap<string, DesiredObject>>
  /** Position of the default region; undefined without one. */
  regionPlace?: string | undefined
}

const ownKeys = ['owner', 'defaults']
const defaultKeys = ['region']

/** Reads the files. Throws `usage` with all errors, each with its line. */
export async function readDesiredState(
  sources: readonly SourceFile[],
  usual: FileOptions['defaults'],
): Promise<DesiredState> {
  const reader = new Reader(usual)
  for (const source of sources) await reader.add(source)
  return reader.finish()
}

class Reader {
  readonly #read: { name: string; failures: TargetFailure[] }[] = []
  /** Failures of the current file, and of files that it includes. */
  #failures: TargetFailure[] = []
  /** Names of the files that others include. */
  readonly #included = new Set<string>()
  readonly #entries = new Map<string, Map<string, DesiredObject>>()
  #owner: string | undefined
  #region: string | undefined
  #regionPlace: string | undefined

  constructor(readonly usual: FileOptions['defaults']) {}

  finish(): DesiredState {
    // In a folder, an included file is a part of another one, and not a file of its own.
    const failures = this.#read.flatMap(({ name, failures }) => (this.#included.has(name) ? [] : failures))
    if (failures.length > 0) throw wrongFiles(failures, commonCode(failures) ?? 'usage')
    const defaults = { region: this.#region ?? this.usual.region }
    return { settings: { owner: this.#owner, defaults }, entries: this.#entries, regionPlace: this.#regionPlace }
  }

  async add(source: SourceFile): Promise<void> {
    this.#failures = []
    this.#read.push({ name: source.name, failures: this.#failures })
    const { value, place } = await readPlaced(source)
    if (isRecord(value) && value.format_version !== undefined)
      return this.#fail(place, 'it is a saved plan, which only apply accepts, without other files')
    // An empty file sets nothing.
    for (const [key, inner, at] of this.#fieldsOf(value ?? {}, place, '')) {
      const kind = kinds.find((one) => one.key === key)
      if (kind) await this.#addKind(kind, inner, { source, place: at })
      else if (key === 'owner') this.#setOwner(inner, at)
      else if (key === 'defaults') this.#setDefaults(inner, at)
      else this.#unknown(key, [...ownKeys, ...kinds.map((one) => one.key)], at)
    }
  }

  #fail(place: Position | string, reason: string, code: ErrorCode = 'usage'): void {
    this.#failures.push({ target: String(place), problem: new Problem(code, reason), tried: true })
  }

  #unknown(key: string, known: readonly string[], place: Position): void {
    this.#fail(place, `unknown key "${key}". ${didYouMean(key, known) ?? `The keys are: ${known.join(', ')}`}`)
  }

  /** Returns the fields of an object; records a failure for any other value. */
  #fieldsOf(value: unknown, place: Position, name: string): [key: string, value: unknown, place: Position][] {
    if (isRecord(value)) return Object.entries(value).map(([key, inner]) => [key, inner, place.at([key])])
    this.#fail(place, name === '' ? 'it must hold an object' : `${name}: must be an object`)
    return []
  }

  #setOwner(value: unknown, place: Position): void {
    if (typeof value !== 'string' || value === '') this.#fail(place, 'owner: must be a tag')
    else if (this.#owner !== undefined && this.#owner !== value)
      this.#fail(place, `owner: another file says "${this.#owner}"`)
    else this.#owner = value
  }

  #setDefaults(value: unknown, place: Position): void {
    for (const [key, inner, at] of this.#fieldsOf(value, place, 'defaults')) {
      if (!defaultKeys.includes(key)) this.#unknown(`defaults.${key}`, defaultKeys, at)
      else if (typeof inner !== 'string' || inner === '') this.#fail(at, `defaults.${key}: must be a name`)
      else if (this.#region !== undefined && this.#region !== inner)
        this.#fail(at, `defaults.${key}: another file says "${this.#region}"`)
      else {
        this.#region = inner
        this.#regionPlace ??= String(at)
      }
    }
  }

  async #addKind(kind: Kind, value: unknown, { source, place }: At): Promise<void> {
    if (kind.single) return this.#addEntry(kind, '', { value, source, place })
    for (const [name, inner, at] of this.#fieldsOf(value ?? {}, place, kind.key))
      await this.#addEntry(kind, name, { value: inner, source, place: at })
  }

  async #addEntry(kind: Kind, typed: string, given: Given): Promise<void> {
    const path = kind.single ? kind.key : `${kind.key}.${typed}`
    const fault = kind.nameFault?.(typed)
    if (fault !== undefined) return this.#fail(given.place, `${path}: ${fault}`)
    const name = kind.tidyName?.(typed) ?? typed
    const known = this.#entries.get(kind.key) ?? new Map<string, DesiredObject>()
    const other = known.get(name)
    if (other) return this.#fail(given.place, `${path}: is already in ${other.placeOf(null)}`)
    const filled = await this.#filled(kind, given, path)
    if (!filled) return
    const { value, placeOf } = filled
    this.#entries.set(kind.key, known.set(name, { name, value, placeOf: (field) => String(placeOf(field)) }))
    for (const { field, reason } of check(kind.entry, value)) {
      const at = field === null || reason.startsWith(field) ? path : `${path}.${field}`
      this.#fail(placeOf(field), `${at}: ${reason}`)
    }
  }

  /**
   * Returns the entry with the contents of the files that it includes; undefined, with a failure, if one is unreadable.
   */
  async #filled(
    { files = [], tidy, entry }: Kind,
    { value, source, place }: Given,
    path: string,
  ): Promise<Filled | undefined> {
    const within = (field: string | null) => (field === null ? place : place.at(stepsOf(field)))
    // A name without a value is an object without fields.
    const given = value === null && entry.type !== 'nullable' ? {} : value
    if (!isRecord(given)) return { value: given, placeOf: within }
    const included = new Map<string, Position>()
    const whole = { ...given }
    for (const { field, fills, holds } of files) {
      const named = whole[field]
      if (typeof named !== 'string') continue
      if (field !== fills && whole[fills] !== undefined) {
        this.#fail(within(field), `${path}.${field}: ${fills} sets the same, so set only one of them`)
        return undefined
      }
      delete whole[field]
      try {
        const file = await source.read(named)
        this.#included.add(file.name)
        const held = holds === 'a text' ? placedText(file) : await readPlaced(file)
        whole[fills] = held.value
        included.set(fills, held.place)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        this.#fail(within(field), `${path}.${field}: ${error.message}`, error.code)
        return undefined
      }
    }
    const placeOf = (field: string | null) => {
      const [first, ...rest] = field === null ? [] : stepsOf(field)
      return included.get(String(first))?.at(rest) ?? within(field)
    }
    return { value: tidy?.(whole, (field) => placeOf(field).writtenAs) ?? whole, placeOf }
  }
}

interface At {
  source: SourceFile
  place: Position
}

interface Given extends At {
  value: unknown
}

interface Filled {
  value: unknown
  /** Returns the position of a field; those of included files are in that file. */
  placeOf(field: string | null): Position
}

/** Returns the common code of all failures; undefined if they differ. */
function commonCode([first, ...others]: readonly TargetFailure[]): ErrorCode | undefined {
  const code = first?.problem.code
  return others.every(({ problem }) => problem.code === code) ? code : undefined
}

/** Creates the problem with all failures of the files or the plan. */
export function wrongFiles(failures: readonly TargetFailure[], code: ErrorCode): Problem {
  const count = failures.length === 1 ? '1 problem' : `${failures.length} problems`
  return new Problem(code, `${count}; nothing was sent`, { failures: [...failures] })
}
