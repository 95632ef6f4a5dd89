import type { Operation } from '../catalogue/operation'
import type { Client } from '../http/client'
import type { RequestPlan } from '../http/rate-plan'

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

/** From so many reads on, they may be more than a rate limit allows. */
const manyReads = 100

/** Reads that follow a list: one for each of its objects, or for some of them. */
interface FollowingReads<T> {
  operation: Operation
  /** Objects of the list: `firewall`. */
  noun: string
  /** Reports whether an object needs a read; by default, each does. */
  isNeeded?(item: T): boolean
}

/** Reads something of each object of a list, several at once; many reads are spread over the rate limit. */
export async function readOfEach<T, R>(
  pages: AsyncIterable<readonly T[]>,
  { operation, noun, isNeeded = () => true }: FollowingReads<T>,
  { client, read }: { client: Pick<Client, 'plan'>; read(item: T): Promise<R> },
): Promise<R[]> {
  let plan: RequestPlan | undefined
  async function* announced(): AsyncGenerator<readonly [T, RequestPlan | undefined]> {
    for await (const page of pages) {
      const count = page.filter(isNeeded).length
      if (plan || count >= manyReads) plan = await client.plan([{ operation, count, noun }])
      for (const item of page) yield [item, isNeeded(item) ? plan : undefined]
    }
  }
  const readOne = ([item, itsPlan]: readonly [T, RequestPlan | undefined]) =>
    itsPlan ? itsPlan.run(operation, () => read(item)) : read(item)
  return atOnce(announced(), readOne, mostReads)
}

async function* numbered<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<[number, T]> {
  let index = 0
  for await (const item of items) {
    yield [index, item]
    index += 1
  }
}

/** Resolves to both results when both tasks have ended; throws the first failure then. */
export async function bothDone<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return [await one, await other]
}
