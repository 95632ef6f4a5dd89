export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Rejects with the signal's reason where it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
