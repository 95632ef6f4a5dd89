/** Changes of block storage volumes. */
import { usualSize, volumes } from '../../catalogue/volumes'
import { ignoreProblem, Problem } from '../../errors'
import type { Action, ActionStep } from '../action'
import { recordShows } from '../action-functions'
import type { RequestBody } from '../change-context'
import { compareFields } from '../label-lookup'
import { type Item, nameOf } from '../resource'
import { active, attachedTo, detached, detachedSince, shrinkFault, volumeResource } from '../resources/volume'
import type { ManualUndo } from '../undo'

const billed: ManualUndo = { by: 'hand', advice: 'It is billed until it is deleted: skyctl volumes delete {id}' }

export const createVolume: Action<typeof volumes.create> = {
  operation: volumes.create,
  resource: volumeResource,
  safety: { uniqueLabel: true },
  creation: { compare: (volume, body) => compareFields(volume, { size: usualSize, ...body }) },
  wait: () => active,
  undo: billed,
}

export const cloneVolume: Action<typeof volumes.clone> = {
  operation: volumes.clone,
  resource: volumeResource,
  safety: { uniqueLabel: true },
  creation: {
    async compare(volume, body, { record }) {
      const source = await record()
      return compareFields(volume, { ...body, size: source?.size, region: source?.region })
    },
    async expected({ record }) {
      // A source that cannot be read is left to the service.
      const source = await record().catch(ignoreProblem)
      return source && { size: source.size, region: source.region }
    },
  },
  wait: () => active,
  undo: billed,
}

export const updateVolume: Action<typeof volumes.update> = {
  operation: volumes.update,
  resource: volumeResource,
  safety: { uniqueLabel: true },
  undo: { by: 'restoring', view: volumes.view, does: 'volumes update' },
}

export const resizeVolume: Action<typeof volumes.resize> = {
  operation: volumes.resize,
  resource: volumeResource,
  safety: { check: checkSize },
  findDone: recordShows('size', (volume, { size }) => volume.size === size),
  wait: () => active,
  undo: {
    by: 'hand',
    advice: 'The API cannot shrink a volume. Create a smaller one, and copy the data: skyctl volumes create',
  },
}

async function checkSize({ size }: RequestBody, { record }: ActionStep): Promise<void> {
  const volume = await record()
  const present = volume?.size
  const fault = typeof present === 'number' && shrinkFault(present, Number(size))
  if (!fault) return
  throw new Problem('conflict', `volume "${volume?.label}" ${fault}`, {
    errors: [{ field: 'size', reason: `Must be greater than ${present}` }],
  })
}

export const attachVolume: Action<typeof volumes.attach> = {
  operation: volumes.attach,
  resource: volumeResource,
  safety: { check: ({ compute_id }, step) => checkAttach(compute_id, step) },
  findDone: recordShows('compute_id', (volume, { compute_id }) => volume.compute_id === compute_id),
  wait: ({ compute_id }) => attachedTo(compute_id),
  undo: { by: 'hand', advice: 'To reverse it: skyctl volumes detach {id}' },
}

async function checkAttach(compute_id: unknown, { record }: ActionStep): Promise<void> {
  const volume = await record()
  const present = volume?.compute_id ?? null
  if (!volume || present === null || present === compute_id) return
  throw new Problem('conflict', `volume "${volume.label}" (${volume.id}) is attached to compute instance ${present}`, {
    errors: [{ field: 'compute_id', reason: 'The volume is attached to another compute instance' }],
    hint: `Detach it first: skyctl volumes detach ${volume.id}`,
  })
}

export const detachVolume: Action<typeof volumes.detach> = {
  operation: volumes.detach,
  resource: volumeResource,
  async findDone(body, step) {
    const isDetached = detachedSince(await step.record()).met
    return recordShows('compute_id', isDetached)(body, step)
  },
  safety: { mayBeAbsent: true, protection: { harm: 'it cannot be detached' } },
  wait: (_body, before) => detachedSince(before),
  undo: { by: 'hand', advice: 'To reverse it: skyctl volumes attach {id} --compute-id {compute_id}' },
}

export const deleteVolume: Action<typeof volumes.delete> = {
  operation: volumes.delete,
  resource: volumeResource,
  safety: { protection: { harm: 'it cannot be deleted' } },
  undo: { by: 'hand', advice: 'Its data is gone. Create another: skyctl volumes create' },
}

/** Returns a problem for an attached or migrating volume, which cannot be deleted. */
export function refusalToDelete(volume: Item): Problem | undefined {
  const name = nameOf(volumeResource, { id: volume.id, record: volume })
  if (!detached.met(volume)) {
    return new Problem('conflict', `${name} is attached to compute instance ${volume.compute_id}`, {
      hint: `Detach it first: skyctl volumes detach ${volume.id} --wait`,
    })
  }
  return volume.status === 'migrating' ? new Problem('conflict', `${name} is migrating`) : undefined
}
