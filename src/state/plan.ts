/** What leads from what an account has to what is wanted: a pure function of both (state.md). */
import { type Code, type Failure, Problem } from '../errors'
import { groupBy } from '../rules/groups'
import type { Case, Kind, Outcome, Step, World } from './kind'
import { kinds } from './kinds'
import { type Entry, type Wanted, wrongFiles } from './wanted'

/** What is done with one object. */
export interface PlannedObject {
  kind: string
  noun: string
  /** Its label or address; empty where an account has one of the kind. */
  name: string
  /** Undefined where it has to be made. */
  id?: number | string | undefined
  /** What a file would say of it now; null where there is none. A plan that was kept holds as long as this does. */
  before: unknown
  steps: readonly Step[]
  action: 'create' | 'update' | 'delete'
}

type Named = Pick<PlannedObject, 'kind' | 'noun' | 'name' | 'id'>

export interface Plan {
  objects: readonly PlannedObject[]
  /** How many objects of the files are as wanted. */
  same: number
  /** What is left alone of objects that the files name. */
  notes: readonly (Named & { text: string })[]
  /** What carries the owner's tag and is in no file, and is left alone. */
  left: readonly Named[]
}

interface Kinds {
  wanted: readonly Kind[]
  needed: readonly Kind[]
}

/** The kinds that have to be read, and those that only tell more: what the owner has besides, where things stand. */
export function kindsOf({ entries, settings }: Wanted, { prune }: { prune: boolean }): Kinds {
  const isOwned = ({ remove }: Kind) => remove !== undefined && settings.owner !== undefined
  const wanted = kinds.filter((kind) => entries.has(kind.key) || (prune && isOwned(kind)))
  const needed = wanted.flatMap((kind) => kind.needs?.(valuesOf(entries, kind)) ?? [])
  const isUseful = (kind: Kind) => isOwned(kind) || needed.includes(kind.key)
  return { wanted, needed: kinds.filter((kind) => !wanted.includes(kind) && isUseful(kind)) }
}

const valuesOf = (entries: Wanted['entries'], { key }: Kind) =>
  [...(entries.get(key)?.values() ?? [])].map(({ value }) => value)

/** Whether files name compute instances, and nothing tells which there are. */
export const areComputesUnseen = ({ entries }: Wanted, world: World) =>
  !world.has('rdns') && kinds.some((kind) => valuesOf(entries, kind).some((value) => kind.computesIn?.(value)?.length))

/** The kinds of which it is not known what the owner has, since the token may not read them. */
export function unseenOf({ settings }: Wanted, world: World): readonly Kind[] {
  return settings.owner === undefined ? [] : kinds.filter(({ key, remove }) => remove !== undefined && !world.has(key))
}

/**
 * Throws everything that cannot be reached, with its cause, and with the faults of the files that were known before;
 * `usage` where there are such, or nobody owns what would be removed.
 */
export function planFor(
  wanted: Wanted,
  world: World,
  { prune, faults = [] }: { prune: boolean; faults?: readonly Failure[] },
): Plan {
  if (prune && wanted.settings.owner === undefined) {
    throw new Problem('usage', '--prune needs an owner: only what carries its tag is removed', {
      hint: 'Add "owner: TAG" to the file',
    })
  }
  const objects: PlannedObject[] = []
  const failures = [...faults]
  const left: Plan['left'][number][] = []
  const notes: Plan['notes'][number][] = []
  let same = 0
  for (const kind of kinds) {
    const named = wanted.entries.get(kind.key) ?? new Map<string, Entry>()
    const entries = new Map([...named].map(([name, { value }]) => [name, value]))
    const around = { records: byName(kind, world), entries, world, settings: wanted.settings }
    const isRemoved = (record: unknown) => prune && removalOf(kind, record, around) !== undefined
    for (const entry of named.values()) {
      const { object, refused, told } = planObject(kind, entry, { ...around, isRemoved })
      failures.push(...refused)
      notes.push(...told.map((text) => ({ ...namesOf(object), text })))
      if (object.steps.length > 0) objects.push(object)
      else same += 1
    }
    for (const removed of ownedBeside(kind, around)) {
      if (prune) objects.push(removed)
      else left.push(removed)
    }
  }
  if (failures.length > 0) throw wrongFiles(failures, faults.length > 0 ? 'usage' : causeOf(failures))
  return { objects, same, notes, left: left.map(namesOf) }
}

/** The cause of all refusals, where they agree. */
function causeOf(failures: readonly Failure[]): Code {
  const [code, ...others] = new Set(failures.map(({ problem }) => problem.code))
  return code === undefined || others.length > 0 ? 'refused' : code
}

const namesOf = ({ kind, noun, name, id }: Named): Named => ({ kind, noun, name, id })

type Records = ReadonlyMap<string, readonly unknown[]>

const byName = (kind: Kind, world: World): Records =>
  groupBy(world.get(kind.key) ?? [], (record) => kind.nameOf(record))

interface Around extends Pick<Case<unknown, unknown>, 'entries' | 'world' | 'settings'> {
  records: Records
}

function planObject(
  kind: Kind,
  { name, value, placeOf }: Entry,
  { records, ...around }: Around & Pick<Case<unknown, unknown>, 'isRemoved'>,
): { object: PlannedObject; refused: Failure[]; told: readonly string[] } {
  const all = records.get(name) ?? []
  const path = kind.single ? kind.key : `${kind.key}.${name}`
  const { record, steps, refusals, notes: told = [] } = planNamed(kind, { name, wanted: value, ...around }, all)
  const object = {
    kind: kind.key,
    noun: kind.noun,
    name,
    id: record === undefined ? undefined : kind.idOf(record),
    before: record === undefined ? null : kind.entryOf(record),
    steps,
    action: record === undefined ? ('create' as const) : ('update' as const),
  }
  const refused = refusals.map(({ field, reason, code = 'refused' }) => ({
    target: placeOf(field),
    problem: new Problem(code, `${field === null ? path : `${path}.${field}`}: ${reason}`),
    tried: true,
  }))
  return { object, refused, told }
}

function planNamed(
  kind: Kind,
  one: Omit<Case<unknown, unknown>, 'record'>,
  records: readonly unknown[],
): Outcome & { record?: unknown } {
  const [record] = records
  if (records.length < 2) return { record, ...kind.plan({ ...one, record }) }
  const several = kind.planSeveral?.(one, records)
  if (several) return { ...several, refusals: [] }
  return { record, steps: [], refusals: [{ field: null, reason: twice(kind, records), code: 'exists' }] }
}

/** What carries the owner's tag and is in no file, with how it is removed. */
function ownedBeside(kind: Kind, around: Around): PlannedObject[] {
  const found: PlannedObject[] = []
  for (const [name, list] of around.records) {
    for (const record of list) {
      const steps = removalOf(kind, record, around)
      if (!steps) continue
      const [id, before] = [kind.idOf(record), kind.entryOf(record)]
      found.push({ kind: kind.key, noun: kind.noun, name, id, before, steps, action: 'delete' })
    }
  }
  return found
}

/** How a record is removed; undefined for one that the file names, or nobody is known to own. */
function removalOf(kind: Kind, record: unknown, { entries, world, settings: { owner } }: Around) {
  if (owner === undefined || entries.has(kind.nameOf(record))) return undefined
  return kind.remove?.(record, { owner, entries, world })
}

function twice({ noun, idOf }: Kind, records: readonly unknown[]): string {
  return `${records.length} ${noun}s of the account have this label: ${records.map((record) => idOf(record)).join(', ')}`
}
