/** Reads the desired state of an account from files, validated, with the line of each value. */
import { checkFile, notAnObject, unknownKey } from '../catalogue/check-file'
import { stepsOf } from '../data/yaml'
import type { ErrorCode, FieldError, TargetFailure } from '../errors'
import { hasAllRules } from '../firewall/rules'
import { isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'
import { Definitions, definitionKeys } from './definitions'
import { commonCode, fieldFailure, fieldFailures, wrongFiles } from './file-failures'
import { formerLabelFaults } from './former-labels'
import { filledEntry, type SourceFile, WrongInclude } from './included-files'
import type { FileOptions, Kind } from './kind'
import { kinds } from './kinds'
import type { RuleNetworks } from './network-changes'
import { outdentedField, outdentedIn } from './outdented-keys'
import { type PlacedFile, type Position, readPlaced } from './positions'
import { type ExpandedEntry, unexpanded } from './rule-groups'
import { type ServiceLabel, takeLabels } from './service-labels'
import { withLists } from './single-values'

/** The desired state of an object. */
export interface DesiredObject {
  name: string
  value: unknown
  /** Services that the file names by label; their ids are not in the value yet. */
  labels?: readonly ServiceLabel[]
  /** Networks that its rules name; the value has their addresses. */
  networks?: RuleNetworks
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
  const reader = new Reader(usual, new Definitions(files))
  for (const file of files) await reader.add(file)
  return reader.finish()
}

type PlacedSource = PlacedFile & { source: SourceFile }

const rulesFile = (name: string) =>
  `this is a rules file: skyctl firewalls rules update FIREWALL --file ${name === 'stdin' ? '-' : shellWord(name)}`

class Reader {
  readonly #read: { file: PlacedSource; failures: TargetFailure[] }[] = []
  /** Failures of the current file, and of files that it includes. */
  #failures: TargetFailure[] = []
  /** Names of the files that others include. */
  readonly #included = new Set<string>()
  readonly #entries = new Map<string, Map<string, DesiredObject>>()
  #owner: string | undefined
  #region: string | undefined
  #regionPlace: string | undefined

  constructor(
    readonly usual: FileOptions['defaults'],
    readonly definitions: Definitions,
  ) {}

  finish(): DesiredState {
    // In a folder, an included file is a part of another one, and not a file of its own.
    const read = this.#read.flatMap(({ file, failures }) =>
      this.#included.has(file.source.name) ? [] : [...fieldFailures(this.definitions.faultsIn(file)), ...failures],
    )
    const failures = [...read, ...fieldFailures(formerLabelFaults(this.#entries))]
    if (failures.length > 0) throw wrongFiles(failures, commonCode(failures) ?? 'usage')
    const defaults = { region: this.#region ?? this.usual.region }
    return { settings: { owner: this.#owner, defaults }, entries: this.#entries, regionPlace: this.#regionPlace }
  }

  async add(file: PlacedSource): Promise<void> {
    this.#failures = []
    this.#read.push({ file, failures: this.#failures })
    const { source, value, place, faults } = file
    for (const fault of faults) this.#fail(fault.place, null, fault.reason)
    if (value === undefined) return
    if (value === null) return this.#fail(place, null, 'is empty')
    if (isRecord(value) && value.format_version !== undefined)
      return this.#fail(place, null, 'it is a saved plan, which only apply accepts, without other files')
    if (isRecord(value) && hasAllRules(value)) return this.#fail(place, null, rulesFile(source.name))
    const fields = this.#fieldsOf(value, place, null)
    const outdented = outdentedIn(isRecord(value) ? value : {}, isFileKey)
    for (const [key, inner, at] of fields) {
      const below = outdented.get(key)
      const kind = kinds.find((one) => one.key === key)
      if (below)
        this.#fail(at, key, `is empty, and the next keys are probably indented too little: ${below.join(', ')}`)
      else if (kind) await this.#addKind(kind, inner, { source, place: at })
      else if (key === 'owner') this.#setOwner(inner, at)
      else if (key === 'defaults') this.#setDefaults(inner, at)
      else if (!isFileKey(key) && ![...outdented.values()].flat().includes(key))
        this.#fail(at, key, unknownKey(key, {}, fileKeys))
    }
  }

  /** Records a failure of a field; null is the whole file. */
  #fail(place: Position | string, field: string | null, reason: string, code: ErrorCode = 'usage'): void {
    this.#failures.push(fieldFailure(String(place), { field, reason }, code))
  }

  /** Returns the fields of an object; records a failure for any other value. */
  #fieldsOf(value: unknown, place: Position, name: string | null): [key: string, value: unknown, place: Position][] {
    if (isRecord(value)) return Object.entries(value).map(([key, inner]) => [key, inner, place.at([key])])
    this.#fail(place, name, notAnObject(value))
    return []
  }

  #setOwner(value: unknown, place: Position): void {
    if (typeof value !== 'string' || value === '') this.#fail(place, 'owner', 'Must be a tag')
    else if (this.#owner !== undefined && this.#owner !== value)
      this.#fail(place, 'owner', `another file says "${this.#owner}"`)
    else this.#owner = value
  }

  #setDefaults(value: unknown, place: Position): void {
    for (const [key, inner, at] of this.#fieldsOf(value, place, 'defaults')) {
      const field = `defaults.${key}`
      if (!defaultKeys.includes(key)) this.#fail(at, field, unknownKey(key, {}, { region: undefined }))
      else if (typeof inner !== 'string' || inner === '') this.#fail(at, field, 'Must be a name')
      else if (this.#region !== undefined && this.#region !== inner)
        this.#fail(at, field, `another file says "${this.#region}"`)
      else {
        this.#region = inner
        this.#regionPlace ??= String(at)
      }
    }
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

  async #addEntry(kind: Kind, typed: string, given: Given): Promise<void> {
    const path = kind.single ? kind.key : `${kind.key}.${typed}`
    const fault = kind.nameFault?.(typed)
    if (fault !== undefined) return this.#fail(given.place, path, fault)
    const name = kind.tidyName?.(typed) ?? typed
    const known = this.#entries.get(kind.key) ?? new Map<string, DesiredObject>()
    const other = known.get(name)
    if (other) return this.#fail(given.place, path, `is already in ${other.placeOf(null)}`)
    const filled = await this.#filled(kind, given, path)
    if (!filled) return
    const { value, labels, faults, placeOf, expanded } = filled
    const writtenOf = (field: string | null) => (field === null ? null : expanded.fieldOf(field))
    const networks = expanded.networksIn(isRecord(value) ? value : {})
    const object = { name, value, networks, placeOf: (field: string | null) => String(placeOf(writtenOf(field))) }
    this.#entries.set(kind.key, known.set(name, labels.length > 0 ? { ...object, labels } : object))
    const more = (kind.files ?? []).map(({ field }) => field)
    const wrong = checkFile(kind.entry, value, more).map(({ field, reason }) => ({
      field: writtenOf(field),
      reason: reason.replace(`${field} is`, 'is') + (field === null ? '' : expanded.noteOn(field)),
    }))
    for (const { field, reason } of [...faults, ...wrong])
      this.#fail(placeOf(field), field === null ? path : `${path}.${field}`, reason)
  }

  /**
   * Returns the entry in the form of its schema, with the contents of the files that it includes; undefined, with a
   * failure, if one is wrong.
   */
  async #filled(kind: Kind, { value, source, place }: Given, path: string): Promise<Filled | undefined> {
    const within = (field: string | null) => (field === null ? place : place.at(stepsOf(field)))
    // A name without a value is an object without fields.
    const given = value === null && kind.entry.type !== 'nullable' ? {} : value
    if (!isRecord(given)) return { value: given, labels: [], faults: [], placeOf: within, expanded: unexpanded({}) }
    try {
      const { entry, included, names } = await filledEntry(given, kind.files ?? [], source)
      for (const name of names) this.#included.add(name)
      const placeOf = (field: string | null) => {
        const [first, ...rest] = field === null ? [] : stepsOf(field)
        return included.get(String(first))?.at(rest) ?? within(field)
      }
      const whole = withLists(kind.entry, entry)
      const expanded = this.#expanded(kind, isRecord(whole) ? whole : {}, (field) => String(placeOf(field)))
      const writtenAs = (field: string) => placeOf(expanded.fieldOf(field)).writtenAs
      const taken = takeLabels(kind.tidy?.(expanded.value, writtenAs) ?? expanded.value, kind)
      return { ...taken, faults: [...expanded.faults, ...taken.faults], placeOf, expanded }
    } catch (error) {
      if (!(error instanceof WrongInclude)) throw error
      this.#fail(within(error.field), `${path}.${error.field}`, error.problem.message, error.problem.code)
      return undefined
    }
  }

  #expanded(kind: Kind, entry: Record<string, unknown>, placeOf: (field: string) => string): ExpandedEntry {
    return kind.expand?.(entry, { definitions: this.definitions, placeOf }) ?? unexpanded(entry)
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
  labels: readonly ServiceLabel[]
  faults: readonly FieldError[]
  /** Returns the position of a field as it was written; those of included files are in that file. */
  placeOf(field: string | null): Position
  expanded: ExpandedEntry
}
