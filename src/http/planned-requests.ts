/** Requests that a command announces, so that they can be spread over the rate limit. */

/** Method and path template: requests that the API counts together. */
export interface RateFamily {
  method: string
  path: string
}

/** Requests that a command will send. */
export interface PlannedRequests {
  operation: RateFamily
  count: number
  /** Object of each: `volume`. */
  noun?: string | undefined
}

/** Runs a wait while others may work: the task leaves its place to another one. */
export type WhilePaused = <T>(wait: () => Promise<T>) => Promise<T>

export interface PauseOptions {
  /** Called after each pause, with its milliseconds. */
  onPause?(milliseconds: number): void
  /** Ends the pause of a request that is no longer needed. */
  signal?: AbortSignal
  /** Wraps a pause, and the wait for those that pause before. */
  whilePaused?: WhilePaused | undefined
}
