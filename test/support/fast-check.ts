/**
 * fast-check with the same inputs in every `npm test`: a test fails for what was changed, and not by luck. RUNS=100000
 * tries more of them than `npm test` has time for, and others each time.
 */
import { env } from 'node:process'
import fc from 'fast-check'

if (env.RUNS === undefined) fc.configureGlobal({ seed: 1 })

export default fc

/** Returns how many random inputs to try a property on. */
export const runs = (usual: number) => Number(env.RUNS ?? usual)
