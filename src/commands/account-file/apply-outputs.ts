/** Formats what became of every object of a plan, for scripts and for the next step of a job (`apply --outputs`). */
import { lstatSync } from 'node:fs'
import { kinds } from '../../account-file/kinds'
import type { Plan } from '../../account-file/plan'
import type { PlanStep } from '../../account-file/plan-step'
import { inPlanOrder, type PlannedObject, type ResultingObject } from '../../account-file/planned-object'
import type { Flag, Flags } from '../../engine/command'
import { Problem, type TargetFailure } from '../../errors'
import { isRecord } from '../../rules/records'
import { earlierText, writableFile, writeSecret } from '../secret-file'
import type { Open } from './apply-restore'
import { formatVersion, namesIn } from './plan-document'

export const outputsFlag: Flag = {
  name: 'outputs',
  value: 'file',
  description: 'Write the ids of all objects to a file, as JSON',
  values: 'files',
}

/** Answer to a step. */
export type StepAnswer = Readonly<Record<string, unknown>>

/** Outcome of an object, for scripts. */
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
  /** Failures of jobs. */
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

// 10,000 objects.
const most = 4 * 1024 * 1024

/**
 * Returns the file for outputs; undefined without the flag. It may hold those of an earlier apply, as a nightly job
 * writes them again. Throws `usage` for a dry run, and `local` if the file is not writable or holds anything else.
 */
export function outputsFile(flags: Flags): string | undefined {
  const path = writableFile(flags, outputsFlag.name)
  if (path === undefined) return undefined
  if (flags['dry-run']) throw new Problem('usage', '--outputs: a dry run has none')
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.size === 0 || isOutputs(earlierText(path, most))) return path
  throw new Problem('local', `"${path}" already exists and does not hold the outputs of an apply`, {
    hint: 'Name another file',
  })
}

/** Reports whether a text is from an earlier apply. */
function isOutputs(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && typeof value.changed === 'boolean' && Array.isArray(value.objects)
  } catch {
    return false
  }
}

export async function writeOutputs(path: string, outcome: Record<string, unknown>): Promise<void> {
  const { formatJson } = await import('../../data/json')
  await writeSecret(path, await formatJson(outcome))
}
