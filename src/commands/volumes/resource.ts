import { volumes } from '../../catalogue/volumes'
import { columns } from '../../engine/columns'
import type { Item, Resource } from '../../engine/resource'
import type { Condition } from '../../engine/wait'

export const detached: Condition = {
  name: 'detached',
  field: 'compute_id',
  met: (volume) => volume !== null && (volume.compute_id ?? null) === null,
}

/** Condition: not attached any more to where it was before. Others may attach it elsewhere meanwhile. */
export const detachedSince = (before?: Item): Condition => ({
  ...detached,
  met: (volume) => detached.met(volume) || (!!before && !!volume && volume.compute_id !== before.compute_id),
})

export const volumeResource: Resource = {
  noun: 'volume',
  parameter: 'volumeId',
  list: volumes.list,
  view: volumes.view,
  delete: volumes.delete,
  release: { operation: volumes.detach, isNeeded: (volume) => !detached.met(volume) },
  values: 'volumes',
}

export const volumeColumns = columns(volumes.list, [
  'id',
  'label',
  'status',
  { path: 'size', unit: 'GiB' },
  'region',
  'compute_id',
  'compute_label',
])

export const active: Condition = { name: 'active', field: 'status', met: (volume) => volume?.status === 'active' }

export const deleted: Condition = { name: 'deleted', met: (volume) => volume === null }

/** Condition: attached to this compute instance, or to any. */
export const attachedTo = (compute_id?: unknown): Condition => ({
  name: 'attached',
  field: 'compute_id',
  met: (volume) =>
    compute_id === undefined ? (volume?.compute_id ?? null) !== null : volume?.compute_id === compute_id,
})

/** Returns `40 GiB`, for messages; an answer may lack the size. */
export const sizeText = (size: unknown) => (size === null ? 'an unknown size' : `${size} GiB`)
