/** The account as it is wanted: what files say, checked, with the line of each part. */
import { check } from '../catalogue/check'
import { stepsOf } from '../data/places'
import { type Code, type Failure, Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Kind, Settings } from './kind'
import { kinds } from './kinds'
import { type Place, placedText, readPlaced } from './places'

/** A file, as text. */
export interface Source {
  /** As messages name it: `web.yaml`, `stdin`. */
  name: string
  text: string
  /** Reads a file that this one names, relative to it. */
  read(path: string): Promise<Source>
}

/** An object as a file wants it. */
export interface Entry {
  name: string
  value: unknown
  /** Where a field below the object stands; null is the object itself. */
  placeOf(field: string | null): string
}

export interface Wanted {
  settings: Settings
  /** By the key of the kind, and by name. A kind that no file has is missing. */
  entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>
  /** Where the default region stands; undefined where no file has one. */
  regionPlace?: string | undefined
}

const ownKeys = ['owner', 'defaults']
const defaultKeys = ['region']

/** Throws `usage` with everything that is wrong, each with its line. */
export async function readWanted(sources: readonly Source[], usual: Settings['defaults']): Promise<Wanted> {
  const reader = new Reader(usual)
  for (const source of sources) await reader.add(source)
  return reader.finish()
}

class Reader {
  readonly #read: { name: string; failures: Failure[] }[] = []
  /** Of the file that is read now, and what it names. */
  #failures: Failure[] = []
  /** The files that others name. */
  readonly #included = new Set<string>()
  readonly #entries = new Map<string, Map<string, Entry>>()
  #owner: string | undefined
  #region: string | undefined
  #regionPlace: string | undefined

  constructor(readonly usual: Settings['defaults']) {}

  finish(): Wanted {
    // In a folder, a file that another one names is a part of that one, and wants nothing by itself.
    const failures = this.#read.flatMap(({ name, failures }) => (this.#included.has(name) ? [] : failures))
    if (failures.length > 0) throw wrongFiles(failures, commonCode(failures) ?? 'usage')
    const defaults = { ...this.usual, ...(this.#region !== undefined && { region: this.#region }) }
    return { settings: { owner: this.#owner, defaults }, entries: this.#entries, regionPlace: this.#regionPlace }
  }

  async add(source: Source): Promise<void> {
    this.#failures = []
    this.#read.push({ name: source.name, failures: this.#failures })
    const { value, place } = await readPlaced(source)
    if (isRecord(value) && value.format_version !== undefined)
      return this.#fail(place, 'it is a plan that was kept, which only apply takes, and alone')
    // An empty file wants nothing.
    for (const [key, inner, at] of this.#fieldsOf(value ?? {}, place, '')) {
      const kind = kinds.find((one) => one.key === key)
      if (kind) await this.#addKind(kind, inner, { source, place: at })
      else if (key === 'owner') this.#setOwner(inner, at)
      else if (key === 'defaults') this.#setDefaults(inner, at)
      else this.#unknown(key, [...ownKeys, ...kinds.map((one) => one.key)], at)
    }
  }

  #fail(place: Place | string, reason: string, code: Code = 'usage'): void {
    this.#failures.push({ target: String(place), problem: new Problem(code, reason), tried: true })
  }

  #unknown(key: string, known: readonly string[], place: Place): void {
    this.#fail(place, `unknown key "${key}". ${didYouMean(key, known) ?? `The keys are: ${known.join(', ')}`}`)
  }

  /** The fields of what must be an object; none where it is not, which is told. */
  #fieldsOf(value: unknown, place: Place, name: string): [key: string, value: unknown, place: Place][] {
    if (isRecord(value)) return Object.entries(value).map(([key, inner]) => [key, inner, place.at([key])])
    this.#fail(place, name === '' ? 'it must hold an object' : `${name}: must be an object`)
    return []
  }

  #setOwner(value: unknown, place: Place): void {
    if (typeof value !== 'string' || value === '') this.#fail(place, 'owner: must be a tag')
    else if (this.#owner !== undefined && this.#owner !== value)
      this.#fail(place, `owner: another file says "${this.#owner}"`)
    else this.#owner = value
  }

  #setDefaults(value: unknown, place: Place): void {
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
    const known = this.#entries.get(kind.key) ?? new Map<string, Entry>()
    const other = known.get(name)
    if (other) return this.#fail(given.place, `${path}: is in ${other.placeOf(null)} already`)
    const filled = await this.#filled(kind, given, path)
    if (!filled) return
    const { value, placeOf } = filled
    this.#entries.set(kind.key, known.set(name, { name, value, placeOf: (field) => String(placeOf(field)) }))
    for (const { field, reason } of check(kind.entry, value)) {
      const at = field === null || reason.startsWith(field) ? path : `${path}.${field}`
      this.#fail(placeOf(field), `${at}: ${reason}`)
    }
  }

  /** The entry with what the files hold that it names; undefined where one cannot be read, which is told. */
  async #filled(
    { files = [], tidy, entry }: Kind,
    { value, source, place }: Given,
    path: string,
  ): Promise<Filled | undefined> {
    const within = (field: string | null) => (field === null ? place : place.at(stepsOf(field)))
    // A name alone is an object without fields.
    const given = value === null && entry.type !== 'nullable' ? {} : value
    if (!isRecord(given)) return { value: given, placeOf: within }
    const included = new Map<string, Place>()
    const whole = { ...given }
    for (const { field, fills, holds } of files) {
      const named = whole[field]
      if (typeof named !== 'string') continue
      if (field !== fills && whole[fills] !== undefined) {
        this.#fail(within(field), `${path}.${field}: ${fills} says the same, so give one of them`)
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
  source: Source
  place: Place
}

interface Given extends At {
  value: unknown
}

interface Filled {
  value: unknown
  /** What is wrong with what a file holds stands in that file. */
  placeOf(field: string | null): Place
}

/** The code that all failures have; undefined where they differ. */
function commonCode([first, ...others]: readonly Failure[]): Code | undefined {
  const code = first?.problem.code
  return others.every(({ problem }) => problem.code === code) ? code : undefined
}

/** What is wrong with files, or cannot be reached, all at once. */
export function wrongFiles(failures: readonly Failure[], code: Code): Problem {
  const count = failures.length === 1 ? '1 problem' : `${failures.length} problems`
  return new Problem(code, `${count}; nothing was sent`, { failures: [...failures] })
}
