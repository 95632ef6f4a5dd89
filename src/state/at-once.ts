/** How many small lists are read at the same time: 200 firewalls, 50 ms away, take 0.7 s for theirs. */
export const mostReads = 16

/** How many are done at the same time, as everywhere (interface.md, Targets). */
const usual = 8

/** Does something with each, some at the same time; resolves to the results in order. The first failure fails it. */
export async function atOnce<T, R>(items: readonly T[], act: (item: T) => Promise<R>, most = usual): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const work = async () => {
    for (let turn = next++; turn < items.length; turn = next++) results[turn] = await act(items[turn] as T)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work))
  return results
}
