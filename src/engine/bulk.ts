/** Verbs on one target or several, some at once: one failure does not stop the rest (interface.md, Targets). */
import { type Failure, failureText, Problem } from '../errors'
import { leftText } from '../rules/durations'
import { gerund, participle } from '../rules/verbs'
import type { Session } from '../session'
import type { Flags } from './command'
import { countFlag } from './flag-values'

/** What became of a target. */
export type Outcome<T, R> = { target: T; result: R } | Failed<T>

interface Failed<T> {
  target: T
  error: unknown
  /** Not, where the service was gone before its turn came. */
  tried: boolean
}

interface Bulk<T, R> {
  /** What is done with each, for the counter and the summary: `delete`. */
  verb: string
  /** Whether something is changed: then the rest is done even where nobody reads of it, and a summary is said. */
  changes: boolean
  act(target: T): Promise<R>
  /** What is told below the counter, a line each: what is under way. */
  underWay?(): readonly string[]
  /** Prints the result of a single target. */
  one(result: R): Promise<unknown>
  /** Prints what became of several, or of none: in the order of the targets, each as soon as those before it are done. */
  several(outcomes: AsyncIterable<Outcome<T, R>>): Promise<unknown>
}

interface Typed {
  typed: string
}

const usualAtOnce = 8

/**
 * Acts on each target. The failure of a single one is thrown as it is; with several the rest is done first, and then
 * `some_failed` tells of each failure. No targets are a success. A service that is gone fails the rest at once.
 */
export async function forEachTarget<T extends Typed, R>(
  targets: readonly T[],
  bulk: Bulk<T, R>,
  { flags, session }: { flags: Flags; session: Session },
): Promise<void> {
  const atOnce = countFlag(flags, 'concurrency', 1, 64) ?? usualAtOnce
  const [first] = targets
  if (first && targets.length === 1) {
    await bulk.one(await bulk.act(first))
    return
  }
  const run = start(targets, bulk.act, atOnce)
  const unheard = await printed(run, bulk, session)
  // What only reads ends with its reader.
  if (unheard && !bulk.changes) throw unheard.error
  const outcomes = await Promise.all(run.outcomes)
  const failure = failureOf(outcomes, bulk.verb) ?? unheard?.error
  if (failure !== undefined) throw failure
  if (bulk.changes && targets.length > 0) await session.say(summaryOf(outcomes, bulk.verb))
}

/** Prints, with a counter on a terminal, what becomes of the targets; resolves to why that could not be printed. */
async function printed<T, R>(
  run: Run<T, R>,
  { verb, changes, several, underWay = () => [] }: Bulk<T, R>,
  session: Session,
): Promise<{ error: unknown } | undefined> {
  const total = run.outcomes.length
  const begun = session.clock.now()
  const counter = () => {
    const done = run.done()
    const left = leftText(session.clock.now() - begun, { done, total, least: usualAtOnce })
    return `${gerund(verb)} ${Math.min(done + 1, total)} of ${total}${left}`
  }
  const progress = await session.progress(() => [counter(), ...underWay()])
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

/** The results of those that did not fail, as pages to print. */
export async function* resultsOf<T, R>(outcomes: AsyncIterable<Outcome<T, R>>): AsyncGenerator<R[]> {
  for await (const outcome of outcomes) if (!isFailed(outcome)) yield [outcome.result]
}

export function isFailed<T, R>(outcome: Outcome<T, R>): outcome is Failed<T> {
  return 'error' in outcome
}

interface Run<T, R> {
  /** In the order of the targets; none rejects. */
  outcomes: readonly Promise<Outcome<T, R>>[]
  /** How many are done, or have failed. */
  done(): number
  /** Begins with no further target. */
  stop(error: unknown): void
}

/** Starts with the first targets, and with the next whenever one is done. */
function start<T, R>(targets: readonly T[], act: (target: T) => Promise<R>, atOnce: number): Run<T, R> {
  // Whoever is free takes the next.
  const waiting = targets.entries()
  let done = 0
  let gone: { error: unknown } | undefined
  const settle: ((outcome: Outcome<T, R>) => void)[] = []
  const outcomes = targets.map(() => new Promise<Outcome<T, R>>((resolve) => settle.push(resolve)))
  async function outcomeOf(target: T): Promise<Outcome<T, R>> {
    if (gone) return { target, error: untried(gone.error), tried: false }
    try {
      return { target, result: await act(target) }
    } catch (error) {
      if (endsAll(error)) gone ??= { error }
      return { target, error, tried: true }
    }
  }
  async function work(): Promise<void> {
    for (const [turn, target] of waiting) {
      settle[turn]?.(await outcomeOf(target))
      done += 1
    }
  }
  for (let worker = 0; worker < Math.min(atOnce, targets.length); worker++) work()
  return {
    outcomes,
    done: () => done,
    stop(error: unknown) {
      gone ??= { error }
    },
  }
}

async function* inOrder<O>(outcomes: readonly Promise<O>[]): AsyncGenerator<O> {
  for (const outcome of outcomes) yield await outcome
}

/** The run itself is over, whatever was done before. */
const endsRun = new Set<Problem['code']>(['interrupted', 'terminated', 'defect'])
/** The service is gone, or the disk is full: the next target would meet it just the same. */
const endsService = new Set<Problem['code']>(['not_signed_in', 'unavailable', 'not_the_api', 'local'])

function endsAll(error: unknown): boolean {
  return !(error instanceof Problem) || endsRun.has(error.code) || endsService.has(error.code)
}

function untried(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return new Problem(error.code, `not tried: ${error.message}`, { ...error.details, cause: error })
}

/** What is thrown when all is over; undefined where nothing failed. */
function failureOf<T extends Typed, R>(outcomes: readonly Outcome<T, R>[], verb: string): unknown {
  const failures: Failure[] = []
  for (const { target, error, tried } of outcomes.filter(isFailed)) {
    if (!(error instanceof Problem)) return error
    if (endsRun.has(error.code)) return endedAfter(error, doneOf(outcomes, verb))
    failures.push({ target: target.typed, problem: error, tried })
  }
  const [first] = failures
  if (!first) return undefined
  const none = failures.length === outcomes.length && failures.every(({ problem }) => endsService.has(problem.code))
  return none ? first.problem : someFailed(failures, summaryOf(outcomes, verb))
}

/** `interrupted: 3 of 5 deleted`. */
function endedAfter(problem: Problem, done: string): Problem {
  return new Problem(problem.code, `${problem.message}: ${done}`, { ...problem.details, cause: problem })
}

/** `3 of 5 deleted, 1 not tried`. */
function summaryOf<T, R>(outcomes: readonly Outcome<T, R>[], verb: string): string {
  const untouched = outcomes.filter((outcome) => isFailed(outcome) && !outcome.tried).length
  return untouched > 0 ? `${doneOf(outcomes, verb)}, ${untouched} not tried` : doneOf(outcomes, verb)
}

function doneOf<T, R>(outcomes: readonly Outcome<T, R>[], verb: string): string {
  const done = outcomes.filter((outcome) => !isFailed(outcome) || isWaitAlone(outcome.error)).length
  return `${done} of ${outcomes.length} ${participle(verb)}`
}

/** It was done, and what followed failed: that is told as well, but not that it was not done. */
const isWaitAlone = (error: unknown) => error instanceof Problem && error.details.answer !== undefined

function someFailed(failures: Failure[], summary: string): Problem {
  const reasons = failures.filter(({ tried }) => tried).map(failureText)
  return new Problem('some_failed', `${summary}: ${reasons.join('; ')}`, { failures, summary })
}
