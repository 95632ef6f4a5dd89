export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number
  /** Waits; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
