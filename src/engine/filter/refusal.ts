import type { Answer, Operation } from '../../catalogue/operation'
import { Problem } from '../../errors'
import type { Bounds, Call, Client } from '../../http/client'

/** Whether the service refuses what it was asked to filter by (gaps.md, Filtering). */
export function isFilterRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.details.errors?.some(({ field }) => field === 'X-Filter') ?? false)
}

/** The pages of a list. A service may refuse to filter by a key: then everything is read, and is to be filtered here. */
export async function* filteredPages<O extends Operation>(
  client: Client,
  operation: O,
  { filter, ...call }: Call & Bounds,
): AsyncGenerator<Answer<O>[]> {
  try {
    yield* client.pages(operation, { ...call, ...(filter && { filter }) })
  } catch (error) {
    if (!filter || !isFilterRefusal(error)) throw error
    yield* client.pages(operation, call)
  }
}
