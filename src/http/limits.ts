import { usualMemory } from '../data/bounds'

/** How long and how much we take from a service before we give it up (reliability.md). */
export const defaultLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  /** Between two pieces of a body. */
  bodyMs: 15_000,
  /** Of a body, also after it was unpacked. */
  bytes: 32 * 2 ** 20,
  /** That what an answer holds may take, and pages that are read ahead may together. */
  memory: usualMemory,
  /** What the answer to a write in flight gets after SIGINT or SIGTERM. */
  graceMs: 5_000,
}

export type Limits = Readonly<typeof defaultLimits>
