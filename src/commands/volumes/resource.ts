import { volumes } from '../../catalogue/volumes'
import { columns } from '../../engine/columns'
import type { Resource } from '../../engine/resource'
import type { Condition } from '../../engine/wait'

export const detached: Condition = {
  name: 'detached',
  field: 'compute_id',
  met: (volume) => volume !== null && (volume.compute_id ?? null) === null,
}

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

/** Attached to that compute instance, or to any where none is named. */
export const attachedTo = (compute_id?: unknown): Condition => ({
  name: 'attached',
  field: 'compute_id',
  met: (volume) =>
    compute_id === undefined ? (volume?.compute_id ?? null) !== null : volume?.compute_id === compute_id,
})

/** `40 GiB`, for sentences; an answer may lack the size. */
export const sizeText = (size: unknown) => (size === null ? 'an unknown size' : `${size} GiB`)
