/** Block storage volumes as objects that users name, the states that they can be waited for, and their growth. */
import { volumes } from '../../catalogue/volumes'
import type { Item, Resource } from '../resource'
import type { Condition } from '../wait'

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

export const active: Condition = { name: 'active', field: 'status', met: (volume) => volume?.status === 'active' }

export const deleted: Condition = { name: 'deleted', met: (volume) => volume === null }

/** Condition: attached to this compute instance, or to any. */
export const attachedTo = (compute_id?: unknown): Condition => ({
  name: 'attached',
  field: 'compute_id',
  met: (volume) =>
    compute_id === undefined ? (volume?.compute_id ?? null) !== null : volume?.compute_id === compute_id,
})

/** Returns the reason why a volume cannot get this size, as a clause; undefined if it can. */
export const shrinkFault = (present: number, size: number): string | undefined =>
  size < present ? `has ${present} GiB, and a volume cannot shrink` : undefined

export const volumeResource: Resource = {
  noun: 'volume',
  parameter: 'volumeId',
  list: volumes.list,
  view: volumes.view,
  delete: volumes.delete,
  release: { operation: volumes.detach, isNeeded: (volume) => !detached.met(volume) },
  values: 'volumes',
}
