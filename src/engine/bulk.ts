/** Runs a verb on one or several targets, in parallel: one failure does not stop the others (interface.md, Targets). */

import { keepingPlace, type WhileWaiting } from '../account/wait-limit'
import { isUnresolved, Problem, type TargetFailure } from '../errors'
import { someFailed } from '../errors/failures'
import { leftText } from '../rules/durations'
import { gerund } from '../rules/texts'
import type { CommandInput } from './command'
import { endingErrorIn, endsAll, endsService, endsTheRun, untried } from './ending-errors'
import { atOnceFlag, usualAtOnce } from './flag-values'
import type { Session } from './session'
import { type Counted, doneOf, isFailed, summaryOf, type TargetOutcome } from './target-outcomes'
import { TaskPlaces } from './task-places'

/** From so many targets on, the memory that each takes adds up. */
const manyTargets = 50

export type TargetLookup<T> = (target: T) => Promise<unknown>

/** Work on targets, and what is shown of it. */
export interface Bulk<T, R> extends Counted<T> {
  /** True for changes: then all targets are processed even if nobody reads the output, and a summary is printed. */
  changes: boolean
  /** Looks a target up. If one of several is not there, none is changed. */
  find?: TargetLookup<T> | undefined
  /** True if the caller prints its own summary. */
  hasSummary?: boolean
  /** Number of targets in progress at once, unless a flag sets it. */
  atOnce?: number | undefined
  /** Resolves when the target may begin: until then it takes no place. */
  ready?(target: T): Promise<unknown>
  /** Works on a target. `whilePaused` is for pauses before its request: it throws if the run ends meanwhile. */
  act(target: T, whileWaiting: WhileWaiting, whilePaused: WhileWaiting): Promise<R>
  /** Returns lines to show below the counter: work in progress. */
  underWay?(): readonly string[]
  /** Prints the result of a single target. */
  one(result: R): Promise<unknown>
  /**
   * Prints the outcomes of several targets, or of none: in their order, each as soon as the ones before it are done.
   */
  several(outcomes: AsyncIterable<TargetOutcome<T, R>>): Promise<unknown>
}

/**
 * Acts on each target. The failure of a single target is thrown unchanged; with several, all are processed, and then
 * `some_failed` lists the failures, or `wait_timed_out` if each of them is a wait that timed out. No targets are a
 * success. If the service is unavailable, the remaining targets fail at once.
 */
export async function forEachTarget<T extends { input: string }, R>(
  targets: readonly T[],
  bulk: Bulk<T, R>,
  { flags, session }: CommandInput,
): Promise<void> {
  const atOnce = atOnceFlag(flags, bulk.atOnce)
  const [first] = targets
  if (first && targets.length === 1) {
    await bulk.one(await bulk.act(first, keepingPlace, keepingPlace))
    return
  }
  if (targets.length >= manyTargets) await (await import('../data/memory-limits')).keepHeapSmall()
  const missing = bulk.find ? await missingAmong(targets, bulk.find, atOnce) : new Map()
  const run = missing.size > 0 ? unstarted(targets, missing) : start(targets, bulk, atOnce)
  const unheard = await printed(run, bulk, session)
  // A command that only reads ends when its output is closed.
  if (unheard && !bulk.changes) throw unheard.error
  const outcomes = await Promise.all(run.outcomes)
  const failure = failureOf(outcomes, bulk) ?? unheard?.error
  if (failure !== undefined) throw failure
  if (bulk.changes && !bulk.hasSummary && targets.length > 0) await session.ui.status(summaryOf(outcomes, bulk))
}

/** Prints outcomes, with a counter on a terminal; resolves to the error if printing failed. */
async function printed<T, R>(
  run: Run<T, R>,
  { verb, changes, several, underWay = () => [] }: Bulk<T, R>,
  session: Session,
): Promise<{ error: unknown } | undefined> {
  const total = run.outcomes.length
  const begun = session.clock.monotonic()
  const counter = () => {
    const done = run.done()
    const { waiting, reached } = run.places
    const passed = session.clock.monotonic() - begun
    // How long the last ones wait does not depend on the time of the others.
    const left = done + waiting < total ? leftText(passed, { done, total, least: usualAtOnce }) : ''
    const states = [...reached].map(([state, count]) => `, ${count} ${state}`).join('')
    return `${gerund(verb)} ${Math.min(done + waiting + 1, total)} of ${total}${states}${left}`
  }
  const progress = await session.ui.progress(() => [counter(), ...underWay()])
  try {
    await several(inOrder(run.outcomes))
    return undefined
  } catch (error) {
    if (!changes) run.stop(error)
    return { error }
  } finally {
    progress.done()
  }
}

/** Returns how to print the results of all successful targets at once, after the last one. */
export const together = <T, R>(
  print: (results: readonly R[]) => Promise<unknown>,
): Pick<Bulk<T, R>, 'one' | 'several'> => ({
  one: (result) => print([result]),
  async several(outcomes) {
    const results: R[] = []
    for await (const outcome of outcomes) if (!isFailed(outcome)) results.push(outcome.result)
    await print(results)
  },
})

interface Run<T, R> {
  /** In the order of the targets; none rejects. */
  outcomes: readonly Promise<TargetOutcome<T, R>>[]
  /** Returns the number of targets that are done or failed. */
  done(): number
  places: TaskPlaces
  /** Starts no other target. */
  stop(error: unknown): void
}

/** Starts as many targets as may run in parallel, and the next one whenever one is done or only waits. */
function start<T, R>(
  targets: readonly T[],
  { act, ready }: Pick<Bulk<T, R>, 'act' | 'ready'>,
  atOnce: number,
): Run<T, R> {
  const places = new TaskPlaces(atOnce)
  let done = 0
  let ending: { error: unknown } | undefined
  async function outcomeOf(target: T, whileWaiting: WhileWaiting): Promise<TargetOutcome<T, R>> {
    if (ending) return { target, error: untried(ending.error), tried: false }
    let tried = true
    const whilePaused: WhileWaiting = async (wait) => {
      tried = false
      const result = await whileWaiting(wait)
      if (ending) throw untried(ending.error)
      tried = true
      return result
    }
    try {
      return { target, result: await act(target, whileWaiting, whilePaused) }
    } catch (error) {
      if (endsAll(error)) ending ??= { error: endingErrorIn(error) }
      return { target, error, tried }
    }
  }
  const outcomes = targets.map(async (target) => {
    await ready?.(target)
    const outcome = await places.run((whileWaiting) => outcomeOf(target, whileWaiting))
    done += 1
    return outcome
  })
  return {
    outcomes,
    done: () => done,
    places,
    stop(error: unknown) {
      ending ??= { error }
    },
  }
}

/** Looks all targets up, and returns the errors of those that name no object, or several, or that end the run. */
async function missingAmong<T>(targets: readonly T[], find: TargetLookup<T>, atOnce: number): Promise<Map<T, unknown>> {
  const failed = (await Promise.all(start(targets, { act: find }, atOnce).outcomes)).filter(isFailed)
  const missing = failed.filter(({ error }) => isUnresolved(error) || endsAll(error))
  return new Map(missing.map(({ target, error }) => [target, error]))
}

/** Returns the run that changes no target, because some are missing. */
function unstarted<T>(targets: readonly T[], missing: ReadonlyMap<T, unknown>): Run<T, never> {
  const [first] = missing.values()
  const rest = isUnresolved(first)
    ? new Problem('refused', `not tried: ${first.message}`, { cause: first })
    : untried(first)
  const outcomes = targets.map(async (target) => {
    const tried = missing.has(target)
    return { target, error: tried ? missing.get(target) : rest, tried }
  })
  return { outcomes, done: () => targets.length, places: new TaskPlaces(0), stop() {} }
}

async function* inOrder<O>(outcomes: readonly Promise<O>[]): AsyncGenerator<O> {
  for (const outcome of outcomes) yield await outcome
}

/** Returns the error to throw at the end; undefined if nothing failed. */
function failureOf<T extends { input: string }, R>(
  outcomes: readonly TargetOutcome<T, R>[],
  counted: Counted<T>,
): unknown {
  const failures: TargetFailure[] = []
  for (const { target, error, tried } of outcomes.filter(isFailed)) {
    if (!(error instanceof Problem)) return error
    if (endsTheRun(error)) return endedAfter(error, doneOf(outcomes, counted))
    failures.push({ target: target.input, problem: error, tried })
  }
  const [first] = failures
  if (!first) return undefined
  const none = failures.length === outcomes.length && failures.every(({ problem }) => endsService.has(problem.code))
  return none ? first.problem : someFailed(failures, summaryOf(outcomes, counted))
}

/** Returns `interrupted: 3 of 5 deleted`. */
function endedAfter(problem: Problem, done: string): Problem {
  // A next step after an interruption of one target is none for all of them.
  const { hint, ...others } = problem.details
  const details = problem.code === 'defect' ? problem.details : others
  return new Problem(problem.code, `${problem.message}: ${done}`, { ...details, cause: problem })
}
