/** Finds the region of a compute instance. */
import { defaultPageSize } from '../catalogue/paging'
import { type Volume, volumes } from '../catalogue/volumes'
import type { Client } from '../http/client'
import type { Account } from './account'
import { isFilterRefusal } from './filter-refusal'
import { sharedRead } from './shared-read'

/**
 * Returns the region of a compute instance from a volume that is attached to it: the API cannot read instances. It
 * reads only one page of volumes, once for many targets; without a match the service decides.
 */
export function regionOfCompute(compute_id: unknown, account: Account): Promise<string | undefined> {
  return sharedRead(`region of ${compute_id}`, account, async () => readRegion(compute_id, await account.client()))
}

async function readRegion(compute_id: unknown, client: Client): Promise<string | undefined> {
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
