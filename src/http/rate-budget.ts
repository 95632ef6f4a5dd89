/** Spreads the requests of a command over the API's rate limits, so that none is refused (gaps.md, Other headers). */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createAbortController } from './deadline'
import type { PauseOptions, PlannedRequests, RateFamily, WhilePaused } from './planned-requests'
import { allowanceIn, type RateAllowance } from './rate-limit'
import { budgetText, estimate, longestWindow } from './rate-texts'
import { familyOf } from './requests'
import type { AnswerListener, ClientSettings, LastAnswer } from './settings'

/** A planned request that has started, and whose answer has not arrived. */
interface Turn {
  startedAt: number
  /** Start of the turn before. */
  previous: number
}

interface Family {
  noun: string
  /** Number of planned requests that have not started. */
  planned: number
  /** Number of planned requests that have started. */
  started: number
  open: Set<Turn>
  lastStart: number
  /** Limits that apply to it, by their number of requests. */
  limits: Set<number>
  /** Settled when the last one that waits may start. */
  queue: Promise<unknown>
  /** Resolves when one of them pauses for the first time. */
  hasPaused: Promise<undefined>
  beginPause(): void
}

/** The current window of a limit. */
export interface RateWindow extends RateAllowance {
  /** Its length in milliseconds. */
  length: number
  /** True once an answer has shown that the API counts: some send headers that never change. */
  isCounted: boolean
  /** Number of answers since the first plan. */
  answers: number
}

/**
 * Turn of the work in progress: answers may arrive in another order than that of the turns. One for all budgets, since
 * on Node.js 20 and 22 each promise pays for each storage that was ever used.
 */
const currentTurn = new AsyncLocalStorage<Turn>()

export class RateBudget {
  readonly #families = new Map<string, Family>()
  readonly #windows = new Map<number, RateWindow>()
  readonly #sleepers = new Set<AbortController>()
  #isPrinted = false

  constructor(readonly settings: Pick<ClientSettings, 'clock' | 'signal' | 'maxWaitMs' | 'inform'>) {}

  plan(requests: readonly PlannedRequests[]): void {
    for (const { operation, count, noun = 'request' } of requests) {
      const family = this.#family(familyOf(operation))
      family.planned += count
      family.noun = noun
    }
  }

  /** Gives up planned requests that have not started. */
  drop(operation: RateFamily, count: number): void {
    const family = this.#family(familyOf(operation))
    family.planned = Math.max(0, family.planned - count)
  }

  /** Waits until a planned request of the operation may start, then works. */
  async run<T>(operation: RateFamily, work: () => Promise<T>, options: PauseOptions = {}): Promise<T> {
    const family = this.#family(familyOf(operation))
    const starting = this.#start(family, family.queue, options)
    family.queue = starting.catch(() => {})
    const turn = await starting.catch((error: unknown) => {
      this.drop(operation, 1)
      throw error
    })
    try {
      return await currentTurn.run(turn, work)
    } finally {
      // Nothing was sent, so the next one need not wait for it.
      if (family.open.delete(turn) && family.lastStart === turn.startedAt) family.lastStart = turn.previous
      this.#wake()
    }
  }

  /** Notes an answer. `name` is the family of its request, if that has an operation. */
  readonly record: AnswerListener = (answer, status, name) => {
    const family = name === undefined ? undefined : this.#families.get(name)
    const turn = currentTurn.getStore()
    if (turn) family?.open.delete(turn)
    const allowance = allowanceIn(answer)
    if (allowance && isPlausible(allowance, answer.receivedAt)) {
      family?.limits.add(allowance.limit)
      this.#update(allowance, answer, status === tooMany)
    }
    this.#wake()
  }

  #update(allowance: RateAllowance, { receivedAt }: LastAnswer, isRefused: boolean): void {
    const window = this.#windows.get(allowance.limit)
    const answers = (window?.answers ?? 0) + 1
    // Answers may arrive in another order than that in which the API counted.
    if (window && allowance.reset < window.reset) {
      window.answers = answers
      return
    }
    const isCounted = isRefused || window?.isCounted === true || allowance.remaining < (window?.remaining ?? 0)
    if (window?.reset === allowance.reset) {
      Object.assign(window, { remaining: Math.min(allowance.remaining, window.remaining), isCounted, answers })
      return
    }
    const left = allowance.endsAt - receivedAt
    const own = this.#openOn(allowance.limit) + 1
    // A window that others have used before began earlier; most are whole minutes.
    const isNew = allowance.limit - allowance.remaining <= own
    const length = Math.max(window?.length ?? 0, isNew ? left : Math.ceil(left / 60_000) * 60_000)
    this.#windows.set(allowance.limit, { ...allowance, length, isCounted, answers })
  }

  async #start(family: Family, before: Promise<unknown>, options: PauseOptions): Promise<Turn> {
    const { whilePaused = (wait) => wait() } = options
    const isNext = await Promise.race([before.then(() => true), family.hasPaused])
    if (!isNext) await whilePaused(() => before)
    await this.#untilAllowed(family, { ...options, whilePaused })
    const turn = { startedAt: this.settings.clock.monotonic(), previous: family.lastStart }
    family.planned = Math.max(0, family.planned - 1)
    family.started += 1
    family.lastStart = turn.startedAt
    family.open.add(turn)
    return turn
  }

  async #untilAllowed(family: Family, options: PauseOptions & { whilePaused: WhilePaused }): Promise<void> {
    const { onPause, signal, whilePaused } = options
    const { clock, maxWaitMs = Number.POSITIVE_INFINITY } = this.settings
    for (;;) {
      const now = clock.monotonic()
      const pause = Math.max(0, ...this.#windowsOf(family).map((window) => this.#pauseIn(window, family, now)))
      // A request that would have to wait longer is refused by the API, which says for how long.
      if (pause === 0 || pause > maxWaitMs) return
      this.#print(family)
      family.beginPause()
      await whilePaused(() => this.#sleep(pause, signal))
      onPause?.(clock.monotonic() - now)
    }
  }

  /** Returns the pause until the next request in milliseconds: none if all planned ones are allowed. */
  #pauseIn(window: RateWindow, { lastStart }: Family, now: number): number {
    if (!window.isCounted) return 0
    const open = this.#openOn(window.limit)
    // Of the next window only its number of requests is known, until an answer tells more.
    if (window.endsAt <= now) return open < window.limit ? 0 : window.length
    const available = window.remaining - open
    const { planned, cost } = this.#needOn(window)
    if (planned * cost <= available) return 0
    if (available <= 0) return window.endsAt - now
    const from = Math.max(lastStart, window.endsAt - window.length)
    // The last one comes before the end of the window, or the next window would have to take it.
    return Math.max(0, from + ((window.endsAt - from) / (available + 1)) * cost - now)
  }

  /** Returns the number of planned requests, and how many each of them takes with look-ups. */
  #needOn({ limit, answers }: RateWindow) {
    const families = this.#familiesOn(limit)
    const planned = families.reduce((sum, family) => sum + family.planned, 0)
    const done = families.reduce((sum, { started, open }) => sum + started - open.size, 0)
    return { planned, cost: done < enoughToEstimate ? 1 : Math.max(1, answers / done) }
  }

  /** Prints once that requests are spread, and how long they take. */
  #print(family: Family): void {
    if (this.#isPrinted) return
    const now = this.settings.clock.monotonic()
    const estimates = this.#windowsOf(family).map((window) => {
      const { planned, cost } = this.#needOn(window)
      return { window, planned, time: estimate(window, { requests: planned * cost, now }) }
    })
    const [longest] = estimates.sort((one, other) => other.time - one.time)
    if (!longest || longest.time < worthPrinting) return
    this.#isPrinted = true
    this.settings.inform?.(budgetText({ ...longest, noun: family.noun }))
  }

  /** Sleeps, until something that the pause depends on has changed. */
  async #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const { clock, signal: interruption } = this.settings
    const wake = createAbortController()
    this.#sleepers.add(wake)
    const signals = [interruption, signal, wake.signal].flatMap((one) => one ?? [])
    try {
      await clock.sleep(milliseconds, AbortSignal.any(signals))
    } catch (error) {
      if (!wake.signal.aborted) throw error
    } finally {
      this.#sleepers.delete(wake)
    }
    interruption?.throwIfAborted()
    signal?.throwIfAborted()
  }

  #wake(): void {
    for (const sleeper of this.#sleepers) sleeper.abort()
  }

  readonly #windowsOf = ({ limits }: Family) => [...limits].flatMap((limit) => this.#windows.get(limit) ?? [])

  readonly #familiesOn = (limit: number) => [...this.#families.values()].filter(({ limits }) => limits.has(limit))

  readonly #openOn = (limit: number) => this.#familiesOn(limit).reduce((sum, { open }) => sum + open.size, 0)

  #family(name: string): Family {
    const family = this.#families.get(name) ?? newFamily()
    this.#families.set(name, family)
    return family
  }
}

function newFamily(): Family {
  let beginPause = () => {}
  const hasPaused = new Promise<undefined>((resolve) => {
    beginPause = () => resolve(undefined)
  })
  return {
    ...{ noun: 'request', planned: 0, started: 0, lastStart: Number.NEGATIVE_INFINITY, hasPaused, beginPause },
    ...{ open: new Set<Turn>(), limits: new Set<number>(), queue: Promise.resolve() },
  }
}

const tooMany = 429

/** Shortest delay that is worth a line, in milliseconds. */
const worthPrinting = 5_000

/** From so many planned requests on, those that are done show how many others each takes. */
const enoughToEstimate = 8

/** Reports whether an allowance can be relied on. */
function isPlausible({ limit, remaining, endsAt, isByServiceClock }: RateAllowance, receivedAt: number): boolean {
  const left = endsAt - receivedAt
  return (
    isByServiceClock && limit > 0 && Number.isFinite(limit) && remaining <= limit && left > 0 && left <= longestWindow
  )
}
