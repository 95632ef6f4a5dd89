/** Where compute instances are: the API does not tell, but what belongs to them stands in their region. */
import type { World } from '../kind'

interface Placed {
  compute_id?: number | null
  region?: string | null
}

/** Undefined where nothing of the account tells. */
export function regionOfCompute(id: number, world: World): string | undefined {
  const placed = [...(world.get('volumes') ?? []), ...(world.get('rdns') ?? [])] as Placed[]
  return placed.find(({ compute_id }) => compute_id === id)?.region ?? undefined
}
