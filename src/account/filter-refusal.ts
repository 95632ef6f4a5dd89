import type { Answer, Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { Bounds, Call, Client } from '../http/client'

/** Reports whether the service has rejected the filter (gaps.md, Filtering). */
export function isFilterRefusal(error: unknown): boolean {
  return error instanceof Problem && error.details.errors?.some(({ field }) => field === 'X-Filter') === true
}

/** Yields the pages of a list. If the service rejects the filter, it reads everything, and the caller must filter. */
export async function* filteredPages<O extends Operation>(
  client: Client,
  operation: O,
  { filter, ...call }: Call & Bounds,
): AsyncGenerator<Answer<O>[]> {
  try {
    yield* client.pages(operation, { ...call, ...(filter && { filter }) })
  } catch (error) {
    if (!isFilterRefusal(error)) throw error
    yield* client.pages(operation, call)
  }
}
