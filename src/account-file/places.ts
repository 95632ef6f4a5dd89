/** Values of account files with their places, so that a fault names the file, line and field of its value. */

import type { TextPlace } from '../data/source-nodes'
import type { ErrorCode } from '../errors'
import { isRecord } from '../rules/records'

export type PathStep = string | number

/** A line of a file; null if the file has none, or only its name is known. */
export interface SourceLine {
  file: string
  line: number | null
  /** Column of the key or item, in UTF-16 units; null if only the line is known. */
  column: number | null
}

interface PlacedFile {
  name: string
  /** Returns the place of a key or item in the text; undefined if it has none. Without it, only the file is known. */
  placeOf?: (path: readonly string[]) => TextPlace | undefined
  /** Place of the value that the file holds, for a file that another one includes. */
  includedAt?: Place | undefined
}

interface PlaceOptions {
  /** Places of parts that other files, or other fields, set. */
  parts?: ReadonlyMap<PathStep, Place>
  /** Line that is known already. */
  line?: number | undefined
  column?: number | undefined
  /** True if everything below it has the same place. */
  isWhole?: boolean
}

const noParts: ReadonlyMap<PathStep, Place> = new Map()

/** Place of a value in a file. The file is searched for its line only when somebody reads it: mostly nobody does. */
export class Place {
  #source: SourceLine | undefined

  constructor(
    readonly file: PlacedFile,
    readonly path: readonly PathStep[] = [],
    private readonly options: PlaceOptions = {},
  ) {}

  /** Returns the line of the key or item, or of the nearest parent that has one. */
  get source(): SourceLine {
    this.#source ??= this.#findSource()
    return this.#source
  }

  #findSource(): SourceLine {
    const { line, column } = (this.options.line === undefined ? this.#searched() : this.options) ?? {}
    return { file: this.file.name, line: line ?? null, column: column ?? null }
  }

  #searched(): TextPlace | undefined {
    for (let path = this.path.map(String); path.length > 0; path = path.slice(0, -1)) {
      const place = this.file.placeOf?.(path)
      if (place) return place
    }
    return undefined
  }

  /** Returns the field as it was written: `volumes.pgdata.size`; null for the whole file. */
  get field(): string | null {
    const above = this.file.includedAt?.field ?? ''
    return this.path.reduce<string>(fieldBelow, above) || null
  }

  /** Returns `web.yaml:12`. */
  toString(): string {
    const { file, line } = this.source
    return line === null ? file : `${file}:${line}`
  }

  /** Returns `web.yaml:12:5`, as compilers write it: editors open the file there. */
  get position(): string {
    const { column } = this.source
    return column === null ? String(this) : `${this}:${column}`
  }

  /** Returns the place of a child, or of one further below. */
  at(...[step, ...below]: readonly PathStep[]): Place {
    if (step === undefined || this.options.isWhole) return this
    const child = this.options.parts?.get(step) ?? new Place(this.file, [...this.path, step])
    return child.at(...below)
  }

  /** Returns the place of a field below it, such as `inbound[3].ports`; null is the place itself. */
  of(field: string | null): Place {
    return field === null ? this : this.at(...stepsIn(field))
  }

  /** Reports whether two values are one: of the same file, at the same path. */
  isSame({ file, path }: Place): boolean {
    return this.file === file && path.length === this.path.length && path.every((step, at) => step === this.path[at])
  }

  with(parts: Iterable<readonly [PathStep, Place]>): Place {
    return new Place(this.file, this.path, {
      ...this.options,
      parts: new Map([...(this.options.parts ?? noParts), ...parts]),
    })
  }

  /** Returns this place for everything below it, too. */
  whole(): Place {
    return new Place(this.file, this.path, { ...this.options, isWhole: true })
  }
}

function fieldBelow(field: string, step: PathStep): string {
  if (typeof step === 'number') return `${field}[${step}]`
  return field === '' ? step : `${field}.${step}`
}

/** Splits a field: `inbound[3].ports` becomes `inbound`, 3, `ports`. */
export const stepsIn = (field: string): PathStep[] =>
  (field.match(/[^.[\]]+|\[\d+\]/g) ?? []).map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step))

export interface PlacedValue {
  value: unknown
  at: Place
}

/** Returns the fields of an object with their places; none for any other value. */
export const fieldsOf = ({ value, at }: PlacedValue): [key: string, field: PlacedValue][] =>
  isRecord(value) ? Object.entries(value).map(([key, inner]) => [key, { value: inner, at: at.at(key) }]) : []

/** Something wrong in a file. */
export interface Fault {
  at: Place
  reason: string
  /** The cause; `usage` by default. */
  code?: ErrorCode
  /** Place of the other value, if two files contradict each other. */
  rival?: Place
}
