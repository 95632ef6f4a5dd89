/** Renames objects: an entry with `was` takes the object that still has its former label (state.md, For teams). Pure. */
import { protectedTag } from '../account/protection'
import { isMissing } from '../catalogue/normalize'
import { nearest, orList } from '../rules/nearest'
import { once } from '../rules/once'
import { isRecord } from '../rules/records'
import { joinNames, nameList } from '../rules/texts'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import { knownEntry } from './entry-before-after'
import { formerLabel } from './former-labels'
import type { AccountState, Kind } from './kind'
import { kinds } from './kinds'
import type { Fault } from './places'
import type { PlannedObject } from './plan'
import type { PlanStep } from './plan-step'

/** An account as a plan compares it: renamed objects already have their new labels. */
export interface Renamed {
  world: AccountState
  faults: readonly Fault[]
  /** Reports whether it is uncertain which object an entry means. */
  isUnclear(kind: Kind, name: string): boolean
  /** Returns the step that renames the object of an entry; undefined if it has its label already. */
  stepFor(kind: Kind, name: string): PlanStep | undefined
}

/** Finds the objects to rename. */
export function withNewLabels({ entries }: DesiredState, world: AccountState): Renamed {
  const steps = new Map<string, PlanStep | undefined>()
  const faults: Fault[] = []
  const relabeled = new Map(world)
  for (const kind of kinds) {
    const records = world.get(kind.key) ?? []
    const renames = [...(entries.get(kind.key)?.values() ?? [])].flatMap((object) => renameOf(object, kind, records))
    const renamed = new Map<unknown, unknown>()
    for (const { object, record, step, problem = '' } of renames) {
      steps.set(keyOf(kind, object.name), step)
      if (step) renamed.set(record, kind.rename?.relabel(record, object.name))
      else faults.push({ at: object.at.at('was'), reason: problem, code: 'conflict' })
    }
    if (renamed.size > 0)
      relabeled.set(
        kind.key,
        records.map((record) => renamed.get(record) ?? record),
      )
  }
  const stepFor = (kind: Kind, name: string) => steps.get(keyOf(kind, name))
  const isUnclear = (kind: Kind, name: string) => steps.has(keyOf(kind, name)) && !stepFor(kind, name)
  return { world: relabeled, faults, isUnclear, stepFor }
}

const keyOf = ({ key }: Kind, name: string) => JSON.stringify([key, name])

interface Rename {
  object: DesiredObject
  record: unknown
  step?: PlanStep
  /** Reason why it cannot be renamed. */
  problem?: string
}

/** Returns the rename of an entry; nothing if no object has the former label, such as after the rename. */
function renameOf(object: DesiredObject, kind: Kind, records: readonly unknown[]): Rename[] {
  const was = formerLabel(object)
  const { rename } = kind
  if (was === undefined || !rename) return []
  const having = (label: string) => records.filter((record) => kind.nameOf(record) === label)
  const [former, present] = [having(was), having(object.name)]
  const [record] = former
  if (record === undefined) return []
  if (present.length > 0 || former.length > 1)
    return [{ object, record, problem: ambiguity(kind, [...former, ...present]) }]
  const step: PlanStep = {
    action: 'rename',
    does: rename.does,
    target: [String(kind.idOf(record))],
    body: { label: object.name },
    replaced: { label: was },
    changes: [`renamed from "${was}"`, ...(rename.effects?.(record) ?? [])],
  }
  return [{ object, record, step }]
}

/** Names the objects of which only one may have either label. */
function ambiguity(kind: Kind, records: readonly unknown[]): string {
  const names = records.map((record) => `${kind.noun} "${kind.nameOf(record)}" (${kind.idOf(record)})`)
  const exist = names.length === 2 ? 'both exist' : 'exist'
  return `${joinNames(names, 'and')} ${exist}, so the entry is ambiguous. Rename or delete the other`
}

/** An entry without an object that is perhaps meant to rename one: it resembles an object, or names a former label. */
export interface RenameHint {
  kind: Kind
  object: DesiredObject
  /** Object that the entry resembles, with the next step beside it as a sentence without full stop. */
  match?: { record: unknown; advice: string }
  /** Reason beside the entry, as a clause. */
  text: string
  /** Fault of an entry that the plan must not turn into a new object. */
  fault?: Fault
}

/** Returns the hints for entries without an object, in the renamed account. */
export function renameHints(
  { entries, settings }: Pick<DesiredState, 'entries' | 'settings'>,
  world: AccountState,
): readonly RenameHint[] {
  return kinds
    .filter(({ rename }) => rename !== undefined)
    .flatMap((kind) =>
      hintsIn(kind, { named: entries.get(kind.key) ?? new Map(), settings }, world.get(kind.key) ?? []),
    )
}

interface NamedObjects extends Pick<DesiredState, 'settings'> {
  named: ReadonlyMap<string, DesiredObject>
}

/** An object that no file names. */
interface Unnamed {
  record: unknown
  label: string
  tags: readonly string[]
  isOwned: boolean
  entry(): unknown
}

function hintsIn(kind: Kind, { named, settings }: NamedObjects, records: readonly unknown[]): RenameHint[] {
  const labels = new Set(records.map(kind.nameOf))
  const unnamed = records.filter((record) => !named.has(kind.nameOf(record))).map(unnamedIn(kind, settings))
  // Those of the owner are the likelier ones.
  const others = new Set([...unnamed.filter(({ isOwned }) => isOwned), ...unnamed.filter(({ isOwned }) => !isOwned)])
  const missing = [...named.values()].filter(
    (object) => !labels.has(object.name) && !labels.has(`${formerLabel(object)}`),
  )
  return missing
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((object) => {
      const match = mistyped(object, kind, others) ?? lookalike(object, kind, { others, settings })
      if (!match) return unmatched(object, kind)
      const { other, ...texts } = match
      others.delete(other)
      const line = `was: ${JSON.stringify(other.label)} (${object.at})`
      const advice = `To rename it to "${object.name}" instead, add to the entry of "${object.name}": ${line}`
      return [{ kind, object, match: { record: other.record, advice }, ...texts }]
    })
}

/** Returns the hint at a former label that no object has, and that resembles none. */
function unmatched(object: DesiredObject, kind: Kind): RenameHint[] {
  const was = formerLabel(object)
  if (was === undefined) return []
  return [{ kind, object, text: `${lacking(kind, was)}, so this is a new ${kind.noun} (${object.at.at('was')})` }]
}

const lacking = ({ noun }: Kind, was: string) => `no ${noun} has the label "${was}" of its "was"`

/** Returns a fault for each former label that no object has, if the plan deletes the object that was perhaps meant. */
export const unsafeRenames = (hints: readonly RenameHint[], objects: readonly PlannedObject[]): Fault[] =>
  hints.flatMap(({ kind, object, fault }) => {
    const was = formerLabel(object)
    const deleted = objects.filter((one) => one.kind === kind.key && one.action === 'delete')
    if (was === undefined || fault || deleted.length === 0) return []
    const names = nameList(deleted.map(({ noun, name, id }) => `${noun} "${name}" (${id})`).sort())
    const reason = `No ${kind.noun} has the label "${was}", and the plan deletes ${names}. Correct "was", or remove it`
    return [{ at: object.at.at('was'), reason, code: 'not_found' }]
  })

const unnamedIn =
  (kind: Kind, { owner }: DesiredState['settings']) =>
  (record: unknown): Unnamed => {
    const tagged = kind.tagged?.(record)
    const tags = tagged && !isMissing(tagged, 'tags') ? (tagged.tags ?? []) : []
    const isOwned = owner !== undefined && tags.includes(owner)
    return { record, label: kind.nameOf(record), tags, isOwned, entry: once(() => knownEntry(kind, record)) }
  }

type Match = { other: Unnamed } & Pick<RenameHint, 'text' | 'fault'>

/**
 * Finds an object whose label resembles the former label of an entry. In a fresh account, no object has a former label,
 * and others may resemble it: only one with the owner's tag, which some file once had, is a reason to stop.
 */
function mistyped(object: DesiredObject, kind: Kind, others: ReadonlySet<Unnamed>): Match | undefined {
  const was = formerLabel(object)
  if (was === undefined) return undefined
  const labels = [...others].map(({ label }) => label)
  const near = nearest(was, labels)
  const resembling = near.flatMap((label) => [...others].find((one) => one.label === label) ?? [])
  const other = resembling.find(({ isOwned }) => isOwned) ?? resembling[0]
  if (!other) return undefined
  const question = `Did you mean ${orList(near)}?`
  const reason = `No ${kind.noun} has the label "${was}". ${question}`
  const at = object.at.at('was')
  return {
    other,
    text: `${lacking(kind, was)}. ${question} (${at})`,
    ...(other.isOwned && { fault: { at, reason, code: 'not_found' } }),
  }
}

interface Around extends Pick<DesiredState, 'settings'> {
  others: ReadonlySet<Unnamed>
}

/** Finds an object that an entry describes. */
function lookalike(object: DesiredObject, kind: Kind, { others, settings }: Around): Match | undefined {
  const { value } = object
  const { looksLike } = kind.rename ?? {}
  if (!looksLike) return undefined
  const other = [...others].find(
    (one) => !isOfAnother(one, value, settings) && looksLike(one.entry(), value, { ...settings, isOwned: one.isOwned }),
  )
  if (!other) return undefined
  const old = `${kind.noun} "${other.label}" (${kind.idOf(other.record)})`
  const [was, field] = [formerLabel(object), JSON.stringify(other.label)]
  const looks = `it looks like ${old}, which is in no file. To rename that one instead,`
  const text =
    was === undefined
      ? `${looks} add to its entry: was: ${field} (${object.at})`
      : `${lacking(kind, was)}, but ${looks} set was: ${field} (${object.at.at('was')})`
  return { other, text }
}

/** Reports whether tags show that an object belongs to another owner. */
function isOfAnother({ tags, isOwned }: Unnamed, desired: unknown, { owner }: DesiredState['settings']): boolean {
  const own = isRecord(desired) && Array.isArray(desired.tags) ? desired.tags : []
  return owner !== undefined && !isOwned && tags.some((tag) => tag !== protectedTag && !own.includes(tag))
}
