/** Injects faults on request, to test how scripts handle them. Faults can be changed while the sandbox runs. */

/** Fault for a number of requests, optionally below a path relative to the base URL. */
export interface Occasion {
  count: number
  path?: string | undefined
}

/** Failed requests: `{ status: 429, count: 3 }` makes the next three fail with 429, without any effect. */
export interface InjectedFailure extends Occasion {
  status: number
}

export interface Faults {
  latencyMs: number
  rateLimit: boolean
  /** Failures in their order; each applies until it is used up. */
  failures: readonly InjectedFailure[]
  /** Writes that succeed although the client gets no answer. */
  droppedAnswers: readonly Occasion[]
}

/** Takes the first fault for the path; `list` holds the remaining faults. */
function takeFirst<T extends Occasion>(
  occasions: readonly T[],
  path: string,
): { taken: T | undefined; list: readonly T[] } {
  const taken = occasions.find((occasion) => path.startsWith(occasion.path ?? ''))
  const list = occasions.map((one) => (one === taken ? { ...one, count: one.count - 1 } : one))
  return { taken, list: list.filter(({ count }) => count > 0) }
}

/** Returns the status with which a request must fail; undefined if it must not fail. */
export function takeFailure(faults: Faults, path: string): number | undefined {
  const { taken, list } = takeFirst(faults.failures, path)
  faults.failures = list
  return taken?.status
}

/** Reports whether a successful write must lose its answer. */
export function takeDroppedAnswer(faults: Faults, path: string): boolean {
  const { taken, list } = takeFirst(faults.droppedAnswers, path)
  faults.droppedAnswers = list
  return taken !== undefined
}
