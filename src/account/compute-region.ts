/** Finds the region of a compute instance. */
import { defaultPageSize } from '../catalogue/paging'
import { type Volume, volumes } from '../catalogue/volumes'
import type { Client } from '../http/client'
import { isFilterRefusal } from './filter-refusal'

/**
 * Returns the region of a compute instance from a volume that is attached to it: the API cannot read instances. It
 * reads only one page of volumes; without a match the service decides.
 */
export async function regionOfCompute(compute_id: unknown, client: Client): Promise<string | undefined> {
  const neighbours = (await onePage(client, { compute_id })) ?? (await onePage(client))
  return neighbours?.find((volume) => volume.compute_id === compute_id)?.region ?? undefined
}

async function onePage(client: Client, filter?: Record<string, unknown>): Promise<Volume[] | undefined> {
  try {
    const call = { page: 1, pageSize: defaultPageSize, ...(filter && { filter }) }
    for await (const page of client.pages(volumes.list, call)) return page
  } catch (error) {
    if (!isFilterRefusal(error)) throw error
  }
  return undefined
}
