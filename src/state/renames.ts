/** Renames objects: an entry with `was` takes the object that still has its former label (state.md, For teams). Pure. */
import type { TargetFailure } from '../errors'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import { fieldFailure } from './file-failures'
import { formerLabel, formerLabelField } from './former-labels'
import type { AccountState, Kind } from './kind'
import { kinds } from './kinds'
import type { PlanStep } from './plan-step'

/** An account as a plan compares it: renamed objects already have their new labels. */
export interface Renamed {
  world: AccountState
  failures: readonly TargetFailure[]
  /** Reports whether it is uncertain which object an entry means. */
  isUnclear(kind: Kind, name: string): boolean
  /** Returns the step that renames the object of an entry; undefined if it has its label already. */
  stepFor(kind: Kind, name: string): PlanStep | undefined
}

/** Finds the objects to rename. */
export function withNewLabels({ entries }: DesiredState, world: AccountState): Renamed {
  const steps = new Map<string, PlanStep | undefined>()
  const failures: TargetFailure[] = []
  const relabeled = new Map(world)
  for (const kind of kinds) {
    const records = world.get(kind.key) ?? []
    const renames = [...(entries.get(kind.key)?.values() ?? [])].flatMap((object) => renameOf(object, kind, records))
    const renamed = new Map<unknown, unknown>()
    for (const { object, record, step, problem = '' } of renames) {
      steps.set(keyOf(kind, object.name), step)
      const error = { field: formerLabelField(kind, object.name), reason: problem }
      if (step) renamed.set(record, kind.rename?.relabel(record, object.name))
      else failures.push(fieldFailure(object.placeOf('was'), error, 'conflict'))
    }
    if (renamed.size > 0)
      relabeled.set(
        kind.key,
        records.map((record) => renamed.get(record) ?? record),
      )
  }
  const stepFor = (kind: Kind, name: string) => steps.get(keyOf(kind, name))
  const isUnclear = (kind: Kind, name: string) => steps.has(keyOf(kind, name)) && !stepFor(kind, name)
  return { world: relabeled, failures, isUnclear, stepFor }
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
    arguments: [String(kind.idOf(record))],
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
  return `${names.join(' and ')} ${exist}, so skyctl cannot tell which one is meant. Rename or delete the other`
}

/** An object of a plan. */
interface Planned {
  kind: string
  noun: string
  name: string
  id?: number | string | undefined
  before: unknown
  action: string
}

/** Returns a hint for each object to create that looks like one without an entry: it may be meant to be renamed. */
export function renameHints<T extends Planned>(
  { entries, settings }: DesiredState,
  objects: readonly T[],
): { object: T; text: string }[] {
  const others = new Set(objects.filter(({ action }) => action === 'delete'))
  return objects.flatMap((object) => {
    const { looksLike } = kinds.find(({ key }) => key === object.kind) ?? {}
    const entry = entries.get(object.kind)?.get(object.name)
    if (object.action !== 'create' || !entry || !looksLike) return []
    const isAlike = ({ kind, before }: T) => kind === object.kind && looksLike(before, entry.value, settings)
    const other = [...others].find(isAlike)
    if (!other) return []
    others.delete(other)
    const old = `${other.noun} "${other.name}" (${other.id})`
    const line = `was: ${JSON.stringify(other.name)}`
    const todo = `To rename that one instead, add to its entry: ${line} (${entry.placeOf(null)})`
    return [{ object, text: `it looks like ${old}, which is in no file. ${todo}` }]
  })
}
