import type { ServiceClock } from '../../src/sandbox/clock'

export interface ManualClock extends ServiceClock {
  /** Moves time forward. It does not pass otherwise. */
  advance(milliseconds: number): void
}

export function manualClock(start = Date.UTC(2026, 0, 15, 12)): ManualClock {
  let now = start
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}
