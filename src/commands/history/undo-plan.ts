/**
 * Plans the undo of an apply: from the account of now to the state before, by the planner of account files, so in the same
 * order of safety and with the same warnings. Pure. What the plan cannot reach is left, with the reason.
 */

import type { AccountState } from '../../account-file/kind'
import { protectionOf } from '../../account-file/kinds/firewall/claims'
import { makePlan } from '../../account-file/make-plan'
import type { Fault } from '../../account-file/places'
import type { Plan } from '../../account-file/plan'
import type { Consequence, PlanStep } from '../../account-file/plan-step'
import { firewallDevices } from '../../catalogue/firewalls'
import { Problem } from '../../errors'
import { type ChangeRecord, objectName, undoWords } from './describe-change'
import { expectUnchanged } from './replaced-values'
import { changesAt, isUndoneBy, type LocatedChange, nameOfObject, objectsBefore, stateOf } from './state-before-apply'

/** A change that is not undone, with the reason and the command that reverses it. */
export interface LeftChange {
  change: ChangeRecord
  reason: string
}

export interface UndoPlan {
  plan: Plan
  /** The steps that undo each change: none if the state before it is already current. The last change is the first. */
  steps: ReadonlyMap<LocatedChange, readonly PlanStep[]>
  left: readonly LeftChange[]
}

interface Options {
  /** Changes that are known to have no undo. */
  left: readonly LeftChange[]
  force: boolean
  now: number
  /** Reads the object of a change right before the request. */
  reread: Reread
}

/** Reads the current values of the object of a change; undefined if its undo replaces none. */
export type Reread = (located: LocatedChange) => Promise<Readonly<Record<string, unknown>> | undefined>

/**
 * Plans the undo of these changes, the last one first. Throws `protected` if it harms an object that was protected before
 * them, and `defect` if the account lacks what decides.
 */
export function planUndo(changes: readonly LocatedChange[], world: AccountState, options: Options): UndoPlan {
  const { left, force, now, reread } = options
  const objects = objectsBefore(changes)
  const mayUnprotect = new Set(objects.flatMap(({ object, mayUnprotect }) => (mayUnprotect ? [object] : [])))
  const { plan, faults } = makePlan(stateOf(objects), world, { prune: false, force, now, mayUnprotect })
  const impossible =
    faults.length > 0
      ? impossibleIn(faults, (fault) => changesAt(fault, objects))
      : keepingProtection(changes, { plan, left })
  if (impossible.length === 0) {
    const guarded = force ? plan : guardedPlan(plan, changes, reread)
    return { plan: guarded, steps: new Map(changes.map((one) => [one, stepsIn(one, guarded)])), left }
  }
  const possible = changes.filter((one) => impossible.every(({ located }) => located !== one))
  const reasons = impossible.map(({ located: { change }, reason }) => ({ change, reason }))
  return planUndo(possible, world, { ...options, left: [...left, ...reasons] })
}

interface Impossible {
  located: LocatedChange
  reason: string
}

/** Returns the changes that cannot be undone. Throws faults that need a decision of the user. */
function impossibleIn(
  faults: readonly Fault[],
  changesOf: (fault: Fault) => readonly LocatedChange[],
): readonly Impossible[] {
  const reasons = new Map<LocatedChange, string>()
  for (const fault of faults) {
    const { reason, code } = fault
    const setting = changesOf(fault)
    // Of several services, the reason names the one that it is about.
    const named = setting.filter(({ device }) => device && reason.includes(`${protectionOf(device.service)} `))
    for (const located of named.length > 0 ? named : setting) {
      if (code === 'protected' || code === 'defect') throw new Problem(code, `${objectName(located.change)}: ${reason}`)
      if (!reasons.has(located)) reasons.set(located, reason)
    }
  }
  return [...reasons].map(([located, reason]) => ({ located, reason }))
}

function stepsIn(located: LocatedChange, { objects }: Plan): readonly PlanStep[] {
  const { kind, record } = located
  const object = objects.find((one) => one.kind === kind.key && one.id === kind.idOf(record))
  return object?.steps.filter((step) => isUndoneBy(located, step)) ?? []
}

/** Returns the changes that stay because their undo, without those that are left, would open a service to all traffic. */
function keepingProtection(
  changes: readonly LocatedChange[],
  { plan, left }: { plan: Plan; left: readonly LeftChange[] },
): Impossible[] {
  const opened = plan.objects.flatMap(({ steps }) =>
    steps.flatMap((step) => openedBy(step).map((key) => ({ step, key }))),
  )
  const endangered = opened.filter(({ key }) => left.some((one) => endedProtection(one, key)))
  return changes.flatMap((located) => {
    const steps = stepsIn(located, plan)
    const keys = endangered.flatMap(({ step, key }) => (steps.includes(step) ? [key] : []))
    if (keys.length === 0) return []
    const command = `skyctl ${undoWords(located.change).join(' ')}`
    return [{ located, reason: `Without it, no firewall would protect ${keys.join(', ')}: ${command}` }]
  })
}

/** Returns the services that no firewall protects after a step and those that follow. */
export const openedBy = ({ consequences = [] }: PlanStep): string[] =>
  consequences.filter(isOpening).flatMap(({ services = [] }) => services.map(protectionOf))

const isOpening = ({ kind, taken_over_by: next }: Consequence) => kind === 'unprotects' && next === undefined

/** Reports whether a change has taken a firewall from a service: by removing it, or by disabling the firewall. */
function endedProtection({ change: { past, kind } }: LeftChange, service: string): boolean {
  const { entity, status } = past.before ?? {}
  if (kind?.action.operation === firewallDevices.delete) {
    const { type, id } = Object(entity)
    return protectionOf({ type, id }) === service
  }
  return kind?.kind === 'firewall' && status === 'enabled'
}

/** Returns the plan whose steps are refused with `changed` if others have changed the values that they replace. */
const guardedPlan = (plan: Plan, changes: readonly LocatedChange[], reread: Reread): Plan => ({
  ...plan,
  objects: plan.objects.map((object) => {
    const own = changes.filter(({ kind, record }) => kind.key === object.kind && kind.idOf(record) === object.id)
    return { ...object, steps: object.steps.map((step) => guardedStep(step, own, reread)) }
  }),
})

function guardedStep(step: PlanStep, changes: readonly LocatedChange[], reread: Reread): PlanStep {
  const { body = {}, replaced = {}, guard } = step
  const fields = Object.keys(body).filter((field) => Object.hasOwn(replaced, field))
  const located = changes.find((one) => isUndoneBy(one, step))
  if (!located || fields.length === 0) return step
  const name = nameOfObject(located)
  return {
    ...step,
    async guard(client) {
      const present = await guard?.(client)
      const latest = await reread(located)
      if (latest) expectUnchanged(latest, { name, shown: replaced, restored: body })
      return latest ?? present
    },
  }
}
