/** Where compute instances are: the API does not tell, but what belongs to them stands in their region. */
import type { World } from '../kind'
import type { Guarded } from './firewall-devices'

interface Placed {
  compute_id?: number | null
  region?: string | null
}

/** Undefined where nothing of the account tells. */
export function regionOfCompute(id: number, world: World): string | undefined {
  const placed = [...(world.get('volumes') ?? []), ...(world.get('rdns') ?? [])] as Placed[]
  return placed.find(({ compute_id }) => compute_id === id)?.region ?? undefined
}

/**
 * Whether nothing of the account names a compute instance: each has at least one public IPv4 address. Nothing is known
 * where the token may not read addresses.
 */
export function isUnknownCompute(id: number, world: World): boolean {
  const addresses = (world.get('rdns') ?? []) as Placed[]
  if (addresses.length === 0) return false
  const named = [...addresses, ...((world.get('volumes') ?? []) as Placed[])]
  return !named.some(({ compute_id }) => compute_id === id) && !isProtected(id, world)
}

const isProtected = (id: number, world: World) =>
  ((world.get('firewalls') ?? []) as Guarded[]).some(({ devices }) =>
    devices.some(({ entity }) => entity.type === 'compute' && entity.id === id),
  )

export const unknownCompute = (id: number) => `No address, volume or firewall names compute instance ${id}`
