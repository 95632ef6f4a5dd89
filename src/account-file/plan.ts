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
import { contradictionIn, protectionRefusals, unprotectingFirst } from './protection'
import { type RenameHint, renameHints, unsafeRenames, withNewLabels } from './renames'
import { everything, missingRoom, type Selection, splitHandovers } from './selection'
import { expectOwner } from './tags'

export type { Plan, PlannedObject } from './planned-object'

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
  /** Objects whose protection the plan may end, before it changes anything else about them. */
  mayUnprotect?: ReadonlySet<DesiredObject>
}

/**
 * Plans all objects. Throws all refusals and the known faults of the files with their common cause; `usage` to prune
 * or adopt without an owner.
 */
export function planFor(desired: DesiredState, current: AccountState, options: PlanOptions): Plan {
  const { prune, selection = everything } = options
  expectOwner(desired.settings, { prune })
  const planner = new Planner(desired, current, { ...options, selection })
  for (const kind of kinds) if (selection.hasKind(kind.key)) planner.add(kind)
  return planner.plan()
}

/** Collects the plan of one kind after the other. */
class Planner {
  readonly #world: AccountState
  readonly #labels: ReturnType<typeof withNewLabels>
  readonly #hints: readonly RenameHint[]
  readonly #failures: TargetFailure[]
  readonly #objects: PlannedObject[] = []
  readonly #unchanged: ResultingObject[] = []
  readonly #left: PlannedObject[] = []
  /** Changes that are not selected: others may depend on them. */
  readonly #unselected: PlannedObject[] = []
  readonly #notes: Plan['notes'][number][] = []
  readonly #unmet: UnmetExpectation[] = []
  #met = 0
  #unprotected: Plan['unprotected']

  constructor(
    private readonly desired: DesiredState,
    current: AccountState,
    private readonly options: PlanOptions & Required<Pick<PlanOptions, 'selection'>>,
  ) {
    const { faults = [], selection } = options
    this.#labels = withNewLabels(desired, current)
    this.#world = this.#labels.world
    this.#hints = renameHints(desired, this.#world).filter(({ kind, object }) => selection.has(kind.key, object.name))
    this.#failures = [...faults, ...this.#labels.failures, ...this.#hints.flatMap(({ failure }) => failure ?? [])]
  }

  /** Plans the entries of a kind, and the removal of what no file has. */
  add(kind: Kind): void {
    const { prune, selection } = this.options
    const [world, { settings }] = [this.#world, this.desired]
    const named = this.desired.entries.get(kind.key) ?? new Map<string, DesiredObject>()
    const entries = new Map([...named].map(([name, { value }]) => [name, value]))
    const isSelected = (name: string) => selection.has(kind.key, name)
    const around = { records: byName(kind, world), entries, world, settings, isSelected }
    const isRemoved = (record: unknown) => prune && removalOf(kind, record, around) !== undefined
    this.#unprotected ??= kind.unprotectedAfter?.({
      world,
      entries: new Map([...entries].filter(([name]) => isSelected(name))),
      isRemoved: (record) => isSelected(kind.nameOf(record)) && isRemoved(record),
    })
    for (const entry of named.values()) this.#addEntry(kind, entry, { ...around, isRemoved })
    this.#addOwned(kind, around)
  }

  plan(): Plan {
    const { entries } = this.desired
    const [objects, unselected, failures] = [this.#objects, this.#unselected, this.#failures]
    failures.push(...unsafeRenames(this.#hints, objects))
    failures.push(...splitHandovers(objects, unselected, { entries, isSound: failures.length === 0 }))
    this.#notes.push(...missingRoom(objects, unselected).map(({ object, text }) => ({ ...namesOf(object), text })))
    if (failures.length > 0) throw wrongFiles(failures, causeOf(failures))
    const named = [...(entries.get('firewalls')?.values() ?? [])].flatMap(({ networks = [] }) => [...networks])
    return {
      objects: inPlanOrder(objects),
      unchanged: inPlanOrder(this.#unchanged),
      same: this.#unchanged.length + this.#met,
      notes: inPlanOrder(this.#notes),
      left: inPlanOrder(this.#left).map(namesOf),
      networks: networkChanges(objects, new Map(named)),
      unmet: this.#unmet,
      unprotected: this.#unprotected,
    }
  }

  #addEntry(kind: Kind, entry: DesiredObject, around: Around & Pick<Planning, 'isRemoved'>): void {
    const { force = false, reports = false, selection, mayUnprotect } = this.options
    const isSelected = selection.has(kind.key, entry.name)
    const hint = this.#hints.find(({ object }) => object === entry)
    if (this.#labels.isUnclear(kind, entry.name) || hint?.failure) return
    if (kind.expect) {
      if (isSelected) this.#addExpectation(kind, entry, around)
      return
    }
    const renaming = this.#labels.stepFor(kind, entry.name)
    const { object, refused, notes } = planObject(kind, entry, {
      ...{ ...around, renaming, hint, force, reports },
      mayUnprotect: mayUnprotect?.has(entry) === true,
    })
    if (!isSelected) {
      this.#unselected.push(object)
      return
    }
    this.#failures.push(...refused)
    this.#notes.push(...[...notes, ...(hint ? [hint.text] : [])].map((text) => ({ ...namesOf(object), text })))
    if (object.steps.length > 0 || object.refusals) this.#objects.push(object)
    else this.#unchanged.push(object)
  }

  #addExpectation(kind: Kind, entry: DesiredObject, { records }: Around): void {
    const missed = unmetBy(entry, kind, { records, isRead: this.#world.has(kind.key), now: this.options.now })
    this.#unmet.push(...missed)
    if (missed.length === 0) this.#met += 1
  }

  /** Adds what the owner has and no file, to be removed or left. */
  #addOwned(kind: Kind, around: Around): void {
    const { prune, force = false, selection } = this.options
    for (const { removed, refused } of ownedBeside(kind, around, this.#hints)) {
      const isPart = selection.has(kind.key, removed.name)
      if (prune && !force && isPart) this.#failures.push(...refused)
      if (prune) (isPart ? this.#objects : this.#unselected).push(removed)
      else if (isPart) this.#left.push(removed)
    }
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
  /** True if the plan may end the protection of the object, before its other changes. */
  mayUnprotect: boolean
  /** Step that gives the object its new label. */
  renaming: PlanStep | undefined
  /** Object that the entry is probably meant to rename. */
  hint: RenameHint | undefined
}

function planObject(
  kind: Kind,
  { name, value, placeOf, sourceOf }: DesiredObject,
  { records, renaming, hint, force, reports, mayUnprotect, ...around }: Planning,
): { object: PlannedObject; refused: TargetFailure[]; notes: readonly string[] } {
  const all = records.get(name) ?? []
  const path = kind.single ? kind.key : `${kind.key}.${name}`
  const planOne = reports ? planReachable : planNamed
  const one = { name, desired: value, ...around }
  const { record, refusals, notes = [], ...planned } = planOne(kind, one, all)
  const steps = mayUnprotect ? unprotectingFirst(planned.steps) : planned.steps
  const before = () => (record === undefined ? null : knownEntry(kind, record))
  const isChanged = refusals.length === 0 && steps.length > 0
  const reported = reports ? refusals.filter((one) => isDifference(one, record)) : []
  const thrown = refusals.filter((one) => !reported.includes(one))
  const object = {
    kind: kind.key,
    noun: kind.noun,
    name,
    id: record === undefined ? undefined : kind.idOf(record),
    before,
    after: isChanged ? once(() => entryAfter(kind, { ...one, record })) : before,
    record,
    was: renaming && formerLabel({ value }),
    sourceOf,
    steps: renaming ? [renaming, ...steps] : steps,
    action: record === undefined ? ('create' as const) : ('update' as const),
    ...(reported.length > 0 && { refusals: reported }),
  }
  const brakes = force || mayUnprotect ? [] : protectionRefusals({ kind, desired: value, record, steps })
  const refused = [...thrown, ...contradictionIn(value), ...brakes].map(
    ({ field, reason, code = 'refused' }, index) => {
      const whole = hint && index === 0 ? `${reason}. ${capitalized(hint.text)}` : reason
      return fieldFailure(placeOf(field), { field: field === null ? path : `${path}.${field}`, reason: whole }, code)
    },
  )
  return { object, refused, notes }
}

/** Plans the removal of objects with the owner's tag that are in no file. */
function ownedBeside(
  kind: Kind,
  around: Around,
  hints: readonly RenameHint[],
): { removed: PlannedObject; refused: TargetFailure[] }[] {
  const removals: { removed: PlannedObject; refused: TargetFailure[] }[] = []
  for (const [name, list] of around.records) {
    for (const record of list) {
      const steps = removalOf(kind, record, around)
      if (!steps) continue
      const id = kind.idOf(record)
      const before = () => knownEntry(kind, record)
      const advice = hints.find(({ match }) => match?.record === record)?.match?.advice
      // No file has a line of it.
      const refused = protectionRefusals({ kind, desired: undefined, record, steps: steps.slice(-1), advice }).map(
        ({ reason, code = 'refused' }) => fieldFailure('--prune', { field: `${kind.key}.${name}`, reason }, code),
      )
      const removed = { kind: kind.key, noun: kind.noun, name, id, before, after: () => null, record, steps }
      removals.push({ removed: { ...removed, action: 'delete' }, refused })
    }
  }
  return removals
}

/** Returns the steps to remove a record; undefined if a file has it or it has no owner. */
function removalOf(kind: Kind, record: unknown, { entries, world, settings: { owner } }: Around) {
  if (owner === undefined || entries.has(kind.nameOf(record))) return undefined
  return kind.remove?.(record, { owner, entries, world })
}
