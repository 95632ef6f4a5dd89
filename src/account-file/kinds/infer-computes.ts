/** Derives facts about compute instances, which the API does not list, from the resources that belong to them. */
import { isMissing } from '../../catalogue/normalize'
import { isRecord } from '../../rules/records'
import { rememberLast } from '../../rules/remember-last'
import type { AccountState, PlanRefusal } from '../kind'
import { firewallsOf } from './firewall/entry'

/** Returns the region of an instance; undefined if no resource shows it. */
export function regionOfCompute(id: number, world: AccountState): string | undefined {
  const region = factsIn(world).regions.get(id)
  return typeof region === 'string' ? region : undefined
}

/**
 * Reports whether no resource names a compute instance: every instance has at least one public IPv4 address. Always
 * false if the token may not read addresses.
 */
export function isUnknownCompute(id: number, world: AccountState): boolean {
  const { isComplete, regions, protectedIds } = factsIn(world)
  return isComplete && !regions.has(id) && !protectedIds.has(id)
}

interface ComputeFacts {
  /** Region by id, from the first volume or address of each instance. */
  regions: ReadonlyMap<unknown, unknown>
  protectedIds: ReadonlySet<number>
  /** True if every instance has an address in it. */
  isComplete: boolean
}

/** Reads the facts once for each account: a plan asks for every volume and address. */
const factsIn = rememberLast(
  (world: AccountState) => world,
  (world): ComputeFacts => {
    const addresses = recordsOf('rdns', world)
    const regions = new Map<unknown, unknown>()
    for (const { compute_id, region } of [...recordsOf('volumes', world), ...addresses])
      if (!regions.has(compute_id)) regions.set(compute_id, region)
    const devices = firewallsOf({ world }).flatMap((guarded) => guarded.devices)
    return {
      regions,
      protectedIds: new Set(devices.flatMap(({ entity: { type, id } }) => (type === 'compute' ? [id] : []))),
      isComplete: addresses.length > 0 && !addresses.some((address) => isMissing(address, 'compute_id')),
    }
  },
)

const recordsOf = (kind: string, world: AccountState) => (world.get(kind) ?? []).filter(isRecord)

export const unknownCompute = (id: number, field: string): PlanRefusal => ({
  field,
  reason: `No address, volume or firewall names compute instance ${id}`,
  code: 'not_found',
})
