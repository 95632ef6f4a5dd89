/** Renames objects: an entry with `was` takes the object that still has its former label (state.md, For teams). Pure. */
import { once } from '../rules/once'
import { groupBy } from '../rules/records'
import { joinNames } from '../rules/texts'
import { formerLabel } from './check-former-labels'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import type { AccountState, Kind } from './kind'
import { kinds } from './kinds'
import type { Fault } from './places'
import type { PlanStep } from './plan-step'

/** Returns an account as a plan compares it: renamed objects already have their new labels. */
export function withNewLabels({ entries }: DesiredState, world: AccountState) {
  /** Steps that rename the objects of entries; undefined if it is uncertain which object an entry means. */
  const steps = new Map<DesiredObject, PlanStep | undefined>()
  const faults: Fault[] = []
  const relabeled = new Map<string, readonly unknown[]>(world)
  for (const kind of kinds) {
    const records = world.get(kind.key) ?? []
    const byLabel = once(() => groupBy(records, kind.nameOf))
    const renames = [...(entries.get(kind.key)?.values() ?? [])].flatMap((object) => renameOf(object, kind, byLabel))
    const renamed = new Map<unknown, unknown>()
    for (const { object, record, step, problem = '' } of renames) {
      steps.set(object, step)
      if (step) renamed.set(record, kind.rename?.relabel(record, object.name))
      else faults.push({ at: object.at.at('was'), reason: problem, code: 'conflict' })
    }
    if (renamed.size > 0)
      relabeled.set(
        kind.key,
        records.map((record) => renamed.get(record) ?? record),
      )
  }
  return { world: relabeled, faults, steps }
}

interface Rename {
  object: DesiredObject
  record: unknown
  step?: PlanStep
  /** Reason why it cannot be renamed. */
  problem?: string
}

/** Returns the rename of an entry; nothing if no object has the former label, such as after the rename. */
function renameOf(object: DesiredObject, kind: Kind, byLabel: () => ReadonlyMap<string, unknown[]>): Rename[] {
  const was = formerLabel(object)
  const { rename } = kind
  if (was === undefined || !rename) return []
  const [former = [], present = []] = [byLabel().get(was), byLabel().get(object.name)]
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
