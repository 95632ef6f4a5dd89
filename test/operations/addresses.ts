/** Scopes, bodies and fields that api.md does not show are from gaps.md. */
import { ips } from '../../src/catalogue/ips'
import { ipv6Pools, ipv6Ranges } from '../../src/catalogue/ipv6'
import { vlans } from '../../src/catalogue/vlans'
import { type Kind, part } from './row'

const read = 'ips:read_only'
const write = 'ips:read_write'
const deleting = { scopes: write, answer: 'nothing' } as const
const both = 'ips:read_write computes:read_write'

const address: Kind = {
  address: 'ip',
  gateway: 'ip or null',
  compute_id: 'integer or null',
  prefix: 'integer',
  public: 'boolean',
  rdns: 'string or null',
  region: 'string',
  subnet_mask: 'ip or null',
  type: 'ipv4, ipv6, ipv6/pool, ipv6/range',
  vpc_nat_1_1: ['null', { address: 'ip', subnet_id: 'integer', vpc_id: 'integer' }],
}

const block: Kind = { range: 'ip', prefix: 'integer', region: 'string', route_target: 'ip or null' }

const assigning = {
  scopes: both,
  body: 'region* assignments*',
  send: { region: 'us-east', assignments: [{ address: '192.0.2.31', compute_id: 1002 }] },
  answer: 'nothing',
  repeat: 'idempotent',
} as const
const sharing = { ...assigning, body: 'compute_id* ips*', send: { compute_id: 1002, ips: ['192.0.2.31'] } } as const

export const addresses = part('IP addresses and IPv6', 14, {
  'IP Addresses List': {
    operation: ips.list,
    line: 'GET /networking/ips',
    scopes: read,
    query: 'skip_ipv6_rdns',
    answer: address,
    paged: { filters: 'address prefix type rdns region compute_id public', distinct: 'address' },
  },
  'IP Address Allocate': {
    operation: ips.allocate,
    line: 'POST /networking/ips',
    scopes: both,
    body: 'type* public* compute_id*',
    send: { type: 'ipv4', public: true, compute_id: 1001 },
    answer: address,
    repeat: 'never',
  },
  'IP Addresses Assign': { operation: ips.assign, line: 'POST /networking/ips/assign', ...assigning },
  'IP Addresses Share': { operation: ips.share, line: 'POST /networking/ips/share', ...sharing },
  'IP Address View': {
    operation: ips.view,
    line: 'GET /networking/ips/{address}',
    at: ['192.0.2.11'],
    scopes: read,
    answer: address,
  },
  'IP Address RDNS Update': {
    operation: ips.rdns,
    line: 'PUT /networking/ips/{address}',
    at: ['192.0.2.11'],
    scopes: write,
    body: 'rdns*',
    send: { rdns: null },
    answer: address,
  },
  'Assign IPv4s': { operation: ips.assignIpv4, line: 'POST /networking/ipv4/assign', ...assigning },
  'IPv4 Sharing Configure': { operation: ips.shareIpv4, line: 'POST /networking/ipv4/share', ...sharing },
  'IPv6 Pools List': {
    operation: ipv6Pools.list,
    line: 'GET /networking/ipv6/pools',
    scopes: read,
    answer: block,
    paged: { filters: 'region', distinct: 'range prefix' },
  },
  'IPv6 Ranges List': {
    operation: ipv6Ranges.list,
    line: 'GET /networking/ipv6/ranges',
    scopes: read,
    answer: block,
    paged: { filters: 'region', distinct: 'range prefix' },
  },
  'IPv6 Range Create': {
    operation: ipv6Ranges.create,
    line: 'POST /networking/ipv6/ranges',
    scopes: both,
    body: 'prefix_length* compute_id route_target',
    send: { prefix_length: 64, compute_id: 1009 },
    answer: { range: 'string', route_target: 'string' },
    repeat: 'never',
  },
  'IPv6 Range Delete': {
    operation: ipv6Ranges.delete,
    line: 'DELETE /networking/ipv6/ranges/{range}',
    at: ['2001:db8:114:100::'],
    ...deleting,
  },
  'IPv6 Range View': {
    operation: ipv6Ranges.view,
    line: 'GET /networking/ipv6/ranges/{range}',
    at: ['2001:db8:114:100::'],
    scopes: 'ips:read',
    answer: { is_bgp: 'boolean', computes: ['integer'], prefix: 'integer', range: 'ip', region: 'string' },
  },
  'VLANs List': {
    operation: vlans.list,
    line: 'GET /networking/vlans',
    scopes: 'computes:read_only',
    answer: { label: 'string', region: 'string', computes: ['integer'], created: 'date-time' },
    paged: { filters: 'label region', distinct: 'region label' },
  },
})
