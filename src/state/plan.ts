/** Plans the steps from the current to the desired state of an account: a pure function of both (state.md). */
import type { TargetFailure } from '../errors'
import { once } from '../rules/once'
import { groupBy } from '../rules/records'
import { capitalized } from '../rules/texts'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import { entryAfter, knownEntry } from './entries'
import { type UnmetExpectation, unmetBy } from './expectations'
import { causeOf, fieldFailure, wrongFiles } from './file-failures'
import { formerLabel } from './former-labels'
import type { AccountState, Kind, PlanInput } from './kind'
import { kinds } from './kinds'
import { networkChanges } from './network-changes'
import { isDifference, planNamed, planReachable } from './plan-entry'
import type { PlanStep } from './plan-step'
import { inPlanOrder, namesOf, type Plan, type PlannedObject, type ResultingObject } from './planned-object'
import { contradictionIn, protectionRefusals } from './protection'
import { type RenameHint, renameHints, withNewLabels } from './renames'
import { everything, missingRoom, type Selection, splitHandovers } from './selection'
import { serviceSources } from './service-labels'
import { expectOwner } from './tags'

export type { Plan, PlannedObject } from './planned-object'

interface Kinds {
  wanted: readonly Kind[]
  needed: readonly Kind[]
}

/**
 * Returns the kinds that must be read, and those that only add information: other objects of the owner, and locations.
 */
export function kindsOf(
  { entries, settings }: DesiredState,
  { prune, selection = everything }: Pick<PlanOptions, 'prune' | 'selection'>,
): Kinds {
  // Without permission, what is only expected is not compared.
  const isExpected = (kind: Kind) => kind.expect !== undefined && entries.has(kind.key)
  const isOwned = ({ key, remove }: Kind) =>
    remove !== undefined && settings.owner !== undefined && selection.hasKind(key)
  const wanted = kinds.filter((kind) => (entries.has(kind.key) && !kind.expect) || (prune && isOwned(kind)))
  const isNeeded = ({ key }: Kind) => wanted.some((kind) => kind.needs?.(valuesOf(entries, kind)).includes(key))
  const sources = new Set(labelsIn(entries).flatMap(({ kind }) => serviceSources[kind]))
  const isUseful = (kind: Kind) => isExpected(kind) || isOwned(kind) || isNeeded(kind) || sources.has(kind.key)
  return { wanted, needed: kinds.filter((kind) => !wanted.includes(kind) && isUseful(kind)) }
}

/** Returns the services that files name by label. */
export const labelsIn = (entries: DesiredState['entries']) =>
  [...entries.values()].flatMap((named) => [...named.values()].flatMap(({ labels = [] }) => labels))

const valuesOf = (entries: DesiredState['entries'], { key }: Kind) =>
  [...(entries.get(key)?.values() ?? [])].map(({ value }) => value)

/** Reports whether files name compute instances, but the token may not read addresses to verify them. */
export const areComputesUnseen = ({ entries }: DesiredState, world: AccountState) =>
  !world.has('rdns') && kinds.some((kind) => valuesOf(entries, kind).some((value) => kind.computesIn?.(value)?.length))

/** Returns the kinds in which the owner's objects are unknown, as the token may not read them. */
export function unseenOf({ settings }: DesiredState, world: AccountState, selection = everything): readonly Kind[] {
  const isUnseen = ({ key, remove }: Kind) => remove !== undefined && !world.has(key) && selection.hasKind(key)
  return settings.owner === undefined ? [] : kinds.filter(isUnseen)
}

interface PlanOptions {
  prune: boolean
  /** Objects to plan; all by default. */
  selection?: Selection
  /** Plans changes that harm protected objects, too. */
  force?: boolean
  /** Known faults of the files. */
  faults?: readonly TargetFailure[]
  /** Current time, for what expires. */
  now?: number
  /** Keeps refusals with their objects, for reports of differences; wrong files are still thrown. */
  reports?: boolean
}

/**
 * Plans all objects. Throws all refusals and the known faults of the files with their common cause; `usage` to prune
 * or adopt without an owner.
 */
export function planFor(
  wanted: DesiredState,
  current: AccountState,
  { prune, force = false, faults = [], selection = everything, reports = false, now }: PlanOptions,
): Plan {
  expectOwner(wanted.settings, { prune })
  const objects: PlannedObject[] = []
  const { world, failures: clashes, isUnclear, stepFor } = withNewLabels(wanted, current)
  const hints = renameHints(wanted, world).filter(({ kind, object }) => selection.has(kind.key, object.name))
  const failures = [...faults, ...clashes, ...hints.flatMap(({ failure }) => failure ?? [])]
  const left: PlannedObject[] = []
  // Changes that are not selected: others may depend on them.
  const unselected: PlannedObject[] = []
  const notes: Plan['notes'][number][] = []
  const unmet: UnmetExpectation[] = []
  let met = 0
  const unchanged: ResultingObject[] = []
  let unprotected: Plan['unprotected']
  for (const kind of kinds.filter(({ key }) => selection.hasKind(key))) {
    const named = wanted.entries.get(kind.key) ?? new Map<string, DesiredObject>()
    const entries = new Map([...named].map(([name, { value }]) => [name, value]))
    const isSelected = (name: string) => selection.has(kind.key, name)
    const around = { records: byName(kind, world), entries, world, settings: wanted.settings, isSelected }
    const isRemoved = (record: unknown) => prune && removalOf(kind, record, around) !== undefined
    unprotected ??= kind.unprotectedAfter?.({
      world,
      entries: new Map([...entries].filter(([name]) => isSelected(name))),
      isRemoved: (record) => isSelected(kind.nameOf(record)) && isRemoved(record),
    })
    for (const entry of named.values()) {
      const hint = hints.find(({ object }) => object === entry)
      if (isUnclear(kind, entry.name) || hint?.failure) continue
      if (kind.expect && !isSelected(entry.name)) continue
      if (kind.expect) {
        const missed = unmetBy(entry, kind, { records: around.records, isRead: world.has(kind.key), now })
        unmet.push(...missed)
        if (missed.length === 0) met += 1
        continue
      }
      const renaming = stepFor(kind, entry.name)
      const { object, refused, told } = planObject(kind, entry, {
        ...around,
        isRemoved,
        renaming,
        hint,
        force,
        reports,
      })
      if (!isSelected(entry.name)) {
        unselected.push(object)
        continue
      }
      failures.push(...refused)
      notes.push(...[...told, ...(hint ? [hint.text] : [])].map((text) => ({ ...namesOf(object), text })))
      if (object.steps.length > 0 || object.refusals) objects.push(object)
      else unchanged.push(object)
    }
    for (const { removed, refused } of ownedBeside(kind, around, hints)) {
      const isPart = isSelected(removed.name)
      if (prune && !force && isPart) failures.push(...refused)
      if (prune) (isPart ? objects : unselected).push(removed)
      else if (isPart) left.push(removed)
    }
  }
  const isSound = failures.length === 0
  failures.push(...splitHandovers(objects, unselected, { entries: wanted.entries, isSound }))
  notes.push(...missingRoom(objects, unselected).map(({ object, text }) => ({ ...namesOf(object), text })))
  if (failures.length > 0) throw wrongFiles(failures, causeOf(failures))
  const named = [...(wanted.entries.get('firewalls')?.values() ?? [])].flatMap(({ networks = [] }) => [...networks])
  return {
    objects: inPlanOrder(objects),
    unchanged: inPlanOrder(unchanged),
    same: unchanged.length + met,
    notes: inPlanOrder(notes),
    left: inPlanOrder(left).map(namesOf),
    networks: networkChanges(objects, new Map(named)),
    unmet,
    unprotected,
  }
}

type Records = ReadonlyMap<string, readonly unknown[]>

const byName = (kind: Kind, world: AccountState): Records =>
  groupBy(world.get(kind.key) ?? [], (record) => kind.nameOf(record))

interface Around extends Pick<PlanInput<unknown, unknown>, 'entries' | 'world' | 'settings' | 'isSelected'> {
  records: Records
}

interface Planning
  extends Around,
    Pick<PlanInput<unknown, unknown>, 'isRemoved'>,
    Required<Pick<PlanOptions, 'force' | 'reports'>> {
  /** Step that gives the object its new label. */
  renaming: PlanStep | undefined
  /** Object that the entry is probably meant to rename. */
  hint: RenameHint | undefined
}

function planObject(
  kind: Kind,
  { name, value, placeOf, sourceOf }: DesiredObject,
  { records, renaming, hint, force, reports, ...around }: Planning,
): { object: PlannedObject; refused: TargetFailure[]; told: readonly string[] } {
  const all = records.get(name) ?? []
  const path = kind.single ? kind.key : `${kind.key}.${name}`
  const planOne = reports ? planReachable : planNamed
  const one = { name, wanted: value, ...around }
  const { record, steps, refusals, notes: told = [] } = planOne(kind, one, all)
  const before = record === undefined ? null : knownEntry(kind, record)
  const isChanged = refusals.length === 0 && steps.length > 0
  const reported = reports ? refusals.filter((one) => isDifference(one, record)) : []
  const thrown = refusals.filter((one) => !reported.includes(one))
  const object = {
    kind: kind.key,
    noun: kind.noun,
    name,
    id: record === undefined ? undefined : kind.idOf(record),
    before,
    after: once(() => (isChanged ? entryAfter(kind, { ...one, record }) : before)),
    record,
    was: renaming && formerLabel({ value }),
    sourceOf,
    steps: renaming ? [renaming, ...steps] : steps,
    action: record === undefined ? ('create' as const) : ('update' as const),
    ...(reported.length > 0 && { refusals: reported }),
  }
  const brakes = force ? [] : protectionRefusals({ kind, wanted: value, record, steps })
  const refused = [...thrown, ...contradictionIn(value), ...brakes].map(
    ({ field, reason, code = 'refused' }, index) => {
      const whole = hint && index === 0 ? `${reason}. ${capitalized(hint.text)}` : reason
      return fieldFailure(placeOf(field), { field: field === null ? path : `${path}.${field}`, reason: whole }, code)
    },
  )
  return { object, refused, told }
}

/** Plans the removal of objects with the owner's tag that are in no file. */
function ownedBeside(
  kind: Kind,
  around: Around,
  hints: readonly RenameHint[],
): { removed: PlannedObject; refused: TargetFailure[] }[] {
  const found: { removed: PlannedObject; refused: TargetFailure[] }[] = []
  for (const [name, list] of around.records) {
    for (const record of list) {
      const steps = removalOf(kind, record, around)
      if (!steps) continue
      const [id, before] = [kind.idOf(record), knownEntry(kind, record)]
      const advice = hints.find((hint) => hint.record === record)?.advice
      // No file has a line of it.
      const refused = protectionRefusals({ kind, wanted: undefined, record, steps: steps.slice(-1), advice }).map(
        ({ reason, code = 'refused' }) => fieldFailure('--prune', { field: `${kind.key}.${name}`, reason }, code),
      )
      const removed = { kind: kind.key, noun: kind.noun, name, id, before, after: () => null, record, steps }
      found.push({ removed: { ...removed, action: 'delete' }, refused })
    }
  }
  return found
}

/** Returns the steps to remove a record; undefined if a file has it or it has no owner. */
function removalOf(kind: Kind, record: unknown, { entries, world, settings: { owner } }: Around) {
  if (owner === undefined || entries.has(kind.nameOf(record))) return undefined
  return kind.remove?.(record, { owner, entries, world })
}
