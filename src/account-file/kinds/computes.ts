/** Derives facts about compute instances, which the API does not list, from the resources that belong to them. */
import { isMissing } from '../../catalogue/normalize'
import { isRecord } from '../../rules/records'
import type { AccountState, PlanRefusal } from '../kind'
import { firewallsOf } from './firewall-devices'

/** Returns the region of an instance; undefined if no resource shows it. */
export function regionOfCompute(id: number, world: AccountState): string | undefined {
  const region = [...recordsOf('volumes', world), ...recordsOf('rdns', world)].find(isOf(id))?.region
  return typeof region === 'string' ? region : undefined
}

/**
 * Reports whether no resource names a compute instance: every instance has at least one public IPv4 address. Always
 * false if the token may not read addresses.
 */
export function isUnknownCompute(id: number, world: AccountState): boolean {
  const addresses = recordsOf('rdns', world)
  if (addresses.length === 0 || addresses.some((address) => isMissing(address, 'compute_id'))) return false
  return ![...addresses, ...recordsOf('volumes', world)].some(isOf(id)) && !isProtected(id, world)
}

const recordsOf = (kind: string, world: AccountState) => (world.get(kind) ?? []).filter(isRecord)
const isOf = (id: number) => (record: Record<string, unknown>) => record.compute_id === id

const isProtected = (id: number, world: AccountState) =>
  firewallsOf({ world }).some(({ devices }) =>
    devices.some(({ entity }) => entity.type === 'compute' && entity.id === id),
  )

/** Returns the refusal of a field that names an unknown instance. */
export const unknownCompute = (id: number, field: string): PlanRefusal => ({
  field,
  reason: `No address, volume or firewall names compute instance ${id}`,
  code: 'not_found',
})
