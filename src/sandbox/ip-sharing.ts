import type { ips } from '../catalogue/ips'
import type { Body } from '../catalogue/operation'
import { parseAddress } from '../rules/addresses'
import { type Caller, permissionOf } from './caller'
import { computeToChange } from './computes'
import { all, refusal } from './refusal'
import type { AddressRecord } from './tables/addresses'
import type { ComputeRecord } from './tables/computes'
import type { World } from './world'

type Act = { world: World; caller: Caller }

/** Shares exactly these addresses with an instance; all others are no longer shared with it. */
export function share({ compute_id, ips: wanted }: Body<typeof ips.share>, act: Act): void {
  const compute = computeToChange(compute_id, 'compute_id', act)
  const { addresses } = act.world.network
  const shared = new Set<number>()
  all(
    ...wanted.map((text, index) => () => {
      shared.add(addressToShare(text, `ips[${index}]`, compute, act).id)
    }),
  )
  for (const address of addresses.all()) {
    const others = address.shared_with.filter((id) => id !== compute_id)
    const shared_with = shared.has(address.id) ? [...others, compute_id] : others
    if (shared_with.length !== address.shared_with.length) addresses.put({ ...address, shared_with })
  }
}

function addressToShare(text: string, field: string, compute: ComputeRecord, { world, caller }: Act): AddressRecord {
  const record = world.network.findAddress(parseAddress(text)?.address ?? '')
  if (!record || record.type === 'ipv6' || !permissionOf(caller.user, 'compute', record.compute_id)) {
    throw refusal(field, 'IP Address not found.')
  }
  if (record.region !== compute.region) {
    throw refusal(field, `${text} is in ${record.region}, compute instance ${compute.id} in ${compute.region}`)
  }
  if (record.vpc_nat_1_1) throw refusal(field, `${text} is in use for 1:1 NAT`)
  if (record.compute_id === compute.id) throw refusal(field, `${text} belongs to compute instance ${compute.id}`)
  return record
}
