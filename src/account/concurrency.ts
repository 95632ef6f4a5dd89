/** Maximum number of small lists to read in parallel: the lists of 200 firewalls take 0.7 s with a latency of 50 ms. */
export const mostReads = 16

/** Default number of parallel tasks, as in all commands (interface.md, Targets). */
const usual = 8

/**
 * Runs tasks in parallel, each as soon as its item is there; resolves to the results in order, and throws the first
 * failure.
 */
export async function atOnce<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<R>,
  most = usual,
): Promise<R[]> {
  const results: R[] = []
  // All workers take from one iterator.
  const queue = numbered(items)
  const work = async () => {
    for await (const [index, item] of queue) results[index] = await act(item)
  }
  await Promise.all(Array.from({ length: most }, work))
  return results
}

async function* numbered<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<[number, T]> {
  let index = 0
  for await (const item of items) {
    yield [index, item]
    index += 1
  }
}

/** Yields the items of pages one by one. */
export async function* itemsOf<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page
}

/** Resolves to both results when both tasks have ended; throws the first failure then. */
export async function bothDone<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return [await one, await other]
}
