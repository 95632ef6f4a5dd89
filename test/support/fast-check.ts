/**
 * fast-check with the same inputs in every `npm test`: a test fails for what was changed, and not by luck. RUNS=100000
 * tries more of them than `npm test` has time for, and others each time.
 */
import { env } from 'node:process'
import fc from 'fast-check'

if (env.RUNS === undefined) fc.configureGlobal({ seed: 1 })

export default fc

/** Returns two in turn of what a test has time for; with RUNS, all of it. */
export function twoOf<T>(all: readonly T[], turn: number): T[] {
  const half = Math.ceil(all.length / 2)
  return env.RUNS === undefined ? [0, half].flatMap((at) => all[(turn + at) % all.length] ?? []) : [...all]
}

/** Returns how many random inputs to try a property on. */
export const runs = (usual: number) => Number(env.RUNS ?? usual)
