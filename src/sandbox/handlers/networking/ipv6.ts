import { ipv6Pools, ipv6Ranges } from '../../../catalogue/ipv6'
import { type Caller, type CallerContext, computeToChange, permissionOf } from '../../caller'
import { addressEvent, rangeCreationEvent } from '../../events'
import { prefixOf } from '../../fixed-records'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { forbidden, notFound, refusal } from '../../refusal'
import type { AddressRecord } from '../../tables/addresses'
import type { World } from '../../world'
import { canonicalAddress } from './ips'

export const servedPools = serve(ipv6Pools, {
  list: {
    handle: (_, { world }) => listing(world.network.pools, (pool) => pool),
  },
})

export const servedRanges = serve(
  ipv6Ranges,
  {
    list: {
      handle(_, { world, caller }) {
        const ranges = world.network.ranges().filter((range) => isVisible(range, caller))
        return listing(ranges, ({ address, prefix, region, compute_id }) => ({
          range: address,
          prefix,
          region,
          route_target: targetOf(compute_id, world),
        }))
      },
    },

    create: {
      event: rangeCreationEvent,
      handle({ prefix_length, compute_id, route_target }, { world, caller }) {
        const { network } = world
        const field = route_target === undefined ? 'compute_id' : 'route_target'
        const id = compute_id ?? instanceOf(route_target ?? '', world)
        const compute = computeToChange(id, field, { world, caller })
        const target = targetOf(id, world)
        if (target === null) throw refusal(field, `Compute instance ${id} has no SLAAC address`)
        if (network.ranges().some((range) => range.compute_id === id)) {
          throw refusal(field, `An IPv6 range is already routed to compute instance ${id}`)
        }
        if (network.ranges().some(({ region }) => region === compute.region)) {
          throw refusal(field, `The account already has an IPv6 range in ${compute.region}`)
        }
        const { address } = network.addresses.add({
          address: newRange(compute.region, world),
          type: 'ipv6/range',
          prefix: prefix_length,
          region: compute.region,
          compute_id: id,
        })
        return { range: `${address}/${prefix_length}`, route_target: target }
      },
    },

    view: {
      handle({ range }, act) {
        const { address, prefix, region, compute_id, shared_with } = rangeOf(range, act)
        return {
          range: address,
          prefix,
          region,
          is_bgp: shared_with.length > 0,
          computes: [...new Set([compute_id, ...shared_with])],
        }
      },
    },

    delete: {
      event: addressEvent('range', 'ipv6_range_delete'),
      handle({ range }, { world, caller }) {
        const { id, compute_id, shared_with } = rangeOf(range, { world, caller })
        if (permissionOf(caller.user, 'compute', compute_id) !== 'read_write') throw forbidden()
        if (shared_with.length > 0) throw refusal(null, 'A shared range cannot be deleted')
        world.network.addresses.delete(id)
        return {}
      },
    },
  },
  { range: canonicalAddress },
)

function rangeOf(address: string, { world, caller }: CallerContext): AddressRecord {
  const range = world.network.ranges().find((record) => record.address === address)
  if (range === undefined || !isVisible(range, caller)) throw notFound()
  return range
}

function isVisible({ compute_id }: AddressRecord, { user }: Caller): boolean {
  return permissionOf(user, 'compute', compute_id) !== null
}

/** Returns an instance's SLAAC address, the route target of its ranges. */
function targetOf(compute: number, { network }: World): string | null {
  return network.slaacOf(compute)?.address ?? null
}

function instanceOf(target: string, { network }: World): number {
  const record = network.findAddress(canonicalAddress(target) ?? '')
  if (record?.type !== 'ipv6') throw refusal('route_target', `${target} is no SLAAC address of a compute instance`)
  return record.compute_id
}

/** Returns the first free range. The lowest 256 subnets of a region are reserved for SLAAC addresses. */
function newRange(region: string, { network }: World): string {
  const range = (number: number) => `${prefixOf(region)}:${(number * 256).toString(16)}::`
  let number = 1
  while (network.findAddress(range(number))) number += 1
  return range(number)
}
