import * as v from 'valibot'
import { addressFamily, splitNetwork } from '../rules/address-syntax'
import { arrayOf, boolean, checkedText, choice, integer, ipAddress, open, positive, text } from './fields'
import { operation } from './operation'

const address = v.looseObject({
  address: ipAddress('The address'),
  type: open(['ipv4', 'ipv6', 'ipv6/pool', 'ipv6/range'], 'Kind of address'),
  public: boolean('Whether it is reachable from outside'),
  compute_id: v.nullable(positive('Compute instance that it belongs to')),
  region: text('Region ID'),
  rdns: v.nullable(text('Reverse DNS')),
  gateway: v.nullable(ipAddress('Default gateway')),
  subnet_mask: v.nullable(ipAddress('Mask that separates host bits from network bits')),
  prefix: integer('Number of bits set in the mask'),
  vpc_nat_1_1: v.optional(
    v.nullable(
      v.looseObject({
        address: ipAddress('Address inside the VPC'),
        subnet_id: positive('Subnet ID'),
        vpc_id: positive('VPC ID'),
      }),
    ),
  ),
})

export type IpAddress = v.InferOutput<typeof address>

type KindOfAddress = Partial<Pick<IpAddress, 'type' | 'public'>>

export const isPublicIpv4 = (one: KindOfAddress) => one.type === 'ipv4' && one.public === true
export const isPrivateIpv4 = (one: KindOfAddress) => one.type === 'ipv4' && !one.public
export const isRange = ({ type }: KindOfAddress) => type === 'ipv6/range'

/** Returns the reason why an address cannot be assigned (api.md, IP addresses and IPv6). */
function assignableFault(written: string): string | undefined {
  if (addressFamily(written) === 'ipv4') return undefined
  const range = splitNetwork(written)
  if (range?.family === 'ipv6' && (range.prefix === 56 || range.prefix === 64)) return undefined
  return 'Must be an IPv4 address, or an IPv6 range with /56 or /64'
}

function sharableFault(written: string): string | undefined {
  return addressFamily(written) ? undefined : 'Must be an IPv4 address, or an IPv6 range without its prefix length'
}

const assignment = v.strictObject({
  address: checkedText(assignableFault, 'IPv4 address, or IPv6 range with /56 or /64'),
  compute_id: positive('Compute instance that gets it'),
})

const assignBody = v.strictObject({
  region: text('Region of all addresses and compute instances'),
  assignments: arrayOf(assignment, 'Addresses and their new compute instances'),
})

const shareBody = v.strictObject({
  compute_id: positive('Compute instance that may use the addresses as well'),
  ips: arrayOf(
    checkedText(sharableFault, 'IPv4 address, or IPv6 range without its prefix length'),
    'All addresses shared with it; an empty list ends all sharing',
  ),
})

const read = ['ips:read_only'] as const
const writeWithComputes = ['ips:read_write', 'computes:read_write'] as const
const nothing = v.looseObject({})

/** Requests that state all assignments at once, so that repeating one has no further effect (reliability.md). */
const assigning = {
  method: 'POST',
  scopes: writeWithComputes,
  body: assignBody,
  returns: nothing,
  idempotency: 'idempotent',
} as const
const sharing = { ...assigning, body: shareBody } as const

export const ips = {
  list: operation({
    method: 'GET',
    path: '/networking/ips',
    scopes: read,
    summary: 'List the addresses, without the private ones',
    query: v.strictObject({
      skip_ipv6_rdns: v.optional(boolean('Leave out the reverse DNS of IPv6 addresses, which is faster')),
    }),
    returns: address,
    paged: true,
    distinct: ['address'],
    filterable: ['address', 'prefix', 'type', 'rdns', 'region', 'compute_id', 'public'],
  }),
  allocate: operation({
    method: 'POST',
    path: '/networking/ips',
    scopes: writeWithComputes,
    summary: 'Allocate an IPv4 address to a compute instance',
    body: v.strictObject({
      type: choice(['ipv4'], 'Kind of address'),
      public: boolean('Whether it is reachable from outside'),
      compute_id: positive('Compute instance that gets it'),
    }),
    returns: address,
    essential: ['address'],
    creates: 'address',
    repeats: ['type', 'public', 'compute_id'],
  }),
  assign: operation({
    ...assigning,
    path: '/networking/ips/assign',
    needs: 'read_write access to all addresses and compute instances',
    summary: 'Assign addresses and ranges to compute instances',
  }),
  share: operation({
    ...sharing,
    path: '/networking/ips/share',
    summary: 'Set the addresses shared with an instance',
  }),
  view: operation({
    method: 'GET',
    path: '/networking/ips/{address}',
    scopes: read,
    summary: 'Show an address',
    returns: address,
    identityField: 'address',
  }),
  rdns: operation({
    method: 'PUT',
    path: '/networking/ips/{address}',
    scopes: ['ips:read_write'],
    summary: 'Set the reverse DNS of an address',
    body: v.strictObject({ rdns: v.nullable(text('Name; null resets it to the default')) }),
    returns: address,
    identityField: 'address',
  }),
  assignIpv4: operation({
    ...assigning,
    path: '/networking/ipv4/assign',
    needs: 'read_write access to all addresses and compute instances',
    summary: 'Assign addresses and ranges, by the older endpoint',
  }),
  shareIpv4: operation({
    ...sharing,
    path: '/networking/ipv4/share',
    summary: 'Set the shared addresses, by the older endpoint',
  }),
}
