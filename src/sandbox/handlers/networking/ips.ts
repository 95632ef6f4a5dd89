import { type IpAddress, ips } from '../../../catalogue/ips'
import type { Body } from '../../../catalogue/operation'
import { maskOf, parseAddress } from '../../../rules/addresses'
import { isDomainName } from '../../../rules/host-names'
import { type CallerContext, computeToChange, permissionOf } from '../../caller'
import { addressEvent, assignmentEvent, changeEvent } from '../../events'
import { type Handler, serve } from '../../handler'
import { listing } from '../../pages'
import { all, forbidden, notFound, refusal, refuseBroken } from '../../refusal'
import type { AddressRecord } from '../../tables/addresses'
import type { ComputeRecord } from '../../tables/services'
import type { World } from '../../world'

/** Formats an address as in RFC 5952, as records have it; undefined if the text is no address. */
export const canonicalAddress = (text: string) => parseAddress(text)?.address

const assigning = (shared: 'stay' | 'move'): Handler<typeof ips.assign> => ({
  event: assignmentEvent,
  handle: (request, act) => assign(request, shared, act),
})

const sharing: Handler<typeof ips.share> = {
  event: changeEvent('compute', 'compute_id', 'ip_address_share'),
  handle: share,
}

export const servedIps = serve(
  ips,
  {
    list: {
      handle({ skip_ipv6_rdns }, { world, caller }) {
        const visible = world.network.addresses
          .all()
          .filter((address) => address.public && permissionOf(caller.user, 'compute', address.compute_id) !== null)
          .map(shown)
          .map((address) => (skip_ipv6_rdns && address.type !== 'ipv4' ? { ...address, rdns: null } : address))
        return listing(visible, (address) => address)
      },
    },

    allocate: {
      event: changeEvent('compute', 'compute_id', 'ip_address_create'),
      handle({ public: isPublic, compute_id }, { world, caller }) {
        const compute = computeToChange(compute_id, 'compute_id', { world, caller })
        const { network } = world
        if (!isPublic && network.addressesOf(compute_id).some((address) => !address.public)) {
          throw refusal('public', `Compute instance ${compute_id} already has a private IPv4 address`)
        }
        const { region } = compute
        const block = isPublic ? publicBlock : privateBlock
        const { prefix } = block
        const address = freeAddress(block, world)
        return shown(network.addresses.add({ address, prefix, public: isPublic, compute_id, region }))
      },
    },

    assign: assigning('stay'),
    share: sharing,

    view: {
      handle: ({ address }, act) => shown(addressOf(address, act)),
    },

    rdns: {
      event: addressEvent('address', 'ip_address_update'),
      handle({ address, rdns }, { world, caller }) {
        const record = addressOf(address, { world, caller })
        if (permissionOf(caller.user, 'compute', record.compute_id) !== 'read_write') throw forbidden()
        if (!record.public) throw refusal('rdns', 'A private address has no reverse DNS')
        if (rdns !== null) checkName(rdns)
        return shown(world.network.addresses.put({ ...record, rdns }))
      },
    },

    assignIpv4: assigning('move'),
    shareIpv4: sharing,
  },
  { address: canonicalAddress },
)

function addressOf(text: string, { world, caller }: CallerContext): AddressRecord {
  const record = world.network.findAddress(text)
  if (!record || permissionOf(caller.user, 'compute', record.compute_id) === null) throw notFound()
  return record
}

/** Requires forward DNS. The sandbox queries no name server: only names below `invalid` (RFC 6761) have none. */
function checkName(name: string): void {
  if (!isDomainName(name)) throw refusal('rdns', 'Domain is not valid.')
  if (/\.invalid$/i.test(name)) throw refusal('rdns', `Unable to look up ${name}: set up its forward DNS first`)
}

/** Pools of new addresses: a documentation range (RFC 5737), and private ones as in gaps.md. */
const publicBlock = { start: '198.51.100', prefix: 24 }
const privateBlock = { start: '192.168.129', prefix: 17 }

function freeAddress({ start }: { start: string }, { network }: World): string {
  for (let host = 2; host < 255; host += 1) {
    const address = `${start}.${host}`
    if (network.findAddress(address) === undefined) return address
  }
  throw refusal(null, 'No address is left to allocate')
}

function shown(record: AddressRecord): IpAddress {
  const { address, type, compute_id, region, prefix, vpc_nat_1_1 } = record
  const isIpv4 = type === 'ipv4'
  return {
    address,
    type,
    public: record.public,
    compute_id,
    region,
    rdns: record.rdns ?? (isIpv4 && record.public ? `${address.replaceAll('.', '-')}.ip.example.net` : null),
    gateway: !record.public ? null : isIpv4 ? address.replace(/\d+$/, '1') : 'fe80::1',
    subnet_mask: maskOf(isIpv4 ? 'ipv4' : 'ipv6', prefix),
    prefix,
    vpc_nat_1_1,
  }
}

/** Shares exactly these addresses with an instance; all others are no longer shared with it. */
function share({ compute_id, ips: addressTexts }: Body<typeof ips.share>, act: CallerContext): Record<string, never> {
  const compute = computeToChange(compute_id, 'compute_id', act)
  const { addresses } = act.world.network
  const shared = new Set<number>()
  all(
    ...addressTexts.map((text, index) => () => {
      shared.add(addressToShare(text, `ips[${index}]`, compute, act).id)
    }),
  )
  for (const address of addresses.all()) {
    const others = address.shared_with.filter((id) => id !== compute_id)
    const shared_with = shared.has(address.id) ? [...others, compute_id] : others
    if (shared_with.length !== address.shared_with.length) addresses.put({ ...address, shared_with })
  }
  return {}
}

function addressToShare(
  text: string,
  field: string,
  compute: ComputeRecord,
  { world, caller }: CallerContext,
): AddressRecord {
  const record = world.network.findAddress(canonicalAddress(text) ?? '')
  if (!record || record.type === 'ipv6' || !permissionOf(caller.user, 'compute', record.compute_id)) {
    throw refusal(field, 'IP Address not found.')
  }
  if (record.region !== compute.region) {
    throw refusal(field, `${text} is in ${record.region}, compute instance ${compute.id} in ${compute.region}`)
  }
  if (record.vpc_nat_1_1) throw refusal(field, `${text} is in use for 1:1 NAT`)
  // A range may be shared with its own instance: it then announces the route, as the others do.
  if (record.compute_id === compute.id && record.type !== 'ipv6/range')
    throw refusal(field, `${text} belongs to compute instance ${compute.id}`)
  return record
}

/**
 * Moves addresses and ranges (api.md, Assign rules). The rules are checked after all moves, because a swap breaks them
 * in between. `shared` decides if shared addresses move too; it depends on the endpoint (rule 5).
 */
function assign(
  { region, assignments }: Body<typeof ips.assign>,
  shared: 'stay' | 'move',
  act: CallerContext,
): Record<string, never> {
  const { world } = act
  const involved = new Set<number>()
  const assignedIds = new Set<number>()
  const move = (address: string, compute_id: number, index: number) => {
    const field = `assignments[${index}].address`
    const record = addressToMove(address, field, act)
    if (record.region !== region) throw refusal(field, `${address} is in ${record.region}, not in ${region}`)
    if (assignedIds.has(record.id)) throw refusal(field, `${address} is assigned twice`)
    assignedIds.add(record.id)
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
  return {}
}

function checkTarget(id: number, { field, region }: { field: string; region: string }, act: CallerContext): void {
  const compute = computeToChange(id, field, act)
  if (compute.region !== region)
    throw refusal(field, `Compute instance ${id} is in ${compute.region}, not in ${region}`)
}

function addressToMove(text: string, field: string, { world, caller }: CallerContext): AddressRecord {
  const [address = '', prefix] = text.split('/')
  const record = world.network.findAddress(canonicalAddress(address) ?? '')
  const permission = record && permissionOf(caller.user, 'compute', record.compute_id)
  const isMeant = prefix === undefined ? record?.type === 'ipv4' : record?.prefix === Number(prefix)
  if (!permission || !isMeant || record.type === 'ipv6') throw refusal(field, 'IP Address not found.')
  if (permission !== 'read_write') throw forbidden()
  return record
}

/** Checks an instance's addresses after all assignments (rule 2). */
function checkHoldings(compute: number, { network }: World): void {
  const addresses = network.addressesOf(compute)
  const count = (test: (address: AddressRecord) => boolean) => addresses.filter(test).length
  const would = `Compute instance ${compute} would have`
  const ipv4 = (isPublic: boolean) => count(({ type, public: open }) => type === 'ipv4' && open === isPublic)
  refuseBroken([
    [ipv4(true) < 1, 'assignments', `${would} no public IPv4 address`],
    [ipv4(false) > 1, 'assignments', `${would} more than one private IPv4 address`],
    [count(({ type }) => type === 'ipv6/range') > 1, 'assignments', `${would} more than one IPv6 range`],
  ])
}
