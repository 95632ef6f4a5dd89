import * as v from 'valibot'
import { addressFamily } from '../rules/address-syntax'
import { boolean, checkedText, integer, ipAddress, positive, text, together } from './fields'
import { operation } from './operation'

/** Record in lists of pools and ranges (gaps.md). */
const block = v.looseObject({
  range: ipAddress('First address'),
  prefix: integer('Prefix length'),
  region: text('Region ID'),
  route_target: v.optional(v.nullable(ipAddress('Address that the block is routed to'))),
})

const range = v.looseObject({
  range: ipAddress('First address'),
  prefix: integer('Prefix length; 2 to the power of 128 minus it are the addresses'),
  region: text('Region ID'),
  is_bgp: boolean('Whether the range is shared'),
  computes: v.pipe(
    v.array(positive('ID of a compute instance')),
    v.description('Compute instances that it is routed to, those that share it included'),
  ),
})

const newRange = v.looseObject({
  range: text('Range with its prefix length'),
  route_target: text('SLAAC address that the range is routed to'),
})

export type Ipv6Block = v.InferOutput<typeof block>

function targetFault(written: string): string | undefined {
  return addressFamily(written) === 'ipv6' ? undefined : 'Must be an IPv6 address without a prefix length'
}

const createBody = v.pipe(
  v.strictObject({
    prefix_length: v.pipe(
      v.number('Must be an integer'),
      v.values([56, 64], 'Must be one of: 56, 64'),
      v.description('Prefix length: 56 or 64'),
    ),
    compute_id: v.optional(positive('Compute instance that the range is routed to')),
    route_target: v.optional(checkedText(targetFault, 'SLAAC address that the range is routed to')),
  }),
  together(
    ['compute_id', 'route_target'],
    ({ compute_id, route_target }) => compute_id !== undefined || route_target !== undefined,
    'Must provide compute_id or route_target',
  ),
  together(
    ['route_target', 'compute_id'],
    ({ compute_id, route_target }) => compute_id === undefined || route_target === undefined,
    'Must not be set together with compute_id',
  ),
)

const read = ['ips:read_only'] as const

export const ipv6Pools = {
  list: operation({
    method: 'GET',
    path: '/networking/ipv6/pools',
    scopes: read,
    summary: 'List the IPv6 pools',
    returns: block,
    paged: true,
    distinct: ['range', 'prefix'],
    // Recorded pools lack a prefix (gaps.md, Missing fields in answers).
    essential: ['range'],
    filterable: ['region'],
  }),
}

export const ipv6Ranges = {
  list: operation({
    method: 'GET',
    path: '/networking/ipv6/ranges',
    scopes: read,
    summary: 'List the IPv6 ranges',
    returns: block,
    paged: true,
    distinct: ['range', 'prefix'],
    // Recorded pools lack a prefix (gaps.md, Missing fields in answers).
    essential: ['range'],
    filterable: ['region'],
  }),
  create: operation({
    method: 'POST',
    path: '/networking/ipv6/ranges',
    scopes: ['ips:read_write', 'computes:read_write'],
    summary: 'Create an IPv6 range routed to an instance',
    body: createBody,
    returns: newRange,
    essential: ['range'],
    creates: 'IPv6 range',
    repeats: ['route_target'],
  }),
  view: operation({
    method: 'GET',
    path: '/networking/ipv6/ranges/{range}',
    // Scope name of api.md. Tokens with read access to all of `ips` may use it too.
    scopes: ['ips:read'],
    summary: 'Show an IPv6 range and its targets',
    returns: range,
    identityField: 'range',
  }),
  delete: operation({
    method: 'DELETE',
    path: '/networking/ipv6/ranges/{range}',
    scopes: ['ips:read_write'],
    summary: 'Delete an IPv6 range; its addresses are lost',
    returns: v.looseObject({}),
  }),
}
