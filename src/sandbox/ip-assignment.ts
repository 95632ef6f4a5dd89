/**
 * Assigns addresses (api.md, Assign rules). The rules are checked after all moves of a request, because a swap breaks
 * them in between. One invalid assignment rolls back all others.
 */

import type { ips } from '../catalogue/ips'
import type { Body } from '../catalogue/operation'
import { parseAddress } from '../rules/addresses'
import { type Caller, permissionOf } from './caller'
import { computeToChange } from './computes'
import { all, forbidden, refusal, refuseBroken } from './refusal'
import type { AddressRecord } from './tables/addresses'
import type { World } from './world'

type Act = { world: World; caller: Caller }

/** Moves addresses and ranges. `shared` decides if shared addresses move too; it depends on the endpoint (rule 5). */
export function assign({ region, assignments }: Body<typeof ips.assign>, shared: 'stay' | 'move', act: Act): void {
  const { world } = act
  const involved = new Set<number>()
  const seen = new Set<number>()
  const move = (address: string, compute_id: number, index: number) => {
    const field = `assignments[${index}].address`
    const record = addressToMove(address, field, act)
    if (record.region !== region) throw refusal(field, `${address} is in ${record.region}, not in ${region}`)
    if (seen.has(record.id)) throw refusal(field, `${address} is assigned twice`)
    seen.add(record.id)
    involved.add(compute_id).add(record.compute_id)
    if (record.compute_id === compute_id) return
    if (record.vpc_nat_1_1) throw refusal(field, `${address} is in use for 1:1 NAT`)
    if (record.shared_with.length > 0 && shared === 'stay') throw refusal(field, `${address} is shared`)
    const others = record.shared_with.filter((id) => id !== compute_id)
    world.network.addresses.put({ ...record, compute_id, shared_with: others })
  }
  if (!world.regions.some(({ id }) => id === region)) throw refusal('region', 'region is not valid')
  all(
    ...assignments.flatMap(({ address, compute_id }, index) => [
      () => checkTarget(compute_id, { field: `assignments[${index}].compute_id`, region }, act),
      () => move(address, compute_id, index),
    ]),
  )
  all(...[...involved].map((id) => () => checkHoldings(id, world)))
}

function checkTarget(id: number, { field, region }: { field: string; region: string }, act: Act): void {
  const compute = computeToChange(id, field, act)
  if (compute.region !== region)
    throw refusal(field, `Compute instance ${id} is in ${compute.region}, not in ${region}`)
}

function addressToMove(text: string, field: string, { world, caller }: Act): AddressRecord {
  const [address = '', prefix] = text.split('/')
  const record = world.network.findAddress(parseAddress(address)?.address ?? '')
  const permission = record && permissionOf(caller.user, 'compute', record.compute_id)
  const isMeant = prefix === undefined ? record?.type === 'ipv4' : record?.prefix === Number(prefix)
  if (!record || !permission || !isMeant || record.type === 'ipv6') throw refusal(field, 'IP Address not found.')
  if (permission !== 'read_write') throw forbidden()
  return record
}

/** Checks an instance's addresses after all assignments (rule 2). */
function checkHoldings(compute: number, { network }: World): void {
  const held = network.addressesOf(compute)
  const count = (test: (address: AddressRecord) => boolean) => held.filter(test).length
  const would = `Compute instance ${compute} would have`
  const ipv4 = (isPublic: boolean) => count(({ type, public: open }) => type === 'ipv4' && open === isPublic)
  refuseBroken([
    [ipv4(true) < 1, 'assignments', `${would} no public IPv4 address`],
    [ipv4(false) > 1, 'assignments', `${would} more than one private IPv4 address`],
    [count(({ type }) => type === 'ipv6/range') > 1, 'assignments', `${would} more than one IPv6 range`],
  ])
}
