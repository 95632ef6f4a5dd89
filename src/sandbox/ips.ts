import type { IpAddress, ips } from '../catalogue/ips'
import { maskOf } from '../rules/addresses'
import { isDomainName } from '../rules/domain-names'
import { type Caller, permissionOf } from './caller'
import { computeToChange } from './computes'
import type { Handler, Handlers } from './handler'
import { assign } from './ip-assignment'
import { share } from './ip-sharing'
import { listing } from './pages'
import { forbidden, notFound, refusal } from './refusal'
import type { AddressRecord } from './tables/addresses'
import type { World } from './world'

type Act = { world: World; caller: Caller }

const assigning = (shared: 'stay' | 'move'): Handler<typeof ips.assign> => ({
  handle(request, act) {
    assign(request, shared, act)
    return {}
  },
})

const sharing: Handler<typeof ips.share> = {
  handle(request, act) {
    share(request, act)
    return {}
  },
}

export const ipHandlers: Handlers<typeof ips> = {
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
}

function addressOf(text: string, { world, caller }: Act): AddressRecord {
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
