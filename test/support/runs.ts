/** How many random inputs a property is tried on: RUNS=100000 tries more than `npm test` has time for. */
import { env } from 'node:process'

export const runs = (usual: number) => Number(env.RUNS ?? usual)
