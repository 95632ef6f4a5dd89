/** What goes wrong on request, for people who test how their scripts take it. It can be changed while the sandbox runs. */

/** So many of the next requests, below a path where one is given; it is relative to the base URL. */
export interface Occasion {
  count: number
  path?: string | undefined
}

/** `{ status: 429, count: 3 }` makes the next three requests fail with 429, and do nothing. */
export interface Failure extends Occasion {
  status: number
}

export interface Faults {
  /** How long every answer is held back. */
  latencyMs: number
  /** Whether the rate limits are enforced. */
  rateLimit: boolean
  /** In their order, until each is used up. */
  failures: readonly Failure[]
  /** Writes that happen and whose answers are lost. */
  droppedAnswers: readonly Occasion[]
}

/** Uses one occasion up that is meant for the path, and gives it; `list` is what is left. */
function takeFirst<T extends Occasion>(
  occasions: readonly T[],
  path: string,
): { taken: T | undefined; list: readonly T[] } {
  const taken = occasions.find((occasion) => path.startsWith(occasion.path ?? ''))
  const list = occasions.map((one) => (one === taken ? { ...one, count: one.count - 1 } : one))
  return { taken, list: list.filter(({ count }) => count > 0) }
}

/** The status with which a request must fail. */
export function takeFailure(faults: Faults, path: string): number | undefined {
  const { taken, list } = takeFirst(faults.failures, path)
  faults.failures = list
  return taken?.status
}

/** Whether the answer to a write that was done is to be lost. */
export function takeDroppedAnswer(faults: Faults, path: string): boolean {
  const { taken, list } = takeFirst(faults.droppedAnswers, path)
  faults.droppedAnswers = list
  return taken !== undefined
}
