/** Derives facts about compute instances, which the API does not list, from the resources that belong to them. */
import type { AccountState } from '../kind'
import type { Guarded } from './firewall-devices'

interface Placed {
  compute_id?: number | null
  region?: string | null
}

/** Returns the region of an instance; undefined if no resource shows it. */
export function regionOfCompute(id: number, world: AccountState): string | undefined {
  const placed = [...(world.get('volumes') ?? []), ...(world.get('rdns') ?? [])] as Placed[]
  return placed.find(({ compute_id }) => compute_id === id)?.region ?? undefined
}

/**
 * Reports whether no resource names a compute instance: every instance has at least one public IPv4 address. Always
 * false if the token may not read addresses.
 */
export function isUnknownCompute(id: number, world: AccountState): boolean {
  const addresses = (world.get('rdns') ?? []) as Placed[]
  if (addresses.length === 0) return false
  const named = [...addresses, ...((world.get('volumes') ?? []) as Placed[])]
  return !named.some(({ compute_id }) => compute_id === id) && !isProtected(id, world)
}

const isProtected = (id: number, world: AccountState) =>
  ((world.get('firewalls') ?? []) as Guarded[]).some(({ devices }) =>
    devices.some(({ entity }) => entity.type === 'compute' && entity.id === id),
  )

export const unknownCompute = (id: number) => `No address, volume or firewall names compute instance ${id}`
