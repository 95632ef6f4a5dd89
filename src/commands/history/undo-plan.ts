/**
 * Plans the undo of an apply: from the account of now to the state before, by the planner of account files, so in the same
 * order of safety and with the same warnings. Pure. What the plan cannot reach is left, with the reason.
 */

import type { AccountState } from '../../account-file/kind'
import { protectionOf } from '../../account-file/kinds/firewall-claims'
import { type Plan, planFor } from '../../account-file/plan'
import type { Consequence, PlanStep } from '../../account-file/plan-step'
import { Problem, type TargetFailure } from '../../errors'
import { type ChangeRecord, objectName, undoWords } from './records'
import { changesAt, isUndoneBy, type LocatedChange, stateBefore } from './state-before'

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
}

/**
 * Plans the undo of these changes, the last one first. Throws `protected` if it harms an object that was protected before
 * them, and `defect` if the account lacks what decides.
 */
export function planUndo(changes: readonly LocatedChange[], world: AccountState, options: Options): UndoPlan {
  const { left, force, now } = options
  const { desired, mayUnprotect } = stateBefore(changes)
  const again = (impossible: readonly Impossible[]) => {
    const dropped = impossible.map(({ located }) => located)
    const reasons = impossible.map(({ located: { change }, reason }) => ({ change, reason }))
    return planUndo(
      changes.filter((one) => !dropped.includes(one)),
      world,
      { ...options, left: [...left, ...reasons] },
    )
  }
  const plan = planOrFailures(() => planFor(desired, world, { prune: false, force, now, mayUnprotect }))
  if (Array.isArray(plan)) return again(impossibleIn(plan, changes))
  const stepsOf = (located: LocatedChange) => stepsIn(located, plan)
  const staying = keepingProtection(changes, { plan, left, stepsOf })
  if (staying.length > 0) return again(staying)
  return { plan, steps: new Map(changes.map((one) => [one, stepsOf(one)])), left }
}

function planOrFailures(work: () => Plan): Plan | TargetFailure[] {
  try {
    return work()
  } catch (error) {
    const { failures } = error instanceof Problem ? error.details : {}
    if (failures === undefined) throw error
    return failures
  }
}

interface Impossible {
  located: LocatedChange
  reason: string
}

const reasonIn = ({ message, details: { errors = [] } }: Problem) => errors[0]?.reason ?? message

/** Returns the changes that cannot be undone. Throws failures that need a decision of the user. */
function impossibleIn(failures: readonly TargetFailure[], changes: readonly LocatedChange[]): Impossible[] {
  const all = failures.flatMap(({ target, problem }) => {
    const reason = reasonIn(problem)
    const setting = changesAt(target, changes)
    // Of several services, the reason names the one that it is about.
    const named = setting.filter(({ device }) => device && reason.includes(`${protectionOf(device.service)} `))
    return (named.length > 0 ? named : setting).map((located) => ({ located, reason, code: problem.code }))
  })
  const [grave] = all.filter(({ code }) => code === 'protected' || code === 'defect')
  if (grave) throw new Problem(grave.code, `${objectName(grave.located.change)}: ${grave.reason}`)
  return all.filter(({ located }, index) => all.findIndex((one) => one.located === located) === index)
}

/** Returns the steps that undo a change. */
function stepsIn(located: LocatedChange, { objects }: Plan): readonly PlanStep[] {
  const { kind, record } = located
  const object = objects.find((one) => one.kind === kind.key && one.id === kind.idOf(record))
  return object?.steps.filter((step) => isUndoneBy(located, step)) ?? []
}

interface Planned {
  plan: Plan
  left: readonly LeftChange[]
  stepsOf(located: LocatedChange): readonly PlanStep[]
}

/** Returns the changes that stay because their undo, without those that are left, would open a service to all traffic. */
function keepingProtection(changes: readonly LocatedChange[], { plan, left, stepsOf }: Planned): Impossible[] {
  const opened = plan.objects.flatMap(({ steps }) =>
    steps.flatMap((step) => openedBy(step).map((key) => ({ step, key }))),
  )
  const endangered = opened.filter(({ key }) => left.some((one) => endedProtection(one, key)))
  return changes.flatMap((located) => {
    const keys = endangered.filter(({ step }) => stepsOf(located).includes(step)).map(({ key }) => key)
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
  if (kind?.action.undo.by === 'device' && kind.action.undo.device === 'add') {
    const { type, id } = Object(entity)
    return protectionOf({ type, id }) === service
  }
  return kind?.kind === 'firewall' && status === 'enabled'
}
