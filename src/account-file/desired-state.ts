/** Reads the desired state of an account from files, validated, with the line of each value. */
import { notAnObject, unknownKey } from '../catalogue/check-file'
import { partsOf } from '../catalogue/operation'
import { stepsOf } from '../data/yaml'
import type { ErrorCode, TargetFailure } from '../errors'
import { hasAllRules } from '../firewall/rules'
import { isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'
import { Definitions, definitionKeys } from './definitions'
import { type DeclaredObject, type DesiredObject, desiredObject } from './desired-object'
import { commonCode, fieldFailure, fieldFailures, wrongFiles } from './file-failures'
import { formerLabelFaults } from './former-labels'
import { type FilledEntry, filledEntry, type SourceFile, WrongInclude } from './included-files'
import type { FileOptions, Kind } from './kind'
import { kinds } from './kinds'
import { isLater, type Level, levelOf } from './levels'
import { outdentedField, outdentedIn } from './outdented-keys'
import { type Layer, refinementOf } from './overlays'
import { type PlacedFile, type Position, readPlaced } from './positions'

export interface DesiredState {
  settings: FileOptions
  /** By kind and name. Kinds that no file has are missing. */
  entries: ReadonlyMap<string, ReadonlyMap<string, DesiredObject>>
  /** Position of the default region; undefined without one. */
  regionPlace?: string | undefined
  /** Values that a file refines, each with the positions of both: `volumes.pgdata: base.yaml:2, refined in prod.yaml:3`. */
  refinements?: readonly string[]
}

/** Keys of a file beside the kinds. */
const ownKeys = ['owner', 'defaults', ...definitionKeys] as const
const defaultKeys = ['region']
const fileKeys = Object.fromEntries([...ownKeys, ...kinds.map(({ key }) => key)].map((key) => [key, undefined]))
const isFileKey = (key: string) => Object.hasOwn(fileKeys, key)

/** Reads the files. Throws `usage` with all errors, each with its line. */
export async function readDesiredState(
  sources: readonly SourceFile[],
  usual: FileOptions['defaults'],
): Promise<DesiredState> {
  const files: PlacedSource[] = []
  for (const source of sources) files.push({ source, ...(await readPlaced(source)) })
  const defining = files.filter(({ value }) => !isSavedPlan(value))
  const reader = new Reader(usual, new Definitions(defining))
  for (const file of files) await reader.add(file)
  return reader.finish()
}

type PlacedSource = PlacedFile & { source: SourceFile }

const rulesFile = (name: string) =>
  `this is a rules file: skyctl firewalls rules update FIREWALL --file ${name === 'stdin' ? '-' : shellWord(name)}`

const schemaProblem = 'it is a JSON Schema, with which editors check account files, and no account file'

const isSchema = ({ $schema, properties }: Readonly<Record<string, unknown>>) =>
  typeof $schema === 'string' && isRecord(properties)

/** A setting for all files, and where one sets it. */
interface Setting {
  value: string
  place: Position
  level: Level
}

const isSavedPlan = (value: unknown) => isRecord(value) && value.format_version !== undefined

class Reader {
  readonly #read: { file: PlacedSource; failures: TargetFailure[][] }[] = []
  /** Failures of the current file, and of files that it includes, in the order of its keys. */
  #failures: TargetFailure[][] = []
  /** Names of the files that others include. */
  readonly #included = new Set<string>()
  readonly #declared = new Map<string, Map<string, DeclaredObject>>()
  readonly #settings = new Map<string, Setting>()
  readonly #refinements: string[] = []

  constructor(
    readonly usual: FileOptions['defaults'],
    readonly definitions: Definitions,
  ) {}

  finish(): DesiredState {
    const entries = new Map([...this.#declared].map(([key, named]) => [key, this.#desired(named)]))
    // In a folder, an included file is a part of another one, and not a file of its own.
    const read = this.#read.flatMap(({ file, failures }) =>
      this.#included.has(file.source.name)
        ? []
        : [...fieldFailures(this.definitions.faultsIn(file)), ...failures.flat()],
    )
    const failures = [...read, ...fieldFailures(formerLabelFaults(entries))]
    if (failures.length > 0) throw wrongFiles(failures, commonCode(failures) ?? 'usage')
    const region = this.#settings.get('defaults.region')
    return {
      settings: { owner: this.#settings.get('owner')?.value, defaults: { region: region?.value ?? this.usual.region } },
      entries,
      regionPlace: region && String(region.place),
      refinements: [...this.#refinements, ...this.definitions.refinements, ...this.#refined()],
    }
  }

  #desired(named: ReadonlyMap<string, DeclaredObject>): ReadonlyMap<string, DesiredObject> {
    const whole = [...named].filter(([, { isBroken }]) => !isBroken)
    return new Map(whole.map(([name, declared]) => [name, desiredObject(declared, this.definitions)]))
  }

  #refined(): string[] {
    const declared = [...this.#declared.values()].flatMap((named) => [...named.values()])
    return declared.flatMap(({ path, layers, kind }) => refinementOf(path, layers, kind) ?? [])
  }

  async add(file: PlacedSource): Promise<void> {
    this.#failures = []
    this.#read.push({ file, failures: this.#failures })
    const { source, value, place, faults } = file
    for (const fault of faults) this.#fail(fault.place, null, fault.reason)
    if (value === undefined) return
    if (value === null) return this.#fail(place, null, 'is empty')
    if (isSavedPlan(value))
      return this.#fail(place, null, 'it is a saved plan, which only apply accepts, without other files')
    if (isRecord(value) && hasAllRules(value)) return this.#fail(place, null, rulesFile(source.name))
    if (isRecord(value) && isSchema(value)) return this.#fail(place, null, schemaProblem)
    const fields = this.#fieldsOf(value, place, null)
    const outdented = outdentedIn(isRecord(value) ? value : {}, isFileKey)
    for (const [key, inner, at] of fields) {
      const below = outdented.get(key)
      const kind = kinds.find((one) => one.key === key)
      if (below)
        this.#fail(at, key, `is empty, and the next keys are probably indented too little: ${below.join(', ')}`)
      else if (kind) await this.#addKind(kind, inner, { source, place: at })
      else if (key === 'owner') this.#set(key, inner, { source, place: at })
      else if (key === 'defaults') this.#setDefaults(inner, { source, place: at })
      else if (!isFileKey(key) && ![...outdented.values()].flat().includes(key))
        this.#fail(at, key, unknownKey(key, {}, fileKeys))
    }
  }

  /** Records a failure of a field; null is the whole file. */
  #fail(place: Position | string, field: string | null, reason: string, code: ErrorCode = 'usage'): void {
    this.#failures.push([fieldFailure(String(place), { field, reason }, code)])
  }

  /** Returns the fields of an object; records a failure for any other value. */
  #fieldsOf(value: unknown, place: Position, name: string | null): [key: string, value: unknown, place: Position][] {
    if (isRecord(value)) return Object.entries(value).map(([key, inner]) => [key, inner, place.at([key])])
    this.#fail(place, name, notAnObject(value))
    return []
  }

  #setDefaults(value: unknown, { source, place }: At): void {
    for (const [key, inner, at] of this.#fieldsOf(value, place, 'defaults')) {
      const field = `defaults.${key}`
      if (!defaultKeys.includes(key)) this.#fail(at, field, unknownKey(key, {}, { region: undefined }))
      else this.#set(field, inner, { source, place: at })
    }
  }

  #set(field: string, value: unknown, { source, place }: At): void {
    const level = levelOf(source)
    const other = this.#settings.get(field)
    if (typeof value !== 'string' || value === '')
      this.#fail(place, field, field === 'owner' ? 'Must be a tag' : 'Must be a name')
    else if (!other || isLater(level, other.level)) {
      if (other && other.value !== value) this.#refinements.push(`${field}: ${other.place}, replaced in ${place}`)
      this.#settings.set(field, { value, place, level })
    } else if (other.value !== value) this.#fail(place, field, `differs from "${other.value}" at ${other.place}`)
  }

  async #addKind(kind: Kind, value: unknown, { source, place }: At): Promise<void> {
    if (kind.single) return this.#addEntry(kind, '', { value, source, place })
    const named = value ?? {}
    for (const [name, inner, at] of this.#fieldsOf(named, place, kind.key)) {
      const fault = isRecord(named) ? outdentedField(kind, name, named) : undefined
      if (fault === undefined) await this.#addEntry(kind, name, { value: inner, source, place: at })
      else this.#fail(at, `${kind.key}.${name}`, fault)
    }
  }

  async #addEntry(kind: Kind, writtenName: string, entry: PlacedEntry): Promise<void> {
    const path = kind.single ? kind.key : `${kind.key}.${writtenName}`
    const fault = kind.nameFault?.(writtenName)
    if (fault !== undefined) return this.#fail(entry.place, path, fault)
    const name = kind.tidyName?.(writtenName) ?? writtenName
    const objects = this.#declared.get(kind.key) ?? new Map<string, DeclaredObject>()
    const declared = objects.get(name)
    const level = levelOf(entry.source)
    const rival = declared?.layers.find((other) => !isLater(level, other.level))
    if (rival) return this.#fail(entry.place, path, `is already in ${rival.placeOf(null)}`)
    const { isBroken = false, ...layer } = await this.#layer(kind, entry, path)
    this.#failures.push(layer.failures)
    this.#declared.set(
      kind.key,
      objects.set(name, {
        kind,
        name,
        path: declared?.path ?? path,
        layers: declared ? [...declared.layers, layer] : [layer],
        isBroken: isBroken || declared?.isBroken === true,
      }),
    )
  }

  /** Returns the entry with the contents of the files that it includes. */
  async #layer(kind: Kind, { value, source, place }: PlacedEntry, path: string): Promise<Layer & { isBroken?: true }> {
    const within = placesBelow(place)
    // A name without a value is an object without fields.
    const fields = value === null && kind.entry.type !== 'nullable' ? {} : value
    const layer = { level: levelOf(source), value: fields, placeOf: within, failures: [] }
    const broken = (field: string | null, reason: string, code: ErrorCode = 'usage') => {
      const error = { field: field === null ? path : `${path}.${field}`, reason }
      return { ...layer, failures: [fieldFailure(String(within(field)), error, code)], isBroken: true as const }
    }
    if (!isRecord(fields)) return partsOf(kind.entry).entries ? broken(null, notAnObject(fields)) : layer
    try {
      const { entry, included, names } = await filledEntry(fields, kind.files ?? [], source)
      for (const name of names) this.#included.add(name)
      return { ...layer, value: entry, placeOf: included.size > 0 ? placesWith(included, within) : within }
    } catch (error) {
      if (!(error instanceof WrongInclude)) throw error
      return broken(error.field, error.problem.message, error.problem.code)
    }
  }
}

// Their functions outlive the entry, so they must not hold its value.
const placesBelow =
  (place: Position): Layer['placeOf'] =>
  (field) =>
    field === null ? place : place.at(stepsOf(field))

const placesWith =
  (included: FilledEntry['included'], within: Layer['placeOf']): Layer['placeOf'] =>
  (field) => {
    const [first, ...rest] = field === null ? [] : stepsOf(field)
    return included.get(String(first))?.at(rest) ?? within(field)
  }

interface At {
  source: SourceFile
  place: Position
}

interface PlacedEntry extends At {
  value: unknown
}
