import { type Caller, permissionOf } from './caller'
import { forbidden, refusal } from './refusal'
import type { ComputeRecord } from './tables/computes'
import type { World } from './world'

/** Returns the compute instance named by a request field; requires read_write permission on it. */
export function computeToChange(
  id: number,
  field: string,
  { world, caller }: { world: World; caller: Caller },
): ComputeRecord {
  const compute = world.computes.get(id)
  const permission = permissionOf(caller.user, 'compute', id)
  if (compute === undefined || permission === null) throw refusal(field, `Invalid Compute ID ${id}`)
  if (permission !== 'read_write') throw forbidden()
  return compute
}
