/** Formats what became of every object of a plan, for scripts and for the next step of a job. */
import { kinds } from '../../account-file/kinds'
import {
  formatVersion,
  inPlanOrder,
  namesIn,
  type Plan,
  type PlannedObject,
  type ResultingObject,
} from '../../account-file/plan'
import type { PlanStep } from '../../account-file/plan-step'
import type { TargetFailure } from '../../errors'
import { isRecord } from '../../rules/records'
import type { Open } from './apply-restore'

export type StepAnswer = Readonly<Record<string, unknown>>

export interface Done {
  kind: string
  name: string
  id: number | string | null
  action: string
  ok: boolean
  error?: Record<string, unknown>
}

export interface ApplyReport {
  /** Outcomes in the order of the plan. */
  done: readonly Done[]
  /** Steps that are done, and were not undone. */
  steps: ReadonlySet<PlanStep>
  failures: readonly TargetFailure[]
  /** True if anything was changed, or may have been: an object that failed may be half done. */
  changed: boolean
  /** Services that a failure has left without a firewall. */
  unprotected: readonly Open[]
  /** Answers to the steps of objects; a later one replaces the fields of an earlier one. */
  answers: ReadonlyMap<PlannedObject, StepAnswer>
}

/** Returns the document of an apply; without a report, nothing had to be done. */
export function outcomeOf(plan: Plan, report: Partial<ApplyReport> = {}): Record<string, unknown> {
  const { done = [], changed = false, unprotected = [], answers } = report
  const tried = plan.objects.map((object, index) => ({
    ...namesIn(object, done[index]?.id),
    action: object.action,
    ok: done[index]?.ok === true,
    ...outputsIn(object, answers?.get(object)),
  }))
  const others = plan.unchanged.map((object) => ({
    ...namesIn(object),
    action: 'none',
    ok: true,
    ...outputsIn(object),
  }))
  return {
    format_version: formatVersion,
    changed,
    actions: done,
    objects: inPlanOrder([...tried, ...others]),
    unprotected,
  }
}

/** Returns the fields that a next step may need; the answers to its steps are newer than the plan. */
function outputsIn({ kind, record }: ResultingObject, answer: StepAnswer = {}): Record<string, unknown> {
  const { outputs = [] } = kinds.find(({ key }) => key === kind) ?? {}
  const current: StepAnswer = isRecord(record) ? record : {}
  return Object.fromEntries(outputs.map((field) => [field, answer[field] ?? current[field] ?? null]))
}

/** Returns the id of an object that was created before its job failed; null if it was not. */
export function createdIn(error: Record<string, unknown> | undefined, object: PlannedObject): Done['id'] {
  const created = [error?.created].flat().find((one) => isRecord(one) && one.label === object.name)
  const id = isRecord(created) && object.action === 'create' ? created.id : null
  return typeof id === 'number' || typeof id === 'string' ? id : null
}
