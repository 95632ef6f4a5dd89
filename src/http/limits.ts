import { usualMemory } from '../data/memory-limits'

/** Limits in time and size for each answer (reliability.md). */
export const defaultLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  /** Maximum time between two chunks of a body. */
  bodyMs: 15_000,
  /** Maximum size of a body, also when decompressed. */
  bytes: 32 * 2 ** 20,
  /** Maximum memory of a parsed answer, and of the pages that are read ahead. */
  memory: usualMemory,
  /** Time for the answer to a write in flight after SIGINT or SIGTERM. */
  graceMs: 5_000,
}

export type Limits = Readonly<typeof defaultLimits>
