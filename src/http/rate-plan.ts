/** Announces the requests of a command, so that they can be spread over the rate limit. */
import type { PauseOptions, PlannedRequests, RateFamily } from './planned-requests'
import { RateBudget } from './rate-budget'
import { allowanceIn } from './rate-limit'
import { planText } from './rate-texts'
import type { ClientSettings } from './settings'

export interface RequestPlan {
  /** Waits until the rate limits allow the next planned request of the operation, then works. */
  run<T>(operation: RateFamily, work: () => Promise<T>, options?: PauseOptions): Promise<T>
  /** Gives up planned requests: they are not sent, or cannot wait. */
  drop(operation: RateFamily, count: number): void
}

/** The clients of a run share their last answer, and so their budget. */
const budgets = new WeakMap<object, RateBudget>()

export function planRequests(
  requests: readonly PlannedRequests[],
  options: PauseOptions,
  { last, ...settings }: ClientSettings,
): RequestPlan {
  if (!last) return { run: (_, work) => work(), drop() {} }
  const budget = budgets.get(last) ?? new RateBudget(settings)
  budgets.set(last, budget)
  last.onAnswer = budget.record
  budget.plan(requests)
  return {
    run: (operation, work, own) => budget.run(operation, work, { ...options, ...own }),
    drop: (operation, count) => budget.drop(operation, count),
  }
}

/** Prints with -v how many requests a command takes. */
export function notePlan(requests: readonly PlannedRequests[], { last, note, clock }: ClientSettings): void {
  note?.(planText(requests, last?.answer && allowanceIn(last.answer), clock))
}

export interface PlannedPages {
  run<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Gives up the pages that were not read. */
  end(): void
}

/** Announces pages to read. */
export function planPages(list: RateFamily, count: number, settings: ClientSettings): PlannedPages {
  const plan = planRequests([{ operation: list, count, noun: 'page' }], {}, settings)
  let left = count
  return {
    run(read, signal) {
      left -= 1
      return plan.run(list, read, { signal })
    },
    end: () => plan.drop(list, Math.max(0, left)),
  }
}
