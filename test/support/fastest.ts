import { expect } from 'vitest'

/**
 * Expects one of several runs to take less CPU time than so many milliseconds: the cost of the work, independent of
 * other processes. A clock would count the time that others get meanwhile.
 */
export function expectUnder(limit: number, work: () => unknown, runs = 10): void {
  expect(fastest(work, runs, limit)).toBeLessThan(limit)
}

/** Returns the least CPU time of several runs in milliseconds, or the first that is low enough. */
export function fastest(work: () => unknown, runs: number, enough = 0): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && best >= enough; run += 1) {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
