/** Maximum number of small lists to read in parallel: the lists of 200 firewalls take 0.7 s with a latency of 50 ms. */
export const mostReads = 16

/** Default number of parallel tasks, as in all commands (interface.md, Targets). */
const usual = 8

/** Runs tasks in parallel; resolves to the results in order, and throws the first failure. */
export async function atOnce<T, R>(items: readonly T[], act: (item: T) => Promise<R>, most = usual): Promise<R[]> {
  const results: R[] = []
  // All workers take from one iterator.
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await act(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work))
  return results
}
