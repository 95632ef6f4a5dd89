import { isMissing } from '../../catalogue/normalize'
import { usualPageSize } from '../../catalogue/paging'
import { type Volume, volumes } from '../../catalogue/volumes'
import { changeCommand, recordShows } from '../../engine/change-command'
import type { ChangeStep } from '../../engine/change-definition'
import { isFilterRefusal } from '../../engine/filter/refusal'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { attachedTo, volumeColumns, volumeResource } from './resource'

/**
 * Returns the region of a compute instance from a volume that is attached to it: the API cannot read instances. It
 * reads only one page of volumes; without a match the service decides.
 */
async function regionOfCompute(compute_id: unknown, client: Client): Promise<string | undefined> {
  const neighbours = (await onePage(client, { compute_id })) ?? (await onePage(client))
  return neighbours?.find((volume) => volume.compute_id === compute_id)?.region ?? undefined
}

async function onePage(client: Client, filter?: Record<string, unknown>): Promise<Volume[] | undefined> {
  try {
    const call = { page: 1, pageSize: usualPageSize, ...(filter && { filter }) }
    for await (const page of client.pages(volumes.list, call)) return page
  } catch (error) {
    if (!isFilterRefusal(error)) throw error
  }
  return undefined
}

async function checkAttach(compute_id: unknown, { session, dry, record }: ChangeStep): Promise<void> {
  const volume = await record()
  if (!volume) return
  const present = volume.compute_id ?? null
  if (present !== null && present !== compute_id) {
    throw new Problem(
      'conflict',
      `volume "${volume.label}" (${volume.id}) is attached to compute instance ${present}`,
      {
        errors: [{ field: 'compute_id', reason: 'The volume is attached to another compute instance' }],
        hint: `Detach it first: skyctl volumes detach ${volume.id}`,
      },
    )
  }
  // Without its region, the service decides.
  const region =
    dry || isMissing(volume, 'region') ? undefined : await regionOfCompute(compute_id, await session.client())
  if (region === undefined || region === volume.region) return
  throw new Problem(
    'conflict',
    `volume "${volume.label}" is in ${volume.region}, compute instance ${compute_id} in ${region}: both must be in one region`,
    { errors: [{ field: 'compute_id', reason: `Must be in ${volume.region}` }] },
  )
}

export const attachVolume = changeCommand({
  name: 'attach',
  operation: volumes.attach,
  resource: volumeResource,
  columns: volumeColumns,
  check: ({ compute_id }, step) => checkAttach(compute_id, step),
  done: (volume, { name, body }) => `Attached ${name} to compute instance ${volume.compute_id ?? body.compute_id}`,
  noopMessage: ({ name, body }) => `${name} is attached to compute instance ${body.compute_id} already`,
  wait: ({ compute_id }) => attachedTo(compute_id),
  findDone: recordShows('compute_id', (volume, { compute_id }) => volume.compute_id === compute_id),
  examples: [
    { what: 'Attach at this and every boot', line: 'skyctl volumes attach data-2 --compute-id 1001' },
    {
      what: 'Until the next boot only',
      line: 'skyctl volumes attach data-2 --compute-id 1001 --no-persist-across-boots',
    },
  ],
})
