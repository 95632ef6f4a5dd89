/**
 * fast-check with the same inputs in every `npm test`: a test fails because of a change, never by chance. RUNS=100000
 * tries more inputs than `npm test` has time for, and different ones each time; SEED repeats those of a failure, which
 * prints its seed.
 */
import { env } from 'node:process'
import fc from 'fast-check'

if (env.RUNS === undefined || env.SEED !== undefined) fc.configureGlobal({ seed: Number(env.SEED ?? 1) })

export default fc

/** Returns two of all cases, which ones depends on `turn`; with RUNS, all of them. */
export function twoOf<T>(all: readonly T[], turn: number): T[] {
  const half = Math.ceil(all.length / 2)
  return env.RUNS === undefined ? [0, half].flatMap((at) => all[(turn + at) % all.length] ?? []) : [...all]
}

/** Returns the number of random inputs for a property. */
export const runs = (defaultRuns: number) => Number(env.RUNS ?? defaultRuns)

/** Time limit of a long property in milliseconds: minutes, or hours with RUNS. */
export const timeout = env.RUNS === undefined ? 600_000 : 10 * 3_600_000
