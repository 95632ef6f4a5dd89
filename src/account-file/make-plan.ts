/** Plans the steps from the current to the desired state of an account: a pure function of both (state.md). */
import { groupBy } from '../rules/records'
import { changesByNetwork } from './changes-by-network'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import { knownEntry } from './entry-before-after'
import type { AccountState, Kind, PlanInput } from './kind'
import { kinds } from './kinds'
import type { Fault } from './places'
import { inPlanOrder, namesOf, type Plan, type PlannedObject, type ResultingObject } from './plan'
import { planObject } from './plan-object'
import { protectionRefusals } from './protection'
import { type RenameHint, renameHints, unsafeRenames } from './rename-hints'
import { withNewLabels } from './renames'
import { everything, missingRoom, prunedPlace, type Selection, splitHandovers } from './selection'
import { expectOwner } from './tags'
import { type UnmetExpectation, unmetBy } from './unmet-expectations'

interface PlanOptions {
  prune: boolean
  selection?: Selection
  /** Plans changes that harm protected objects, too. */
  force?: boolean
  faults?: readonly Fault[]
  /** Current time, for what expires. */
  now?: number
  /** Keeps refusals with their objects, for reports of differences; wrong files are still thrown. */
  reports?: boolean
  /** Objects whose protection the plan may end, before it changes anything else about them. */
  mayUnprotect?: ReadonlySet<DesiredObject>
}

/**
 * Plans all objects as far as they can be reached, and returns what refuses the rest. Throws `usage` to prune or adopt
 * without an owner.
 */
export function makePlan(desired: DesiredState, current: AccountState, options: PlanOptions): MadePlan {
  const { prune, selection = everything } = options
  expectOwner(desired.settings, { prune })
  const planner = new Planner(desired, current, { ...options, selection })
  for (const kind of kinds) if (selection.hasKind(kind.key)) planner.add(kind)
  return planner.plan()
}

interface MadePlan {
  plan: Plan
  /** Faults of the files, refusals, and known faults: with one of them, the plan must not be applied. */
  faults: readonly Fault[]
}

/** Collects the plan of one kind after the other. */
class Planner {
  readonly #world: AccountState
  readonly #renames: ReturnType<typeof withNewLabels>['steps']
  readonly #hints: readonly RenameHint[]
  readonly #hintByObject: ReadonlyMap<DesiredObject, RenameHint>
  readonly #faults: Fault[]
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
    const renamed = withNewLabels(desired, current)
    this.#renames = renamed.steps
    this.#world = renamed.world
    this.#hints = renameHints(desired, this.#world).filter(({ kind, object }) => selection.has(kind.key, object.name))
    this.#hintByObject = new Map(this.#hints.map((hint) => [hint.object, hint]))
    this.#faults = [...faults, ...renamed.faults, ...this.#hints.flatMap(({ fault }) => fault ?? [])]
  }

  /** Plans the entries of a kind, and the removal of what no file has. */
  add(kind: Kind): void {
    const { prune, selection } = this.options
    const [world, { settings }] = [this.#world, this.desired]
    const named = this.desired.entries.get(kind.key) ?? new Map<string, DesiredObject>()
    // Such a kind was read for others.
    if (named.size === 0 && !kind.remove && !kind.unprotectedAfter) return
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

  plan(): MadePlan {
    const { entries } = this.desired
    const [objects, unselected, faults] = [this.#objects, this.#unselected, this.#faults]
    faults.push(...unsafeRenames(this.#hints, objects))
    faults.push(...splitHandovers(objects, unselected, { entries, isSound: faults.length === 0 }))
    this.#notes.push(...missingRoom(objects, unselected).map(({ object, text }) => ({ ...namesOf(object), text })))
    const named = [...(entries.get('firewalls')?.values() ?? [])].flatMap(({ networks = [] }) => [...networks])
    const plan = {
      objects: inPlanOrder(objects),
      unchanged: inPlanOrder(this.#unchanged),
      same: this.#unchanged.length + this.#met,
      notes: inPlanOrder(this.#notes),
      left: inPlanOrder(this.#left).map(namesOf),
      networks: changesByNetwork(objects, new Map(named)),
      unmet: this.#unmet,
      unprotected: this.#unprotected,
    }
    return { plan, faults }
  }

  #addEntry(kind: Kind, entry: DesiredObject, around: Around & Pick<PlanInput<unknown, unknown>, 'isRemoved'>): void {
    const { force = false, reports = false, selection, mayUnprotect } = this.options
    const isSelected = selection.has(kind.key, entry.name)
    const hint = this.#hintByObject.get(entry)
    const renaming = this.#renames.get(entry)
    const isUnclear = this.#renames.has(entry) && !renaming
    if (isUnclear || hint?.fault) return
    if (kind.expect) {
      if (isSelected) this.#addExpectation(kind, entry, around)
      return
    }
    const { object, refused, notes, unmet } = planObject(kind, entry, {
      ...{ ...around, renaming, hint, force, reports },
      mayUnprotect: mayUnprotect?.has(entry) === true,
    })
    if (!isSelected) {
      this.#unselected.push(object)
      return
    }
    this.#faults.push(...refused)
    this.#unmet.push(...unmet)
    this.#notes.push(...[...notes, ...(hint ? [hint.text] : [])].map((text) => ({ ...namesOf(object), text })))
    if (object.steps.length > 0 || object.refusals) this.#objects.push(object)
    else if (!unmet.some(({ isChecked }) => isChecked)) this.#unchanged.push(object)
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
      if (prune && !force && isPart) this.#faults.push(...refused)
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

/** Plans the removal of objects with the owner's tag that are in no file. */
function ownedBeside(
  kind: Kind,
  around: Around,
  hints: readonly RenameHint[],
): { removed: PlannedObject; refused: Fault[] }[] {
  const removals: { removed: PlannedObject; refused: Fault[] }[] = []
  const adviceOf = new Map(hints.map(({ match }) => [match?.record, match?.advice]))
  for (const [name, list] of around.records) {
    for (const record of list) {
      const steps = removalOf(kind, record, around)
      if (!steps) continue
      const id = kind.idOf(record)
      const before = () => knownEntry(kind, record)
      const advice = adviceOf.get(record)
      const at = prunedPlace({ kind: kind.key, name })
      const refused = protectionRefusals({ kind, desired: undefined, record, steps: steps.slice(-1), advice }).map(
        ({ reason, code = 'refused' }) => ({ at, reason, code }),
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
