/** Outcomes of several targets, and their summary: `3 of 5 deleted, 1 was absent, 1 not tried`. */
import type { ChangeResult } from '../account/change'
import { Problem } from '../errors'
import { participle } from '../rules/texts'

export type TargetOutcome<T, R> = { target: T; result: R } | Failed<T>

interface Failed<T> {
  target: T
  error: unknown
  /** False if the run ended before this target was tried. */
  tried: boolean
}

export type OutcomeKind = ChangeResult['outcome']['kind']

/** Work, as its summary describes it. */
export interface Counted<T> {
  /** Verb for the counter and the summary: `delete`. */
  verb: string
  /** Returns the objects of a target that the summary counts; by default the target itself. */
  partsOf?(target: T): readonly unknown[]
  /** Returns what became of a target's change, if its outcome is known. */
  kindOf?(target: T): OutcomeKind | undefined
}

export function isFailed<T, R>(outcome: TargetOutcome<T, R>): outcome is Failed<T> {
  return 'error' in outcome
}

/** Returns `3 of 5 deleted, 1 was absent, 1 not tried`. */
export function summaryOf<T, R>(outcomes: readonly TargetOutcome<T, R>[], counted: Counted<T>): string {
  const untouched = partsIn(
    outcomes.filter((outcome) => isFailed(outcome) && !outcome.tried),
    counted,
  ).size
  return untouched > 0 ? `${doneOf(outcomes, counted)}, ${untouched} not tried` : doneOf(outcomes, counted)
}

export function doneOf<T, R>(outcomes: readonly TargetOutcome<T, R>[], counted: Counted<T>): string {
  const failed = partsIn(
    outcomes.filter((outcome) => isFailed(outcome) && !isWaitAlone(outcome.error)),
    counted,
  )
  const total = partsIn(outcomes, counted).size
  const kinds = outcomes.flatMap((outcome) => (isFailed(outcome) ? [] : (counted.kindOf?.(outcome.target) ?? [])))
  const idle = kinds.filter((kind) => kind !== 'done')
  const changed = total - failed.size - idle.length
  const done = participle(counted.verb)
  if (idle.length === 0) return `${changed} of ${total} ${done}`
  const rest = idleText(idle)
  return changed + failed.size === 0 ? `none ${done}: ${rest}` : `${changed} of ${total} ${done}, ${rest}`
}

/** Returns `2 were absent, 1 unchanged`. */
function idleText(kinds: readonly OutcomeKind[]): string {
  const absent = kinds.filter((kind) => kind === 'absent').length
  const existing = kinds.filter((kind) => kind === 'exists').length
  const unchanged = kinds.length - absent - existing
  return [
    ...(absent > 0 ? [`${absent} ${absent === 1 ? 'was' : 'were'} absent`] : []),
    ...(existing > 0 ? [`${existing} existed already`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
  ].join(', ')
}

/** Returns the objects of outcomes, each once. */
const partsIn = <T>(
  outcomes: readonly { target: T }[],
  { partsOf = (target) => [target] }: Counted<T>,
): ReadonlySet<unknown> => new Set(outcomes.flatMap(({ target }) => partsOf(target)))

/** Reports whether only the wait after the change failed: the change still counts as done. */
const isWaitAlone = (error: unknown) => error instanceof Problem && error.details.answer !== undefined
