/** Reads the desired state of an account from files, validated, with the place of each value. */
import { notAnObject, unknownKey } from '../catalogue/check-file-value'
import { partsOf } from '../catalogue/operation'
import type { ErrorCode } from '../errors'
import { hasAllRules } from '../firewall/rules'
import { isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'
import { formerLabelFaults } from './check-former-labels'
import { Definitions, definitionKeys, type Replacement } from './definitions'
import { type DeclaredObject, type DesiredObject, desiredObject, wholeFields } from './desired-object'
import { filledEntry, type SourceFile } from './included-files'
import type { FileOptions, Kind, KindShape } from './kind'
import { kinds } from './kinds'
import { outdentedField, outdentedIn } from './outdented-keys'
import { isLater, type Layer, type Level, layersHint, levelOf, refinementOf } from './overlays'
import { type ParsedFile, parseFile } from './parse-file'
import { type Fault, fieldsOf, type Place, type PlacedValue } from './places'
import { wrongFiles } from './wrong-files'

export interface DesiredState {
  settings: FileOptions
  /** By kind and name. Kinds that no file has are missing. */
  entries: ReadonlyMap<string, ReadonlyMap<string, DesiredObject>>
  /** Place of the default region; undefined without one. */
  regionPlace?: Place | undefined
  /** Returns the values that a file refines, with the places of both: `volumes.pgdata: base.yaml:2, refined in prod.yaml:3`. */
  refinements?(): readonly string[]
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
  return (await readerOf(sources, usual)).finish()
}

async function readerOf(sources: readonly SourceFile[], usual: FileOptions['defaults']): Promise<Reader> {
  const files: ReadFile[] = []
  for (const source of sources) files.push({ source, level: levelOf(source), ...(await parseFile(source)) })
  const defining = files.filter(({ value }) => !isSavedPlan(value))
  const reader = new Reader(usual, new Definitions(defining))
  for (const file of files) await reader.add(file)
  return reader
}

type ReadFile = ParsedFile & { source: SourceFile; level: Level }

const rulesFile = (name: string) =>
  `this is a rules file: skyctl firewalls rules update FIREWALL --file ${name === 'stdin' ? '-' : shellWord(name)}`

const schemaProblem = 'it is a JSON Schema, with which editors check account files, and no account file'

const isSchema = ({ $schema, properties }: Readonly<Record<string, unknown>>) =>
  typeof $schema === 'string' && isRecord(properties)

const isSavedPlan = (value: unknown) => isRecord(value) && value.format_version !== undefined

class Reader {
  readonly #faults: Fault[] = []
  /** Names of the files that others include. */
  readonly #included = new Set<string>()
  readonly #declared = new Map<string, Map<string, DeclaredObject>>()
  /** Objects of several files. */
  readonly #refined: DeclaredObject[] = []
  /** Files in the order of reading. */
  readonly #files: Place['file'][] = []
  readonly #settings = new Map<string, { value: string; at: Place; level: Level }>()
  readonly #refinements: Replacement[] = []

  constructor(
    readonly usual: FileOptions['defaults'],
    readonly definitions: Definitions,
  ) {}

  finish(): DesiredState {
    const entries = new Map([...this.#declared].map(([key, named]) => [key, this.#desired(named)]))
    const faults = [...this.definitions.faults(), ...this.#faults, ...formerLabelFaults(entries)]
    // In a folder, an included file is a part of another one, and not a file of its own.
    const own = faults.filter(({ at: { file } }) => file.includedAt !== undefined || !this.#included.has(file.name))
    if (own.length > 0) throw wrongFiles(inReadingOrder(own, this.#files), 'usage', layersHint(own))
    const region = this.#settings.get('defaults.region')
    return {
      settings: { owner: this.#settings.get('owner')?.value, defaults: { region: region?.value ?? this.usual.region } },
      entries,
      regionPlace: region?.at,
      refinements: () => this.#allRefinements(),
    }
  }

  /** Takes each entry out when its object is made: the entries of a large account take as much memory as its objects. */
  #desired(named: Map<string, DeclaredObject>): ReadonlyMap<string, DesiredObject> {
    const objects = new Map<string, DesiredObject>()
    for (const [name, declared] of named) {
      named.delete(name)
      if (declared.layers.length > 1) this.#refined.push(declared)
      if (declared.isBroken) continue
      const { object, faults } = desiredObject(declared, this.definitions)
      this.#faults.push(...faults)
      objects.set(name, object)
    }
    return objects
  }

  #allRefinements(): string[] {
    const objects = this.#refined.flatMap(({ kind, layers }) => refinementOf(layers, wholeFields(kind)) ?? [])
    const settings = [...this.#refinements, ...this.definitions.refinements].map(
      ({ at, by }) => `${at.field}: ${at}, replaced in ${by}`,
    )
    return [...settings, ...objects]
  }

  async add(file: ReadFile): Promise<void> {
    const { source, value, at, faults } = file
    this.#files.push(at.file)
    this.#faults.push(...faults)
    if (value === undefined) return
    if (value === null) return this.#fail(at, 'is empty')
    if (isSavedPlan(value)) return this.#fail(at, 'it is a saved plan, which only apply accepts, without other files')
    if (isRecord(value) && hasAllRules(value)) return this.#fail(at, rulesFile(source.name))
    if (isRecord(value) && isSchema(value)) return this.#fail(at, schemaProblem)
    const outdented = outdentedIn(isRecord(value) ? value : {}, isFileKey)
    for (const [key, field] of this.#fieldsOf(file)) {
      const below = outdented.get(key)
      const kind = kinds.find((one) => one.key === key)
      if (below)
        this.#fail(field.at, `is empty, and the next keys are probably indented too little: ${below.join(', ')}`)
      else if (kind) await this.#addKind(kind, field, source)
      else if (key === 'owner') this.#set(key, field, source)
      else if (key === 'defaults') this.#setDefaults(field, source)
      else if (!isFileKey(key) && ![...outdented.values()].flat().includes(key))
        this.#fail(field.at, unknownKey(key, {}, fileKeys))
    }
  }

  #fail(at: Place, reason: string, code: ErrorCode = 'usage'): void {
    this.#faults.push({ at, reason, code })
  }

  /** Returns the fields of an object; records a fault for any other value. */
  #fieldsOf(object: PlacedValue): ReturnType<typeof fieldsOf> {
    if (!isRecord(object.value)) this.#fail(object.at, notAnObject(object.value))
    return fieldsOf(object)
  }

  #setDefaults(defaults: PlacedValue, source: SourceFile): void {
    for (const [key, field] of this.#fieldsOf(defaults)) {
      if (defaultKeys.includes(key)) this.#set(`defaults.${key}`, field, source)
      else this.#fail(field.at, unknownKey(key, {}, { region: undefined }))
    }
  }

  #set(field: string, { value, at }: PlacedValue, source: SourceFile): void {
    const level = levelOf(source)
    const other = this.#settings.get(field)
    if (typeof value !== 'string' || value === '')
      this.#fail(at, field === 'owner' ? 'Must be a tag' : 'Must be a name')
    else if (!other || isLater(level, other.level)) {
      if (other && other.value !== value) this.#refinements.push({ at: other.at, by: at })
      this.#settings.set(field, { value, at, level })
    } else if (other.value !== value) this.#fail(at, `differs from "${other.value}" at ${other.at}`)
  }

  async #addKind(kind: Kind, { value, at }: PlacedValue, source: SourceFile): Promise<void> {
    if (kind.single) return this.#addEntry(kind, '', { value, at }, source)
    const named = value ?? {}
    // Without entries, too, a report has something to say about the records of such a kind.
    if (kind.noteOfUnlisted && !this.#declared.has(kind.key)) this.#declared.set(kind.key, new Map())
    for (const [name, entry] of this.#fieldsOf({ value: named, at })) {
      const fault = isRecord(named) ? outdentedField(kind, name, named) : undefined
      if (fault === undefined) await this.#addEntry(kind, name, entry, source)
      else this.#fail(entry.at, fault)
    }
  }

  async #addEntry(kind: KindShape, writtenName: string, entry: PlacedValue, source: SourceFile): Promise<void> {
    const fault = kind.nameFault?.(writtenName)
    if (fault !== undefined) return this.#fail(entry.at, fault)
    const name = kind.tidyName?.(writtenName) ?? writtenName
    const objects = this.#declared.get(kind.key) ?? new Map<string, DeclaredObject>()
    const declared = objects.get(name)
    const level = levelOf(source)
    const rival = declared?.layers.find((other) => !isLater(level, other.level))
    if (rival) {
      this.#faults.push({ at: entry.at, reason: `is already in ${rival.at}`, rival: rival.at })
      return
    }
    const { isBroken, ...layer } = await this.#layer(kind, entry, source)
    const layers: DeclaredObject['layers'] = declared ? [...declared.layers, layer] : [layer]
    objects.set(name, { kind, name, layers, isBroken: isBroken || declared?.isBroken === true })
    this.#declared.set(kind.key, objects)
  }

  /** Returns the entry with the contents of the files that it includes. */
  async #layer(
    kind: KindShape,
    { value, at }: PlacedValue,
    source: SourceFile,
  ): Promise<Layer & Pick<DeclaredObject, 'isBroken'>> {
    // A name without a value is an object without fields.
    const fields = value === null && kind.entry.type !== 'nullable' ? {} : value
    const isBroken = !isRecord(fields) && partsOf(kind.entry).entries !== undefined
    if (isBroken) this.#fail(at, notAnObject(fields))
    const { name, fault, ...entry } = await filledEntry({ value: fields, at }, kind.included, source)
    if (name !== undefined) this.#included.add(name)
    if (fault) this.#faults.push(fault)
    return { ...entry, level: levelOf(source), isBroken: isBroken || fault !== undefined }
  }
}

/** Sorts faults by file, in the order of reading, and by line; those of an included file are where it is included. */
function inReadingOrder(faults: readonly Fault[], files: readonly Place['file'][]): readonly Fault[] {
  const ranks = new Map(files.map((file, rank) => [file, rank]))
  const orderOf = ({ file, source: { line } }: Place): number[] => [
    ...(file.includedAt ? orderOf(file.includedAt) : [ranks.get(file) ?? 0]),
    line ?? 0,
  ]
  return faults
    .map((fault) => ({ fault, order: orderOf(fault.at) }))
    .sort((one, other) => compareOrders(one.order, other.order))
    .map(({ fault }) => fault)
}

function compareOrders([one = 0, ...rest]: readonly number[], [other = 0, ...others]: readonly number[]): number {
  return one - other || (rest.length + others.length === 0 ? 0 : compareOrders(rest, others))
}
